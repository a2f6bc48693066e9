/** Seeded random choices: the same seed gives the same history. */
import { randomFrom } from "../random.ts";

export class Random {
  /** 0 up to, not including, 1. */
  readonly next: () => number;

  constructor(seed: number) {
    this.next = randomFrom(seed);
  }

  /** An integer from 0 up to, not including, `count`. */
  below(count: number): number {
    return Math.floor(this.next() * count);
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(items: readonly T[]): T {
    if (items.length === 0) throw new Error("nothing to pick from");
    return items[this.below(items.length)] as T;
  }
}

/** Bytes that an engine draws for the seed of a work that may call. */
export const SEED_BYTES = 24;

/**
 * Random bytes for one step, one stream for each length asked for: both sides get the same bytes
 * for the same purpose, whatever else one of them draws.
 */
export class StepBytes {
  private seed = 0;
  private readonly drawn = new Map<number, number>();

  /** Begins a step. */
  begin(seed: number): void {
    this.seed = seed;
    this.drawn.clear();
  }

  readonly draw = (count: number): Uint8Array => {
    // The seed of a work is the same for all works of a step, however often one of them is run.
    const times = count === SEED_BYTES ? 0 : (this.drawn.get(count) ?? 0);
    this.drawn.set(count, times + 1);
    const random = new Random(Math.imul(this.seed + 1, 2_654_435_761) ^ (count * 65_537 + times));
    return Uint8Array.from({ length: count }, () => random.below(256));
  };
}
