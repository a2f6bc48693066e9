/** Stores of other formats: one with a plan of format 1 is taken over, one of a later is refused. */
import assert from "node:assert/strict";
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import Database from "better-sqlite3";
import { serve } from "../../src/serve/index.ts";
import { restoreStore } from "../../src/store/index.ts";
import { document } from "../serve/document.ts";
import { ask, base, keep, type Row } from "./base.ts";

const folder = mkdtempSync(join(tmpdir(), "lacuna-formats-"));
after(() => rmSync(folder, { recursive: true, force: true }));
const made = keep(folder, "http://127.0.0.1:9/");

/** A copy of the store as another version wrote it. */
async function storeOf(storage: number, planFormat: number): Promise<string> {
  const file = join(folder, `${storage}.sqlite`);
  copyFileSync((await made).file, file);
  const db = new Database(file);
  db.prepare("UPDATE meta SET value = ? WHERE name = 'storage'").run(String(storage));
  const plan = `json_set(value, '$.formatVersion', ${planFormat})`;
  db.exec(`UPDATE meta SET value = ${plan} WHERE name = 'plan'`);
  db.close();
  return file;
}

function formatsIn(file: string): unknown {
  const db = new Database(file, { readonly: true });
  const of = (what: string, name: string): unknown =>
    db.prepare(`SELECT ${what} FROM meta WHERE name = ?`).pluck(true).get(name);
  const found = [of("value", "storage"), of("json_extract(value, '$.formatVersion')", "plan")];
  db.close();
  return found;
}

test("a store with a plan of format 1 is served on, and is one of format 2 then", async () => {
  const file = await storeOf(3, 1);
  // Another program has written it.
  await restoreStore(file, file, { say: () => {}, replace: true, unverified: true });
  assert.deepEqual(formatsIn(file), ["3", 1]);
  const { plan, origins } = document(base);
  for (const start of [1, 2]) {
    const said: string[] = [];
    const options = { origins, file, inline: true, log: (line: string) => void said.push(line) };
    const running = await serve(plan, options);
    const now = (await ask(running.address, "/items")) as Row[];
    await running.stop();
    assert.deepEqual(now, (await made).rows, `start ${start}`);
    assert.deepEqual(said, []);
  }
  assert.deepEqual(formatsIn(file), ["4", 2]);
});

test("a store of a later format is refused by its number", async () => {
  const file = await storeOf(5, 3);
  await assert.rejects(
    serve(document(base).plan, { file, inline: true }),
    /was written in storage format 5, and this version of Lacuna writes 4 and reads 3 and 4: use/,
  );
});
