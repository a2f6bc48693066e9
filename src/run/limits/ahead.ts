/** What was counted at a time that has not come does not count. */

/**
 * How much later than now something may have been counted that counts, in microseconds. A request
 * that waits (for a hash, a call) is judged by the time at which it came, behind others that came
 * later. What is further ahead was counted while the machine's clock was wrong.
 */
const AHEAD_MICROS = 60_000_000n;

/** The last instant that counts. */
export function countedUntil(now: bigint): bigint {
  return now + AHEAD_MICROS;
}
