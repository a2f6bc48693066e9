/** Stored forms of secrets: hashed as the document states, in texts that name their parameters. */

import * as crypto from "node:crypto";
import type { Hash } from "../../plan/index.ts";
import { sha256 } from "../crypto/digest.ts";
import type { SlowHash } from "../jobs/hashed.ts";

const SALT_BYTES = 16;
const OUTPUT_BYTES = 32;
const SCRYPT_MEMORY_MAX = 1 << 30;

type Bytes = (count: number) => Uint8Array;

/** How the output of a slow hash is made: at once, or beside what else this thread does. */
type Derive<T> = (secret: string, salt: Buffer, hash: SlowHash) => T;

/** Whether a hash is slow by intent. */
export function isSlow(hash: Hash): hash is SlowHash {
  return hash.kind === "argon2id" || hash.kind === "scrypt";
}

/**
 * The stored form: for Argon2id (RFC 9106) and scrypt (RFC 7914) a text in the style of PHC
 * strings with a random salt, for SHA-256 lower-case hex, and for `plain` the secret itself.
 */
export function hashSecret(hash: Hash, secret: string, random: Bytes): string {
  if (hash.kind === "plain") return secret;
  if (!isSlow(hash)) return sha256(secret);
  const salt = Buffer.from(random(SALT_BYTES));
  return textOf(hash, salt, deriveNow(secret, salt, hash));
}

/** A stored form that takes as long to compare as one of this hash, and is of no secret. */
export function blankOf(hash: Hash): string {
  if (!isSlow(hash)) return "";
  return textOf(hash, Buffer.alloc(SALT_BYTES), Buffer.alloc(OUTPUT_BYTES));
}

/** The same for a slow hash, in a thread of the platform's pool. */
export async function hashLater(hash: SlowHash, secret: string): Promise<string> {
  const salt = crypto.randomBytes(SALT_BYTES);
  return textOf(hash, salt, await deriveLater(secret, salt, hash));
}

/** Whether `secret` is the one whose stored form this is; equal lengths compare in equal time. */
export function verifySecret(stored: string, secret: string): boolean {
  const slow = readSlow(stored);
  if (slow) return same(deriveNow(secret, slow.salt, slow.hash), slow.expected);
  if (/^[0-9a-f]{64}$/.test(stored)) return same(Buffer.from(sha256(secret)), Buffer.from(stored));
  return same(Buffer.from(secret), Buffer.from(stored));
}

/** The same, in a thread of the platform's pool where the stored form is of a slow hash. */
export async function verifyLater(stored: string, secret: string): Promise<boolean> {
  const slow = readSlow(stored);
  if (slow === undefined) return verifySecret(stored, secret);
  return same(await deriveLater(secret, slow.salt, slow.hash), slow.expected);
}

/** Whether a stored form is of a slow hash. */
export function isStoredSlow(stored: string): boolean {
  return stored.startsWith("$argon2id$") || stored.startsWith("$scrypt$");
}

function textOf(hash: SlowHash, salt: Buffer, output: Buffer): string {
  const end = `${coded(salt)}$${coded(output)}`;
  if (hash.kind === "argon2id") {
    return `$argon2id$v=19$m=${hash.memoryKiB},t=${hash.passes},p=${hash.lanes}$${end}`;
  }
  return `$scrypt$n=${hash.n},r=${hash.r},p=${hash.p}$${end}`;
}

function readSlow(stored: string): { hash: SlowHash; salt: Buffer; expected: Buffer } | undefined {
  if (!isStoredSlow(stored)) return undefined;
  const parts = stored.split("$");
  const terms = parts.find((part) => /^[a-z]=/.test(part) && !part.startsWith("v="));
  const numbers = new Map(terms?.split(",").map((term) => [term[0], Number(term.slice(2))]));
  const at = (name: string): number => numbers.get(name) ?? 0;
  const hash: SlowHash = stored.startsWith("$argon2id$")
    ? { kind: "argon2id", memoryKiB: at("m"), passes: at("t"), lanes: at("p") }
    : { kind: "scrypt", n: at("n"), r: at("r"), p: at("p") };
  const salt = Buffer.from(parts.at(-2) ?? "", "base64");
  return { hash, salt, expected: Buffer.from(parts.at(-1) ?? "", "base64") };
}

function coded(bytes: Buffer): string {
  return bytes.toString("base64").replaceAll("=", "");
}

function same(a: Buffer, b: Buffer): boolean {
  return a.length === b.length && crypto.timingSafeEqual(a, b);
}

function argon2Terms(secret: string, salt: Buffer, hash: SlowHash & { kind: "argon2id" }) {
  return {
    message: Buffer.from(secret, "utf8"),
    nonce: salt,
    parallelism: hash.lanes,
    tagLength: OUTPUT_BYTES,
    memory: hash.memoryKiB,
    passes: hash.passes,
  };
}

function scryptTerms({ n, r, p }: SlowHash & { kind: "scrypt" }) {
  return { N: n, r, p, maxmem: SCRYPT_MEMORY_MAX };
}

const deriveNow: Derive<Buffer> = (secret, salt, hash) =>
  hash.kind === "argon2id"
    ? crypto.argon2Sync("argon2id", argon2Terms(secret, salt, hash))
    : crypto.scryptSync(secret, salt, OUTPUT_BYTES, scryptTerms(hash));

const deriveLater: Derive<Promise<Buffer>> = (secret, salt, hash) =>
  new Promise((resolve, reject) => {
    const done = (fault: Error | null, output: Buffer): void =>
      fault ? reject(fault) : resolve(output);
    if (hash.kind === "argon2id") {
      crypto.argon2("argon2id", argon2Terms(secret, salt, hash), done);
    } else crypto.scrypt(secret, salt, OUTPUT_BYTES, scryptTerms(hash), done);
  });
