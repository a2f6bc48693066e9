/** Counters, sums and kept answers in memory. */
import type { Counters, KeptAnswers } from "../../run/index.ts";

interface Tally {
  readonly at: bigint;
  readonly amount: bigint;
}

/** The counters of a session; `log` notes how to undo what was done. */
export class MemoryCounters implements Counters {
  readonly #counters = new Map<string, bigint>();
  readonly #tallies = new Map<string, Tally[]>();
  readonly #log: (undo: () => void) => void;

  constructor(log: (undo: () => void) => void) {
    this.#log = log;
  }

  next(counter: string): bigint {
    const before = this.#counters.get(counter);
    const next = (before ?? 0n) + 1n;
    this.#counters.set(counter, next);
    this.#log(() => {
      if (before === undefined) this.#counters.delete(counter);
      else this.#counters.set(counter, before);
    });
    return next;
  }

  atLeast(counter: string, last: bigint): void {
    const before = this.#counters.get(counter);
    if (before !== undefined && before >= last) return;
    this.#counters.set(counter, last);
    this.#log(() => {
      if (before === undefined) this.#counters.delete(counter);
      else this.#counters.set(counter, before);
    });
  }

  tally(name: string, group: number, entry: Tally): void {
    const key = `${group} ${name}`;
    const entries = this.#tallies.get(key) ?? [];
    this.#tallies.set(key, entries);
    entries.push(entry);
    this.#log(() => entries.pop());
  }

  tallied(name: string, group: number, from: bigint, until?: bigint): bigint {
    let sum = 0n;
    for (const { at, amount } of this.#tallies.get(`${group} ${name}`) ?? []) {
      if (at >= from && (until === undefined || at <= until)) sum += amount;
    }
    return sum;
  }

  tallies(name: string, group: number, from: bigint, until?: bigint): readonly bigint[] {
    return (this.#tallies.get(`${group} ${name}`) ?? [])
      .filter(({ at }) => at >= from && (until === undefined || at <= until))
      .map(({ at }) => at)
      .sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  }

  forget(name: string, group: number, from: bigint): void {
    const key = `${group} ${name}`;
    const before = this.#tallies.get(key);
    if (before === undefined) return;
    this.#tallies.set(
      key,
      before.filter(({ at }) => at >= from),
    );
    this.#log(() => this.#tallies.set(key, before));
  }

  prune(name: string, after: number | undefined, from: bigint): number | undefined {
    const groups = [...this.#tallies]
      .filter(([key, entries]) => key.slice(key.indexOf(" ") + 1) === name && entries.length > 0)
      .map(([key]) => Number.parseInt(key, 10))
      .sort((a, b) => a - b);
    const group = groups.find((one) => one > (after ?? -1));
    if (group !== undefined) this.forget(name, group, from);
    return group;
  }
}

/** The kept answers of a session; `log` notes how to undo what was done. */
export class MemoryAnswers implements KeptAnswers {
  readonly #answers = new Map<string, { readonly at: bigint; readonly content: string }>();
  readonly #log: (undo: () => void) => void;

  constructor(log: (undo: () => void) => void) {
    this.#log = log;
  }

  kept(name: string, from: bigint): string | undefined {
    const found = this.#answers.get(name);
    return found !== undefined && found.at >= from ? found.content : undefined;
  }

  keep(name: string, at: bigint, content: string): void {
    const before = this.#answers.get(name);
    this.#answers.set(name, { at, content });
    this.#log(() => {
      if (before === undefined) this.#answers.delete(name);
      else this.#answers.set(name, before);
    });
  }

  forget(from: bigint): void {
    for (const [name, kept] of this.#answers) {
      if (kept.at >= from) continue;
      this.#answers.delete(name);
      this.#log(() => this.#answers.set(name, kept));
    }
  }
}
