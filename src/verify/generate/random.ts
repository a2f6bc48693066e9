/** Seeded choices: the same seed makes the same requests of the same answers. */

/** The generator mulberry32: 32 bits of state, good enough to choose among a few things. */
export class Random {
  #state: number;
  #serial = 0;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** An integer from 0 up to, not including, `count`. */
  below(count: number): number {
    return Math.floor(this.next() * count);
  }

  /** A number that it has not given before: 1, 2, 3 and so on. */
  serial(): number {
    this.#serial += 1;
    return this.#serial;
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(items: readonly T[]): T {
    if (items.length === 0) throw new Error("nothing to pick from");
    return items[this.below(items.length)] as T;
  }
}
