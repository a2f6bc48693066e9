/** One node among others on a store: how its commits end, and what it alone does for a time. */
import { randomBytes } from "node:crypto";
import type { Lead, Told } from "../opened.ts";
import type { Lasting } from "./lasting.ts";
import { channelOf, saidBy } from "./listen.ts";
import { lockOf, type Statements } from "./statements.ts";

/** How long a node leads that is not heard of, and when it says so again: by the server's clock. */
const LEAD_MS = 10_000;
const AGAIN_MS = 7_000;
/** Nobody asks any more how a transaction ended that is so old. */
const FORGOTTEN = "7 days";
const NOTED = "UPDATE writers SET at = now() WHERE writer = $1::bigint RETURNING number";
/** Between two questions how a transaction ended, in milliseconds. */
const ASKED_EACH_MS = 250;

export class PgNode {
  readonly #name: string;
  readonly #schema: string;
  readonly #sql: Statements;
  readonly #lasting: Lasting;
  /** Names this process in what it commits, as long as it opens the store. */
  readonly #writer = String(randomBytes(7).readUIntBE(0, 6));
  #number = 0;

  constructor(name: string, schema: string, lasting: Lasting, sql: Statements) {
    this.#name = name;
    this.#schema = schema;
    this.#lasting = lasting;
    this.#sql = sql;
  }

  /** Commits, and leaves word of it. */
  commit(): void {
    this.#leaveWord();
    this.#sql.ask("COMMIT");
  }

  /** The same while others go on; where the connection is cut meanwhile, it finds out the end. */
  async commitLater(told: Told): Promise<boolean> {
    const number = this.#leaveWord();
    if (told.messages || told.events || told.calls) {
      const said = [channelOf(this.#schema), saidBy(this.#name, told)];
      this.#sql.defer("SELECT pg_notify($1, $2)", said);
    }
    try {
      await this.#sql.askLater([{ sql: "COMMIT", values: [] }]);
      return true;
    } catch (fault) {
      if (!this.#lasting.isCut) throw fault;
      return await this.#ended(number);
    }
  }

  /** Gives the number of the transaction. */
  #leaveWord(): string {
    const number = String(++this.#number);
    if (this.#number === 1) {
      this.#sql.defer(`DELETE FROM writers WHERE at < now() - interval '${FORGOTTEN}'`);
    }
    this.#sql.defer(
      "INSERT INTO writers (writer, number, at) VALUES ($1::bigint, $2::bigint, now()) " +
        "ON CONFLICT (writer) DO UPDATE SET number = excluded.number, at = excluded.at",
      [this.#writer, number],
    );
    return number;
  }

  /** Whether a transaction was kept: asked when nobody is at it any more. */
  async #ended(number: string): Promise<boolean> {
    for (;;) {
      await this.#lasting.renewed();
      try {
        await this.#sql.beginLater(lockOf(this.#schema));
        // What is written waits for the standbys, and so for what was written before.
        const [found] = await this.#sql.askLater([{ sql: NOTED, values: [this.#writer] }]);
        await this.#sql.askLater([{ sql: "COMMIT", values: [] }]);
        return found?.[0]?.[0] === number;
      } catch {
        this.#sql.end("ROLLBACK");
        await new Promise((resolve) => setTimeout(resolve, ASKED_EACH_MS));
      }
    }
  }

  /** In a transaction that writes: which node leads, and how long. */
  lead(): Lead {
    const [row] = this.#sql.ask(
      "SELECT node, ceil(extract(epoch FROM until - clock_timestamp()) * 1000)::bigint " +
        "FROM lead WHERE one",
    );
    const [node, left = 0] = row ?? [];
    const ms = Math.max(0, Number(left));
    if (node !== this.#name && ms > 0) return { otherMs: ms, ownMs: 0 };
    if (node === this.#name && ms > AGAIN_MS) return { otherMs: 0, ownMs: ms };
    this.#sql.ask(
      "INSERT INTO lead (one, node, until) " +
        "VALUES (true, $1, clock_timestamp() + $2::bigint * interval '1 millisecond') " +
        "ON CONFLICT (one) DO UPDATE SET node = excluded.node, until = excluded.until",
      [this.#name, String(LEAD_MS)],
    );
    return { otherMs: 0, ownMs: LEAD_MS };
  }

  /** Whether no other node leads since this one did. */
  leads(): boolean {
    return this.#sql.ask("SELECT node FROM lead WHERE one")[0]?.[0] === this.#name;
  }

  /** Leaves the lead to whoever wants it. */
  leave(): void {
    try {
      if (this.#lasting.isCut) return;
      this.#sql.ask("DELETE FROM lead WHERE node = $1", [this.#name]);
    } catch {
      // It ends by itself.
    }
  }
}
