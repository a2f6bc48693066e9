/** Answers to statements that are asked for together, for runs that are begun anew with them. */
import { StorageFault } from "../sqlite/fault.ts";
import type { Held, HeldRow } from "./wire.ts";

/** A statement with its values. */
export interface Asked {
  readonly sql: string;
  readonly values: readonly Held[];
}

/** Thrown where an answer is not there yet: the run is begun anew when it is. */
export const NOT_THERE_YET = new StorageFault("AHEAD", "the answer is not there yet");

const nameOf = (values: readonly Held[]): string =>
  values.map((one) => (one === null ? "n" : `s${one}`)).join("\u0000");

function wantedName(asked: Asked | undefined): string {
  return asked === undefined ? "" : `${asked.sql}\u0000${nameOf(asked.values)}`;
}

/** What is known of one moment of a store, and what is to be asked. */
export class Ahead {
  readonly #known = new Map<string, Map<string, readonly HeldRow[]>>();
  #wanted: Asked[] = [];
  #asked: readonly Asked[] = [];
  #all: Asked[] = [];

  /** The rows of a statement. Throws `NOT_THERE_YET`. */
  ask(sql: string, values: readonly Held[]): readonly HeldRow[] {
    const known = this.#known.get(sql)?.get(nameOf(values));
    if (known !== undefined) return known;
    this.#wanted.push({ sql, values });
    throw NOT_THERE_YET;
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
    for (const [i, { sql, values }] of this.#asked.entries()) {
      const place = this.#known.get(sql) ?? new Map<string, readonly HeldRow[]>();
      this.#known.set(sql, place);
      place.set(nameOf(values), rows[i] ?? []);
    }
    this.#all.push(...this.#asked);
  }

  /** Nothing is known any more, and all that was asked is to be asked again. */
  anew(): void {
    this.#known.clear();
    this.#wanted = [...this.#all, ...this.#wanted];
    this.#all = [];
  }
}
