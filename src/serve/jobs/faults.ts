/** Turns faults of transactions into notes for the log; a fault that repeats is noted rarely. */
import type { Note } from "./job.ts";

const AGAIN_MS = 1_000;

/** Faults of one thread. A disk that is full must not be filled further by the log. */
export class Faults {
  private text = "";
  private notedAtMs = 0;

  /** A line of the log; undefined where the same was said less than a second ago. */
  noteOf(fault: unknown, nowMs = performance.now()): Note | undefined {
    const text = String(fault);
    if (text === this.text && nowMs - this.notedAtMs < AGAIN_MS) return undefined;
    this.text = text;
    this.notedAtMs = nowMs;
    return { what: "fault", text };
  }
}
