/**
 * What the parts of a session share: the statements of one transaction, savepoints that are made
 * when something is first written in them, and the numbers that are given to what is new.
 */
import type { Look, Ran } from "../opened.ts";
import { StorageFault } from "../sqlite/fault.ts";
import { Ahead, type Asked } from "./ahead.ts";
import type { Change, Depends } from "./depends.ts";
import { pgFault } from "./fault.ts";
import { type Fetched, ran, together } from "./together.ts";
import { type Held, type HeldRow, Refused, type Wire } from "./wire.ts";

/** A savepoint. Numbers are those that were known at it. */
interface Savepoint {
  readonly name: string;
  readonly keys: ReadonlyMap<string, number>;
  readonly given: ReadonlySet<string>;
  /** What was written in it begins there among what is kept back; undefined: nothing was. */
  from: number | undefined;
  /** The number of the statement that made it; undefined: the server does not know of it. */
  sentAt: number | undefined;
}

/** A statement that the server has refused: all behind it was passed over. */
interface Failed {
  readonly at: number;
  readonly fault: unknown;
}

/** How many bytes values take at least. */
function bytesOf(values: readonly Held[]): number {
  return values.reduce((sum, one) => sum + (one?.length ?? 0), 0);
}

/** Of how many names the last numbers are asked for when a transaction begins. */
const LATELY_MAX = 8;
/** What is kept back is sent where it is so much. */
const KEPT_BACK_BYTES = 262_144;
const KEYS_SQL = "SELECT name, last FROM keys WHERE name = ANY($1::text[])";

/** They are written at the end. */
const KEYS: Depends = { table: "keys" };

/** The SQLSTATE of a statement that was ended (`query_canceled`). */
export const ENDED = "57014";

/** What only reads sees one moment of the store. */
export const READING = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";

/** Thrown where a run would have to write to go on: what it asks for behind is not foreseen. */
const UNFORESEEN = new StorageFault("AHEAD", "it is not known before it is written");

/** An array of texts as the server reads it (PostgreSQL's documentation, "Array Input"). */
function arrayOf(texts: readonly string[]): string {
  return `{${texts.map((one) => `"${one.replace(/["\\]/g, "\\$&")}"`).join(",")}}`;
}

/**
 * What is only written is kept back until something is asked for, or the end. What is undone until
 * then was never sent, and needs no savepoint of the server.
 */
export class PgTransaction {
  readonly #wire: () => Wire;
  readonly #savepoints: Savepoint[] = [];
  /** The last number given under a name. */
  #keys = new Map<string, number>();
  /** Those that the server is still to be told of. */
  #given = new Set<string>();
  /** Names of which numbers were given lately, the last one last. */
  readonly #lately = new Set<string>();
  /** Whether anything was sent that writes, be it undone since. */
  hasWritten = false;
  #keptBack: Asked[] = [];
  #keptBytes = 0;
  /** Nothing goes on behind it, unless it is undone with all that was written since a savepoint. */
  #failed: Failed | undefined;
  /** Called before each statement: see `OpenStore`. */
  look: Look = () => {};
  /** Names under which one was given before this transaction, once they were asked for. */
  #named: ReadonlySet<string> | undefined;
  #isReading = false;
  /** The number of the statement that was ended, where the last one that was asked for was. */
  #endedAt: number | undefined;
  #ahead: Ahead | undefined;
  /** Whether runs are made to learn what they ask for: nothing of them is kept. */
  #isForeseeing = false;
  /** What was asked for ahead and holds still. */
  #foreseen: Ahead | undefined;
  /** The last number that was given under a name before this transaction. */
  readonly #first = new Map<string, number>();
  /** How many answers were waited for. */
  waits = 0;

  /** `wire`: the connection that there is now. Throws where there is none. */
  constructor(wire: () => Wire) {
    this.#wire = wire;
  }

  /** The last number given under each name. */
  get numbers(): ReadonlyMap<string, number> {
    return this.#keys;
  }

  /** Begins: nothing is known of what others have written meanwhile. */
  begin(): void {
    this.#isReading = false;
    this.#named = undefined;
    this.hasWritten = false;
    this.#savepoints.length = 0;
    this.#keptBack = [];
    this.#keptBytes = 0;
    this.#failed = undefined;
    this.#keys.clear();
    this.#given.clear();
    this.#first.clear();
    this.#foreseen = undefined;
  }

  /** Begins a transaction that only reads; `first`: what is run before. */
  read(...first: readonly string[]): void {
    this.begin();
    this.#isReading = true;
    this.#guard((wire) => {
      for (const sql of [...first, READING]) wire.defer(sql);
    });
  }

  /** What asks for the last numbers of names that were used lately; undefined: none was. */
  asksNumbers(): Asked | undefined {
    if (this.#lately.size === 0) return undefined;
    return { sql: KEYS_SQL, values: [arrayOf([...this.#lately])] };
  }

  /** Takes in what that gave; of a name that it has nothing of no number was given. */
  takeNumbers(rows: readonly HeldRow[]): void {
    if (this.#lately.size === 0) return;
    for (const name of this.#lately) this.#keys.set(name, 0);
    for (const [name, last] of rows) this.#keys.set(name ?? "", Number(last));
  }

  /** `depends`: on what the answer depends. Default: on all that may be written. */
  ask(sql: string, values: readonly Held[] = [], depends?: Depends): readonly HeldRow[] {
    if (this.#ahead !== undefined) {
      return this.#ahead.ask(sql, values, this.#isForeseeing ? depends : undefined);
    }
    const known = this.#foreseen?.find(sql, values, depends);
    if (known !== undefined) return known;
    this.look();
    this.waits++;
    return this.#guard((wire) => {
      this.#send(wire);
      return wire.ask(sql, values);
    });
  }

  /**
   * Writes; where the server refuses it, what is asked for next throws, or the end. `change`: what
   * is written. Default: nobody knows.
   */
  write(sql: string, values: readonly Held[] = [], change?: Change): void {
    if (this.#isForeseeing) return;
    this.#foreseen?.changed(change);
    this.#writes();
    this.#keptBack.push({ sql, values });
    this.#keptBytes += bytesOf(values);
    if (this.#keptBytes > KEPT_BACK_BYTES) this.#guard((wire) => this.#send(wire));
  }

  /** Writes, and gives the rows of it. */
  writeAndAsk(sql: string, values: readonly Held[], change: Change): readonly HeldRow[] {
    if (this.#isForeseeing) throw UNFORESEEN;
    this.#foreseen?.changed(change);
    this.#writes();
    this.hasWritten = true;
    return this.ask(sql, values);
  }

  /** Runs what only reads, all at this moment of the store: see `together`. */
  together<T>(runs: readonly (() => T)[]): readonly Ran<T>[] {
    if (runs.length === 1) return runs.map(ran);
    const asking = together(runs, { within: this.within });
    for (let next = asking.next(); ; ) {
      if (next.done === true) return next.value;
      next = asking.next(this.#fetched(next.value.asked));
    }
  }

  #fetched(asked: readonly Asked[]): Fetched {
    let from = 0;
    try {
      const rows = this.#guard((wire) => {
        this.#send(wire);
        from = wire.count;
        return wire.askAll(asked);
      });
      return { rows };
    } catch {
      const end = this.#endedAt;
      return { endedAt: end === undefined ? undefined : end - from };
    }
  }

  /** What is asked for meanwhile is asked of this. */
  readonly within = <R>(ahead: Ahead, run: () => R): R => {
    this.#ahead = ahead;
    try {
      return run();
    } finally {
      this.#ahead = undefined;
    }
  };

  /**
   * Asks together, before anything is written, for what runs will ask for. Each may be begun more
   * than once, and does not write meanwhile.
   */
  async foresee(runs: readonly (() => unknown)[]): Promise<void> {
    const ahead = new Ahead();
    const asking = together(runs, { within: this.#foreseeing, ahead });
    for (let next = asking.next(); next.done !== true; ) {
      const fetched = await this.#askAhead(next.value.asked);
      if (fetched === undefined) return;
      next = asking.next(fetched);
    }
    this.#foreseen = ahead;
  }

  readonly #foreseeing = <R>(ahead: Ahead, run: () => R): R => {
    const count = this.#savepoints.length;
    this.#isForeseeing = true;
    try {
      return this.within(ahead, run);
    } finally {
      this.#isForeseeing = false;
      this.#savepoints.length = count;
    }
  };

  /** Undefined: the server has refused one of them; whoever asks for it later is told so. */
  async #askAhead(asked: readonly Asked[]): Promise<Fetched | undefined> {
    try {
      const wire = this.#wire();
      wire.defer("SAVEPOINT ahead");
      const rows = await wire.askLater(asked);
      wire.defer("RELEASE ahead");
      return { rows };
    } catch (error) {
      if (!(error instanceof Refused)) throw pgFault(error);
      this.#guard((wire) => wire.defer("ROLLBACK TO ahead"));
      return undefined;
    }
  }

  /** Waits until all that was written is done. */
  flush(): void {
    this.#guard((wire) => {
      this.#send(wire);
      wire.flush();
    });
  }

  #guard<T>(run: (wire: Wire) => T): T {
    if (this.#failed !== undefined) throw this.#failed.fault;
    this.#endedAt = undefined;
    try {
      return run(this.#wire());
    } catch (error) {
      const fault = pgFault(error);
      if (!(error instanceof Refused)) throw fault;
      // What reads after it begins anew: nothing is read any more for what it was refused to.
      if (this.#isReading) this.read("ROLLBACK");
      else this.#failed = { at: error.at, fault };
      if (error.code === ENDED) {
        this.#endedAt = error.at;
        this.look(true);
      }
      throw fault;
    }
  }

  /** Something is written in all savepoints that there are. */
  #writes(): void {
    for (const one of this.#savepoints) one.from ??= this.#keptBack.length;
  }

  /** Sends what is kept back, and the savepoints in which it was written. */
  #send(wire: Wire): void {
    const keptBack = this.#keptBack;
    const made = this.#savepoints.filter((one) => one.from !== undefined);
    const unmade = made.filter((one) => one.sentAt === undefined);
    const begin = (until: number): void => {
      for (let [one] = unmade; one?.from !== undefined && one.from <= until; [one] = unmade) {
        one.sentAt = wire.count;
        wire.defer(`SAVEPOINT ${one.name}`);
        unmade.shift();
      }
    };
    for (const [at, { sql, values }] of keptBack.entries()) {
      begin(at);
      wire.defer(sql, values);
    }
    begin(keptBack.length);
    if (keptBack.length > 0) this.hasWritten = true;
    this.#keptBack = [];
    this.#keptBytes = 0;
  }

  savepoint(): void {
    const [keys, given] = [new Map(this.#keys), new Set(this.#given)];
    const name = `s${this.#savepoints.length + 1}`;
    this.#savepoints.push({ name, keys, given, from: undefined, sentAt: undefined });
  }

  release(): void {
    const last = this.#savepoints.pop();
    if (last?.sentAt === undefined || this.#failed !== undefined) return;
    this.#keptBack.push({ sql: `RELEASE ${last.name}`, values: [] });
  }

  rollback(): void {
    const last = this.#savepoints.pop();
    if (last?.from === undefined) return;
    this.#foreseen?.undone();
    // Numbers that were given since then are given again.
    this.#keys = new Map(last.keys);
    this.#given = new Set(last.given);
    const { name, from, sentAt } = last;
    if (sentAt === undefined) {
      this.#keptBack.length = from;
      return;
    }
    // What was refused came before it, and is not undone with it.
    if (this.#failed !== undefined && this.#failed.at <= sentAt) return;
    this.#failed = undefined;
    this.#keptBack = [`ROLLBACK TO ${name}`, `RELEASE ${name}`].map((sql) => ({ sql, values: [] }));
  }

  /** So many numbers of a name, one after the other; gives the first of them. */
  take(name: string, count = 1): number {
    const last = this.#keys.get(name) ?? this.#last(name);
    if (!this.#first.has(name)) this.#first.set(name, last);
    if (this.#isForeseeing) return last + 1;
    this.#keys.set(name, last + count);
    this.#given.add(name);
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

  #last(name: string): number {
    const [row] = this.ask("SELECT last FROM keys WHERE name = $1", [name], KEYS);
    return Number(row?.[0] ?? 0);
  }

  /** Names under which a number was ever given. */
  taken(): ReadonlySet<string> {
    const names = "SELECT name FROM keys";
    const named = (): Set<string> => new Set(this.ask(names, [], KEYS).map(([name]) => name ?? ""));
    // What is asked ahead is of another moment than this transaction.
    const known = this.#ahead === undefined ? (this.#named ??= named()) : named();
    return new Set([...known, ...this.#given]);
  }

  /** Sends what is kept back, and the numbers that were given; to be done before the end. */
  keep(): void {
    for (const name of this.#given) {
      this.write(
        "INSERT INTO keys (name, last) VALUES ($1, $2::bigint) " +
          "ON CONFLICT (name) DO UPDATE SET last = excluded.last",
        [name, String(this.#keys.get(name) ?? 0)],
      );
    }
    this.#given.clear();
    this.#guard((wire) => this.#send(wire));
  }
}
