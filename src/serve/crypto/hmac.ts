/** HMAC of texts, as the port of `run` wants it. */
import { createHmac } from "node:crypto";
import type { HmacAlgorithm } from "../../plan/index.ts";

const HASHES: Readonly<Record<HmacAlgorithm, string>> = {
  "HMAC-SHA1": "sha1",
  "HMAC-SHA256": "sha256",
  "HMAC-SHA512": "sha512",
};

/** RFC 2104 over key and text in UTF-8; hex is in lower case, base64 has its padding. */
export function hmac(
  algorithm: HmacAlgorithm,
  encoding: "hex" | "base64",
  { key, text }: { readonly key: string; readonly text: string },
): string {
  return createHmac(HASHES[algorithm], key).update(text, "utf8").digest(encoding);
}
