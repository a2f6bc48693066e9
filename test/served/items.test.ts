/** The small documents of `items/` are served as their `http` blocks say; `docs/served.md` holds. */
import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { allItems } from "../../scripts/served/items.ts";
import { allShown, blocksShown, ITEMS } from "../../scripts/served/shown.ts";
import { usedItems } from "../../scripts/served/used.ts";
import { lineTable, positionOf } from "../../src/base/index.ts";
import { check, plan } from "../../src/check/index.ts";
import { microsOf } from "../../src/cli/trial/play.ts";
import { parseTimestamp } from "../../src/expr/index.ts";
import type { Plan } from "../../src/plan/index.ts";
import { read } from "../../src/read/index.ts";
import { movableClock, type ServeOptions, serve } from "../../src/serve/index.ts";
import { type ParsedExample, parseExample } from "../../src/spec/index.ts";
import type { Kept } from "./answers.ts";
import { exchange } from "./exchange.ts";
import { settingsFor } from "./settings.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
/** What the service says of gaps and faults: printed where `LOG` is set. */
const log = process.env.LOG === undefined ? undefined : console.log;
const known = new Set(allItems().map((item) => item.id));

/** The plan of a right document in which nothing is silent, and the items that it uses. */
function compiled(text: string) {
  const reading = read(new TextEncoder().encode(text));
  const checked = check(reading);
  const lines = lineTable(text);
  const errors = checked.findings
    .filter((finding) => finding.severity === "error")
    .map((one) => `${positionOf(lines, one.span.start).line}: ${one.code}: ${one.message}`);
  assert.deepEqual(errors, []);
  const planned = plan(checked);
  assert.ok(planned);
  return { plan: planned.plan, used: usedItems(reading.spec, planned.plan) };
}

async function run(made: Plan, parsed: ParsedExample, store: Partial<ServeOptions>): Promise<void> {
  const stated = parsed.clock === undefined ? undefined : parseTimestamp(parsed.clock.text);
  const clock = movableClock(typeof stated === "bigint" ? stated : 1_800_000_000_000_000n);
  const settings = settingsFor(made);
  const running = await serve(made, {
    ...store,
    inline: true,
    clock,
    settings,
    log,
    standIns: true,
  });
  const kept: Kept = new Map();
  try {
    for (const [i, one] of parsed.exchanges.entries()) {
      for (const move of parsed.moves.filter((each) => each.before === i)) {
        clock.move(microsOf(move.durationText));
      }
      const { method, target } = one.request;
      await exchange(running.address, one, kept, `${method.text} ${target.text} (${i + 1})`);
    }
  } finally {
    await running.stop();
  }
}

for (const name of readdirSync(join(ROOT, ITEMS)).sort()) {
  if (!name.endsWith(".md")) continue;
  const text = readFileSync(join(ROOT, ITEMS, name), "utf8");
  let made: ReturnType<typeof compiled> | undefined;
  const document = (): ReturnType<typeof compiled> => (made ??= compiled(text));
  test(`${name} is a right document with an example`, () => {
    assert.ok(document().plan.examples.length > 0);
  });
  for (const { title, items } of blocksShown(`${ITEMS}/${name}`, text)) {
    test(`${name}: ${title}`, async () => {
      assert.ok(items.length > 0, "a note above the block names the items that it shows");
      const { plan: served, used } = document();
      assert.deepEqual(
        items.filter((item) => !known.has(item)),
        [],
        "these are no items",
      );
      assert.deepEqual(
        items.filter((item) => !used.has(item)),
        [],
        "the document has none of it",
      );
      const block = served.examples.find((each) => each.title === title);
      const parsed = parseExample(block?.text ?? "");
      assert.deepEqual(parsed.problems, []);
      await run(served, parsed, { memory: true });
      const folder = mkdtempSync(join(tmpdir(), "lacuna-items-"));
      try {
        await run(served, parsed, { file: join(folder, "data.sqlite") });
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    });
  }
}

test("tests that say what they show name items of the language", () => {
  const wrong = allShown(ROOT).flatMap(({ file, title, items }) =>
    items.filter((item) => !known.has(item)).map((item) => `${file}: ${title}: ${item}`),
  );
  assert.deepEqual(wrong, []);
});

test("each item of the language is shown by a test", () => {
  const shown = new Set(allShown(ROOT).flatMap(({ items }) => items));
  const open = allItems().filter((item) => item.unserved === undefined && !shown.has(item.id));
  assert.deepEqual(
    open.map((item) => item.id),
    [],
  );
});
