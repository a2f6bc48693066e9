/**
 * Steps behind an attempt to deliver have met a gap: what they may have done to the receiver, and to
 * other rows, is not known from then on, on both stores and after a new start.
 */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { test } from "node:test";
import { movableClock } from "../../src/serve/index.ts";
import {
  bellsText,
  eventually,
  hook,
  isEnabled,
  post,
  quiet,
  SECOND,
  START,
  started,
} from "./bells.ts";
import { document } from "./document.ts";
import { receiver } from "./receiver.ts";

const LAST = "- After the last attempt: set `receiver.enabled` = `false`";
const GONE = "- Answer `410`: set `receiver.enabled` = `false`";
const NOT_SHOWN = 'Require `hook.name == "nobody"`, else not shown.';

/** The service with steps `leave`, in which a gap stands, in place of a bullet of its webhook. */
function leaving(
  bullet: string,
  steps: readonly string[],
  bullets: Partial<Record<string, string>> = {},
) {
  const routine = `### \`leave\`, steps

- Given \`hook\`: \`Hook\`

${[...steps, NOT_SHOWN].map((step, i) => `${i + 1}. ${step}`).join("\n")}

### \`GET /urls/{name}\`

- Path \`name\`: \`hook\`, the \`Hook\` by \`name\`, else \`gone\`

1. Respond \`200\` with \`Url\` of \`hook\`.

### \`GET /bells/{name}\`

- Path \`name\`: \`bell\`, the \`Bell\` by \`name\`, else \`gone\`

1. Respond \`200\` with \`Bell\` of \`bell\`.

### \`POST /hooks\``;
  const view = "### `Url`, a view of `Hook`\n\n- Fields: `name`, `url`\n\n### `Bell`, many `bells`";
  const text = bellsText({ Attempts: "at once", ...bullets })
    .replace("### `POST /hooks`", routine)
    .replace("### `Bell`, many `bells`", view)
    .replace(bullet, `${bullet.split(":")[0]}: do \`leave\` with \`hook\` = \`receiver\``);
  assert.ok(text.includes("do `leave`"));
  return document(text);
}

async function statusOf(address: string, path: string, method = "GET"): Promise<number> {
  const answer = await fetch(`${address}${path}`, { method });
  if (answer.status === 501) {
    const { gap } = (await answer.json()) as { gap: { sentence: string } };
    assert.match(gap.sentence, /not shown/);
  }
  return answer.status;
}

function folderOf(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "lacuna-hooks-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Each store, and after a new start where it keeps what it holds. */
const STORES = ["memory", "file", "file, started again"] as const;

/** Bells of the name `a` ring for hook `left`, which answers `status`; hook `other` takes all. */
async function left(
  t: TestContext,
  spec: ReturnType<typeof document>,
  { store, status }: { readonly store: (typeof STORES)[number]; readonly status: number },
) {
  const there = await receiver(t);
  there.answer = ({ path }) => (path === "/left" ? status : 204);
  const options = store === "memory" ? {} : { file: join(folderOf(t), "a.sqlite") };
  const first = await started(t, spec, options);
  await post(first.address, "/hooks", hook("left", `${there.address}/left`));
  await post(first.address, "/hooks", hook("other", `${there.address}/other`));
  assert.equal(await post(first.address, "/bells", { name: "a" }), 201);
  await there.until(1, "/left");
  await eventually(() => first.lines.some((line) => line.startsWith("gap: ")));
  if (store !== "file, started again") return { ...first, there };
  await first.stop();
  const again = await started(t, spec, { ...options, clock: movableClock(START + SECOND) });
  return { ...again, there };
}

for (const store of STORES) {
  for (const [bullet, status] of [
    [LAST, 500],
    [GONE, 410],
  ] as const) {
    test(`what the steps behind status ${status} may have set is not known, all else is (${store})`, async (t) => {
      const spec = leaving(bullet, ["Set `hook.enabled` = `false`."]);
      const { address, there } = await left(t, spec, { store, status });
      assert.equal(await statusOf(address, "/hooks/left"), 501);
      assert.equal(await statusOf(address, "/hooks/left", "DELETE"), 501);
      // The address is no field that the steps set, and another receiver is no row of theirs.
      assert.equal(await statusOf(address, "/urls/left"), 200);
      assert.equal(await statusOf(address, "/hooks/other"), 200);
      assert.equal(await statusOf(address, "/bells/a"), 200);
      // Who receives the next message depends on it.
      assert.equal(await post(address, "/bells", { name: "b" }), 501);
      assert.equal(await statusOf(address, "/bells/b"), 404);
      await quiet();
      assert.equal(there.got.filter(({ path }) => path === "/left").length, 1);
      // Rows that are made are known.
      assert.equal(await post(address, "/hooks", hook("new", there.address)), 201);
    });
  }

  test(`steps that may change other rows leave those unknown, and the receiver as it is (${store})`, async (t) => {
    const spec = leaving(LAST, ["Delete every `Bell` where `it.at != null`."]);
    const { address } = await left(t, spec, { store, status: 500 });
    assert.equal(await statusOf(address, "/bells/a"), 501);
    assert.equal(await statusOf(address, "/urls/left"), 200);
  });
}

for (const [bullet, status] of [
  [LAST, 500],
  [GONE, 410],
] as const) {
  test(`what follows status ${status} is not shown: nothing that may be changed is known`, async (t) => {
    const text = bellsText({ Attempts: "at once, then after 5 s" });
    const [key = ""] = bullet.split(":");
    const once = status === 410 ? text : text.replace(", then after 5 s", "");
    const spec = document(once.replace(bullet, `${key}: not shown`));
    const { address, clock, there } = await left(t, spec, { store: "memory", status });
    assert.equal(await statusOf(address, "/hooks/left"), 501);
    assert.equal(await statusOf(address, "/hooks/other"), 501);
    clock.move(5n * SECOND);
    await quiet();
    assert.equal(there.got.filter(({ path }) => path === "/left").length, 1);
  });
}

test("an attempt that a gap keeps back is none: nothing follows the last one", async (t) => {
  const text = bellsText({ Attempts: "at once, then after 5 s" }).replace(
    "### `Envelope`, a shape",
    "### `Envelope`, a shape\n\n- Content type: not shown",
  );
  const { address, clock, lines } = await started(t, document(text));
  await post(address, "/hooks", hook("left", "http://127.0.0.1:1/"));
  await post(address, "/bells", { name: "a" });
  for (const count of [1, 2]) {
    await eventually(() => lines.filter((line) => line.startsWith("gap: ")).length === count);
    clock.move(5n * SECOND);
  }
  await quiet();
  assert.equal(await isEnabled(address, "left"), true);
});
