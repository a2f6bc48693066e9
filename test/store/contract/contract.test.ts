/** Every store keeps the contract of the port: one suite, run on each of them. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import { MemorySession, openStore } from "../../../src/store/index.ts";
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

const contenders: readonly Contender[] = [
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
