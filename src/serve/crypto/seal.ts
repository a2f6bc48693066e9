/** Seals texts with a secret that is not kept: AES-256-GCM with a key by HKDF (RFC 5869). */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

const SALT_BYTES = 16;
const TAG_BYTES = 16;
const KEY_BYTES = 32;
/** Each salt has a key of its own, with which one text alone is sealed. */
const NONCE = Buffer.alloc(12);

function keyOf(secret: string, salt: Uint8Array): Buffer {
  return Buffer.from(hkdfSync("sha256", secret, salt, "lacuna sealed text", KEY_BYTES));
}

/** The text as base64 that nobody can read without the secret. */
export function seal(text: string, secret: string): string {
  const salt = randomBytes(SALT_BYTES);
  const cipher = createCipheriv("aes-256-gcm", keyOf(secret, salt), NONCE);
  const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return Buffer.concat([salt, cipher.getAuthTag(), sealed]).toString("base64");
}

/** What was sealed with the secret. Throws where it was sealed with another, or was changed. */
export function unseal(sealed: string, secret: string): string {
  const bytes = Buffer.from(sealed, "base64");
  const salt = bytes.subarray(0, SALT_BYTES);
  const decipher = createDecipheriv("aes-256-gcm", keyOf(secret, salt), NONCE);
  decipher.setAuthTag(bytes.subarray(SALT_BYTES, SALT_BYTES + TAG_BYTES));
  const text = decipher.update(bytes.subarray(SALT_BYTES + TAG_BYTES));
  return Buffer.concat([text, decipher.final()]).toString("utf8");
}
