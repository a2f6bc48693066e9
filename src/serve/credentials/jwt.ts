/**
 * Judges and issues JSON Web Tokens (RFC 7519, compact JWS of RFC 7515) of one stated algorithm.
 * What the token's own header says never chooses the algorithm or the key.
 */

import type { KeyObject } from "node:crypto";
import { createHmac, sign, timingSafeEqual, verify } from "node:crypto";
import type { Json, Members } from "../../run/index.ts";
import { decodeUtf8, isJsonNumber, isJsonObject, parseJson } from "../../run/index.ts";

const TOKEN_MAX = 16_384;
const BASE64URL = /^[A-Za-z0-9_-]*$/;
const SECOND = 1_000_000;

/** Node's names and options for an algorithm of RFC 7518 section 3.1 (and EdDSA of RFC 8037). */
export interface Algorithm {
  readonly name: string;
  readonly family: "HMAC" | "RSA" | "PSS" | "EC" | "EdDSA";
  readonly hash: string;
}

/** The algorithm of that name; undefined for `none` and for what is not built in. */
export function algorithmOf(name: string): Algorithm | undefined {
  if (name === "EdDSA") return { name, family: "EdDSA", hash: "" };
  const found = /^(HS|RS|PS|ES)(256|384|512)$/.exec(name);
  if (!found) return undefined;
  const family = ({ HS: "HMAC", RS: "RSA", PS: "PSS", ES: "EC" } as const)[
    found[1] as "HS" | "RS" | "PS" | "ES"
  ];
  return { name, family, hash: `sha${found[2]}` };
}

const CURVES: Readonly<Record<string, string>> = {
  ES256: "prime256v1",
  ES384: "secp384r1",
  ES512: "secp521r1",
};

/** RFC 7518 section 3.3. */
const RSA_LEAST_BITS = 2048;

/** Whether a key is of the kind that the algorithm needs (RFC 7518 section 3, RFC 8037). */
export function fitsAlgorithm(algorithm: Algorithm, key: KeyObject): boolean {
  const { name, family } = algorithm;
  if (family === "HMAC") {
    return key.type === "secret" && (key.symmetricKeySize ?? 0) >= leastBytes(algorithm);
  }
  if (family === "EdDSA") return key.asymmetricKeyType === "ed25519";
  if (family !== "EC") {
    const { modulusLength = 0 } = key.asymmetricKeyDetails ?? {};
    return key.asymmetricKeyType === "rsa" && modulusLength >= RSA_LEAST_BITS;
  }
  return key.asymmetricKeyDetails?.namedCurve === CURVES[name];
}

/** How many bytes a key of HMAC has at least: as many as its hash (RFC 7518 section 3.2). */
export function leastBytes({ name }: Algorithm): number {
  return Number(name.slice(2)) / 8;
}

/** What a token must be. Times in microseconds. */
export interface TokenTerms {
  readonly algorithm: Algorithm;
  /** HMAC: the secret's bytes; else a key object (public to judge, private to issue). */
  readonly key: Buffer | KeyObject;
  readonly issuer?: string;
  readonly audience?: string;
  /** Whether a token must say when it ends. */
  readonly expires: boolean;
  readonly skew: bigint;
  /** Tokens need not say whom they are about: `sub` is stated to be none, and nothing reads it. */
  readonly anonymous?: boolean;
}

/** Claims `sub`, `jti` (text), `iat`, `exp` (timestamps), or undefined for a bad token. */
export function judgeToken(token: string, terms: TokenTerms, now: bigint): Members | undefined {
  if (token.length > TOKEN_MAX) return undefined;
  const parts = token.split(".");
  const [header = "", payload = "", signature = ""] = parts;
  if (parts.length !== 3 || !parts.every((part) => BASE64URL.test(part))) return undefined;
  const head = objectOf(header);
  if (head?.get("alg") !== terms.algorithm.name || head.has("crit")) return undefined;
  const signed = Buffer.from(`${header}.${payload}`, "ascii");
  if (!isSigned(signed, Buffer.from(signature, "base64url"), terms)) return undefined;
  const claims = objectOf(payload);
  return claims && isFor(claims, terms, now) ? shown(claims, terms) : undefined;
}

/** The key that a token names in its header (`kid`); it is trusted in nothing else. */
export function keyNameOf(token: string): string | undefined {
  const end = token.indexOf(".");
  const kid = end < 0 || end > TOKEN_MAX ? undefined : objectOf(token.slice(0, end))?.get("kid");
  return typeof kid === "string" ? kid : undefined;
}

function objectOf(part: string): ReadonlyMap<string, Json> | undefined {
  const text = decodeUtf8(Buffer.from(part, "base64url"));
  const parsed = text === undefined ? undefined : parseJson(text);
  if (!parsed?.ok || parsed.repeated.length > 0) return undefined;
  return isJsonObject(parsed.value) ? parsed.value : undefined;
}

function isSigned(signed: Buffer, signature: Buffer, { algorithm, key }: TokenTerms): boolean {
  if (algorithm.family === "HMAC") {
    const expected = createHmac(algorithm.hash, key).update(signed).digest();
    return expected.length === signature.length && timingSafeEqual(expected, signature);
  }
  try {
    return verify(algorithm.hash || null, signed, keyInput(algorithm, key), signature);
  } catch {
    return false;
  }
}

function keyInput(algorithm: Algorithm, key: Buffer | KeyObject): Parameters<typeof verify>[2] {
  const object = key as KeyObject;
  if (algorithm.family === "EC") return { key: object, dsaEncoding: "ieee-p1363" };
  if (algorithm.family !== "PSS") return object;
  const RSA_PKCS1_PSS_PADDING = 6;
  const SALT_AS_DIGEST = -1;
  return { key: object, padding: RSA_PKCS1_PSS_PADDING, saltLength: SALT_AS_DIGEST };
}

/** Times (RFC 7519 sections 4.1.4 and 4.1.5), issuer and audience. */
function isFor(claims: ReadonlyMap<string, Json>, terms: TokenTerms, now: bigint): boolean {
  const end = timeOf(claims.get("exp"));
  const begin = timeOf(claims.get("nbf"));
  if (end === "bad" || begin === "bad" || timeOf(claims.get("iat")) === "bad") return false;
  if (end === undefined ? terms.expires : now >= end + terms.skew) return false;
  if (begin !== undefined && now < begin - terms.skew) return false;
  if (terms.issuer !== undefined && claims.get("iss") !== terms.issuer) return false;
  const audience = claims.get("aud");
  if (terms.audience === undefined) return audience === undefined;
  return (
    audience === terms.audience || (Array.isArray(audience) && audience.includes(terms.audience))
  );
}

/** NumericDate (RFC 7519 section 2) in microseconds. */
function timeOf(claim: Json | undefined): bigint | "bad" | undefined {
  if (claim === undefined) return undefined;
  const seconds = isJsonNumber(claim) ? Number(claim.numberText) : Number.NaN;
  return Math.abs(seconds) < 1e12 ? BigInt(Math.round(seconds * SECOND)) : "bad";
}

function shown(claims: ReadonlyMap<string, Json>, { anonymous }: TokenTerms): Members | undefined {
  const [subject, id] = [claims.get("sub"), claims.get("jti")];
  const isNamed = typeof subject === "string" || (subject === undefined && anonymous === true);
  if (!isNamed || (id !== undefined && typeof id !== "string")) return undefined;
  const members = new Map<string, unknown>(subject === undefined ? [] : [["sub", subject]]);
  if (id !== undefined) members.set("jti", id);
  for (const name of ["iat", "exp"]) {
    const time = timeOf(claims.get(name));
    if (time !== undefined) members.set(name, time);
  }
  return members;
}

/** What a new token says besides its terms. */
interface Issue {
  readonly subject: string | undefined;
  readonly now: bigint;
  /** Microseconds; undefined: it does not end. */
  readonly lifetime?: bigint;
}

/** A signed token with `iss`, `sub`, `aud`, `iat` and `exp`, as far as each is stated. */
export function issueToken(terms: TokenTerms, { subject, now, lifetime }: Issue): string {
  const issued = Number(now / BigInt(SECOND));
  const claims: Record<string, unknown> = {};
  if (terms.issuer !== undefined) claims.iss = terms.issuer;
  if (subject !== undefined) claims.sub = subject;
  if (terms.audience !== undefined) claims.aud = terms.audience;
  claims.iat = issued;
  if (lifetime !== undefined) claims.exp = issued + Number(lifetime / BigInt(SECOND));
  const coded = (value: unknown): string =>
    Buffer.from(JSON.stringify(value)).toString("base64url");
  const head = coded({ alg: terms.algorithm.name, typ: "JWT" });
  const signed = `${head}.${coded(claims)}`;
  const { algorithm, key } = terms;
  const signature =
    algorithm.family === "HMAC"
      ? createHmac(algorithm.hash, key).update(signed).digest()
      : sign(algorithm.hash || null, Buffer.from(signed), keyInput(algorithm, key) as KeyObject);
  return `${signed}.${signature.toString("base64url")}`;
}
