/** What can go wrong with a database, said so that an operator can mend it. */
import { StorageFault } from "../sqlite/fault.ts";
import { Cut, Refused } from "./wire.ts";

/** By the beginning of the SQLSTATE (PostgreSQL 18 documentation, appendix A). */
const MEANINGS: readonly (readonly [code: string, meaning: string])[] = [
  ["08", "the connection is lost: what runs goes on by itself when the server is there again"],
  ["25006", "the server takes no writes, as a standby does: name the one that does"],
  ["25P02", "the transaction has failed before"],
  ["28", "the server does not let it in: check the user, the password and `pg_hba.conf`"],
  ["3D", "there is no such database: create it"],
  ["40", "others have changed what it read: it is tried again"],
  ["42501", "the user may not do that: grant the rights on the schema"],
  ["53100", "the server's disk is full: free some space; what runs goes on by itself then"],
  ["53200", "the server is out of memory"],
  ["53300", "the server has no connection left: raise `max_connections`, or use fewer nodes"],
  ["57014", "a statement took longer than it may"],
  ["57P", "the server is shutting down or starting: what runs goes on by itself then"],
  ["58", "the server cannot read or write its files: look at its log"],
  ["XX", "the data are damaged, or the server has an error of its own: look at its log"],
];

/** An error of the connection as a fault of the store; any other is given back as it is. */
export function pgFault(error: unknown): unknown {
  if (!(error instanceof Refused) && !(error instanceof Cut)) return error;
  const { code, message } = error;
  const [, meaning] = MEANINGS.find(([start]) => code.startsWith(start)) ?? [];
  const said = meaning === undefined ? message : `${message}; ${meaning}`;
  return new StorageFault(code, `the database failed (${code}): ${said}`);
}
