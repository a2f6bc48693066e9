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

  /** Asks for what is wanted, each statement once. `ask`: gives the rows of each. */
  fetch(ask: (all: readonly Asked[]) => readonly (readonly HeldRow[])[]): void {
    const places: Map<string, readonly HeldRow[]>[] = [];
    const wanted = this.#wanted.filter(({ sql, values }) => {
      const place = this.#known.get(sql) ?? new Map<string, readonly HeldRow[]>();
      this.#known.set(sql, place);
      const name = nameOf(values);
      if (place.has(name)) return false;
      place.set(name, []);
      places.push(place);
      return true;
    });
    this.#wanted = [];
    this.#asked = wanted;
    const found = ask(wanted);
    for (const [i, { values }] of wanted.entries()) {
      places[i]?.set(nameOf(values), found[i] ?? []);
    }
  }
}
