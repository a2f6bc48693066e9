/**
 * What the parts of a session share: the statements of one transaction, savepoints that are made
 * when something is first written in them, and the numbers that are given to what is new.
 */
import type { Attempt, Look, Ran } from "../opened.ts";
import { StorageFault } from "../sqlite/fault.ts";
import { Ahead, type Asked, NOT_THERE_YET, since } from "./ahead.ts";
import type { Change, Depends } from "./depends.ts";
import { pgFault } from "./fault.ts";
import { type Mark, Sequences } from "./sequences.ts";
import { type Fetched, ran, together } from "./together.ts";
import { type Held, type HeldRow, Refused, type Wire } from "./wire.ts";

/** A savepoint, and how far numbers were given at it. */
interface Savepoint {
  readonly name: string;
  readonly given: Mark;
  /** How much was written until then, and how much of it was taken in by what was foreseen. */
  readonly changes: number;
  readonly foreseen: number;
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

/** What is kept back is sent where it is so much. */
const KEPT_BACK_BYTES = 262_144;

/** What runs ask for so many times, one answer after the other, is asked ahead. */
const FORESEEN_GOES_MOST = 32;
/** So many answers are asked for again that have become others, before whoever asks has to wait. */
const AGAIN_MOST = 16;
/** So much of what was written is remembered. */
const CHANGES_MOST = 10_000;
/** With so many rows that were asked for ahead nothing more is. */
const FORESEEN_ROWS_MOST = 50_000;

/** Thrown where it would have to be asked behind what was written by the run itself. */
const BEHIND_OWN = new StorageFault("BEHIND", "the answer is known behind own writes alone");

/** The SQLSTATE of a statement that was ended (`query_canceled`). */
export const ENDED = "57014";

/** What only reads sees one moment of the store. */
export const READING = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";

/**
 * What is only written is kept back until something is asked for, or the end. What is undone until
 * then was never sent, and needs no savepoint of the server.
 */
export class PgTransaction {
  readonly #wire: () => Wire;
  readonly #savepoints: Savepoint[] = [];
  /** Whether anything was sent that writes, be it undone since. */
  hasWritten = false;
  #keptBack: Asked[] = [];
  #keptBytes = 0;
  /** Nothing goes on behind it, unless it is undone with all that was written since a savepoint. */
  #failed: Failed | undefined;
  /** Called before each statement: see `OpenStore`. */
  look: Look = () => {};
  #isReading = false;
  /** The number of the statement that was ended, where the last one that was asked for was. */
  #endedAt: number | undefined;
  #ahead: Ahead | undefined;
  /** What was written; the last one is undefined where it was more than is remembered. */
  #changes: (Change | undefined)[] = [];
  /** Whether a run is made to learn what it asks for: nothing that it writes is kept. */
  isLooking = false;
  /** What was asked for ahead and holds still. */
  #foreseen: Ahead | undefined;
  /** What was known when a run began that may not wait for anything; undefined: it may. */
  #attempt: { readonly ahead: Ahead; readonly mark: number } | undefined;
  readonly sequences: Sequences;
  /** Answers that were waited for, and rows of all answers. */
  readonly waits = { answers: 0, rows: 0 };

  /** `wire`: the connection that there is now. Throws where there is none. */
  constructor(wire: () => Wire) {
    this.#wire = wire;
    this.sequences = new Sequences({
      ask: (...asked) => this.ask(...asked),
      write: (...written) => this.write(...written),
      isAhead: () => this.#ahead !== undefined,
    });
  }

  /** Begins: nothing is known of what others have written meanwhile. */
  begin(): void {
    this.#isReading = false;
    this.hasWritten = false;
    this.#savepoints.length = 0;
    this.#keptBack = [];
    this.#keptBytes = 0;
    this.#changes = [];
    this.#failed = undefined;
    this.sequences.begin();
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

  /** `depends`: on what the answer depends. Default: on all that may be written. */
  ask(sql: string, values: readonly Held[] = [], depends?: Depends): readonly HeldRow[] {
    const own = depends?.atFirst && since(depends, this.#changes);
    if (own !== undefined) return own;
    if (this.#ahead !== undefined) {
      if (!this.isLooking) return this.#ahead.ask(sql, values);
      return this.#ahead.ask(sql, values, depends, this.#changes);
    }
    const known = this.#foreseen?.find(sql, values, depends);
    if (known !== undefined) {
      this.waits.rows += known.length;
      return known;
    }
    if (this.#attempt !== undefined) this.#want(this.#attempt, { sql, values, depends });
    this.look();
    this.waits.answers++;
    const rows = this.#guard((wire) => {
      this.#send(wire);
      return wire.ask(sql, values);
    });
    this.waits.rows += rows.length;
    return rows;
  }

  /**
   * Writes; where the server refuses it, what is asked for next throws, or the end. `change`: what
   * is written. Default: nobody knows.
   */
  write(sql: string, values: readonly Held[] = [], change?: Change): void {
    const count = this.#changes.length;
    if (count <= CHANGES_MOST) this.#changes.push(count < CHANGES_MOST ? change : undefined);
    if (this.isLooking) return;
    this.#foreseen?.changed(change);
    this.#writes();
    this.#keptBack.push({ sql, values });
    this.#keptBytes += bytesOf(values);
    if (this.#keptBytes > KEPT_BACK_BYTES) this.#guard((wire) => this.#send(wire));
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
   * than once, and nothing of it is kept.
   */
  async foresee(runs: readonly (() => unknown)[]): Promise<void> {
    const ahead = new Ahead();
    const asking = together(
      runs.map((run) => () => this.#look(run)),
      { within: this.within, ahead, goesMost: FORESEEN_GOES_MOST },
    );
    for (let next = asking.next(); next.done !== true; ) {
      if (ahead.rowCount > FORESEEN_ROWS_MOST) break;
      const fetched = await this.#askAhead(next.value.asked);
      if (fetched === undefined) return;
      next = asking.next(fetched);
    }
    this.#foreseen = ahead;
  }

  /**
   * Runs what asks for nothing but what is known. Else nothing of it is kept: it asks for what
   * `learn` asks for, or waits for what can be asked for behind its own writes alone.
   */
  attempt<T>(run: () => T): Attempt<T> {
    const count = this.#savepoints.length;
    this.savepoint();
    this.#foreseen ??= new Ahead();
    this.sequences.sent();
    this.#attempt = { ahead: this.#foreseen, mark: this.#foreseen.mark };
    try {
      const made = run();
      this.release();
      return { is: "made", made };
    } catch (fault) {
      this.#savepoints.length = count + 1;
      this.rollback();
      if (fault === NOT_THERE_YET) return { is: "asks" };
      if (fault === BEHIND_OWN) return { is: "waits" };
      throw fault;
    } finally {
      this.#attempt = undefined;
    }
  }

  #want({ ahead, mark }: { ahead: Ahead; mark: number }, { sql, values, depends }: Asked): never {
    if (ahead.wasKnown(sql, values, depends, mark)) throw BEHIND_OWN;
    return ahead.want(sql, values, depends);
  }

  /**
   * Asks together for what attempts have asked for in vain, behind what was written; false: it is
   * of no use to make them again.
   */
  async learn(): Promise<boolean> {
    const ahead = this.#foreseen;
    const asked = ahead?.wanted() ?? [];
    if (ahead === undefined || asked.length === 0) return false;
    if (ahead.again > AGAIN_MOST || ahead.rowCount > FORESEEN_ROWS_MOST) return false;
    this.#guard((wire) => this.#send(wire));
    const fetched = await this.#askAhead(asked);
    if (fetched === undefined || !("rows" in fetched)) return false;
    ahead.take(fetched.rows);
    return true;
  }

  /** A row that was asked for ahead, as it is now; undefined: it is not known. */
  foreseenRow(table: string, key: number): HeldRow | undefined {
    return this.#foreseen?.row(table, key);
  }

  /** Runs what is made to learn what it asks for. */
  #look(run: () => unknown): void {
    const given = this.sequences.mark();
    this.isLooking = true;
    try {
      run();
    } finally {
      this.isLooking = false;
      this.#changes = [];
      this.#savepoints.length = 0;
      this.sequences.undo(given);
    }
  }

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
    const name = `s${this.#savepoints.length + 1}`;
    const given = this.sequences.mark();
    const changes = this.#changes.length;
    const foreseen = this.#foreseen?.mark ?? 0;
    this.#savepoints.push({ name, given, changes, foreseen, from: undefined, sentAt: undefined });
  }

  release(): void {
    const last = this.#savepoints.pop();
    if (last?.sentAt === undefined || this.#failed !== undefined) return;
    this.#keptBack.push({ sql: `RELEASE ${last.name}`, values: [] });
  }

  rollback(): void {
    const last = this.#savepoints.pop();
    if (last === undefined) return;
    this.sequences.undo(last.given);
    this.#changes.length = last.changes;
    this.#foreseen?.undone(last.foreseen);
    if (last.from === undefined) return;
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

  /** Sends what is kept back, and the numbers that were given; to be done before the end. */
  keep(): void {
    this.sequences.keep();
    this.#guard((wire) => this.#send(wire));
  }
}
