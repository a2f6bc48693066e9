/** The writing thread: when it ends by a fault it is started again, and nothing is said twice. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import type { Worker } from "node:worker_threads";
import Database from "better-sqlite3";
import type { Job, Note, Reply } from "../../src/serve/jobs/job.ts";
import { threadWriter } from "../../src/serve/threads/thread-writer.ts";
import type { Writer } from "../../src/serve/threads/writer.ts";
import { systemClock } from "../../src/serve/time/clock.ts";
import { example } from "./document.ts";

const { plan } = example("todo");
const endpoint = plan.endpoints.findIndex((one) => one.method === "POST");

function job(title: string): Job {
  const body = JSON.stringify({ title });
  const types = ["application/json", undefined, undefined, undefined];
  return {
    id: "r",
    endpoint,
    path: "/notes",
    params: [],
    query: "",
    headers: types,
    body,
    bodyBytes: body.length,
    pathBytes: 6,
    headerBytes: 20,
    address: "127.0.0.1",
    now: systemClock().now(),
  };
}

/** The file as a service has it open besides: whoever closes it last takes its log away. */
function read(file: string): Database.Database {
  const db = new Database(file, { readonly: true });
  db.prepare("SELECT count(*) FROM meta").get();
  return db;
}

const submit = (writer: Writer, title: string): Promise<Reply> =>
  new Promise((resolve) => writer.submit(job(title), resolve));

/** Ends the thread as a fault of its own would. */
async function crash(writer: Writer): Promise<void> {
  const { worker } = writer as unknown as { worker: Worker };
  await worker.terminate();
}

test("a thread that ended is started again; what waited is answered, all else goes on", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "lacuna-restart-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const notes: Note[] = [];
  const setup = { plan, store: { file: join(folder, "a.sqlite") }, settings: {} };
  const writer = await threadWriter(setup, systemClock(), {
    due: () => {},
    news: (news) => notes.push(...news.notes),
  });
  const reader = read(join(folder, "a.sqlite"));
  assert.equal((await submit(writer, "a")).status, 201);
  const lost = submit(writer, "b");
  await new Promise((resolve) => setImmediate(resolve));
  const crashing = crash(writer);
  const later = submit(writer, "c");
  await crashing;
  const [b, c] = await Promise.all([lost, later]);
  assert.ok([201, 500, 501].includes(b.status), `${b.status}`);
  assert.ok([201, 501].includes(c.status), `${c.status}`);
  assert.equal((await submit(writer, "d")).status, 201);
  assert.ok(notes.some((note) => note.text.includes("the writing thread ended")));
  assert.equal(writer.waiting, 0);
  reader.close();
  await writer.stop();
});

test("a thread that ends again and again is left alone; requests are answered, and it is told", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "lacuna-restart-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const setup = { plan, store: { file: join(folder, "a.sqlite") }, settings: {} };
  const told: string[] = [];
  const gaveUp = (why: string): void => void told.push(why);
  const events = { due: () => {}, news: () => {}, gaveUp };
  const writer = await threadWriter(setup, systemClock(), events);
  const reader = read(join(folder, "a.sqlite"));
  for (let i = 0; i < 6; i++) {
    await crash(writer);
    await submit(writer, "a");
  }
  assert.equal((await submit(writer, "b")).status, 501);
  assert.match(told.join(), /^the writing thread is not started again/);
  reader.close();
  await writer.stop();
});
