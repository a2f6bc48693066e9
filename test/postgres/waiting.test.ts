/** What goes on while the server answers, and what it answers then. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { serve } from "../../src/serve/index.ts";
import { connectionOf, prepareStore } from "../../src/store/index.ts";
import { connectPg } from "../../src/store/postgres/connect.ts";
import { placeOf } from "../../src/store/postgres/place.ts";
import { lockOf } from "../../src/store/postgres/statements.ts";
import { planOf } from "../histories/subjects.ts";
import { skip, testServer } from "./server.ts";

const { url } = testServer();
const plan = planOf("examples/todo/spec.md");
const AGAIN_MS = 10;

type Store = ReturnType<ReturnType<typeof prepareStore>>;

async function opened(name: string, mode: "read" | "write"): Promise<Store> {
  const store = { postgres: url(name) };
  return prepareStore(plan, { store, mode })(undefined, undefined, await connectionOf(store));
}

async function wireTo(name: string) {
  const connection = await connectionOf({ postgres: url(name) });
  return connection?.wire ?? assert.fail("there is no connection");
}

/** Resolves when something is so. */
async function until(is: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await is())) await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
}

function inserted({ begin, commit, session }: Store): void {
  begin("write");
  session.insert("Todo", ["a", "a", null, null, "open", 1n, null]);
  commit();
}

function later({ shared }: Store) {
  return shared?.later ?? assert.fail("the store is not shared");
}

test("what a read asks for one after the other is of one moment", { skip }, async () => {
  const [writer, reader] = [await opened("moment", "write"), await opened("moment", "read")];
  try {
    inserted(writer);
    await until(async () => (await later(reader)([() => 1])) !== undefined);
    for (const _ of ["a transaction begins behind the first answers", "it begins at once"]) {
      let isWritten = false;
      const run = (): number => {
        const { length } = reader.session.all("Todo");
        if (!isWritten) inserted(writer);
        isWritten = true;
        assert.equal(reader.session.get("Todo", length + 1), undefined);
        return length;
      };
      const made = await later(reader)([run, () => reader.session.all("Todo").length]);
      assert.deepEqual(
        made?.map(({ is }) => is),
        ["made", "made"],
      );
    }
  } finally {
    reader.close();
    writer.close();
  }
});

test("a connection that is lost while a read waits is made anew", { skip }, async () => {
  const [writer, reader] = [await opened("lost", "write"), await opened("lost", "read")];
  const wire = await wireTo("lost");
  const waiting = "FROM pg_stat_activity WHERE wait_event_type = 'Lock'";
  const read = () => later(reader)([() => reader.session.all("Todo").length]);
  try {
    inserted(writer);
    await until(async () => (await read()) !== undefined);
    wire.ask("BEGIN");
    wire.ask('LOCK TABLE "lost"."r_Todo"');
    const made = read();
    await until(() => wire.ask(`SELECT 1 ${waiting}`).length === 1);
    wire.ask(`SELECT pg_terminate_backend(pid) ${waiting}`);
    assert.equal(await made, undefined);
    wire.ask("ROLLBACK");
    let again: Awaited<ReturnType<typeof read>>;
    await until(async () => {
      again = await read();
      return again !== undefined;
    });
    assert.deepEqual(again, [{ is: "made", made: 1 }]);
  } finally {
    wire.close();
    reader.close();
    writer.close();
  }
});

test("a server that stands still is waited for once, and stops nobody", { skip }, async () => {
  const writer = await opened("still", "write");
  const store = { postgres: url("still") };
  const again = () => connectPg(placeOf(store.postgres), { answerMs: 300 });
  const connection = { wire: await again(), again };
  const reader = prepareStore(plan, { store, mode: "read" })(undefined, undefined, connection);
  reader.watch(() => {}, 50);
  const wire = await wireTo("still");
  const read = () => later(reader)([() => reader.session.all("Todo").length]);
  try {
    await until(async () => (await read()) !== undefined);
    const [[pid] = []] = wire.ask(
      "SELECT pid FROM pg_stat_activity WHERE query LIKE 'SELECT t.%r_Todo%' ORDER BY query_start",
    );
    process.kill(Number(pid), "SIGSTOP");
    let turns = 0;
    const turning = setInterval(() => turns++, 1);
    assert.equal(await read(), undefined);
    clearInterval(turning);
    process.kill(Number(pid), "SIGCONT");
    assert.ok(turns > 10, `${turns} turns meanwhile`);
    assert.equal(reader.shared?.isAway(), true);
    await reader.shared?.back();
    await until(async () => (await read()) !== undefined);
  } finally {
    wire.close();
    reader.close();
    writer.close();
  }
});

for (const inline of [false, true]) {
  test(`reads are answered while a write waits for its turn (inline: ${inline})`, {
    skip,
  }, async () => {
    const name = `turn${inline}`;
    const running = await serve(plan, { file: url(name), inline, environment: {} });
    const todos = `${running.address}/todos`;
    const wire = await wireTo(name);
    const lock = lockOf(name);
    try {
      wire.ask("SELECT pg_advisory_lock($1::bigint)", [lock]);
      const body = JSON.stringify({ title: "a" });
      const headers = { "Content-Type": "application/json" };
      let isWritten = false;
      const written = fetch(todos, { method: "POST", headers, body }).then(async (response) => {
        isWritten = true;
        assert.equal(response.status, 201, await response.text());
      });
      const waits = "SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted";
      await until(() => wire.ask(waits).length > 0);
      for (let i = 0; i < 3; i++) {
        const response = await fetch(todos);
        assert.equal(response.status, 200, await response.text());
      }
      assert.equal(isWritten, false);
      // Who is told to stop does what was asked for before.
      const stopped = running.stop();
      wire.ask("SELECT pg_advisory_unlock($1::bigint)", [lock]);
      await written;
      await stopped;
    } finally {
      wire.close();
      await running.stop();
    }
  });
}
