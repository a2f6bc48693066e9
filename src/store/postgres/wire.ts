/**
 * A connection to PostgreSQL whose statements are run one after the other while the thread waits:
 * a request is one run of its steps, which nothing interrupts. What only writes is sent together
 * with the next statement that gives something (the extended query protocol of PostgreSQL's
 * documentation, "Frontend/Backend Protocol").
 */
import { EventEmitter } from "node:events";
import { readSync, writeSync } from "node:fs";
import type { Socket } from "node:net";
import { parse, serialize } from "pg-protocol";
import type { Trips } from "./trips.ts";

/** A value of a parameter or a column, in its text form. */
export type Held = string | null;

/** One row that a statement gives. */
export type HeldRow = readonly Held[];

/** The server says that a statement cannot be run; `code`: its SQLSTATE. */
export class Refused extends Error {
  readonly code: string;
  /** The number of the statement, as `Wire.count` tells it. */
  readonly at: number;

  constructor(code: string, message: string, at: number) {
    super(message);
    this.code = code;
    this.at = at;
  }
}

/** Nothing can be asked over the connection any more. */
export class Cut extends Error {
  readonly code = "08006";
  /** Whether the server has not answered, and may be there still. */
  readonly isLate: boolean;

  constructor(message: string, isLate = false) {
    super(message);
    this.isLate = isLate;
  }
}

const CHUNK_BYTES = 65_536;
/** Statements that are kept prepared; there are few, unless values stand in their text. */
const PREPARED_MAX = 2_000;
/** What waits to be sent is sent where it is so much. */
const SENT_AT_ONCE_BYTES = 262_144;
/** How long an answer is waited for where a statement may run without end. */
const ENDLESS_MS = 600_000;
/** How long a thread sleeps at least and at most before it looks again, in milliseconds. */
const SLEEP_MS = { least: 0.05, most: 5 } as const;
/** Shares of the time that a statement has taken before: slept at first, then before each look. */
const SLEPT = { first: 0.6, then: 0.2 } as const;
/** How much the last time counts, and the longest that is taken for usual. */
const LAST_SHARE = 0.2;
const USUAL_MS_MAX = 20;
/** How much longer each sleep is than the one before. */
const LONGER = 1.2;

/** How long a thread sleeps where a share of the usual time is to pass. */
function sleepOf(usualMs: number, share: number): number {
  return Math.min(Math.max(usualMs * share, SLEEP_MS.least), SLEEP_MS.most);
}

/** A message of the server, as far as it is looked at. */
interface Message {
  readonly name: string;
  readonly fields?: readonly Held[];
  readonly code?: string;
  readonly message?: string;
}

/** A statement with its values. */
interface Asking {
  readonly sql: string;
  readonly values: readonly Held[];
}

const LATE = new Error("no answer came in time");

const never = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));

function wait(ms: number): void {
  Atomics.wait(never, 0, 0, ms);
}

const isAgain = (error: unknown): boolean => (error as { code?: unknown }).code === "EAGAIN";

/** How long an answer may take before the server is taken to be gone. */
export interface Patience {
  readonly answerMs: number;
}

export class Wire {
  readonly #socket: Socket;
  readonly #descriptor: number;
  readonly #patience: Patience;
  #answerMs: number;
  readonly #prepared = new Map<string, string>();
  /** Those that were prepared since the server last said that all is well. */
  #fresh: string[] = [];
  /** How long statements usually take, in milliseconds. */
  readonly #usual = new Map<string, number>();
  readonly #input = new EventEmitter();
  readonly #chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  #waiting: Buffer[] = [];
  #waitingBytes = 0;
  /** Statements that were given, and those of them that are done or passed over. */
  #count = 0;
  #done = 0;
  /** How many were given each time that the server was asked to say that it is ready. */
  readonly #ends: number[] = [];
  #names = 0;
  #rows: HeldRow[] = [];
  /** The rows of the last statement that is done. */
  #last: readonly HeldRow[] = [];
  /** The rows of each statement, where those of several are wanted. */
  #parted: (readonly HeldRow[])[] | undefined;
  #error: Refused | undefined;
  /** Who waits for answers that are taken in as they come. */
  #later: Pick<PromiseWithResolvers<void>, "resolve" | "reject"> | undefined;
  #isHeard = false;
  /** How often the server is still to say that it is ready. */
  #awaited = 0;
  #cut: Cut | undefined;

  /** Told what is sent together. */
  trips: Trips | undefined;

  /** `socket`: of a connection that is let in and waits for statements; it is this one's now. */
  constructor(socket: Socket, descriptor: number, patience: Patience) {
    this.#socket = socket;
    this.#descriptor = descriptor;
    this.#patience = patience;
    this.#answerMs = patience.answerMs;
    void parse(this.#input as never, (message: Message) => this.#take(message));
  }

  /** How many statements were given until now: the number of the next one. */
  get count(): number {
    return this.#count;
  }

  /** Waits for answers as long as the server lets a statement run, 0: without end, and longer. */
  within(statementMs: number): void {
    const runMs = statementMs === 0 ? ENDLESS_MS : statementMs;
    this.#answerMs = this.#patience.answerMs + runMs;
  }

  /** Whether it can be asked for nothing any more. */
  get isCut(): boolean {
    return this.#cut !== undefined;
  }

  /** Runs a statement that gives nothing, with the next one that does. */
  defer(sql: string, values: readonly Held[] = []): void {
    this.#put(sql, values);
    if (this.#waitingBytes > SENT_AT_ONCE_BYTES) this.#send(serialize.flush());
  }

  /** Runs a statement, and those before it; gives its rows. Throws `Refused`, `Cut`. */
  ask(sql: string, values: readonly Held[] = []): readonly HeldRow[] {
    this.#put(sql, values);
    return this.#sync(sql);
  }

  /** Runs several statements, and those before them; gives the rows of each. */
  askAll(all: readonly Asking[]): readonly (readonly HeldRow[])[] {
    for (const { sql, values } of all) this.#put(sql, values);
    this.#parted = [];
    try {
      this.#sync(all.at(-1)?.sql ?? "");
      return this.#parted.slice(-all.length);
    } finally {
      this.#parted = undefined;
    }
  }

  /**
   * The same as `askAll`, while others go on; nothing else is asked until then. Rejects with
   * `Refused`, `Cut`.
   */
  async askLater(all: readonly Asking[]): Promise<readonly (readonly HeldRow[])[]> {
    for (const { sql, values } of all) this.#put(sql, values);
    this.#parted = [];
    const timer = setTimeout(() => this.#end(LATE), this.#answerMs);
    try {
      await new Promise<void>((resolve, reject) => {
        this.#later = { resolve, reject };
        this.#ask();
        this.#flow(true);
      });
      this.#judge();
      return this.#parted.slice(-all.length);
    } finally {
      clearTimeout(timer);
      this.#flow(false);
      this.#later = undefined;
      this.#parted = undefined;
    }
  }

  /** Whether answers are taken in as they come. */
  #flow(is: boolean): void {
    const socket = this.#socket;
    if (!this.#isHeard) {
      this.#isHeard = true;
      socket.on("data", (data: Buffer) => {
        this.#input.emit("data", data);
        this.#answered();
      });
      socket.on("close", () => this.#end(new Error("the server has closed the connection")));
    }
    const { _handle: handle } = socket as { _handle?: { readStart(): void; readStop(): void } };
    if (is) handle?.readStart();
    else handle?.readStop();
  }

  #answered(): void {
    if (this.#cut !== undefined) this.#later?.reject(this.#cut);
    else if (this.#awaited === 0) this.#later?.resolve();
  }

  /** Runs what waits. */
  flush(): void {
    this.#sync("");
  }

  /** Sends what waits, and does not wait until it is done. */
  post(): void {
    this.#awaited++;
    this.#ends.push(this.#count);
    this.#send(serialize.sync());
  }

  close(): void {
    this.#end(new Error("the connection is closed"));
  }

  #put(sql: string, values: readonly Held[]): void {
    if (this.#cut !== undefined) throw this.#cut;
    let name = this.#prepared.get(sql);
    if (name === undefined) {
      if (this.#prepared.size >= PREPARED_MAX) this.#forget();
      name = `s${this.#names++}`;
      this.#prepared.set(sql, name);
      this.#fresh.push(sql);
      this.#push(serialize.parse({ name, text: sql }));
    }
    this.trips?.add(sql);
    this.#count++;
    this.#push(serialize.bind({ statement: name, values: values as Held[] }));
    this.#push(serialize.execute());
  }

  #forget(): void {
    for (const sql of [...this.#prepared.keys()]) this.#close(sql);
    this.#fresh = [];
    this.#usual.clear();
  }

  #close(sql: string): void {
    const name = this.#prepared.get(sql);
    if (name !== undefined) this.#push(serialize.close({ type: "S", name }));
    this.#prepared.delete(sql);
  }

  #push(message: Buffer): void {
    this.#waiting.push(message);
    this.#waitingBytes += message.length;
  }

  /** `sql`: the last of the statements, by which it is told how long all usually take. */
  #sync(sql: string): readonly HeldRow[] {
    this.#ask();
    const fromMs = performance.now();
    const until = fromMs + this.#answerMs;
    const usualMs = this.#usual.get(sql) ?? 0;
    // To look before anything can be there costs more than to sleep.
    this.#pause(until, sleepOf(usualMs, SLEPT.first));
    while (this.#awaited > 0) this.#read(until, sleepOf(usualMs, SLEPT.then));
    const tookMs = Math.min(performance.now() - fromMs, USUAL_MS_MAX);
    this.#usual.set(sql, usualMs + (tookMs - usualMs) * LAST_SHARE);
    this.#judge();
    return this.#last;
  }

  /** Sends what waits, and is to be told that all of it is done. */
  #ask(): void {
    this.#error = undefined;
    this.#rows = [];
    this.#last = [];
    this.post();
    this.trips?.end();
  }

  /** Throws where something of it was refused. */
  #judge(): void {
    const error = this.#error as Refused | undefined;
    if (error === undefined) {
      this.#fresh = [];
      return;
    }
    // What was sent behind a statement that is refused was not run, nor prepared.
    for (const sql of this.#fresh) this.#close(sql);
    this.#fresh = [];
    throw error;
  }

  #send(last: Buffer): void {
    const all = Buffer.concat([...this.#waiting, last]);
    this.#waiting = [];
    this.#waitingBytes = 0;
    const until = performance.now() + this.#patience.answerMs;
    let sent = 0;
    while (sent < all.length) {
      try {
        sent += writeSync(this.#descriptor, all, sent);
      } catch (error) {
        if (!isAgain(error)) throw this.#end(error);
        // The server may wait for what it has said to be read.
        if (!this.#readSome()) this.#pause(until, SLEEP_MS.least);
      }
    }
  }

  /** Reads until something has come: the longer that takes, the longer it sleeps in between. */
  #read(until: number, firstMs: number): void {
    let ms = firstMs;
    while (!this.#readSome()) {
      this.#pause(until, ms);
      ms = Math.min(ms * LONGER, SLEEP_MS.most);
    }
  }

  #pause(until: number, ms: number): void {
    if (performance.now() > until) throw this.#end(LATE);
    wait(ms);
  }

  #readSome(): boolean {
    let count: number;
    try {
      count = readSync(this.#descriptor, this.#chunk, 0, CHUNK_BYTES, null);
    } catch (error) {
      if (isAgain(error)) return false;
      throw this.#end(error);
    }
    if (count === 0) throw this.#end(new Error("the server has closed the connection"));
    // What is left of a message is kept until the rest of it comes.
    this.#input.emit("data", Buffer.from(this.#chunk.subarray(0, count)));
    return true;
  }

  #end(error: unknown): Cut {
    const text = error instanceof Error ? error.message : String(error);
    this.#cut ??= new Cut(text, error === LATE);
    this.#socket.destroy();
    this.#later?.reject(this.#cut);
    return this.#cut;
  }

  #take(message: Message): void {
    switch (message.name) {
      case "dataRow":
        this.#rows.push(message.fields ?? []);
        break;
      case "commandComplete":
        this.#done++;
        this.#last = this.#rows;
        this.#rows = [];
        this.#parted?.push(this.#last);
        break;
      case "error":
        // Where nothing is awaited any more, the server ends the connection: all before is done.
        if (this.#awaited === 0) this.#end(new Error(message.message ?? ""));
        else this.#error ??= new Refused(message.code ?? "", message.message ?? "", this.#done);
        break;
      case "readyForQuery":
        this.#awaited--;
        this.#done = this.#ends.shift() ?? this.#count;
        break;
      default:
    }
  }
}
