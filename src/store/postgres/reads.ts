/**
 * Reads of a thread that does other things while the server reads: over a connection of their own,
 * which is made when it is first needed.
 */
import type { Ran } from "../opened.ts";
import type { Ahead, Asked } from "./ahead.ts";
import { Statements } from "./statements.ts";
import { type Fetched, together } from "./together.ts";
import { ENDED, READING } from "./transaction.ts";
import type { Trips } from "./trips.ts";
import { Cut, Refused, type Wire } from "./wire.ts";

/** When a connection is looked for again that could not be made. */
const AGAIN_MS = 1_000;
/** Statements behind which more is asked, at most: a text that holds values is one of its own. */
const LONGER_MAX = 2_000;
/** What is sent together is one transaction and of one moment, without one being begun. */
const ONE_MOMENT =
  "SELECT set_config('default_transaction_isolation', 'repeatable read', false), " +
  "set_config('default_transaction_read_only', 'on', false), " +
  "set_config('statement_timeout', $1, false)";

interface Around {
  /** Makes a connection that is set to what a session needs. Rejects with `StorageFault`. */
  connect(): Promise<Wire>;
  /** What a run asks for is asked of this. */
  within<R>(ahead: Ahead, run: () => R): R;
  readonly trips: Trips | undefined;
  /** The server does not answer: nobody is to stand still for it on another connection. */
  late(): void;
}

export class PgReads {
  readonly #around: Around;
  readonly #longer = new Set<string>();
  #wire: Wire | undefined;
  #isConnecting = false;
  #isClosed = false;
  /** Statements that run longer are ended; 0: none. */
  statementMs = 0;

  constructor(around: Around) {
    this.#around = around;
  }

  /**
   * Runs what only reads, each at one moment of the store; one call at a time. Undefined: there is
   * no connection, or it was lost meanwhile.
   */
  async together<T>(runs: readonly (() => T)[]): Promise<readonly Ran<T>[] | undefined> {
    const wire = this.#wire;
    if (wire === undefined || wire.isCut) {
      void this.#connect();
      return undefined;
    }
    const { within, trips } = this.#around;
    if (this.#longer.size > LONGER_MAX) this.#longer.clear();
    const asking = together(runs, { within, longer: this.#longer });
    let hasBegun = false;
    const end = (how: "COMMIT" | "ROLLBACK"): void => {
      if (hasBegun) wire.defer(how);
      if (hasBegun) wire.post();
      hasBegun = false;
    };
    try {
      trips?.begin();
      for (let next = asking.next(); ; ) {
        if (next.done === true) {
          end("COMMIT");
          return next.value;
        }
        const { asked, begins } = next.value;
        if (begins) wire.defer(READING);
        hasBegun ||= begins;
        const fetched = await fetchedOf(wire, asked);
        if (!("rows" in fetched)) end("ROLLBACK");
        next = asking.next(fetched);
      }
    } catch (fault) {
      if (!(fault instanceof Cut)) throw fault;
      if (fault.isLate) this.#around.late();
      return undefined;
    }
  }

  async #connect(): Promise<void> {
    if (this.#isConnecting || this.#isClosed) return;
    this.#isConnecting = true;
    try {
      const wire = await this.#around.connect();
      wire.within(this.statementMs);
      new Statements(() => wire).ask(ONE_MOMENT, [String(this.statementMs)]);
      wire.trips = this.#around.trips;
      this.#wire = wire;
      if (this.#isClosed) wire.close();
    } catch {
      // Until then it is read over the connection that there is.
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS).unref());
    } finally {
      this.#isConnecting = false;
    }
  }

  close(): void {
    this.#isClosed = true;
    this.#wire?.close();
  }
}

/** Throws `Cut`. */
async function fetchedOf(wire: Wire, asked: readonly Asked[]): Promise<Fetched> {
  const from = wire.count;
  try {
    return { rows: await wire.askLater(asked) };
  } catch (fault) {
    if (!(fault instanceof Refused)) throw fault;
    return { endedAt: fault.code === ENDED ? fault.at - from : undefined };
  }
}
