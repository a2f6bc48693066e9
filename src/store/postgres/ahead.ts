/** Answers to statements that are asked for together, for runs that are begun anew with them. */
import { StorageFault } from "../sqlite/fault.ts";
import { type Change, type Depends, isChanged, isOut, wasOut } from "./depends.ts";
import type { Held, HeldRow } from "./wire.ts";

/** A statement with its values. */
export interface Asked {
  readonly sql: string;
  readonly values: readonly Held[];
  readonly depends?: Depends | undefined;
}

/** An answer as it is now. */
interface State {
  readonly rows: readonly HeldRow[];
  /** Rows that were none of it, and may be now. */
  readonly changed?: ReadonlySet<number> | undefined;
}

/** An answer; its state is undefined where it may be another one now. */
interface Known {
  state: State | undefined;
  readonly depends: Depends | undefined;
  /** How many changes had been taken in when it was changed last. */
  changedAt?: number;
}

/** An answer, as it was asked for. */
interface Answer {
  readonly depends: Depends | undefined;
  readonly rows: readonly HeldRow[];
}

/** Thrown where an answer is not there yet: the run is begun anew when it is. */
export const NOT_THERE_YET = new StorageFault("AHEAD", "the answer is not there yet");

const nameOf = (values: readonly Held[]): string =>
  values.map((one) => (one === null ? "n" : `s${one}`)).join("\u0000");

function wantedName(asked: Asked | undefined): string {
  return asked === undefined ? "" : `${asked.sql}\u0000${nameOf(asked.values)}`;
}

/** The rows of an answer behind a change; undefined: they are not known. */
function behind(
  change: Change | undefined,
  { depends, rows }: Answer,
): readonly HeldRow[] | undefined {
  if (!isChanged(depends, change, rows)) return rows;
  return change && depends?.behind?.(change, rows);
}

/** What an answer is behind a change: the same object, where nothing changes. */
function next(
  state: State,
  depends: Depends | undefined,
  change: Change | undefined,
): State | undefined {
  if (change !== undefined && depends?.others?.includes(change.table)) return undefined;
  const key = change?.table === depends?.table ? change?.key : undefined;
  const { rows, changed = new Set<number>() } = state;
  const wasChanged = key !== undefined && changed.has(key);
  if (!wasChanged && !isChanged(depends, change, rows)) return state;
  if (wasChanged) {
    if (!isOut(depends, change)) return state;
    return { rows, changed: new Set([...changed].filter((one) => one !== key)) };
  }
  const made = behind(change, { depends, rows });
  if (made !== undefined) return { rows: made, changed };
  // Whoever asks without the row that was changed gets the same.
  if (key === undefined || (depends?.without === undefined && !wasOut(depends, change))) {
    return undefined;
  }
  return { rows, changed: new Set([...changed, key]) };
}

/** What an answer that was known at first is behind changes; undefined: it is not known. */
export function since(
  { atFirst: rows, ...depends }: Depends,
  changes: readonly (Change | undefined)[],
): readonly HeldRow[] | undefined {
  for (const change of changes) rows = rows && behind(change, { depends, rows });
  return rows;
}

/** What is known of one moment of a store, and what is to be asked. */
export class Ahead {
  readonly #known = new Map<string, Map<string, Known>>();
  /** The same by the tables on which they depend; undefined: on all. */
  readonly #by = new Map<string | undefined, Known[]>();
  /** How many rows there are in all answers. */
  rowCount = 0;
  /** Rows as they are now, by their tables and keys. */
  readonly #rows = new Map<string, Map<number, HeldRow>>();
  #wanted: Asked[] = [];
  #asked: readonly Asked[] = [];
  #all: Asked[] = [];
  /** How often answers were asked for again, as they had become others. */
  again = 0;
  /** What undoes the changes that were taken in, the last one last. */
  readonly #changes: (() => void)[] = [];

  /**
   * The rows of a statement; `changes`: what was written since, as far as is known what they are
   * then. Throws `NOT_THERE_YET`.
   */
  ask(
    sql: string,
    given: readonly Held[],
    depends?: Depends,
    changes: readonly (Change | undefined)[] = [],
  ): readonly HeldRow[] {
    const values = depends?.values ?? given;
    const known = this.#known.get(sql)?.get(nameOf(values));
    if (known?.state !== undefined) {
      let { rows } = known.state;
      for (const change of changes) rows = behind(change, { ...known, rows }) ?? rows;
      return rows;
    }
    return this.want(sql, given, depends);
  }

  /** The statement is to be asked. Throws `NOT_THERE_YET`. */
  want(sql: string, given: readonly Held[], depends?: Depends): never {
    const { once, values = given } = depends ?? {};
    if (once === undefined || this.#wanted.every((one) => one.depends?.once !== once)) {
      this.#wanted.push({ sql, values, depends });
    }
    throw NOT_THERE_YET;
  }

  /** The same where something may have been written since; undefined: it is not known. */
  find(sql: string, given: readonly Held[], depends?: Depends): readonly HeldRow[] | undefined {
    const { state } = this.#known.get(sql)?.get(nameOf(depends?.values ?? given)) ?? {};
    if (state === undefined) return undefined;
    for (const key of state.changed ?? []) if (key !== depends?.without) return undefined;
    return state.rows;
  }

  /** Whether an answer that is not known was before what was written since the mark. */
  wasKnown(
    sql: string,
    given: readonly Held[],
    depends: Depends | undefined,
    mark: number,
  ): boolean {
    const known = this.#known.get(sql)?.get(nameOf(depends?.values ?? given));
    return known?.changedAt !== undefined && known.changedAt >= mark;
  }

  /** Forgets what may be another answer behind the change, unless it is known which one. */
  changed(change: Change | undefined): void {
    this.#renew(change);
    for (const known of this.#touchedBy(change)) {
      const { state, depends } = known;
      if (state === undefined) continue;
      known.state = next(state, depends, change);
      if (known.state === state) continue;
      const { changedAt } = known;
      known.changedAt = this.#changes.length;
      this.#changes.push(() => Object.assign(known, { state, changedAt }));
    }
  }

  #touchedBy(change: Change | undefined): readonly Known[] {
    if (change === undefined) return [...this.#by.values()].flat();
    const [own = [], all = []] = [this.#by.get(change.table), this.#by.get(undefined)];
    return all.length === 0 ? own : [...own, ...all];
  }

  #renew(change: Change | undefined): void {
    const tables = change === undefined ? [...this.#rows.keys()] : [change.table];
    for (const table of tables) {
      const rows = this.#rows.get(table);
      if (rows === undefined) continue;
      if (change?.key !== undefined) this.#put(rows, change.key, change.row?.());
      else {
        this.#rows.delete(table);
        this.#changes.push(() => void this.#rows.set(table, rows));
      }
    }
  }

  #put(rows: Map<number, HeldRow>, key: number, row: HeldRow | undefined): void {
    const set = (one: HeldRow | undefined): void => {
      if (one === undefined) rows.delete(key);
      else rows.set(key, one);
    };
    const before = rows.get(key);
    set(row);
    this.#changes.push(() => set(before));
  }

  /** A row as it is now; undefined: it is not known. */
  row(table: string, key: number): HeldRow | undefined {
    return this.#rows.get(table)?.get(key);
  }

  /** How many changes were taken in. */
  get mark(): number {
    return this.#changes.length;
  }

  /** What was written since the mark is undone. */
  undone(mark: number): void {
    for (const undo of this.#changes.splice(mark).toReversed()) undo();
  }

  /** The last statement that was not known, by which runs that want the same are told. */
  get lastWanted(): string {
    return wantedName(this.#wanted.at(-1));
  }

  /** The same of one of those that were asked for together last. */
  askedAt(at: number): string {
    return wantedName(this.#asked[at]);
  }

  /** What is to be asked, each statement once. */
  wanted(): readonly Asked[] {
    const seen = new Set<string>();
    this.#asked = this.#wanted.filter((one) => {
      const name = wantedName(one);
      return !seen.has(name) && seen.add(name);
    });
    this.#wanted = [];
    return this.#asked;
  }

  /** The rows of each of those. */
  take(rows: readonly (readonly HeldRow[])[]): void {
    for (const [i, { sql, values, depends }] of this.#asked.entries()) {
      const place = this.#known.get(sql) ?? new Map<string, Known>();
      this.#known.set(sql, place);
      const found = rows[i] ?? [];
      this.rowCount += found.length;
      const known: Known = { state: { rows: found }, depends };
      const name = nameOf(values);
      if (place.has(name)) this.again++;
      place.set(name, known);
      for (const table of [depends?.table, ...(depends?.others ?? [])]) {
        const all = this.#by.get(table) ?? [];
        this.#by.set(table, all);
        all.push(known);
      }
      if (depends?.givesRows) this.#keep(depends.table, found);
    }
    this.#all.push(...this.#asked);
  }

  #keep(table: string, found: readonly HeldRow[]): void {
    const rows = this.#rows.get(table) ?? new Map<number, HeldRow>();
    this.#rows.set(table, rows);
    for (const row of found) rows.set(Number(row[0]), row);
  }

  /** Nothing is known any more, and all that was asked is to be asked again. */
  anew(): void {
    this.#known.clear();
    this.#by.clear();
    this.#rows.clear();
    this.#wanted = [...this.#all, ...this.#wanted];
    this.#all = [];
  }
}
