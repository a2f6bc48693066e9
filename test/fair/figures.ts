/** What was timed, as figures: percentiles, and whether one client has held up the other. */
import type { Timed } from "./client.ts";

/** How much longer the good client may wait, at the 99th percentile, and memory: in all attacks. */
const LONGER_MS = 250;
const PEAK_BYTES = 1_073_741_824;

/** 0 for none. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

export interface Figures {
  readonly kind: string;
  readonly calmMs: number;
  readonly attackedMs: number;
  /** Milliseconds by which the 99th percentile is longer. */
  readonly longerMs: number;
  readonly count: number;
  /** Answers that were none or wrong. */
  readonly wrong: number;
}

/** Kinds that both have, side by side. */
export function compared(calm: readonly Timed[], attacked: readonly Timed[]): readonly Figures[] {
  return attacked.map(({ kind, ms, wrong }) => {
    const before = calm.find((one) => one.kind === kind)?.ms ?? [];
    const [calmMs, attackedMs] = [percentile(before, 0.99), percentile(ms, 0.99)];
    const longerMs = attackedMs - calmMs;
    return { kind, calmMs, attackedMs, longerMs, count: ms.length, wrong: wrong.length };
  });
}

/** Where a process that only sleeps wakes so late beside no attack, the machine judges nothing. */
const LOADED_MS = 30;

/** Whether an attack has left the client alone. */
export type Verdict = "yes" | "no" | "not judged";

interface Judged {
  readonly figures: readonly Figures[];
  /** How late a process woke that only slept, beside no attack, at the 99th percentile. */
  readonly machineMs: number;
  readonly peakBytes: number | undefined;
  readonly isAlive: boolean;
}

/** A wrong answer, memory or an end is the service's own; a long wait may be the machine's. */
export function judge({ figures, machineMs, peakBytes, isAlive }: Judged): Verdict {
  if (!isAlive || (peakBytes ?? 0) > PEAK_BYTES || figures.some((one) => one.wrong > 0))
    return "no";
  if (figures.every((one) => one.longerMs <= LONGER_MS)) return "yes";
  return machineMs > LOADED_MS ? "not judged" : "no";
}
