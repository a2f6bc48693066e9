import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import Database from "better-sqlite3";
import { openStore, restoreStore, StorageFault, schemaOf } from "../../src/store/index.ts";
import { fromDigits, toDigits } from "../../src/store/schema/digits.ts";
import { document } from "../run/document.ts";
import { planOf } from "../run/service.ts";
import { contractPlan, hostileRow } from "./contract/plan.ts";

const folder = mkdtempSync(join(tmpdir(), "lacuna-store-"));
after(() => rmSync(folder, { recursive: true }));
let files = 0;
const newFile = () => join(folder, `${files++}.db`);

function faultOf(run: () => unknown): StorageFault {
  try {
    run();
  } catch (error) {
    assert.ok(error instanceof StorageFault, String(error));
    return error;
  }
  return assert.fail("no fault");
}

const write = { mode: "write" } as const;

test("a store is written durably: WAL and full synchronisation", () => {
  const file = newFile();
  const store = openStore(contractPlan, { store: { file }, ...write });
  store.begin("write");
  store.session.insert("Row", hostileRow());
  store.commit();
  const other = new Database(file, { readonly: true });
  assert.equal(other.pragma("journal_mode", { simple: true }), "wal");
  other.close();
  store.close();
  // A folder in which no shared memory can be made has no WAL: SQLite keeps another journal then.
  const plain = faultOf(() => openStore(contractPlan, { store: { file: ":memory:" }, ...write }));
  assert.equal(plain.code, "DURABILITY");
});

test("what was committed is there after opening again; start rows come once", () => {
  const file = newFile();
  const first = openStore(contractPlan, { store: { file }, ...write });
  assert.ok(first.unfilled.size > 0);
  first.close();
  const again = openStore(contractPlan, { store: { file }, ...write });
  assert.ok(again.unfilled.size > 0, "the start rows were never committed");
  again.begin("write");
  again.session.insert("Row", hostileRow());
  again.commit();
  again.begin("write");
  again.session.insert("Row", hostileRow());
  again.rollback();
  again.close();
  const third = openStore(contractPlan, { store: { file }, ...write });
  assert.equal(third.unfilled.size, 0);
  third.begin("read");
  assert.deepEqual(third.session.all("Row"), [{ resource: "Row", key: 1, values: hostileRow() }]);
  third.rollback();
  third.close();
});

test("a reader sees what was committed, and can write nothing", () => {
  const file = newFile();
  const writer = openStore(contractPlan, { store: { file }, ...write });
  const reader = openStore(contractPlan, { store: { file }, mode: "read" });
  writer.begin("write");
  writer.session.insert("Row", hostileRow());
  reader.begin("read");
  assert.equal(reader.session.all("Row").length, 0);
  reader.rollback();
  writer.commit();
  reader.begin("read");
  assert.equal(reader.session.all("Row").length, 1);
  assert.match(faultOf(() => reader.session.delete("Row", 1)).message, /cannot be written/);
  reader.rollback();
  reader.close();
  writer.close();
});

test("which resources may hold rows is known to the one who fills them, and to a reader", () => {
  const file = newFile();
  const writer = openStore(contractPlan, { store: { file }, ...write });
  const reader = openStore(contractPlan, { store: { file }, mode: "read" });
  const read = (): string[] => {
    reader.begin("read");
    const names = [...reader.session.filled()];
    reader.rollback();
    return names;
  };
  assert.deepEqual([...writer.session.filled()], []);
  assert.deepEqual(read(), []);
  writer.begin("write");
  const key = writer.session.insert("Row", hostileRow());
  assert.ok(writer.session.filled().has("Row"));
  assert.deepEqual(read(), []);
  writer.commit();
  assert.deepEqual(read(), ["Row"]);
  reader.close();
  writer.begin("write");
  writer.session.delete("Row", key);
  writer.commit();
  writer.close();
  const again = openStore(contractPlan, { store: { file }, ...write });
  assert.ok([...again.session.filled()].every((name) => name === "Row"));
  again.close();
});

test("another document, another program, a damaged or a missing file are refused by name", () => {
  const file = newFile();
  const first = openStore(contractPlan, { store: { file }, ...write });
  first.begin("write");
  first.session.insert("Row", hostileRow());
  first.commit();
  first.close();
  const other = planOf(
    document({
      resources: `### \`Other\`, many \`others\`

| Field | Type | Create | Update | Read | Rules |
|---|---|---|---|---|---|
| \`text\` | string | required | no | yes | none |`,
      states: "- No states: `Other`",
    }),
  );
  const refused = faultOf(() => openStore(other, { store: { file }, ...write }));
  assert.equal(refused.code, "SCHEMA");
  assert.match(refused.message, /written by another document[^]*no `Row` any more/);

  const foreign = newFile();
  const db = new Database(foreign);
  db.exec("CREATE TABLE theirs (x)");
  db.close();
  assert.match(
    faultOf(() => openStore(contractPlan, { store: { file: foreign }, ...write })).message,
    /another program/,
  );

  const damaged = newFile();
  const bytes = readFileSync(file);
  writeFileSync(damaged, bytes.fill(7, 0, 64));
  assert.match(
    faultOf(() => openStore(contractPlan, { store: { file: damaged }, ...write })).message,
    /is damaged: page 1 is not what was written/,
  );

  const missing = join(folder, "no", "such", "folder.db");
  assert.match(
    faultOf(() => openStore(contractPlan, { store: { file: missing }, ...write })).message,
    /folder .* is not there/,
  );
  assert.match(
    faultOf(() => openStore(contractPlan, { store: { file: missing }, mode: "read" })).message,
    /not there/,
  );
});

test("a folder, and a lock that is none, are told by name", () => {
  const { message } = faultOf(() => openStore(contractPlan, { store: { file: folder }, ...write }));
  assert.match(message, /is a folder: name a file/);
  const file = newFile();
  writeFileSync(`${file}-lock`, "a text that somebody has written".repeat(40));
  const refused = faultOf(() => openStore(contractPlan, { store: { file }, ...write }));
  assert.match(refused.message, /-lock is no lock of a store: take it away/);
});

test("a store that another program has locked is said to be", () => {
  const file = newFile();
  const one = openStore(contractPlan, { store: { file }, ...write, waitMs: 20 });
  const two = new Database(file);
  two.exec("BEGIN IMMEDIATE");
  assert.match(faultOf(() => one.begin("write")).message, /locked/);
  two.exec("ROLLBACK");
  two.close();
  one.begin("write");
  one.rollback();
  one.close();
});

test("a store has one owner, who is named, until it is closed", () => {
  const file = newFile();
  // As a process leaves it that was killed.
  writeFileSync(`${file}-lock`, "");
  const one = openStore(contractPlan, { store: { file }, ...write });
  const refused = faultOf(() => openStore(contractPlan, { store: { file }, ...write }));
  assert.equal(refused.code, "LOCKED");
  assert.match(refused.message, new RegExp(`served by process ${process.pid} of `));
  openStore(contractPlan, { store: { file }, mode: "read" }).close();
  one.close();
  assert.equal(existsSync(`${file}-lock`), false);
  openStore(contractPlan, { store: { file }, ...write }).close();
});

test("a full disk is said to be, and loses nothing that was committed", () => {
  const file = newFile();
  const store = openStore(contractPlan, { store: { file }, ...write });
  store.begin("write");
  store.session.insert("Row", hostileRow());
  store.commit();
  store.close();
  const pages = new Database(file);
  const count = Number(pages.pragma("page_count", { simple: true }));
  pages.close();
  const full = openStore(contractPlan, { store: { file }, ...write, pagesMax: count });
  full.begin("write");
  const row = hostileRow();
  row[1] = "x".repeat(100_000);
  assert.match(faultOf(() => full.session.insert("Row", row)).message, /disk is full/);
  full.rollback();
  full.begin("read");
  assert.equal(full.session.all("Row").length, 1);
  full.rollback();
  full.close();
});

test("an index that the plan no longer wants goes, one that it wants comes", async () => {
  const file = newFile();
  openStore(contractPlan, { store: { file }, ...write }).close();
  const wanted = schemaOf(contractPlan).statements.filter((one) => one.startsWith("CREATE INDEX"));
  assert.ok(wanted.length > 0);
  const db = new Database(file);
  db.exec("DROP INDEX x_Row_1; CREATE INDEX x_Row_9 ON r_Row (f_text)");
  db.close();
  // Another program has written it: it is served when an operator takes it as it is.
  const changed = faultOf(() => openStore(contractPlan, { store: { file }, ...write }));
  assert.match(changed.message, /is not whole: .* another program/);
  const taken = { say: () => {}, replace: true, unverified: true };
  await assert.rejects(restoreStore(file, file, { ...taken, unverified: false }), /no digests/);
  await restoreStore(file, file, taken);
  openStore(contractPlan, { store: { file }, ...write }).close();
  const after = new Database(file, { readonly: true });
  const there = after
    .prepare("SELECT sql FROM sqlite_schema WHERE type = 'index' " + "AND sql IS NOT NULL")
    .all() as { sql: string }[];
  after.close();
  assert.deepEqual(there.map((one) => one.sql).sort(), [...wanted].sort());
});

test("codes of long integers are ordered as the integers are", () => {
  const numbers = [
    0n,
    1n,
    -1n,
    9n,
    10n,
    -10n,
    2n ** 63n,
    -(2n ** 63n),
    10n ** 38n - 1n,
    1n - 10n ** 38n,
  ];
  const sorted = numbers.toSorted((a, b) => (a < b ? -1 : 1));
  assert.deepEqual(numbers.map(toDigits).sort().map(fromDigits), sorted);
  assert.throws(() => toDigits(10n ** 38n), RangeError);
});
