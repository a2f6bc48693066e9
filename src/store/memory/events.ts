/** The events that have happened, in memory. */
import type { Events, Recorded } from "../../run/index.ts";

/** `log` is told how to undo each change. */
export class MemoryEvents implements Events {
  #all: Recorded[] = [];
  readonly #log: (undo: () => void) => void;
  #last = 0;

  constructor(log: (undo: () => void) => void) {
    this.#log = log;
  }

  record(event: string, at: bigint, content: string): void {
    this.#last++;
    this.#all.push({ number: this.#last, event, at, content });
    this.#log(() => {
      this.#all.pop();
      this.#last--;
    });
  }

  after(number: number, countMax: number): readonly Recorded[] {
    return this.#all.filter((one) => one.number > number).slice(0, countMax);
  }

  last(): number {
    return this.#last;
  }

  forget(from: bigint): void {
    const before = this.#all;
    this.#all = before.filter((one) => one.at >= from);
    this.#log(() => {
      this.#all = before;
    });
  }
}
