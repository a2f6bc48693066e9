/** A store moves into PostgreSQL and back; a copy that was broken off is gone on with. */
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { migrate, type Running, serve } from "../../src/serve/index.ts";
import { copyStore, openStore } from "../../src/store/index.ts";
import { document, example } from "../serve/document.ts";
import { skip, testServer } from "./server.ts";

const ROWS = 5_000;
const folder = mkdtempSync(join(tmpdir(), "lacuna-copy-"));
const todo = example("todo");
const { url: at } = testServer();
after(() => rmSync(folder, { recursive: true, force: true }));

const quiet = (): void => {};
/** A file with rows, of which some are gone again. */
function filled(name: string): string {
  const file = join(folder, name);
  const store = openStore(todo.plan, { store: { file }, mode: "write" });
  const { session } = store;
  store.begin("write");
  for (let i = 0; i < ROWS; i++) {
    const text = `${i} \u0000\u0001\u0002 "\\é😀'`;
    session.insert("Todo", [`todo_${i}`, text, i % 2 === 0 ? null : text, null, "open", 1n, null]);
  }
  session.delete("Todo", ROWS);
  store.commit();
  store.close();
  return file;
}

async function withNode<T>(file: string, run: (node: Running) => Promise<T>): Promise<T> {
  const node = await serve(todo.plan, { file, environment: {} });
  try {
    return await run(node);
  } finally {
    await node.stop();
  }
}

test("forth and back all is there, with its numbers, and both are the same", { skip }, async () => {
  const file = filled("all.sqlite");
  const forth = await copyStore(file, at("all"), quiet);
  const again = join(folder, "again.sqlite");
  const back = await copyStore(at("all"), again, quiet);
  assert.equal(forth.rows, ROWS - 1);
  assert.deepEqual(back, forth);
  const texts: string[] = [];
  for (const one of [file, again, at("all")]) {
    await withNode(one, async ({ address }) => {
      texts.push(await (await fetch(`${address}/todos?limit=100&offset=17`)).text());
    });
  }
  assert.equal(new Set(texts).size, 1);
  await assert.rejects(copyStore(file, at("all"), quiet), /holds a store already/);
  await assert.rejects(copyStore(file, again, quiet), /is there already/);
});

test("what was broken off is no store, and is gone on with", { skip }, async () => {
  const file = filled("broken.sqlite");
  for (const to of [at("broken"), join(folder, "made.sqlite")]) {
    const stop = (): never => {
      throw new Error("broken off");
    };
    await assert.rejects(copyStore(file, to, stop), /broken off/);
    if (to.startsWith("postgres")) {
      await assert.rejects(
        serve(todo.plan, { file: to, environment: {} }),
        /a copy that is not whole/,
      );
    }
    const said: string[] = [];
    const { rows } = await copyStore(file, to, (text) => said.push(text));
    assert.equal(rows, ROWS - 1);
    assert.match(said[0] ?? "", /going on with a copy that was begun/);
  }
});

test("a copy of a store that was written to meanwhile is refused", { skip }, async () => {
  const file = filled("written.sqlite");
  const stop = (): never => {
    throw new Error("broken off");
  };
  await assert.rejects(copyStore(file, at("written"), stop), /broken off/);
  const store = openStore(todo.plan, { store: { file }, mode: "write" });
  store.begin("write");
  store.session.delete("Todo", 1);
  store.commit();
  store.close();
  await assert.rejects(copyStore(file, at("written"), quiet), /was written to meanwhile/);
});

test("a store is migrated in its place, and stays as it was beside", { skip }, async () => {
  await copyStore(filled("migrated.sqlite"), at("migrated"), quiet);
  const spec = readFileSync(new URL("../../examples/todo/spec.md", import.meta.url), "utf8");
  const without = document(spec.replace(/^\| `due` .*\n/m, ""));
  const text = JSON.stringify;
  const options = {
    file: at("migrated"),
    before: { plan: todo.plan, origins: text(todo.origins) },
    now: { plan: without.plan, origins: text(without.origins) },
    decisions: [
      {
        subject: { is: "field", holder: "Todo", field: "due" },
        what: { is: "dropped" },
      } as const,
    ],
    backup: "",
    isDry: false,
    at: 0n,
    environment: {},
  };
  await withNode(at("migrated"), async () => {
    await assert.rejects(migrate(options), /nodes serve the schema migrated: stop them first/);
  });
  const made = await migrate(options);
  assert.equal(made.is === "done" && made.kept, "the schema migrated~before-1");
  const node = await serve(without.plan, { file: at("migrated"), environment: {} });
  const [one] = (await (await fetch(`${node.address}/todos?limit=1`)).json()) as object[];
  await node.stop();
  assert.deepEqual(Object.keys(one ?? {}).includes("due"), false);
  await withNode(at("migrated~before-1"), async () => {});
  assert.equal((await migrate(options)).is, "done before");
});
