/** Hashes as a host supplies them to a run. */
import { createHash, createHmac } from "node:crypto";
import type { Digest } from "../../src/run/index.ts";

export const digest: Digest = (algorithm, data, key) =>
  (key === undefined ? createHash(algorithm) : createHmac(algorithm, key))
    .update(data)
    .digest("hex");
