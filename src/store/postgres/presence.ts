/** Names a node as long as its connection lasts: then others find the lock of that name free. */
import { randomBytes } from "node:crypto";
import type { Statements } from "./statements.ts";

export class Presence {
  /** A number. */
  own = "";

  /** Said first over each connection. */
  begin(sql: Statements): void {
    const own = String(randomBytes(6).readUIntBE(0, 6));
    sql.ask("SELECT pg_advisory_lock($1::bigint)", [own]);
    this.own = own;
  }

  /** In a transaction: whether the connection of a node of that name is over. */
  isGone(sql: Statements, name: string): boolean {
    if (name === this.own) return false;
    if (!/^\d{1,18}$/.test(name)) return true;
    return sql.ask("SELECT pg_try_advisory_xact_lock($1::bigint)", [name])[0]?.[0] === "t";
  }
}
