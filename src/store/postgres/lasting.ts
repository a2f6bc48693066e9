/** The connection that there is now; one that is lost is made anew beside. */
import type { Connection } from "./connection.ts";
import { Statements } from "./statements.ts";
import type { Trips } from "./trips.ts";
import type { Wire } from "./wire.ts";

/** How long it is waited before a server is looked for, and again, in milliseconds. */
const FIRST_MS = 10;
const AGAIN_MS = 250;
/** How long a transaction waits for a server before it fails. */
const WAITED_MS = 1_000;

export class Lasting {
  readonly #connection: Connection;
  readonly #begin: (sql: Statements) => void;
  #wire: Wire;
  readonly #trips: Trips | undefined;
  #looking: PromiseWithResolvers<void> | undefined;
  #isClosed = false;
  #statementMs: number | undefined;

  /** `begin`: what is said first over each connection. `trips`: told of what is sent. */
  constructor(connection: Connection, begin: (sql: Statements) => void, trips?: Trips) {
    this.#trips = trips;
    this.#connection = connection;
    this.#begin = begin;
    this.#wire = connection.wire;
    begin(new Statements(() => connection.wire));
    connection.wire.trips = trips;
  }

  readonly wire = (): Wire => {
    if (this.#wire.isCut) void this.renewed();
    return this.#wire;
  };

  /** Whether there is no connection now. */
  get isCut(): boolean {
    return this.#wire.isCut;
  }

  /** Resolves when there is a connection; never, once this is closed. */
  async renewed(): Promise<void> {
    if (this.#isClosed) await new Promise(() => {});
    if (!this.#wire.isCut) return;
    if (this.#looking === undefined) {
      this.#looking = Promise.withResolvers();
      this.#later(FIRST_MS);
    }
    await this.#looking.promise;
  }

  /** Resolves when there is a connection, or when it is not waited for any longer. */
  async back(): Promise<void> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, WAITED_MS);
    });
    await Promise.race([this.renewed(), late]);
    clearTimeout(timer);
  }

  /** Ends statements that run longer, over this connection and those that follow; 0: none. */
  limit(statementMs: number): void {
    this.#statementMs = statementMs;
    this.#limit(this.#wire);
  }

  #limit(wire: Wire): void {
    if (this.#statementMs === undefined) return;
    const ms = String(this.#statementMs);
    wire.within(this.#statementMs);
    new Statements(() => wire).ask("SELECT set_config('statement_timeout', $1, false)", [ms]);
  }

  #later(ms: number): void {
    if (!this.#isClosed) setTimeout(() => void this.#renew(), ms).unref();
  }

  async #renew(): Promise<void> {
    let wire: Wire | undefined;
    try {
      const made = await this.#connection.again();
      wire = made;
      this.#begin(new Statements(() => made));
      this.#limit(made);
      made.trips = this.#trips;
      this.#wire = made;
    } catch {
      // It may be refused for as long as another node, or another document, is there.
      wire?.close();
    }
    if (this.#isClosed) this.#wire.close();
    else if (this.#wire.isCut) this.#later(AGAIN_MS);
    else {
      this.#looking?.resolve();
      this.#looking = undefined;
    }
  }

  close(): void {
    this.#isClosed = true;
    this.#wire.close();
  }
}
