/** Hashes of texts and bytes, as the port of `run` wants them. */
import { createHash, createHmac } from "node:crypto";
import type { Digest } from "../../run/index.ts";

/** The hashes of Node. */
export const digest: Digest = (algorithm, data, key) => {
  const hash = key === undefined ? createHash(algorithm) : createHmac(algorithm, key);
  return hash.update(data).digest("hex");
};

/** SHA-256 of the text in UTF-8, as 64 hexadecimal digits in lower case. */
export function sha256(text: string): string {
  return digest("sha256", text);
}
