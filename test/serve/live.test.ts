/** A service that runs takes an edited document, or goes on as before; what is kept goes on. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { CannotServe, type NextDocument, type Running, serve } from "../../src/serve/index.ts";
import { held, shop, shopPlan, until } from "./calls/shop.ts";
import { example } from "./document.ts";
import { post as rawPost, talk } from "./talk.ts";

type Edit = (text: string) => string;

const asIs: Edit = (text) => text;

function edited(edit: Edit): NextDocument {
  const { plan, origins } = example("todo", edit);
  return { plan, origins: JSON.stringify(origins), startRows: undefined };
}

interface Served {
  readonly running: Running;
  readonly lines: string[];
}

async function served(t: TestContext): Promise<Served> {
  const folder = mkdtempSync(join(tmpdir(), "lacuna-live-"));
  const lines: string[] = [];
  const running = await serve(edited(asIs).plan, {
    file: join(folder, "a.sqlite"),
    log: (line) => lines.push(line),
  });
  t.after(async () => {
    await running.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  return { running, lines };
}

async function post(url: string, title: string): Promise<number> {
  const body = JSON.stringify({ title });
  const headers = { "content-type": "application/json" };
  return (await fetch(url, { method: "POST", headers, body })).status;
}

async function titles(url: string): Promise<unknown> {
  const answer = await fetch(url);
  return answer.status === 200
    ? ((await answer.json()) as { title: string }[]).map(({ title }) => title).toSorted()
    : answer.status;
}

test("a document that is wider is taken while it is served; no connection is dropped; another is not", async (t) => {
  const { running, lines } = await served(t);
  const { address, port } = running;
  const line = talk(port);
  line.send("GET /todos HTTP/1.1\r\nHost: x\r\n\r\n");
  assert.match(await line.receive(/\[\]$/), /^HTTP\/1\.1 200/);
  assert.equal(await post(`${address}/todos`, "a"), 201);
  const wider: Edit = (text) =>
    text
      .replaceAll("/todos", "/things")
      .replace(
        "| `due` |",
        "| `shelf` | string or null | optional | no | yes | starts `null` |\n| `due` |",
      );
  // Requests are sent all the time: each is answered, under one document or the other.
  let isOver = false;
  const statuses: string[] = [];
  const asking = (async () => {
    for (let i = 0; !isOver; i++) {
      const [before, now] = await Promise.all([
        post(`${address}/todos`, `b${i}`),
        post(`${address}/things`, `b${i}`),
      ]);
      statuses.push(`${before} ${now}`);
    }
  })();
  await running.take(edited(wider));
  isOver = true;
  await asking;
  assert.ok(
    statuses.every((one) => ["201 404", "404 201", "201 201", "404 404"].includes(one)),
    statuses.join(", "),
  );
  assert.equal(statuses[0], "201 404");
  assert.equal(await post(`${address}/todos`, "c"), 404);
  assert.equal(await post(`${address}/things`, "c"), 201);
  line.send("GET /things HTTP/1.1\r\nHost: x\r\n\r\n");
  const all = await line.receive(/\]$/);
  assert.match(all, /^HTTP\/1\.1 200/);
  assert.match(all, /"title":"a","note":null,"shelf":null/);
  assert.ok(
    lines.some((one) => one.startsWith("changed: `Todo.shelf` is new")),
    lines.join("\n"),
  );
  line.socket.destroy();
  // What is not taken leaves all as it was. Two edits at once are taken in their order.
  const moved =
    (to: string): Edit =>
    (text) =>
      wider(text).replaceAll("/things", to);
  const [gone] = await Promise.allSettled([
    running.take(edited(asIs)),
    running.take(edited(moved("/first"))),
    running.take(edited(moved("/second"))),
  ]);
  assert.ok(gone.status === "rejected" && gone.reason instanceof CannotServe);
  assert.match(gone.reason.message, /`Todo` has no `shelf` any more/);
  assert.deepEqual(
    [await titles(`${address}/first`), (await titles(`${address}/second`)) !== 404],
    [404, true],
  );
});

test("what has come ends under its document; what comes whole later begins under the next", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "lacuna-live-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const charged = held<{ word: string; reference: string; fee: string }>();
  const answers = { charge: () => charged.promise as never };
  const patient: Edit = (text) => text.replace("- Time-out: 600 ms", "- Time-out: 60 s");
  const one = await shop(t, answers, { file: join(folder, "a.sqlite"), edit: patient });
  const { running, address } = one;
  const order = { item: "book", total: 12.5 };
  const early = one.post("/orders", order);
  await until(() => one.made.length === 1);
  const line = talk(running.port);
  const body = JSON.stringify({ name: "late" });
  const whole = rawPost("/flags", body);
  line.send(whole.slice(0, -5));
  const edit: Edit = (text) => patient(text).replaceAll("/orders", "/sales");
  const { plan, origins } = shopPlan(edit);
  let isTaken = false;
  const taking = running
    .take({ plan, origins: JSON.stringify(origins), startRows: undefined })
    .then(() => {
      isTaken = true;
    });
  // Until the call has ended, the document is served on.
  await new Promise((resolve) => setTimeout(resolve, 300));
  assert.equal((await fetch(`${address}/orders/none`)).status, 404);
  assert.equal(isTaken, false);
  charged.give({ word: "settled", reference: "r1", fee: "0.10" });
  assert.equal((await early).status, 201);
  await taking;
  line.send(whole.slice(-5));
  assert.match(await line.receive(/\r\n\r\n/), /^HTTP\/1\.1 20/);
  assert.equal((await one.post("/orders", order)).status, 404);
  assert.equal((await one.post("/sales", order)).status, 201);
  line.socket.destroy();
});
