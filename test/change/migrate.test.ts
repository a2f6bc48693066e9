/** `lacuna migrate`: what it asks for, what it does, and that it is done at once or not at all. */
import assert from "node:assert/strict";
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import Database from "better-sqlite3";
import { movableClock, serve } from "../../src/serve/index.ts";
import { lacuna, type Ran } from "../cli/world.ts";
import { document } from "../serve/document.ts";
import {
  ask,
  base,
  type Edit,
  edited,
  HOUR,
  ITEM,
  type Kept,
  keep,
  listen,
  type Row,
} from "./base.ts";

const folder = mkdtempSync(join(tmpdir(), "lacuna-migrate-"));
after(() => rmSync(folder, { recursive: true, force: true }));
const made = keep(folder, "http://127.0.0.1:9/");
let copies = 0;

/** A store, its document, and an edited one. */
async function change(edit: Edit): Promise<Kept & { readonly now: bigint; readonly text: string }> {
  const store = await made;
  const name = join(folder, String(++copies));
  copyFileSync(store.file, `${name}.sqlite`);
  const text = edited(edit);
  writeFileSync(`${name}.old.md`, base);
  writeFileSync(`${name}.new.md`, text);
  return { ...store, file: `${name}.sqlite`, text };
}

/** `rows`: of the table of decisions. */
function migrate(file: string, rows: readonly string[], ...more: string[]): Promise<Ran> {
  const name = file.replace(/\.sqlite$/, "");
  const table = ["| What | Decision | Why |", "|---|---|---|", ...rows].join("\n");
  writeFileSync(`${name}.decisions.md`, `${table}\n`);
  const named = rows.length === 0 ? [] : ["--decisions", `${name}.decisions.md`];
  return lacuna(["migrate", `${name}.old.md`, `${name}.new.md`, "--data", file, ...named, ...more]);
}

async function rowsIn(
  { file, text, now }: { file: string; text: string; now: bigint },
  path = "/items",
) {
  const { plan, origins } = document(text);
  const options = { origins, file, inline: true, clock: movableClock(now) };
  const { address, stop } = await serve(plan, options);
  const rows = (await ask(address, path)) as Row[];
  await stop();
  return rows;
}

const PRICE = "| `price` | decimal 2 | required | no | yes | none |";
const COST: Edit = [[PRICE, "| `cost` | decimal 3 | required | no | yes | none |"]];

test("what is to be decided is asked for with its lines and counts, and nothing is done", async () => {
  const store = await change(COST);
  const before = readFileSync(store.file);
  const { code, out, err } = await migrate(store.file, []);
  assert.equal(code, 1);
  assert.match(out, /^# Decisions\n\n\| What \| Decision \| Why \|\n/);
  assert.match(out, /^\| `Item.price` \| not shown \| .*before: spec.md:\d+:\d+\) 2 rows\./m);
  assert.match(out, /^\| `Item.cost` \| not shown \| .*now: \d+.new.md:\d+:\d+\) 2 rows\./m);
  assert.match(err, /^open: `Item` has no `price` any more\./m);
  assert.deepEqual(readFileSync(store.file), before);
});

test("the file that is asked for is read as it is printed, and half a file asks for the rest", async () => {
  const { file } = await change(COST);
  const rows = (await migrate(file, [])).out
    .split("\n")
    .slice(4)
    .filter((one) => one !== "");
  const again = await migrate(file, rows);
  assert.equal(again.code, 1);
  const half = await migrate(file, ["| `Item.price` | dropped | |"]);
  assert.equal(half.code, 1);
  assert.match(half.out, /^\| `Item.price` \| dropped \|/m);
  assert.match(half.out, /^\| `Item.cost` \| not shown \|/m);
});

test("a value is computed of the row as it was; the copy is the data as they were", async () => {
  const store = await change(COST);
  const rows = ["| `Item.price` | dropped | |", "| `Item.cost` | value `it.price * 1.0` | |"];
  const dry = await migrate(store.file, rows, "--dry-run");
  assert.equal(dry.code, 0, dry.err);
  assert.ok(!existsSync(`${store.file}.before-1`));
  const done = await migrate(store.file, rows);
  assert.equal(done.code, 0, done.err);
  const now = await rowsIn(store);
  assert.deepEqual(
    now.map(({ cost, id }) => [cost, id]),
    store.rows.map(({ price, id }) => [price, id]),
  );
  const copy = { ...store, file: `${store.file}.before-1`, text: base };
  assert.deepEqual(await rowsIn(copy), store.rows);
  const again = await migrate(store.file, rows);
  assert.equal(again.code, 0);
  assert.match(again.err, /already: nothing is to be done/);
});

test("names are given anew: a resource, a field, a value, a state, a transition, a member", async () => {
  const renamed = (text: string, pairs: readonly (readonly [string, string])[]): string =>
    pairs.reduce((done, [from, to]) => done.replaceAll(from, to), text);
  const store = await change([]);
  const text = renamed(base, [
    ["`Job`", "`Task`"],
    ["`jobs`", "`tasks`"],
    ["/jobs", "/tasks"],
    ["`beat`", "`tick`"],
    ["`beats`", "`ticks`"],
    ["it.beats", "it.ticks"],
    ["`new`", "`fresh`"],
    ["`wide`", "`width`"],
    ["one of `a`, `b`", "one of `x`, `y`"],
    ["`calls`", "`bells`"],
  ]).replace("Create a `Task` as `job` from", "Create a `Task` as `job` from");
  const name = store.file.replace(/\.sqlite$/, "");
  writeFileSync(`${name}.new.md`, text);
  const { code, err, out } = await migrate(store.file, [
    "| `Task` | renamed from `Job` | |",
    "| transition `tick` of `Task` | renamed from `beat` | |",
    "| `Task.ticks` | renamed from `beats` | |",
    "| value `fresh` of `Task.run` | renamed from `new` | |",
    "| `Box.width` | renamed from `wide` | |",
    "| value `x` of `Item.kind` | renamed from `a` | |",
    "| value `y` of `Item.kind` | renamed from `b` | |",
    "| webhook `bells` | renamed from `calls` | |",
  ]);
  assert.equal(code, 0, err + out);
  const items = await rowsIn({ ...store, text });
  assert.deepEqual(
    items,
    store.rows.map(({ box, ...row }) => {
      const { wide, ...rest } = box as Row;
      return { ...row, kind: "y", box: { width: wide, ...rest } };
    }),
  );
  // Two hours later the times that were kept have come.
  const tasks = await rowsIn({ ...store, text, now: store.now + 2n * HOUR + HOUR / 60n }, "/tasks");
  assert.deepEqual(
    tasks.map(({ number, ticks }) => [number, ticks]),
    [
      [1, 2],
      [2, 2],
    ],
  );
});

test("numbers go on, streams go on, and messages stay under the names that are given", async () => {
  const store = await change([]);
  const text = base.replaceAll("`Item`", "`Thing`").replaceAll("`number`", "`count`");
  writeFileSync(store.file.replace(/sqlite$/, "new.md"), text);
  const rows = ["| `Thing` | renamed from `Item` | |", "| `Job.count` | renamed from `number` | |"];
  const { code, err } = await migrate(store.file, rows);
  assert.equal(code, 0, err);
  const { plan, origins } = document(text);
  const clock = movableClock(store.now);
  const { address, stop } = await serve(plan, { origins, file: store.file, inline: true, clock });
  const [first, second] = store.told;
  assert.deepEqual(await listen(address, 1, first?.id), [second]);
  const job = (await ask(address, "/jobs", { begins: "2027-01-16T08:30:00Z" })) as Row;
  assert.equal(job["count"], 3);
  assert.deepEqual(await ask(address, "/items", ITEM, "k1"), store.first);
  await stop();
  const db = new Database(store.file, { readonly: true });
  assert.equal(db.prepare("SELECT count(*) FROM messages").pluck(true).get(), 2);
  db.close();
});

test("what is dropped is gone with what waits for it, and a time that rows lack is given", async () => {
  const store = await change([
    [
      "| `item.made` | `Item` | `Item` of `it` | webhook `calls`; stream `feed` |",
      "| `item.made` | `Item` | `Item` of `it` | stream `feed` |",
    ],
    [base.slice(base.indexOf("### `calls`, a webhook"), base.indexOf("### `feed`, a stream")), ""],
    [
      "| `fade` | `ran` | `faded` | by itself within 10 h | none | none |",
      "| `fade` | `ran` | `faded` | by itself within 10 h | none | none |\n" +
        "| `ring` | `new`, `ran` | `ran` | every 2 h | none | none |",
    ],
  ]);
  const asked = await migrate(store.file, []);
  assert.match(asked.out, /^\| webhook `calls` \| not shown \| .* 2 messages\./m);
  assert.match(asked.out, /^\| transition `ring` of `Job` \| not shown \| /m);
  const rows = [
    "| webhook `calls` | dropped | |",
    "| transition `ring` of `Job` | value `it.begins` | |",
  ];
  const { code, err } = await migrate(store.file, rows);
  assert.equal(code, 0, err);
  const db = new Database(store.file, { readonly: true });
  assert.equal(db.prepare("SELECT count(*) FROM messages").pluck(true).get(), 0);
  db.close();
  assert.equal((await rowsIn({ ...store }, "/jobs")).length, 2);
});

/** Decisions that are wrong, and what is said of each, with its line and column. */
const WRONG: readonly (readonly [row: string, told: RegExp])[] = [
  ["| `Itm` | renamed from `Team` | |", /:3:3: The second document has no `Itm`.*`Item`\?/],
  ["| `Item.cost` | renamed from `prise` | |", /:3:30: .*no `prise` there.*`price`\?/],
  ["| `Item.cost` | value `it.prise` | |", /:3:27: .*no member `prise`: did you mean `price`\?/],
  ["| `Item.cost` | value `it.title` | |", /:3:24: .*is wanted here/],
  ["| `Item.cost` | value `it.price +` | |", /:3:\d+: /],
  ["| `Item.cost` | perhaps | |", /:3:17: A decision is /],
  ["| Item | dropped | |", /:3:3: It names a resource/],
  ["| `Item.size` | dropped | |", /:3:3: It stands in the second document/],
  ["| `Item.cost` | dropped | |", /:3:3: The first document has no `cost`/],
  ["| webhook `calls` | value `1` | |", /:3:3: Only a field of a resource/],
  [
    "| `Item.price` | dropped | |\n| `Item.price` | dropped | |",
    /:4:3: `Item.price` is decided in line 3/,
  ],
];

test("a decision that is wrong is told at its place, and nothing is done", async () => {
  const store = await change(COST);
  const before = readFileSync(store.file);
  for (const [row, told] of WRONG) {
    const { code, err } = await migrate(store.file, [row]);
    assert.equal(code, 1, row);
    assert.match(err, told);
  }
  assert.deepEqual(readFileSync(store.file), before);
});

test("rows that do not fit, and values that cannot be made, leave the data as they were", async () => {
  const unfit = await change([["`0` to `9`", "`0` to `6`"]]);
  const before = readFileSync(unfit.file);
  const refused = await migrate(unfit.file, []);
  assert.equal(refused.code, 1);
  assert.match(refused.err, /It does not fit `it_\w+`, `it_\w+` of Item\./);
  assert.deepEqual(readFileSync(unfit.file), before);
  const fits = await migrate(unfit.file, ["| `Item.size` | value `it.size - 1` | |"]);
  assert.equal(fits.code, 0, fits.err);
  assert.deepEqual(
    (await rowsIn(unfit)).map(({ size }) => size),
    [6, 6],
  );
  const other = await change(COST);
  writeFileSync(other.file.replace(/sqlite$/, "old.md"), edited([["`0` to `9`", "`0` to `8`"]]));
  const stranger = await migrate(other.file, []);
  assert.equal(stranger.code, 1);
  assert.match(stranger.err, /was not written by the first document/);
  rmSync(other.file);
  const nowhere = await migrate(other.file, []);
  assert.equal(nowhere.code, 2);
  assert.match(nowhere.err, /is not there/);
  assert.ok(!existsSync(other.file));
});
