/** A call that says several things in turn is made again for each; it ends when it is stopped. */
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { serve } from "../../../src/serve/index.ts";
import { document } from "../document.ts";
import { until } from "./shop.ts";

const { plan } = document(
  readFileSync(join(import.meta.dirname, "../../served/items/in-turn.md"), "utf8"),
);

test("what was said last is kept over a restart, and nothing is asked of a task that is stopped", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "lacuna-turn-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "a.sqlite");
  const asked: string[] = [];
  let says = (from: number): number | undefined => (from < 50 ? from + 25 : undefined);
  const run = async ({ task, from }: Readonly<Record<string, unknown>>) => {
    asked.push(`${task} ${from}`);
    const percent = says(Number(from));
    if (percent === undefined) throw new Error("it goes on later");
    return { word: "progress", percent };
  };
  const send = async (address: string, method: string, path: string, body?: object) => {
    const headers = { "Content-Type": "application/json" };
    const content = body === undefined ? {} : { headers, body: JSON.stringify(body) };
    const answer = await fetch(`${address}${path}`, { method, ...content });
    return (await answer.json()) as { percent: number; status: string };
  };
  const before = await serve(plan, { file, code: { run } });
  await send(before.address, "POST", "/tasks", { name: "a" });
  await until(() => asked.includes("a 50"));
  await before.stop();
  says = (from) => from + 1;
  const after = await serve(plan, { file, code: { run } });
  t.after(() => after.stop());
  await until(() => asked.includes("a 52"));
  const stopped = await send(after.address, "POST", "/tasks/a/stop");
  assert.equal(stopped.status, "stopped");
  await new Promise((resolve) => setTimeout(resolve, 300));
  const count = asked.length;
  await new Promise((resolve) => setTimeout(resolve, 300));
  assert.equal(asked.length, count);
  const seen = await send(after.address, "GET", "/tasks/a");
  assert.deepEqual(seen, stopped);
});
