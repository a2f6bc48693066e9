/**
 * Numbers that a transaction gives, one after the other: the keys of rows, messages and events, and
 * those of counters. They are asked for once, and the server is told the last ones at the end.
 */
import type { Asked } from "./ahead.ts";
import { type Change, type Depends, where } from "./depends.ts";
import { Numbers } from "./numbers.ts";
import { beginningOf, toKept } from "./text.ts";
import type { Held, HeldRow } from "./wire.ts";

/** Of how many names the last numbers are asked for when a transaction begins. */
const LATELY_MAX = 8;
const KEYS_SQL = "SELECT name, last FROM keys WHERE name = ANY($1::text[])";

/** They are written at the end. */
const KEYS: Depends = { table: "keys" };
const COUNTERS = { table: "counters" } satisfies Change & Depends;
/** The name of a counter may be longer than what an index holds. */
const IS_COUNTER = `${beginningOf("name")} = ${beginningOf("$1::text")} AND name = $1::text`;

/** Changes a counter, or makes it. */
function counted(change: string): string {
  return (
    `WITH changed AS (UPDATE counters SET last = ${change} WHERE ${IS_COUNTER} RETURNING 1) ` +
    "INSERT INTO counters (name, last) " +
    "SELECT $1::text, $2::bigint WHERE NOT EXISTS (SELECT 1 FROM changed)"
  );
}

/** An array of texts as the server reads it (PostgreSQL's documentation, "Array Input"). */
function arrayOf(texts: readonly string[]): string {
  return `{${texts.map((one) => `"${one.replace(/["\\]/g, "\\$&")}"`).join(",")}}`;
}

/** How far numbers were given. */
export interface Mark {
  readonly keys: number;
  readonly counters: number;
}

interface Around {
  ask(sql: string, values: readonly Held[], depends: Depends): readonly HeldRow[];
  write(sql: string, values: readonly Held[], change?: Change): void;
  /** Whether what is asked for is of another moment than the transaction. */
  isAhead(): boolean;
}

export class Sequences {
  readonly #tx: Around;
  readonly #keys = new Numbers<number>();
  readonly #counters = new Numbers<bigint>();
  /** Names of which numbers were given lately, the last one last. */
  readonly #lately = new Set<string>();
  /** The last number that was given under a name before this transaction. */
  readonly #first = new Map<string, number>();
  /** The same before what is run now, of which nothing is sent. */
  readonly #unsent = new Map<string, number>();
  /** Names under which one was given before this transaction, once they were asked for. */
  #named: ReadonlySet<string> | undefined;

  constructor(tx: Around) {
    this.#tx = tx;
  }

  /** The last number given under each name. */
  get last(): ReadonlyMap<string, number> {
    return this.#keys.known;
  }

  /** A transaction begins: nothing is known of what others have given meanwhile. */
  begin(): void {
    this.#named = undefined;
    this.#keys.clear();
    this.#counters.clear();
    this.#first.clear();
    this.#unsent.clear();
  }

  /** What asks for the last numbers of names that were used lately; undefined: none was. */
  asksLately(): Asked | undefined {
    if (this.#lately.size === 0) return undefined;
    return { sql: KEYS_SQL, values: [arrayOf([...this.#lately])] };
  }

  /** Takes in what that gave; of a name that it has nothing of no number was given. */
  takeLately(rows: readonly HeldRow[]): void {
    if (this.#lately.size === 0) return;
    for (const name of this.#lately) this.#keys.learn(name, 0);
    for (const [name, last] of rows) this.#keys.learn(name ?? "", Number(last));
  }

  /** So many numbers of a name, one after the other; gives the first of them. */
  take(name: string, count = 1): number {
    const last = this.#lastKey(name);
    if (!this.#first.has(name)) this.#first.set(name, last);
    if (!this.#unsent.has(name)) this.#unsent.set(name, last);
    this.#keys.give(name, last + count);
    this.#lately.delete(name);
    this.#lately.add(name);
    if (this.#lately.size > LATELY_MAX) this.#lately.delete([...this.#lately][0] ?? "");
    return last + 1;
  }

  /** Whether a number was not given before this transaction. */
  isNew(name: string, number: number): boolean {
    const first = this.#first.get(name);
    return first !== undefined && number > first;
  }

  /** What has been given until now may be sent before anything else is asked for. */
  sent(): void {
    this.#unsent.clear();
  }

  /** Whether a number was given since, so that the server cannot know of it. */
  isUnsent(name: string, number: number): boolean {
    const last = this.#unsent.get(name);
    return last !== undefined && number > last;
  }

  #lastKey(name: string): number {
    const known = this.#keys.known.get(name);
    if (known !== undefined) return known;
    const [row] = this.#tx.ask("SELECT last FROM keys WHERE name = $1", [name], KEYS);
    const last = Number(row?.[0] ?? 0);
    this.#keys.learn(name, last);
    return last;
  }

  /** Names under which a number was ever given. */
  taken(): ReadonlySet<string> {
    const names = "SELECT name FROM keys";
    const named = (): Set<string> =>
      new Set(this.#tx.ask(names, [], KEYS).map(([name]) => name ?? ""));
    const known = this.#tx.isAhead() ? named() : (this.#named ??= named());
    return new Set([...known, ...this.#keys.given]);
  }

  /** The next number of a counter. */
  count(counter: string): bigint {
    let last = this.#counters.known.get(counter);
    if (last === undefined) {
      const depends = { ...COUNTERS, only: [where("name", counter)] };
      const sql = `SELECT last FROM counters WHERE ${IS_COUNTER}`;
      const [row] = this.#tx.ask(sql, [toKept(counter)], depends);
      last = BigInt(row?.[0] ?? 0);
      this.#counters.learn(counter, last);
    }
    this.#counters.give(counter, last + 1n);
    return last + 1n;
  }

  /** What a counter gives next is greater. */
  countAtLeast(counter: string, least: bigint): void {
    const last = this.#counters.known.get(counter);
    if (last === undefined) {
      const values = [toKept(counter), String(least)];
      this.#tx.write(counted("greatest(last, $2::bigint)"), values, COUNTERS);
    } else if (least > last) this.#counters.give(counter, least);
  }

  mark(): Mark {
    return { keys: this.#keys.mark, counters: this.#counters.mark };
  }

  /** Numbers that were given since are given again. */
  undo({ keys, counters }: Mark): void {
    this.#keys.undo(keys);
    this.#counters.undo(counters);
  }

  /** Writes the last numbers; to be done before the end. */
  keep(): void {
    for (const name of this.#keys.given) {
      this.#tx.write(
        "INSERT INTO keys (name, last) VALUES ($1, $2::bigint) " +
          "ON CONFLICT (name) DO UPDATE SET last = excluded.last",
        [name, String(this.#keys.known.get(name) ?? 0)],
      );
    }
    for (const name of this.#counters.given) {
      const last = String(this.#counters.known.get(name) ?? 0n);
      this.#tx.write(counted("$2::bigint"), [toKept(name), last], COUNTERS);
    }
    this.#keys.told();
    this.#counters.told();
  }
}
