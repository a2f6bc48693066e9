/** A session in memory: the naive second store, which runs no query and keeps an undo log. */
import type { Plan } from "../../plan/index.ts";
import type { Having, Row, Session, Value } from "../../run/index.ts";
import { MemoryCalls } from "./calls.ts";
import { MemoryAnswers, MemoryCounters } from "./counters.ts";
import { MemoryEvents } from "./events.ts";
import { MemoryMessages } from "./messages.ts";

type Undo = () => void;

/** A list or map is never changed in place, so a copy of the row is enough. */
function copyOf(row: Row): Row {
  return { ...row, values: [...row.values] };
}

/** Holds rows by resource and key. Not durable. */
export class MemorySession implements Session {
  readonly #rows = new Map<string, Map<number, Row>>();
  /** The rows of a table by their keys, until one of them changes. */
  readonly #sorted = new Map<string, readonly Row[]>();
  /** The rows of such a table by the values at a place. */
  readonly #indexes = new WeakMap<readonly Row[], Map<number, ReadonlyMap<Value, Row[]>>>();
  readonly #last = new Map<string, number>();
  readonly #logs: Undo[][] = [];
  #version = 0;
  #versions = 0;
  readonly counters = new MemoryCounters((undo) => this.#log(undo));
  readonly answers = new MemoryAnswers((undo) => this.#log(undo));
  readonly messages = new MemoryMessages((undo) => this.#log(undo));
  readonly calls = new MemoryCalls((undo) => this.#log(undo));
  readonly events = new MemoryEvents((undo) => this.#log(undo));

  constructor(plan: Plan) {
    for (const { name } of plan.resources) this.#rows.set(name, new Map());
  }

  /** Names what the rows are now: another number after each change, the same when it is undone. */
  get version(): number {
    return this.#version;
  }

  /** The rows of a resource, to be changed, or changed back to what they were at a version. */
  #changing(resource: string, version = ++this.#versions): Map<number, Row> {
    this.#version = version;
    this.#sorted.delete(resource);
    return this.#table(resource);
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

  all(resource: string, having?: Having): readonly Row[] {
    const found = having === undefined ? this.#inOrder(resource) : this.#found(resource, having);
    return found.map(copyOf);
  }

  #inOrder(resource: string): readonly Row[] {
    const sorted =
      this.#sorted.get(resource) ??
      [...this.#table(resource).values()].sort((a, b) => a.key - b.key);
    this.#sorted.set(resource, sorted);
    return sorted;
  }

  #found(resource: string, { place, text }: Having): readonly Row[] {
    const all = this.#inOrder(resource);
    const indexes = this.#indexes.get(all) ?? new Map<number, ReadonlyMap<Value, Row[]>>();
    this.#indexes.set(all, indexes);
    const index = indexes.get(place) ?? Map.groupBy(all, ({ values }) => values[place]);
    indexes.set(place, index);
    return index.get(text) ?? [];
  }

  after(resource: string, key: number, most: number): readonly Row[] {
    return this.all(resource)
      .filter((row) => row.key > key)
      .slice(0, most);
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
    const { version } = this;
    const table = this.#changing(resource);
    const key = (this.#last.get(resource) ?? 0) + 1;
    this.#last.set(resource, key);
    table.set(key, { resource, key, values: [...values] });
    this.#log(() => {
      this.#changing(resource, version).delete(key);
      this.#last.set(resource, key - 1);
    });
    return key;
  }

  update(resource: string, key: number, values: readonly Value[]): void {
    const { version } = this;
    const before = this.#table(resource).get(key);
    if (before === undefined) return;
    const table = this.#changing(resource);
    table.set(key, { resource, key, values: [...values] });
    this.#log(() => this.#changing(resource, version).set(key, before));
  }

  delete(resource: string, key: number): void {
    const { version } = this;
    const row = this.#table(resource).get(key);
    if (row === undefined) return;
    const table = this.#changing(resource);
    table.delete(key);
    this.#log(() => this.#changing(resource, version).set(key, row));
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
