/** What is left free varies by a seed, only that, and the same seed gives the same again. */
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { microsOf } from "../../src/cli/trial/play.ts";
import { parseTimestamp } from "../../src/expr/index.ts";
import type { ServeOptions } from "../../src/serve/index.ts";
import { movableClock, serve } from "../../src/serve/index.ts";
import { parseExample } from "../../src/spec/index.ts";
import { document as passages } from "../run/document.ts";
import { compiledExample, exampleNames } from "../served/example.ts";
import { exchange } from "../served/exchange.ts";
import { settingsFor } from "../served/settings.ts";
import { document } from "./document.ts";

const SECOND = 1_000_000n;
const START = 1_800_000_000n * SECOND;
const SEEDS = Array.from({ length: 8 }, (_, i) => `seed ${i}`);

const spec = document(
  passages({
    about: "- Cross-origin: none\n- One request: free",
    resources: `### \`Card\`, many \`cards\`

| Field | Type | Create | Update | Read | Rules |
|---|---|---|---|---|---|
| \`id\` | id \`c_\` | no | no | yes | none |
| \`n\` | integer | required | no | yes | at least 0 |
| \`tags\` | list of string | required | no | yes | in any order |
| \`place\` | integer or null | no | no | yes | starts \`null\` |
| \`status\` | state | no | no | yes | none |`,
    states: `### \`Card\`

- Held in: \`status\`
- States: \`new\` (initial), \`old\` (final)
- Any other transition: refused with \`refused\`
- Clock: no later than 1 s after
- At the same time: free

| Transition | From | To | On | When | Then |
|---|---|---|---|---|---|
| \`age\` | \`new\` | \`old\` | by itself within 100 s | none | set \`it.place\` = \`size(cards.filter(c, c.place != null))\` |`,
    endpoints: `### \`POST /cards\`

- Body: new \`Card\`

1. Create a \`Card\` as \`card\` from \`body\`.
2. Respond \`201\` with \`Card\` of \`card\`.

### \`GET /cards\`

1. Let \`found\` be every \`Card\`.
2. Let \`page\` be \`found\` from \`0\`, at most \`4\`.
3. Let \`rest\` be \`found\` from \`4\`, at most \`100\`.
4. Respond \`200\` with \`{"page": page.map(c, c.n), "rest": rest.map(c, c.n), "all": cards.map(c, c.n), "old": cards.filter(c, c.status == "old").map(c, c.n)}\`.

### \`GET /halves\`

1. Let \`found\` be every \`Card\`.
2. Order \`found\` by \`it.n / 2\` descending.
3. Respond \`200\` with \`found.map(c, c.n)\`.

### \`GET /free\`

1. Respond \`200\` with \`Free\` where \`n\` = \`1\`.`,
    errors: "| `lost` | 410 | `Problem` |",
    failures: "| unknown path | free |",
  })
    .replace("- Timestamps: in microseconds", "- Timestamps: free")
    .replace(
      "## States and",
      `### \`Free\`, a shape

- Given \`n\`: integer

| Field | Type | Value |
|---|---|---|
| \`flag\` | boolean | free |
| \`maybe\` | string or null | free |
| \`kind\` | one of \`a\`, \`b\`, \`c\` | free |
| \`when\` | timestamp | \`now\` |

## States and`,
    ),
);

interface Tried {
  readonly page: readonly number[];
  readonly whole: string;
  readonly ids: readonly string[];
  readonly tags: string;
  readonly halves: readonly number[];
  readonly free: string;
  readonly lost: number;
  readonly aged: readonly number[];
}

/** One and the same sequence of requests. */
async function tried(options: ServeOptions): Promise<Tried> {
  const clock = movableClock(START);
  const where = options.file === undefined ? { memory: true } : {};
  const running = await serve(spec.plan, { clock, ...where, ...options });
  const get = async (path: string): Promise<string> =>
    (await fetch(`${running.address}${path}`)).text();
  const [texts, ids, aged]: [string[], string[], number[]] = [[], [], []];
  try {
    for (let n = 0; n < 8; n++) {
      const body = JSON.stringify({ n, tags: ["a", "b", "c"] });
      const headers = { "Content-Type": "application/json" };
      const made = await fetch(`${running.address}/cards`, { method: "POST", headers, body });
      const text = await made.text();
      texts.push(text);
      ids.push((JSON.parse(text) as { id: string }).id);
    }
    const list = await get("/cards");
    const lists = JSON.parse(list) as { page: number[]; rest: number[]; all: number[] };
    assert.deepEqual([...lists.page, ...lists.rest].sort(), [0, 1, 2, 3, 4, 5, 6, 7]);
    assert.deepEqual(lists.all.toSorted(), [0, 1, 2, 3, 4, 5, 6, 7]);
    const halves = JSON.parse(await get("/halves")) as number[];
    const free = await get("/free");
    const lost = await fetch(`${running.address}/nowhere`);
    for (let i = 0; i < 4; i++) {
      clock.move(25n * SECOND);
      aged.push((JSON.parse(await get("/cards")) as { old: number[] }).old.length);
    }
    const tags = texts.map((text) => (JSON.parse(text) as { tags: string[] }).tags.join("")).join();
    return {
      page: lists.page,
      whole: JSON.stringify([texts, list, halves, free, lost.status, aged]),
      ids,
      tags,
      halves,
      free,
      lost: lost.status,
      aged,
    };
  } finally {
    await running.stop();
  }
}

const different = (all: readonly unknown[]): number =>
  new Set(all.map((one) => JSON.stringify(one))).size;

test("served: bullets/service/timestamps/free, rules/order free, tables/shape/value/free, tables/failures/error/free: all that is free varies", async () => {
  const all: Tried[] = [];
  for (const shake of SEEDS) all.push(await tried({ shake }));
  assert.ok(different(all.map((one) => one.page)) >= 6, "orders of rows");
  assert.ok(different(all.map((one) => one.tags)) >= 6, "orders of items");
  assert.ok(different(all.map((one) => one.free)) >= 4, "free values");
  assert.ok(different(all.map((one) => one.lost)) >= 3, "errors for a free failure");
  const precisions = all.map((one) => (JSON.parse(one.free) as { when: string }).when.length);
  assert.ok(different(precisions) >= 2, "precision of timestamps");
  assert.equal(new Set(all.flatMap((one) => one.ids)).size, 64);
  assert.ok(all.some((one) => JSON.stringify(one.ids.toSorted()) !== JSON.stringify(one.ids)));
  assert.ok(different(all.map((one) => one.ids[0]?.length)) >= 2, "lengths of ids");
  assert.ok(different(all.map((one) => one.aged)) >= 4, "moments of what happens by itself");
  for (const { halves, ids, aged } of all) {
    assert.equal(aged[3], 8, "all of it has happened in time");
    assert.deepEqual(
      halves.map((n) => Math.floor(n / 2)),
      [3, 3, 2, 2, 1, 1, 0, 0],
    );
    assert.ok(ids.every((id) => id.startsWith("c_")));
  }
  assert.ok(different(all.map((one) => one.halves)) >= 4, "orders of what is alike");
});

test("the same seed and the same requests give the same answers, byte for byte", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "lacuna-shake-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const once = await tried({ shake: "again" });
  assert.equal((await tried({ shake: "again" })).whole, once.whole);
  const durable = await tried({ shake: "again", file: join(folder, "a.sqlite") });
  assert.equal(durable.whole, once.whole, "on a durable store, in two threads");
  assert.notEqual((await tried({ shake: "other" })).whole, once.whole);
  const opened = await tried({ shake: "again", file: join(folder, "b.sqlite") });
  assert.equal(opened.whole, once.whole);
});

test("a store that is opened again with the same seed gives no id twice", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "lacuna-shake-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "a.sqlite");
  const ids: string[] = [];
  for (let i = 0; i < 3; i++) {
    const running = await serve(spec.plan, { shake: "x", file, clock: movableClock(START) });
    const headers = { "Content-Type": "application/json" };
    const body = JSON.stringify({ n: i, tags: [] });
    const made = await fetch(`${running.address}/cards`, { method: "POST", headers, body });
    ids.push(((await made.json()) as { id: string }).id);
    await running.stop();
  }
  assert.equal(new Set(ids).size, 3);
});

test("without a seed nothing varies", async () => {
  const [a, b] = [await tried({}), await tried({})];
  assert.deepEqual(a.page, [0, 1, 2, 3]);
  assert.deepEqual([a.tags, a.halves, a.free, a.aged], [b.tags, b.halves, b.free, b.aged]);
  assert.deepEqual(a.aged, [0, 0, 0, 8]);
});

for (const name of exampleNames()) {
  const { plan } = compiledExample(name, (path) => readFileSync(path));
  for (const block of plan.examples) {
    test(`an example leans on nothing that is free: ${name}: ${block.title}`, async () => {
      const parsed = parseExample(block.text);
      for (const shake of SEEDS.slice(0, 3)) {
        const stated = parsed.clock === undefined ? undefined : parseTimestamp(parsed.clock.text);
        const clock = movableClock(typeof stated === "bigint" ? stated : START);
        const settings = settingsFor(plan);
        const running = await serve(plan, { memory: true, clock, shake, settings, standIns: true });
        try {
          const kept = new Map();
          for (const [i, one] of parsed.exchanges.entries()) {
            for (const move of parsed.moves.filter((each) => each.before === i)) {
              clock.move(microsOf(move.durationText));
            }
            await exchange(running.address, one, kept, `${shake}: ${i + 1}`);
          }
        } finally {
          await running.stop();
        }
      }
    });
  }
}
