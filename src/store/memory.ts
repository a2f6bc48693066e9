/** A session in memory: the naive second store, which runs no query and keeps an undo log. */
import type { Plan } from "../plan/index.ts";
import type { Row, Session, Value } from "../run/index.ts";
import { MemoryCalls } from "./memory-calls.ts";
import { MemoryEvents } from "./memory-events.ts";
import { MemoryMessages } from "./memory-messages.ts";

type Undo = () => void;

interface Tally {
  readonly at: bigint;
  readonly amount: bigint;
}

/** A list or map is never changed in place, so a copy of the row is enough. */
function copyOf(row: Row): Row {
  return { ...row, values: [...row.values] };
}

/** Holds rows by resource and key. Not durable. */
export class MemorySession implements Session {
  readonly #rows = new Map<string, Map<number, Row>>();
  readonly #keepsGone = new Set<string>();
  readonly #gone = new Set<Row>();
  readonly #last = new Map<string, number>();
  readonly #counters = new Map<string, bigint>();
  readonly #tallies = new Map<string, Tally[]>();
  readonly #answers = new Map<string, { readonly at: bigint; readonly content: string }>();
  readonly #logs: Undo[][] = [];
  readonly messages = new MemoryMessages((undo) => this.#log(undo));
  readonly calls = new MemoryCalls((undo) => this.#log(undo));
  readonly events = new MemoryEvents((undo) => this.#log(undo));

  constructor(plan: Plan) {
    for (const { name, promises } of plan.resources) {
      this.#rows.set(name, new Map());
      if (promises.some((one) => one.kind === "deleted" && one.rule === "kept")) {
        this.#keepsGone.add(name);
      }
    }
  }

  #table(resource: string): Map<number, Row> {
    const table = this.#rows.get(resource);
    if (table === undefined) throw new Error(`the store has no table for ${resource}`);
    return table;
  }

  #log(undo: Undo): void {
    this.#logs.at(-1)?.push(undo);
  }

  get(resource: string, key: number): Row | undefined {
    const row = this.#table(resource).get(key);
    return row === undefined ? undefined : copyOf(row);
  }

  getMany(resource: string, keys: readonly number[]): readonly Row[] {
    return keys.map((key) => this.get(resource, key)).filter((row) => row !== undefined);
  }

  all(resource: string): readonly Row[] {
    const rows = [...this.#table(resource).values()].filter((row) => !this.#gone.has(row));
    return rows.sort((a, b) => a.key - b.key).map(copyOf);
  }

  filled(): ReadonlySet<string> {
    return new Set([...this.#rows].filter(([, rows]) => rows.size > 0).map(([name]) => name));
  }

  able(): boolean {
    return false;
  }

  rows(): undefined {
    return undefined;
  }

  columns(): undefined {
    return undefined;
  }

  count(): undefined {
    return undefined;
  }

  exists(): undefined {
    return undefined;
  }

  differentItems(): undefined {
    return undefined;
  }

  insert(resource: string, values: readonly Value[]): number {
    const table = this.#table(resource);
    const key = (this.#last.get(resource) ?? 0) + 1;
    this.#last.set(resource, key);
    table.set(key, { resource, key, values: [...values] });
    this.#log(() => {
      table.delete(key);
      this.#last.set(resource, key - 1);
    });
    return key;
  }

  update(resource: string, key: number, values: readonly Value[]): void {
    const table = this.#table(resource);
    const before = table.get(key);
    if (before === undefined) return;
    table.set(key, { resource, key, values: [...values] });
    this.#log(() => table.set(key, before));
  }

  delete(resource: string, key: number): void {
    const table = this.#table(resource);
    const row = table.get(key);
    if (row === undefined) return;
    if (this.#keepsGone.has(resource)) {
      this.#gone.add(row);
      this.#log(() => this.#gone.delete(row));
      return;
    }
    table.delete(key);
    this.#log(() => table.set(key, row));
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

  tallied(name: string, group: number, from: bigint): bigint {
    let sum = 0n;
    for (const { at, amount } of this.#tallies.get(`${group} ${name}`) ?? []) {
      if (at >= from) sum += amount;
    }
    return sum;
  }

  tallies(name: string, group: number, from: bigint): readonly bigint[] {
    return (this.#tallies.get(`${group} ${name}`) ?? [])
      .filter(({ at }) => at >= from)
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

  answerKept(name: string, from: bigint): string | undefined {
    const found = this.#answers.get(name);
    return found !== undefined && found.at >= from ? found.content : undefined;
  }

  keepAnswer(name: string, at: bigint, content: string): void {
    const before = this.#answers.get(name);
    this.#answers.set(name, { at, content });
    this.#log(() => {
      if (before === undefined) this.#answers.delete(name);
      else this.#answers.set(name, before);
    });
  }

  forgetAnswers(from: bigint): void {
    for (const [name, kept] of this.#answers) {
      if (kept.at >= from) continue;
      this.#answers.delete(name);
      this.#log(() => this.#answers.set(name, kept));
    }
  }

  savepoint(): void {
    this.#logs.push([]);
  }

  release(): void {
    const log = this.#logs.pop();
    if (log !== undefined) this.#logs.at(-1)?.push(...log);
  }

  rollback(): void {
    for (const undo of (this.#logs.pop() ?? []).reverse()) undo();
  }
}
