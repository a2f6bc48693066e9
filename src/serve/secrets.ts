/** Stored forms of secrets: hashed as the document states, in texts that name their parameters. */
import * as crypto from "node:crypto";
import type { Hash } from "../plan/index.ts";

const SALT_BYTES = 16;
const OUTPUT_BYTES = 32;
const SCRYPT_MEMORY_MAX = 1 << 30;

type Bytes = (count: number) => Uint8Array;

/**
 * The stored form: for Argon2id (RFC 9106) and scrypt (RFC 7914) a text in the style of PHC
 * strings with a random salt, for SHA-256 lower-case hex, and for `plain` the secret itself.
 */
export function hashSecret(hash: Hash, secret: string, random: Bytes): string {
  switch (hash.kind) {
    case "plain":
      return secret;
    case "sha256":
      return crypto.createHash("sha256").update(secret, "utf8").digest("hex");
    case "argon2id": {
      const { memoryKiB, passes, lanes } = hash;
      const salt = Buffer.from(random(SALT_BYTES));
      const terms = `m=${memoryKiB},t=${passes},p=${lanes}`;
      return `$argon2id$v=19$${terms}$${coded(salt)}$${coded(argon2id(secret, salt, hash))}`;
    }
    case "scrypt": {
      const { n, r, p } = hash;
      const salt = Buffer.from(random(SALT_BYTES));
      return `$scrypt$n=${n},r=${r},p=${p}$${coded(salt)}$${coded(scrypt(secret, salt, hash))}`;
    }
  }
}

/** Whether `secret` is the one whose stored form this is; equal lengths compare in equal time. */
export function verifySecret(stored: string, secret: string): boolean {
  const parts = stored.split("$");
  const terms = parts.find((part) => /^[a-z]=/.test(part) && !part.startsWith("v="));
  const numbers = new Map(terms?.split(",").map((term) => [term[0], Number(term.slice(2))]));
  const at = (name: string): number => numbers.get(name) ?? 0;
  const salt = Buffer.from(parts.at(-2) ?? "", "base64");
  const expected = Buffer.from(parts.at(-1) ?? "", "base64");
  if (stored.startsWith("$argon2id$")) {
    const hash = { memoryKiB: at("m"), passes: at("t"), lanes: at("p") };
    return same(argon2id(secret, salt, hash), expected);
  }
  if (stored.startsWith("$scrypt$")) {
    return same(scrypt(secret, salt, { n: at("n"), r: at("r"), p: at("p") }), expected);
  }
  const digest = crypto.createHash("sha256").update(secret, "utf8").digest("hex");
  if (/^[0-9a-f]{64}$/.test(stored)) return same(Buffer.from(digest), Buffer.from(stored));
  return same(Buffer.from(secret), Buffer.from(stored));
}

function coded(bytes: Buffer): string {
  return bytes.toString("base64").replaceAll("=", "");
}

function same(a: Buffer, b: Buffer): boolean {
  return a.length === b.length && crypto.timingSafeEqual(a, b);
}

function argon2id(
  secret: string,
  salt: Buffer,
  hash: { readonly memoryKiB: number; readonly passes: number; readonly lanes: number },
): Buffer {
  return crypto.argon2Sync("argon2id", {
    message: Buffer.from(secret, "utf8"),
    nonce: salt,
    parallelism: hash.lanes,
    tagLength: OUTPUT_BYTES,
    memory: hash.memoryKiB,
    passes: hash.passes,
  });
}

function scrypt(
  secret: string,
  salt: Buffer,
  { n, r, p }: { readonly n: number; readonly r: number; readonly p: number },
): Buffer {
  return crypto.scryptSync(secret, salt, OUTPUT_BYTES, { N: n, r, p, maxmem: SCRYPT_MEMORY_MAX });
}
