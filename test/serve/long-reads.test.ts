/** A read that goes through many rows keeps nobody waiting, and ends when its time has passed. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { serve } from "../../src/serve/index.ts";
import { document as passages } from "../run/document.ts";
import { document } from "./document.ts";

const ROWS = 4000;
const LIMIT_MS = 1000;

const { plan } = document(
  passages({
    resources:
      "### `Note`, many `notes`\n\n- Rows at the start: none\n\n" +
      "| Field | Type | Create | Update | Read | Rules |\n|---|---|---|---|---|---|\n" +
      "| `text` | string | required | no | yes | none |",
    states: "- No states: `Note`",
    every: "- Who: none\n\n1. Check the inputs.\n2. Check the paths.",
    endpoints: `### \`POST /notes\`

| Input | In | Type | Needed | Rules |
|---|---|---|---|---|
| \`texts\` | body | list of string | yes | none |

1. For each \`text\` in \`body.texts\`:
   1. Create a \`Note\` with \`text\` = \`text\`.
2. Respond \`204\` with no body.

### \`GET /doubles\`

1. Let \`found\` be every \`Note\` where \`notes.exists(n, n != it && n.text.contains(it.text))\`.
2. Respond \`200\` with \`{"n": size(found)}\`.

### \`POST /doubles\`

- Body: none

1. Let \`found\` be every \`Note\` where \`notes.exists(n, n != it && n.text.contains(it.text))\`.
2. Create a \`Note\` with \`text\` = \`string(size(found))\`.
3. Respond \`204\` with no body.

### \`GET /ones\`

1. Let \`found\` be every \`Note\` where \`it.text.contains("1")\`.
2. Respond \`200\` with \`{"n": size(found)}\`.

### \`GET /ping\`

1. Respond \`204\` with no body.`,
    errors: "| `late` | 503 | `Problem` |",
    failures: "",
    limits:
      "| Limit | Counts | Per | Amount | Window | When passed |\n|---|---|---|---|---|---|\n" +
      `| \`answer\` | time to answer a request | request | ${LIMIT_MS} ms | none | \`late\` |`,
  }),
);

const LATE = { error: "late", field: null };

interface Asked {
  readonly status: number;
  readonly body: unknown;
  readonly tookMs: number;
}

test("a long read is done apart and is ended at the stated time, and so is a long write", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "lacuna-long-"));
  const running = await serve(plan, { file: join(folder, "notes.sqlite") });
  t.after(async () => {
    await running.stop();
    rmSync(folder, { recursive: true });
  });
  const ask = async (path: string, body?: unknown): Promise<Asked> => {
    const startMs = performance.now();
    const response = await fetch(
      running.address + path,
      body === undefined
        ? {}
        : {
            method: "POST",
            ...(body === null
              ? {}
              : {
                  headers: { "content-type": "application/json" },
                  body: JSON.stringify(body),
                }),
          },
    );
    const text = await response.text();
    const tookMs = performance.now() - startMs;
    return { status: response.status, body: text === "" ? null : JSON.parse(text), tookMs };
  };
  const texts = Array.from({ length: ROWS }, (_, i) => `text ${String(i).padStart(6, "0")}`);
  for (let i = 0; i < ROWS; i += 500) {
    assert.equal((await ask("/notes", { texts: texts.slice(i, i + 500) })).status, 204);
  }
  // The thread is started by the first long read, which may be late because of that.
  while ((await ask("/ones")).status !== 200);
  const ones = texts.filter((one) => one.includes("1")).length;

  await t.test("nobody waits for it", async () => {
    const order: string[] = [];
    const long = ask("/doubles").finally(() => order.push("long"));
    const ping = ask("/ping").finally(() => order.push("ping"));
    assert.deepEqual([(await long).status, (await long).body], [503, LATE]);
    assert.equal((await ping).status, 204);
    assert.deepEqual(order, ["ping", "long"]);
  });

  await t.test("its thread is free again: the next long read is answered", async () => {
    for (let i = 0; i < 20; i++) {
      const { status, body } = await ask("/ones");
      assert.deepEqual([status, body], [200, { n: ones }]);
    }
  });

  await t.test("a write is ended in the store as well, and leaves nothing behind", async () => {
    const late = await ask("/doubles", null);
    assert.deepEqual([late.status, late.body], [503, LATE]);
    assert.ok(late.tookMs < 10 * LIMIT_MS, `ended after ${late.tookMs} ms`);
    assert.deepEqual((await ask("/ones")).body, { n: ones });
  });
});
