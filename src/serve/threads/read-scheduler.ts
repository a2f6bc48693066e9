/** Runs one long read in each turn of the event loop, so that short reads do not wait for all. */

/** A read that takes longer than this keeps others waiting. */
const LONG_MS = 4;
/** How fast an endpoint is taken for a short one again. */
const DECAY = 0.8;

/** The order in which one thread reads; each read runs once, whatever the order. */
export class ReadScheduler {
  /** By endpoint: what its reads took of late, in milliseconds. */
  private readonly costsMs: number[] = [];
  private waiting: (() => void)[] = [];
  private head = 0;
  private isHeld = false;
  private isSet = false;

  /** Runs a short read at once, with `false`; a long one, with `true`, when its turn has come. */
  take(endpoint: number, read: (isLater: boolean) => void): void {
    if ((this.costsMs[endpoint] ?? 0) < LONG_MS) {
      this.measured(endpoint, () => read(false));
      return;
    }
    this.waiting.push(() => this.measured(endpoint, () => read(true)));
    this.set();
  }

  /** Long reads wait, or go on. */
  hold(isHeld: boolean): void {
    this.isHeld = isHeld;
    this.set();
  }

  private set(): void {
    if (this.isSet || this.isHeld || this.waiting.length === 0) return;
    this.isSet = true;
    setImmediate(() => {
      this.isSet = false;
      if (!this.isHeld) this.next();
    });
  }

  private measured(endpoint: number, read: () => void): void {
    const startMs = performance.now();
    read();
    const tookMs = performance.now() - startMs;
    this.costsMs[endpoint] = Math.max(tookMs, (this.costsMs[endpoint] ?? 0) * DECAY);
  }

  /** What has come in meanwhile is taken before the one after. */
  private next(): void {
    const read = this.waiting[this.head++];
    if (this.head === this.waiting.length) {
      this.waiting = [];
      this.head = 0;
    }
    read?.();
    this.set();
  }
}
