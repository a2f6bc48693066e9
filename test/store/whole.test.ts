/** A store that was damaged, cut, taken away or replaced is found; copies of it are whole. */
import assert from "node:assert/strict";
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import Database from "better-sqlite3";
import { backupStore, openStore, restoreStore, StorageFault } from "../../src/store/index.ts";
import { contractPlan, hostileRow } from "./contract/plan.ts";

const folder = mkdtempSync(join(tmpdir(), "lacuna-whole-"));
after(() => rmSync(folder, { recursive: true }));
let count = 0;

/** A path in a folder of its own. */
const newPath = (): string => join(mkdtempSync(join(folder, `${count++}-`)), "s.sqlite");

const open = (file: string) => openStore(contractPlan, { store: { file }, mode: "write" });

function add(store: ReturnType<typeof open>, rows = 1): void {
  store.begin("write");
  for (let i = 0; i < rows; i++) store.session.insert("Row", hostileRow());
  store.commit();
}

function rowsIn(file: string): number {
  const store = open(file);
  store.begin("read");
  const { length } = store.session.all("Row");
  store.rollback();
  store.close();
  return length;
}

/** Copies the files of a store as they are at this moment, as a kill leaves them. */
function killed(file: string): string {
  const to = newPath();
  for (const end of ["", "-wal", "-sums"]) copyFileSync(`${file}${end}`, `${to}${end}`);
  return to;
}

function flip(file: string, at: number): void {
  const bytes = readFileSync(file);
  bytes[at] = (bytes[at] ?? 0) ^ 4;
  writeFileSync(file, bytes);
}

function refused(file: string): string {
  try {
    open(file).close();
  } catch (fault) {
    assert.ok(fault instanceof StorageFault, String(fault));
    return fault.message;
  }
  return assert.fail("it was served");
}

const quiet = { say: () => {} };

test("behind a stop the one file is the whole; each of its bytes is compared", () => {
  const file = newPath();
  const store = open(file);
  add(store, 20);
  store.close();
  assert.deepEqual(readdirSync(join(file, "..")), ["s.sqlite"]);
  assert.equal(rowsIn(file), 20);
  const { length } = readFileSync(file);
  for (const [share, say] of [
    [0.01, /is damaged: page 1 is not what was written/],
    [0.5, /is damaged: page \d+ is not what was written/],
    [0.9999, /is not whole/],
  ] as const) {
    const copy = newPath();
    copyFileSync(file, copy);
    flip(copy, Math.floor(length * share));
    assert.match(refused(copy), say);
  }
});

test("a log that was damaged, cut or taken away behind a kill is found", () => {
  const file = newPath();
  const store = open(file);
  for (let i = 0; i < 10; i++) add(store);
  const whole = killed(file);
  assert.equal(rowsIn(whole), 10);
  const flipped = killed(file);
  flip(`${flipped}-wal`, 60_000);
  assert.match(refused(flipped), /-wal is damaged: it held \d+ pages of what was acknowledged/);
  const cut = killed(file);
  truncateSync(`${cut}-wal`, readFileSync(`${cut}-wal`).length - 1);
  assert.match(refused(cut), /-wal is damaged/);
  const gone = killed(file);
  rmSync(`${gone}-wal`);
  assert.match(refused(gone), /-wal is damaged: it is gone, with what was acknowledged last/);
  const alone = newPath();
  copyFileSync(file, alone);
  assert.match(refused(alone), /is not whole: .* copied while it was served/);
  const without = killed(file);
  rmSync(`${without}-sums`);
  assert.match(refused(without), /is not whole/);
  const emptied = killed(file);
  rmSync(emptied);
  assert.match(refused(emptied), /is gone, and .*-sums says that it held data/);
  store.close();
});

test("what another program has taken in of the log is no damage", () => {
  const file = newPath();
  const store = open(file);
  add(store, 5);
  const left = killed(file);
  store.close();
  const other = new Database(left);
  other.prepare("SELECT count(*) FROM r_Row").get();
  other.close();
  assert.ok(!existsSync(`${left}-wal`));
  assert.equal(rowsIn(left), 5);
});

test("a file that is cut, taken away or replaced while it is served is told", async () => {
  for (const [harm, told] of [
    [(file: string) => truncateSync(file, 4096), /was cut while it was served/],
    [(file: string) => renameSync(file, `${file}.away`), /was taken away while it was served/],
    [
      (file: string) => {
        copyFileSync(file, `${file}.other`);
        renameSync(`${file}.other`, file);
      },
      /was replaced by another file while it was served/,
    ],
  ] as const) {
    const file = newPath();
    open(file).close();
    const store = open(file);
    add(store);
    harm(file);
    const why = new Promise<string>((resolve) => store.loss.listen(resolve));
    assert.match(await why, told);
    store.close();
  }
});

test("a backup while it is served is whole, and comes back; nothing is replaced in silence", async () => {
  const file = newPath();
  const store = open(file);
  add(store, 3);
  const to = join(file, "..", "copy.sqlite");
  const about = await backupStore(file, to, { ...quiet, takenAt: "2026-01-02T03:04:05Z" });
  assert.equal(about.takenAt, "2026-01-02T03:04:05Z");
  await assert.rejects(backupStore(file, to, { ...quiet, takenAt: "" }), /is there already/);
  add(store);
  const options = { ...quiet, replace: false, unverified: false };
  await assert.rejects(restoreStore(to, file, { ...options, replace: true }), /is served by/);
  store.close();
  await assert.rejects(restoreStore(to, file, options), /is there, of the same service/);
  assert.equal(rowsIn(file), 4);
  await restoreStore(to, file, { ...options, replace: true });
  assert.equal(rowsIn(file), 3);
  const other = newPath();
  open(other).close();
  await assert.rejects(restoreStore(to, other, options), /is there, of another service/);
  flip(to, 9000);
  await assert.rejects(restoreStore(to, newPath(), options), /copy.sqlite is damaged: page 3/);
  const left = readdirSync(join(file, "..")).toSorted();
  assert.deepEqual(left, ["copy.sqlite", "s.sqlite"]);
});
