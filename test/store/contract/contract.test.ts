/** Every store keeps the contract of the port: one suite, run on each of them. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { withClocks } from "../../../src/plan/index.ts";
import { MemorySession, openStore } from "../../../src/store/index.ts";
import { connectPg } from "../../../src/store/postgres/connect.ts";
import { creatingOf } from "../../../src/store/postgres/schema.ts";
import { PgSession } from "../../../src/store/postgres/session.ts";
import { PgTransaction } from "../../../src/store/postgres/transaction.ts";
import type { Wire } from "../../../src/store/postgres/wire.ts";
import { schemaOf } from "../../../src/store/schema/schema.ts";
import { programs, startServer } from "../../postgres/server.ts";
import type { Contender } from "./contender.ts";
import { countersContract } from "./counters.ts";
import { faultsContract } from "./faults.ts";
import { outboxContract } from "./outbox.ts";
import { wholePlan } from "./plan.ts";
import { queriesContract } from "./queries.ts";
import { rowsContract } from "./rows.ts";
import { savepointsContract } from "./savepoints.ts";

const folder = mkdtempSync(join(tmpdir(), "lacuna-contract-"));
after(() => rmSync(folder, { recursive: true }));
let files = 0;

function opened(mode: "read" | "write", file = join(folder, `${files++}.db`)) {
  const store = openStore(wholePlan, { store: { file }, mode });
  after(() => store.close());
  store.begin(mode);
  return store.session;
}

const bin = programs();
if (bin === undefined) test("postgres", { skip: "no PostgreSQL server is installed" });
const server = bin === undefined ? undefined : await startServer(bin, ["fsync=off"]);
after(() => server?.stop());
const schema = schemaOf(withClocks(wholePlan));

function onPostgres(wire: Wire): Contender {
  let schemas = 0;
  const tx = new PgTransaction(() => wire);
  const open = (mode: string) => {
    wire.ask("ROLLBACK");
    const name = `store_${schemas++}`;
    for (const one of [`CREATE SCHEMA ${name}`, `SET search_path TO ${name}`]) wire.ask(one);
    for (const one of creatingOf([wholePlan], schema)) wire.ask(one);
    wire.ask(`BEGIN ${mode}`);
    tx.begin();
    return new PgSession(tx, schema);
  };
  return {
    name: "postgres",
    open: () => open(""),
    runsQueries: true,
    broken: () => open("READ ONLY"),
    settle: () => tx.flush(),
  };
}

const wire = server && (await connectPg({ urls: [server.url] }, { answerMs: 20_000 }));
after(() => wire?.close());

const contenders: readonly Contender[] = [
  ...(wire === undefined ? [] : [onPostgres(wire)]),
  { name: "memory", open: () => new MemorySession(wholePlan), runsQueries: false },
  {
    name: "sqlite",
    open: () => opened("write"),
    runsQueries: true,
    broken: () => {
      const file = join(folder, `${files++}.db`);
      openStore(wholePlan, { store: { file }, mode: "write" }).close();
      return opened("read", file);
    },
  },
];

for (const store of contenders) {
  rowsContract(store);
  queriesContract(store);
  countersContract(store);
  outboxContract(store);
  savepointsContract(store);
  faultsContract(store);
}
