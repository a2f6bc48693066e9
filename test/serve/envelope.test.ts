/** What stands at the top of a message: the event's own id and time, the version, values of rows. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { bellsText, eventually, hook, post, START, started } from "./bells.ts";
import { document } from "./document.ts";
import { receiver } from "./receiver.ts";

const ENVELOPE = `### \`Envelope\`, a shape

| Field | Type | Value |
|---|---|---|
| \`id\` | string | \`event_id\` |
| \`created\` | timestamp as unix seconds | \`sent\` |
| \`api_version\` | string | \`service.version\` |
| \`account\` | string | \`it.name\` |
| \`hook\` | string | \`receiver.name\` |
| \`delivery\` | string | \`delivery\` |
| \`data.object\` | json | \`data\` |`;

/** Bells and hooks: events about both, with one envelope. */
function text(envelope = ENVELOPE, version = "- This version: `2024-06-20`"): string {
  return bellsText()
    .replace(/### `Envelope`, a shape[\s\S]*?(?=\n\n## )/, envelope)
    .replace(
      "| `bell.made` | `Bell` |",
      "| `hook.made` | `Hook` | `Hook` of `it` | webhook `hooks` |\n| `bell.made` | `Bell` |",
    )
    .replace(
      "1. Create a `Hook` as `hook` from `body`.",
      "1. Create a `Hook` as `hook` from `body`.\n2. Emit `hook.made` of `hook`.",
    )
    .replace("2. Respond `201` with `Hook`", "3. Respond `201` with `Hook`")
    .replace(/- This version: .*/, version);
}

for (const isKept of [false, true]) {
  test(`one event has one id for all its receivers, and values of its row (${isKept})`, async (t) => {
    const folder = mkdtempSync(join(tmpdir(), "lacuna-envelope-"));
    t.after(() => rmSync(folder, { recursive: true, force: true }));
    const there = await receiver(t);
    const options = isKept ? { file: join(folder, "a.sqlite") } : {};
    const { address } = await started(t, document(text()), options);
    for (const name of ["x", "y"]) {
      assert.equal(await post(address, "/hooks", hook(name, there.address)), 201);
    }
    await there.until(3);
    await post(address, "/bells", { name: "b" });
    const all = (await there.until(5)).map(
      ({ body }) => JSON.parse(body) as Record<string, unknown>,
    );
    const [first, second] = all.filter(({ account }) => account === "b");
    assert.ok(first && second);
    assert.equal(first.id, second.id);
    assert.notEqual(first.delivery, second.delivery);
    assert.deepEqual([first.hook, second.hook].toSorted(), ["x", "y"]);
    assert.deepEqual(
      { ...first, id: "", hook: "", delivery: "" },
      {
        ...{ id: "", created: Number(START / 1_000_000n), api_version: "2024-06-20" },
        ...{ account: "b", hook: "", delivery: "" },
        data: { object: { name: "b", at: null, status: "quiet" } },
      },
    );
    const made = all.filter(({ account }) => account !== "b");
    assert.deepEqual(made.map(({ account }) => account).toSorted(), ["x", "y", "y"]);
    assert.equal(new Set(all.map(({ id }) => id)).size, 3);
    assert.ok(all.every(({ data }) => !JSON.stringify(data).includes("secret")));
  });
}

test("a version that is not shown stops what shows it, and no other", async (t) => {
  const there = await receiver(t);
  const { address, lines } = await started(
    t,
    document(text(ENVELOPE, "- This version: not shown")),
  );
  assert.equal(await post(address, "/hooks", hook("x", there.address)), 501);
  await eventually(() => lines.some((line) => line.includes("versioning/this version")));
  const silent = text(ENVELOPE.replace(/\n.*api_version.*/, ""), "- This version: not shown");
  const other = await started(t, document(silent));
  assert.equal(await post(other.address, "/hooks", hook("x", there.address)), 201);
});
