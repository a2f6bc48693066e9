import assert from "node:assert/strict";
import type { ChildProcess } from "node:child_process";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { TestContext } from "node:test";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import type { Running, ServeOptions } from "../../src/serve/index.ts";
import { CannotServe, movableClock, serve, startThread } from "../../src/serve/index.ts";
import { testSeed } from "../random.ts";
import type { Document } from "./document.ts";
import { example } from "./document.ts";

const seed = testSeed;
console.log(`seed ${seed}`);
const CHILD = join(dirname(fileURLToPath(import.meta.url)), "child.ts");

function folder(t: TestContext): string {
  const path = mkdtempSync(join(tmpdir(), "lacuna-serve-"));
  t.after(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

async function started(
  t: TestContext,
  { plan, origins }: Document,
  options: ServeOptions,
): Promise<Running> {
  const running = await serve(plan, { origins, ...options });
  t.after(() => running.stop());
  return running;
}

function add(address: string, title: unknown): Promise<Response> {
  return fetch(`${address}/todos`, {
    method: "POST",
    body: JSON.stringify({ title }),
    headers: { "Content-Type": "application/json" },
  });
}

interface Todo {
  readonly id: string;
  readonly title: string;
}

for (const inline of [true, false]) {
  const where = inline ? "in this thread" : "in a thread of its own";
  test(`a document is served, written ${where}; what is acknowledged is read at once`, async (t) => {
    const file = join(folder(t), "a.sqlite");
    const { address } = await started(t, example("todo"), { file, inline });
    const made = await Promise.all(
      Array.from({ length: 30 }, async (_, i) => {
        const response = await add(address, `todo ${i}`);
        assert.equal(response.status, 201);
        const todo = (await response.json()) as Todo;
        const read = await fetch(`${address}/todos/${todo.id}`);
        assert.deepEqual(await read.json(), todo);
        return todo.id;
      }),
    );
    assert.equal(new Set(made).size, 30);
    assert.equal((await add(address, "")).status, 400);
    assert.equal((await fetch(`${address}/todos/todo_none`)).status, 404);
    const [first] = made;
    const gone = await fetch(`${address}/todos/${first}`, { method: "DELETE" });
    assert.equal(gone.status, 204);
    assert.equal((await fetch(`${address}/todos/${first}`)).status, 404);
  });
}

for (const inline of [true, false]) {
  const where = inline ? "in this thread" : "in a thread of its own";
  test(`behind a stop one file is the whole, written ${where}`, async (t) => {
    const at = folder(t);
    const first = await serve(example("todo").plan, { file: join(at, "a.sqlite"), inline });
    for (let i = 0; i < 15; i++) assert.equal((await add(first.address, `todo ${i}`)).status, 201);
    await first.stop();
    assert.deepEqual(readdirSync(at), ["a.sqlite"]);
    copyFileSync(join(at, "a.sqlite"), join(at, "b.sqlite"));
    const copy = await started(t, example("todo"), { file: join(at, "b.sqlite"), inline });
    const all = (await (await fetch(`${copy.address}/todos`)).json()) as unknown[];
    assert.equal(all.length, 15);
  });
}

test("a store is opened again with what was in it, and only for its own document", async (t) => {
  const file = join(folder(t), "a.sqlite");
  const first = await serve(example("todo").plan, { file });
  const { id } = (await (await add(first.address, "kept")).json()) as Todo;
  await first.stop();
  const again = await serve(example("todo").plan, { file });
  const read = (await (await fetch(`${again.address}/todos/${id}`)).json()) as Todo;
  assert.equal(read.title, "kept");
  for (const inline of [true, false]) {
    await assert.rejects(serve(example("todo").plan, { file, inline }), (fault) => {
      assert.ok(fault instanceof CannotServe);
      assert.match(fault.message, new RegExp(`is served by process ${process.pid} of `));
      return true;
    });
  }
  await again.stop();
  const other = example("todo", (text) => text.replace(/(["`])note\1/g, "$1remark$1"));
  await assert.rejects(serve(other.plan, { file }), (fault) => {
    assert.ok(fault instanceof CannotServe);
    assert.match(fault.message, /written by another document/);
    return true;
  });
});

test("a thread may be started ahead, and places may be given as text", async (t) => {
  const file = join(folder(t), "a.sqlite");
  const { plan, origins } = example("blank");
  const thread = startThread();
  const text = JSON.stringify(origins);
  const { address, stop } = await serve(plan, { file, thread, origins: text });
  const { gap } = (await (await fetch(address)).json()) as { gap: { id: string; place: string } };
  const at = origins[gap.id];
  assert.equal(gap.place, `spec.md:${at?.line}:${at?.column}`);
  await stop();
  await thread.end();
  const unused = startThread();
  await unused.end();
  await assert.rejects(
    serve(plan, { file: join(folder(t), "none", "a.sqlite"), thread: startThread() }),
    CannotServe,
  );
});

test("a file that is no store, and a port in use, are refused with what to do", async (t) => {
  const file = join(folder(t), "a.sqlite");
  writeFileSync(file, "this is no database, and long enough to be looked at as one ".repeat(20));
  await assert.rejects(serve(example("todo").plan, { file }), CannotServe);
  const running = await started(t, example("todo"), { memory: true });
  await assert.rejects(serve(example("todo").plan, { memory: true, port: running.port }), {
    name: "CannotServe",
    code: "EADDRINUSE",
  });
  await assert.rejects(serve(example("todo").plan, {}), CannotServe);
});

test("where nothing is stated, every request meets the gap, with its place", async (t) => {
  const blank = example("blank");
  const { address } = await started(t, blank, { memory: true });
  for (const [method, path] of [
    ["GET", "/"],
    ["POST", "/a/b?c"],
    ["DELETE", "/%zz"],
  ] as const) {
    const response = await fetch(`${address}${path}`, { method });
    assert.equal(response.status, 501);
    assert.equal(response.headers.get("content-type"), "application/problem+json");
    const { gap } = (await response.json()) as { gap: { id: string; part: string; place: string } };
    assert.equal(gap.part, "Endpoints");
    const at = blank.origins[gap.id];
    assert.equal(gap.place, `spec.md:${at?.line}:${at?.column}`);
  }
});

/** The example with todos that are done by themselves after an hour. */
const passing = (): Document =>
  example("todo", (text) =>
    text
      .replace(
        "| `doneAt` |",
        "| `endsAt` | timestamp | no | no | yes | set to `now + " +
          'duration("1h")` on create |\n| `doneAt` |',
      )
      .replace(
        "\n## Endpoints",
        "| `pass` | `open` | `done` | time `endsAt` | none | " +
          "set `it.doneAt` = `now` |\n\n## Endpoints",
      )
      .replace(
        "- Any other",
        "- Clock: no later than 5 s after\n- At the same time: in order of " +
          "`it.id` ascending\n- Any other",
      ),
  );

test("a read at the very moment sees what time has done, also after a restart", async (t) => {
  const file = join(folder(t), "a.sqlite");
  const clock = movableClock(1_700_000_000_000_000n);
  const hour = 3_600_000_000n;
  const first = await serve(passing().plan, { file, clock });
  const { id } = (await (await add(first.address, "a")).json()) as Todo;
  const status = async (address: string, of: string): Promise<unknown> =>
    ((await (await fetch(`${address}/todos/${of}`)).json()) as { status: unknown }).status;
  clock.move(hour - 1n);
  assert.equal(await status(first.address, id), "open");
  clock.move(1n);
  assert.equal(await status(first.address, id), "done");
  const other = (await (await add(first.address, "b")).json()) as Todo;
  assert.equal(await status(first.address, other.id), "open");
  await first.stop();
  clock.move(hour);
  const again = await started(t, passing(), { file, clock });
  assert.equal(await status(again.address, other.id), "done");
});

test("the clock of the service is the one that is given", async (t) => {
  const clock = movableClock(1_700_000_000_123_456n);
  const { address } = await started(t, example("todo"), { memory: true, clock });
  const first = (await (await add(address, "a")).json()) as { createdAt: string };
  assert.equal(first.createdAt, "2023-11-14T22:13:20.123Z");
  clock.move(60_000_000n);
  const second = (await (await add(address, "b")).json()) as { createdAt: string };
  assert.equal(second.createdAt, "2023-11-14T22:14:20.123Z");
});

async function startChild(file: string): Promise<{ child: ChildProcess; address: string }> {
  const child = spawn(process.execPath, [CHILD, file], { stdio: ["ignore", "pipe", "inherit"] });
  const [line] = (await once(child.stdout as NodeJS.ReadableStream, "data")) as [Buffer];
  return { child, address: line.toString().trim() };
}

async function kill(child: ChildProcess): Promise<void> {
  const gone = once(child, "exit");
  child.kill("SIGKILL");
  await gone;
}

/** Adds until the service is gone; gives the ids that were acknowledged. */
async function addUntilGone(
  address: string,
  client: number,
  acknowledged: Map<string, string>,
): Promise<void> {
  for (let i = 0; ; i++) {
    try {
      const title = `client ${client} number ${i}`;
      const response = await add(address, title);
      if (response.status !== 201) throw new Error(`status ${response.status}`);
      acknowledged.set(((await response.json()) as Todo).id, title);
    } catch {
      return;
    }
  }
}

test("kill -9 under load loses nothing that was acknowledged", async (t) => {
  const file = join(folder(t), "a.sqlite");
  const acknowledged = new Map<string, string>();
  let random = seed;
  for (let kills = 0; kills < 2; kills++) {
    const { child, address } = await startChild(file);
    const clients = Array.from({ length: 8 }, (_, i) => addUntilGone(address, i, acknowledged));
    random = (random * 48_271) % 2_147_483_647;
    // However busy the machine is, each kill meets a service that has acknowledged something.
    do await new Promise((resolve) => setTimeout(resolve, 100 + (random % 300)));
    while (acknowledged.size <= 10 * (kills + 1));
    await kill(child);
    await Promise.all(clients);
  }
  assert.ok(acknowledged.size > 20, `${acknowledged.size} acknowledged`);
  const { child, address } = await startChild(file);
  t.after(() => kill(child));
  for (const [id, title] of acknowledged) {
    const response = await fetch(`${address}/todos/${id}`);
    assert.equal(response.status, 200, title);
    assert.equal(((await response.json()) as Todo).title, title);
  }
  console.log(`${acknowledged.size} acknowledged writes, 2 kills`);
});
