/** What a scheme demands of its credentials: algorithm, keys, issuer, audience and times. */
import type { KeyObject } from "node:crypto";
import { createPrivateKey, createPublicKey } from "node:crypto";
import {
  type Answer,
  type CredentialKind,
  durationOf,
  type Expression,
  gapOf,
  type ItemId,
  isStated,
  type Scheme,
  statedOf,
} from "../../plan/index.ts";
import type { Members } from "../../run/index.ts";
import { compileRule, GapFault } from "../../run/index.ts";
import { digest } from "../crypto/digest.ts";
import { CannotServe } from "../settings/refused.ts";
import type { Algorithm, TokenTerms } from "./jwt.ts";
import { algorithmOf, fitsAlgorithm, leastBytes } from "./jwt.ts";
import { KeySet } from "./keyset.ts";

/** Everything about a JWT but its key. */
type Claimed = Omit<TokenTerms, "key">;

export interface JwtTerms {
  readonly is: "jwt";
  readonly claimed: Claimed;
  /** One key, or the set in which each token names its own. */
  readonly keys: Keys | KeySet;
  readonly lifetime?: bigint;
  /** Questions that are not answered: met by tokens for which the answer matters. */
  readonly gaps: { readonly lifetime?: ItemId; readonly skew?: ItemId };
}

export type Terms =
  | { readonly is: "opaque" | "basic" | "unsupported" }
  | { readonly is: "gap"; readonly gap: ItemId }
  | JwtTerms;

/** The terms of a scheme. Throws, naming the scheme, where its key cannot be used. */
export function makeTerms(scheme: Scheme, settings: Members): Terms {
  const { credential } = scheme;
  if (credential.is === "gap") return { is: "gap", gap: credential.gap };
  if (!isStated(credential)) return { is: "opaque" };
  const kind = credential.value;
  if (kind.is !== "jwt") return { is: kind.is };
  const algorithm = algorithmOf(kind.algorithm);
  if (!algorithm) return { is: "unsupported" };
  for (const answer of [scheme.issuer, scheme.audience]) {
    if (answer.is === "gap") return { is: "gap", gap: answer.gap };
  }
  let keys: Keys | KeySet | undefined;
  try {
    keys = keysFor(scheme, kind, algorithm, settings);
  } catch (thrown) {
    // What kind of setting has the key is not shown: whoever needs the key meets that.
    if (thrown instanceof GapFault) return { is: "gap", gap: thrown.gap };
    throw thrown;
  }
  if (!keys) return { is: "unsupported" };
  const { lifetime: lasts, clockSkew } = scheme;
  const lifetime = timeOf(lasts);
  return {
    is: "jwt",
    claimed: {
      algorithm,
      issuer: textOf(scheme.issuer),
      audience: textOf(scheme.audience),
      expires: lifetime !== undefined || lasts.is === "gap",
      skew: timeOf(clockSkew) ?? 0n,
      anonymous: scheme.subject.is === "none" && !readsSubject(scheme.caller),
    },
    keys,
    lifetime,
    gaps: {
      lifetime: gapOf(lasts),
      skew: gapOf(clockSkew),
    },
  };
}

/** Whether the Caller condition reads `claims.sub`. */
function readsSubject(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  if ((value as { member?: unknown }).member === "sub") return true;
  return Object.values(value).some(readsSubject);
}

function textOf(answer: Answer<string>): string | undefined {
  return statedOf(answer);
}

function timeOf(answer: Answer<string>): bigint | undefined {
  return isStated(answer) ? durationOf(answer.value) : undefined;
}

type Jwt = CredentialKind & { readonly is: "jwt" };

function keysFor(
  { name }: Scheme,
  { key, jwks }: Jwt,
  algorithm: Algorithm,
  settings: Members,
): Keys | KeySet | undefined {
  const text = (expression: Expression): string => {
    const value = compileRule(expression.code)?.(undefined, { now: 0n, settings, digest });
    if (typeof value !== "string") {
      throw new CannotServe([`The key of scheme ${name} is not given.`]);
    }
    return value;
  };
  if (key !== "jwks") return keysOf(algorithm, text(key), name);
  return jwks && new KeySet(text(jwks), algorithm);
}

/** One key to judge by, and one to issue by. */
interface Keys {
  readonly judging: Buffer | KeyObject;
  readonly issuing: Buffer | KeyObject;
}

/** HMAC: the setting's UTF-8 bytes. Else a key in PEM: a private one judges and issues. */
function keysOf(algorithm: Algorithm, secret: string, scheme: string): Keys {
  if (algorithm.family === "HMAC") {
    const key = Buffer.from(secret, "utf8");
    const least = leastBytes(algorithm);
    if (key.length < least) {
      throw new CannotServe([
        `The key of scheme ${scheme} is too short: ${algorithm.name} wants ${least} bytes or ` +
          "more (RFC 7518 section 3.2).",
      ]);
    }
    return { judging: key, issuing: key };
  }
  try {
    const issuing = secret.includes("PRIVATE KEY") ? createPrivateKey(secret) : undefined;
    const judging = createPublicKey(secret);
    if (fitsAlgorithm(algorithm, judging)) return { judging, issuing: issuing ?? judging };
  } catch {
    // Named below, without a word of the key itself.
  }
  throw new CannotServe([
    `The key of scheme ${scheme} is no ${algorithm.name} key in PEM, or is too short.`,
  ]);
}
