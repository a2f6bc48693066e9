/**
 * A document is changed and served again on the rows that it kept: each value is read as it was
 * written, or the start is refused with the lines of both documents.
 */
import assert from "node:assert/strict";
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, type TestContext, test } from "node:test";
import Database from "better-sqlite3";
import type { Plan } from "../../src/plan/index.ts";
import { CannotServe, type Running, type ServeOptions, serve } from "../../src/serve/index.ts";
import { document } from "../serve/document.ts";
import { ask, base, edited, ITEM, type Kept, keep, type Row, TEAMS } from "./base.ts";
import { FITS, REFUSED, TAKEN } from "./cases.ts";

const folder = mkdtempSync(join(tmpdir(), "lacuna-change-"));
after(() => rmSync(folder, { recursive: true, force: true }));
const made = keep(folder, "http://127.0.0.1:9/");
let copies = 0;

async function serving(t: TestContext, plan: Plan, options: ServeOptions): Promise<Running> {
  const running = await serve(plan, options);
  t.after(() => running.stop());
  return running;
}

/** A store in which the document has kept rows. */
async function kept(): Promise<Kept> {
  const store = await made;
  const file = join(folder, `${++copies}.sqlite`);
  copyFileSync(store.file, file);
  return { ...store, file };
}

/** The edit after which the store is opened by a thread of its own. */
const IN_A_THREAD = "a field that starts with a list";

for (const [what, [edit, more = {}]] of Object.entries(TAKEN)) {
  test(`taken: ${what}`, async (t) => {
    const { file, rows } = await kept();
    const { plan, origins } = document(edited(edit));
    const said: string[] = [];
    for (let start = 0; start < 2; start++) {
      const log = (line: string): void => void said.push(line);
      const options = { origins, file, inline: start === 0 || what !== IN_A_THREAD, log };
      const { address, stop } = await serving(t, plan, options);
      const now = (await ask(address, "/items")) as Row[];
      const found = (await ask(address, "/items/with/y")) as Row[];
      await stop();
      assert.deepEqual(
        now,
        rows.map((row) => ({ ...row, ...more })),
      );
      assert.deepEqual(found, now);
    }
    assert.ok(
      said.every((line) => line.startsWith("changed: ")),
      said.join("\n"),
    );
    assert.equal(new Set(said).size, said.length, "said once");
  });
}

for (const [what, edit] of Object.entries(FITS)) {
  test(`fits: ${what}`, async (t) => {
    const { file, rows } = await kept();
    const { plan, origins } = document(edited(edit));
    const said: string[] = [];
    const log = (line: string): void => void said.push(line);
    const { address, stop } = await serving(t, plan, { origins, file, inline: true, log });
    assert.deepEqual(await ask(address, "/items"), rows);
    await stop();
    assert.match(said.join("\n"), /^changed: .*before: spec.md:.*now: spec.md:.*All rows fit\.$/m);
  });
}

for (const [what, [edit, told]] of Object.entries(REFUSED)) {
  test(`refused: ${what}`, async (t) => {
    const { file, rows } = await kept();
    const other = document(edited(edit));
    for (const inline of what === "null gone" ? [true, false] : [true]) {
      await assert.rejects(serve(other.plan, { origins: other.origins, file, inline }), (fault) => {
        assert.ok(fault instanceof CannotServe, String(fault));
        assert.match(fault.message, told);
        assert.match(fault.message, /\((before|now): spec\.md:\d+:\d+/);
        return true;
      });
    }
    const { plan, origins } = document(base);
    const { address, stop } = await serving(t, plan, { origins, file, inline: true });
    assert.deepEqual(await ask(address, "/items"), rows);
    await stop();
  });
}

test("without rows every change is taken", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "lacuna-change-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "a.sqlite");
  const first = await serve(document(base).plan, { file, inline: true });
  await first.stop();
  for (const [edit] of Object.values(REFUSED)) {
    const running = await serve(document(edited(edit)).plan, { file, inline: true });
    await running.stop();
  }
});

test("what the store keeps of a document holds no row of it, and tells other rows from them", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "lacuna-change-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "a.sqlite");
  const rows = (town: string): string =>
    edited([
      [
        TEAMS,
        `${TEAMS.replace("`teams`", "`teams`, fixed").replace("\n\n", "\n\n- Rows at the start: block `teams`\n\n")}

\`\`\`json rows teams
[{"name": "${town}"}]
\`\`\``,
      ],
      [
        "### `POST /teams`\n\n- Body: new `Team`\n\n1. Create a `Team` as `team` from `body`.\n2. Respond `201` with `Team` of `team`.\n\n",
        "",
      ],
    ]);
  const first = await serving(t, document(rows("hidden-town")).plan, { file, inline: true });
  await ask(first.address, "/items", { ...ITEM, team: "hidden-town" });
  await first.stop();
  const { plan } = document(rows("hidden-town"));
  await (await serving(t, plan, { file, inline: true })).stop();
  await assert.rejects(
    serve(document(rows("another")).plan, { file, inline: true }),
    /The rows of `Team`, which stand in the document, are others/,
  );
  const db = new Database(file, { readonly: true });
  const noted = db.prepare("SELECT value FROM meta").pluck(true).all().join("\n");
  db.close();
  assert.match(noted, /"Team"/);
  assert.doesNotMatch(noted, /hidden-town/);
});
