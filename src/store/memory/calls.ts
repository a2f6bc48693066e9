/** Calls that are not settled, in memory: found by looking through all of them. */
import type { Called, Calls } from "../../run/index.ts";

/** `log` is told how to undo each change. */
export class MemoryCalls implements Calls {
  readonly #all = new Map<string, Called>();
  readonly #log: (undo: () => void) => void;

  constructor(log: (undo: () => void) => void) {
    this.#log = log;
  }

  put(called: Called): void {
    const { key } = called;
    const before = this.#all.get(key);
    this.#all.set(key, called);
    this.#log(() => {
      if (before === undefined) this.#all.delete(key);
      else this.#all.set(key, before);
    });
  }

  get(key: string): Called | undefined {
    return this.#all.get(key);
  }

  remove(key: string): void {
    const before = this.#all.get(key);
    if (before === undefined) return;
    this.#all.delete(key);
    this.#log(() => this.#all.set(key, before));
  }

  asked(work?: string): readonly Called[] {
    return [...this.#all.values()].filter(
      (one) => one.state === "asked" && (work === undefined || one.work === work),
    );
  }

  due(state: "undo" | "long", until: bigint, countMax: number): readonly Called[] {
    const due = [...this.#all.values()].filter((one) => one.state === state && one.due <= until);
    return due.sort((a, b) => Number(a.due - b.due)).slice(0, countMax);
  }

  nextDue(after: bigint): bigint | undefined {
    let first: bigint | undefined;
    for (const { due, state } of this.#all.values()) {
      if (state !== "asked" && due > after && (first === undefined || due < first)) first = due;
    }
    return first;
  }
}
