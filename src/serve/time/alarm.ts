/** Wakes the writer when the next thing falls due, by a clock that may be moved. */
import type { Clock } from "./clock.ts";

const SLEEP_MAX_MS = 60_000;

/** One timer for the next instant; it is looked at again whenever that changes or time jumps. */
export class Alarm {
  private readonly clock: Clock;
  private readonly ring: (now: bigint) => void;
  private due: bigint | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private soon: ReturnType<typeof setImmediate> | undefined;
  /** It has rung, and nobody has set it since. */
  private hasRung = false;
  /** It never rings again, whatever is set. */
  private isStopped = false;
  /** It rings at this moment. */
  private isRinging = false;

  constructor(clock: Clock, ring: (now: bigint) => void) {
    this.clock = clock;
    this.ring = ring;
    clock.watch?.(() => this.look());
  }

  /** The writer says when something falls due next. */
  set(due: bigint | undefined): void {
    this.due = this.isStopped ? undefined : due;
    this.hasRung = false;
    this.look();
  }

  /** For good: whoever still has to end may set it, and nothing waits for it. */
  stop(): void {
    this.isStopped = true;
    this.due = undefined;
    clearTimeout(this.timer);
    clearImmediate(this.soon);
  }

  private look(): void {
    clearTimeout(this.timer);
    clearImmediate(this.soon);
    if (this.due === undefined || this.hasRung) return;
    const now = this.clock.now();
    if (this.due > now) {
      const ms = Math.min(Number((this.due - now) / 1000n) + 1, SLEEP_MAX_MS);
      this.timer = setTimeout(() => this.look(), ms);
    } else if (this.isRinging) {
      // Who is woken sets the next time, which may have come too: others have their turn before.
      this.soon = setImmediate(() => this.look());
    } else this.rings(now);
  }

  private rings(now: bigint): void {
    this.hasRung = true;
    this.isRinging = true;
    try {
      this.ring(now);
    } finally {
      this.isRinging = false;
    }
  }
}
