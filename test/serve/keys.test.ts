/** Idempotency keys: how long one is remembered, what is sent again, bodies that were not read. */
import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import Database from "better-sqlite3";
import { movableClock, serve } from "../../src/serve/index.ts";
import { document } from "../run/document.ts";
import { planOf } from "../run/service.ts";

const text = document({
  states: "- No states: `Thing`",
  resources:
    "### `Thing`\n\n- Always: `it.size < 9`\n\n| Field | Type | Create | Update | Read | Rules |\n|---|---|---|---|---|---|\n" +
    "| `id` | id | no | no | yes | none |\n| `size` | integer | required | no | yes | none |\n" +
    "| `pin` | secret | no | no | on create | 8 random bytes as hex after `pin_`; kept as SHA-256 |",
  every: "- Who: none\n\n1. Check the idempotency key.\n2. Check the limits.\n3. Check the inputs.",
  endpoints: `### \`POST /things\`: make one

- Body: new \`Thing\`
- Idempotency key: header \`Key\`
- Key kept: 1 h
- Key per: everyone
- Same key and same body: first answer again
- Same key and other body: \`taken\`
- Same key while the first runs: waits for it
- Answers kept under a key: every answer
- Bodies are the same when: their bytes are the same

| Input | In | Type | Needed | Rules |
|---|---|---|---|---|
| \`Key\` | header | string | no | none |

1. Create a \`Thing\` as \`thing\` from \`body\`.
2. Respond \`201\` with \`Thing\` of \`thing\`.`,
  limits: `- Sent with every answer: none

| Limit | Counts | Per | Amount | Window | When passed |
|---|---|---|---|---|---|
| \`pace\` | requests | everyone | 2 | 1 day, sliding | \`refused\` with \`Retry-After\` |
| \`body\` | request body bytes | request | 30 | none | \`bad\` |`,
});
const plan = planOf(text);

interface Got {
  readonly status: number;
  readonly retryAfter: string | null;
  readonly text: string;
}

test("a key is remembered until its time has passed, and the first answer comes again as it was", async (t) => {
  const clock = movableClock(1_800_000_000_000_000n);
  const running = await serve(plan, { memory: true, clock });
  t.after(() => running.stop());
  const ask = async (key: string, body: string): Promise<Got> => {
    const answer = await fetch(`http://127.0.0.1:${running.port}/things`, {
      method: "POST",
      headers: { "content-type": "application/json", key },
      body,
    });
    return {
      status: answer.status,
      retryAfter: answer.headers.get("retry-after"),
      text: await answer.text(),
    };
  };
  const first = await ask("a", '{"size":1}');
  assert.equal(first.status, 201);
  clock.move(3_599_999_999n);
  assert.deepEqual(await ask("a", '{"size":1}'), first);
  assert.equal((await ask("a", '{"size":2}')).status, 409);
  clock.move(1n);
  const second = await ask("a", '{"size":1}');
  assert.equal(second.status, 201);
  assert.notEqual(second.text, first.text);
  const late = await ask("b", '{"size":1}');
  assert.deepEqual([late.status, late.retryAfter], [422, String(86_400 - 3600)]);
  clock.move(60_000_000n);
  assert.deepEqual(await ask("b", '{"size":1}'), late);
  const long = `{"size":${" ".repeat(30)}1}`;
  assert.deepEqual(
    [(await ask("c", long)).status, (await ask("c", `${long} `)).status],
    [400, 400],
  );
});

test("an answer `fault inside` counts where every answer does", async (t) => {
  const running = await serve(plan, { memory: true });
  t.after(() => running.stop());
  const ask = async (body: string): Promise<number> =>
    (
      await fetch(`http://127.0.0.1:${running.port}/things`, {
        method: "POST",
        headers: { "content-type": "application/json", key: "a" },
        body,
      })
    ).status;
  assert.deepEqual(
    [await ask('{"size":9}'), await ask('{"size":9}'), await ask('{"size":1}')],
    [500, 500, 409],
  );
});

test("an answer to a fault that is not shown is none: the key is as if never used", async (t) => {
  const row = /^\| fault inside +\|.*$/m;
  assert.match(text, row);
  const running = await serve(planOf(text.replace(row, "| fault inside | not shown |")), {
    memory: true,
  });
  t.after(() => running.stop());
  const ask = async (body: string): Promise<number> => {
    const headers = { "content-type": "application/json", key: "a" };
    const url = `http://127.0.0.1:${running.port}/things`;
    return (await fetch(url, { method: "POST", headers, body })).status;
  };
  assert.deepEqual(
    [await ask('{"size":9}'), await ask('{"size":1}'), await ask('{"size":1}')],
    [501, 201, 201],
  );
});

test("what was shown once comes again with the key, and is not kept in plain", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "lacuna-keys-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const data = join(folder, "kept.sqlite");
  const ask = async (port: number, key: string): Promise<string> => {
    const headers = { "content-type": "application/json", key };
    const url = `http://127.0.0.1:${port}/things`;
    const answer = await fetch(url, { method: "POST", headers, body: '{"size":1}' });
    assert.equal(answer.status, 201);
    return answer.text();
  };
  const before = await serve(plan, { file: data });
  const first = await ask(before.port, "a key of some length");
  const [, pin = ""] = /"pin":"(pin_[0-9a-f]{16})"/.exec(first) ?? [];
  assert.notEqual(pin, "");
  await before.stop();
  const after = await serve(plan, { file: data });
  assert.equal(await ask(after.port, "a key of some length"), first);
  await after.stop();
  for (const file of readdirSync(folder)) {
    const bytes = readFileSync(join(folder, file), "latin1");
    for (const plain of [pin, "a key of some length"]) assert.ok(!bytes.includes(plain), file);
  }
});

/** The document with another endpoint before or behind the first one. */
const withOther = (where: "before" | "behind"): string => {
  const at = "### `POST /things`: make one";
  const [head = "", tail = ""] = text.split(at);
  const [own = "", rest = ""] = tail.split("\n## Authentication");
  const first = `${at}${own}`;
  const second = first.replace(at, "### `POST /others`: make another");
  const both = where === "before" ? `${second}\n${first}` : `${first}\n${second}`;
  return `${head}${both}\n## Authentication${rest}`;
};

test("a key is its endpoint's, wherever that stands in the document", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "lacuna-keys-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const data = join(folder, "kept.sqlite");
  const ask = async (port: number, path: string): Promise<string> => {
    const headers = { "content-type": "application/json", key: "a" };
    const url = `http://127.0.0.1:${port}${path}`;
    return (await fetch(url, { method: "POST", headers, body: '{"size":1}' })).text();
  };
  const first = await serve(planOf(text), { file: data });
  const made = await ask(first.port, "/things");
  await first.stop();
  for (const where of ["behind", "before"] as const) {
    const edited = await serve(planOf(withOther(where)), { file: data });
    assert.equal(await ask(edited.port, "/things"), made);
    if (where === "before") assert.notEqual(await ask(edited.port, "/others"), made);
    await edited.stop();
  }
});

test("keys are the callers': a request of nobody has none", async (t) => {
  const item = readFileSync(join(import.meta.dirname, "../served/items/keys-caller.md"), "utf8");
  const open = item
    .replace("- Who: `user`\n", "- Who: `user` or `anyone`\n")
    .replace(/^(\| `user` +\| .*\n)/m, "$1| `anyone` | always |\n");
  const running = await serve(planOf(open), { memory: true });
  t.after(() => running.stop());
  const ask = async (own: Record<string, string>): Promise<number> => {
    const headers = { "content-type": "application/json", "idempotency-key": "k", ...own };
    const url = `http://127.0.0.1:${running.port}/a`;
    const answer = await fetch(url, { method: "POST", headers, body: '{"seat":1}' });
    return ((await answer.json()) as { number: number }).number;
  };
  const asked = [await ask({}), await ask({}), await ask({ "x-token": "a" })];
  assert.deepEqual([...asked, await ask({ "x-token": "a" })], [1, 2, 3, 3]);
});

test("answers whose time has passed are taken out by the first key of a new start", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "lacuna-keys-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "kept.sqlite");
  const held = async (at: bigint, keys: readonly string[]): Promise<unknown> => {
    const running = await serve(plan, { file, clock: movableClock(at) });
    for (const key of keys) {
      const headers = { "content-type": "application/json", key };
      const url = `${running.address}/things`;
      await fetch(url, { method: "POST", headers, body: '{"size":1}' });
    }
    await running.stop();
    const db = new Database(file, { readonly: true });
    const count = db.prepare("SELECT count(*) FROM answers").pluck(true).get();
    db.close();
    return count;
  };
  const start = 1_800_000_000_000_000n;
  assert.equal(await held(start, ["a", "b"]), 2);
  assert.equal(await held(start + 3_600_000_000n, []), 2);
  assert.equal(await held(start + 3_600_000_000n, ["c"]), 1);
});
