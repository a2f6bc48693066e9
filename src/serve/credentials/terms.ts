/** What a scheme demands of its credentials: algorithm, keys, issuer, audience and times. */
import { createPrivateKey, createPublicKey } from "node:crypto";
import type { KeyObject } from "node:crypto";
import type { Answer, ItemId, Scheme } from "../../plan/index.ts";
import type { Members } from "../../run/index.ts";
import { compileRule } from "../../run/index.ts";
import { microsOf } from "../duration.ts";
import { algorithmOf } from "./jwt.ts";
import type { Algorithm, TokenTerms } from "./jwt.ts";

export type Terms =
  | { readonly is: "opaque" | "basic" | "unsupported" }
  | { readonly is: "gap"; readonly gap: ItemId }
  | {
      readonly is: "jwt";
      readonly judging: TokenTerms;
      readonly issuing: TokenTerms;
      readonly lifetime?: bigint;
    };

/** The terms of a scheme. Throws, naming the scheme, where its key cannot be used. */
export function makeTerms(scheme: Scheme, settings: Members): Terms {
  const { credential } = scheme;
  if (credential.is === "gap") return { is: "gap", gap: credential.gap };
  if (credential.is !== "stated") return { is: "opaque" };
  const kind = credential.value;
  if (kind.is !== "jwt") return { is: kind.is };
  const algorithm = algorithmOf(kind.algorithm);
  if (!algorithm || kind.key === "jwks") return { is: "unsupported" };
  for (const answer of [scheme.issuer, scheme.audience, scheme.lifetime, scheme.clockSkew]) {
    if (answer.is === "gap") return { is: "gap", gap: answer.gap };
  }
  const secret = compileRule(kind.key.code)?.(undefined, { now: 0n, settings });
  if (typeof secret !== "string") throw new Error(`the key of scheme ${scheme.name} is not given`);
  const keys = keysOf(algorithm, secret, scheme.name);
  const lifetime = timeOf(scheme.lifetime);
  const common = {
    algorithm,
    issuer: textOf(scheme.issuer),
    audience: textOf(scheme.audience),
    expires: lifetime !== undefined,
    skew: timeOf(scheme.clockSkew) ?? 0n,
  };
  return {
    is: "jwt",
    judging: { ...common, key: keys.judging },
    issuing: { ...common, key: keys.issuing },
    lifetime,
  };
}

function textOf(answer: Answer<string>): string | undefined {
  return answer.is === "stated" ? answer.value : undefined;
}

function timeOf(answer: Answer<string>): bigint | undefined {
  return answer.is === "stated" ? microsOf(answer.value) : undefined;
}

interface Keys {
  readonly judging: Buffer | KeyObject;
  readonly issuing: Buffer | KeyObject;
}

const MATCHING: Readonly<Record<string, string>> = {
  RSA: "rsa",
  PSS: "rsa",
  EC: "ec",
  EdDSA: "ed25519",
};

/** HMAC: the setting's UTF-8 bytes. Else a key in PEM: a private one judges and issues. */
function keysOf(algorithm: Algorithm, secret: string, scheme: string): Keys {
  if (algorithm.family === "HMAC") {
    const key = Buffer.from(secret, "utf8");
    return { judging: key, issuing: key };
  }
  try {
    const issuing = secret.includes("PRIVATE KEY") ? createPrivateKey(secret) : undefined;
    const judging = createPublicKey(secret);
    if (judging.asymmetricKeyType === MATCHING[algorithm.family]) {
      return { judging, issuing: issuing ?? judging };
    }
  } catch {
    // Named below, without a word of the key itself.
  }
  throw new Error(`the key of scheme ${scheme} is no ${algorithm.name} key in PEM`);
}
