/** Random bytes in small pieces out of one large draw; knows nothing of what they are for. */
import { randomFillSync } from "node:crypto";

const POOL_BYTES = 4096;

/** A source of unguessable bytes; no byte is given twice. One draw serves hundreds of ids. */
export function pooledRandom(): (bytes: number) => Uint8Array {
  let pool = new Uint8Array(0);
  let used = 0;
  return (bytes) => {
    if (bytes > POOL_BYTES) return randomFillSync(new Uint8Array(bytes));
    if (used + bytes > pool.length) {
      pool = randomFillSync(new Uint8Array(POOL_BYTES));
      used = 0;
    }
    used += bytes;
    return pool.subarray(used - bytes, used);
  };
}
