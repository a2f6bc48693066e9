import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { test } from "node:test";
import { movableClock } from "../../src/serve/index.ts";
import type { Fake } from "./fake.ts";
import { startFake } from "./fake.ts";
import { post, talk } from "./talk.ts";

async function started(t: TestContext, ...given: Parameters<typeof startFake>): Promise<Fake> {
  const fake = await startFake(...given);
  t.after(() => fake.running.stop());
  return fake;
}

const json = (body: unknown): RequestInit => ({
  method: "POST",
  body: JSON.stringify(body),
  headers: { "Content-Type": "application/json" },
});

test("reads are answered in a read transaction, writes in a durable one", async (t) => {
  const { running, record } = await started(t);
  const made = await fetch(`${running.address}/items`, json({ text: "é" }));
  assert.equal(made.status, 201);
  assert.deepEqual(await made.json(), { id: 0 });
  assert.deepEqual(record.log, ["write", "commit"]);
  const read = await fetch(`${running.address}/items/0?q=a%20b`);
  assert.deepEqual(await read.json(), { id: "0", q: "a b", text: "é" });
  assert.deepEqual(record.log, ["write", "commit", "read", "rollback"]);
});

test("requests that wait together share a transaction", async (t) => {
  const { running, record } = await started(t);
  const lines = Array.from({ length: 20 }, () => talk(running.port));
  const get = "GET /items HTTP/1.1\r\nHost: x\r\n\r\n";
  for (const line of lines) line.send(get);
  for (const line of lines) await line.receive(/\[\]$/);
  for (const [i, line] of lines.entries()) line.send(post("/items", `{"text":"${i}"}`));
  for (const line of lines) {
    assert.match(await line.receive(/\}$/), /HTTP\/1\.1 201/);
    line.socket.destroy();
  }
  const commits = record.log.filter((one) => one === "commit").length;
  assert.ok(commits < 20, `${commits} commits`);
  assert.equal(new Set(record.items).size, 20);
});

test("what one connection asks in one go is done in its order, an unsafe request alone", async (t) => {
  const { running, record } = await started(t);
  const line = talk(running.port);
  const GET = "GET /items HTTP/1.1\r\nHost: x\r\n\r\n";
  const all = Array.from({ length: 20 }, (_, i) => post("/items", `{"text":"${i}"}`) + GET);
  line.send(all.join(""));
  const text = await line.receive(/"19"\]/);
  line.socket.destroy();
  const seen = [...text.matchAll(/\[("[^\]]*")\]/g)].map(([, one]) => one?.split(",").length);
  assert.deepEqual(
    seen,
    Array.from({ length: 20 }, (_, i) => i + 1),
  );
  assert.deepEqual(
    record.items,
    Array.from({ length: 20 }, (_, i) => String(i)),
  );
});

test("a client that asks on without end is read no faster than it is answered", async (t) => {
  const { running, record } = await started(t, { bounds: { pipelinedMax: 50 } });
  const line = talk(running.port);
  line.send(Array.from({ length: 2_000 }, (_, i) => post("/items", `{"text":"${i}"}`)).join(""));
  await line.receive(/"id":1999\}/);
  assert.equal(record.items.length, 2_000);
  assert.equal(record.items.at(-1), "1999");
  line.socket.destroy();
});

test("a commit that fails is a fault for each request in it, and nothing stays", async (t) => {
  const { running, record } = await started(t);
  record.failing = true;
  const made = await fetch(`${running.address}/items`, json({ text: "a" }));
  assert.notEqual(made.status, 201);
  assert.deepEqual(record.items, []);
  assert.equal((await fetch(`${running.address}/items`, json({ text: "b" }))).status, 201);
});

test("HEAD has the head of GET and no content; OPTIONS and 405 carry Allow", async (t) => {
  const { running } = await started(t);
  const line = talk(running.port);
  line.send("GET /items HTTP/1.1\r\nHost: x\r\n\r\n");
  const [getHead, getBody] = (await line.receive(/\]$/)).split("\r\n\r\n");
  line.send("HEAD /items HTTP/1.1\r\nHost: x\r\n\r\n");
  const [head, body] = (await line.receive(/\r\n\r\n/)).split("\r\n\r\n");
  line.socket.destroy();
  const dateless = (text = ""): string => text.replace(/Date: .*/, "");
  assert.equal(getBody, "[]");
  assert.equal(dateless(head), dateless(getHead));
  assert.equal(body, "");
  const options = await fetch(`${running.address}/items`, { method: "OPTIONS" });
  assert.equal(options.status, 204);
  assert.equal(options.headers.get("allow"), "GET, POST");
  const wrong = await fetch(`${running.address}/items`, { method: "PUT" });
  assert.equal(wrong.status, 405);
  assert.equal(wrong.headers.get("allow"), "GET, POST");
  assert.equal((await fetch(`${running.address}/other`)).status, 404);
});

test("a connection carries many requests, also in absolute form", async (t) => {
  const { running } = await started(t);
  const line = talk(running.port);
  for (const target of ["/items/1", "http://x/items/1?q=2", "/items/1"]) {
    line.send(`GET ${target} HTTP/1.1\r\nHost: x\r\n\r\n`);
    assert.match(await line.receive(/\}$/), /HTTP\/1\.1 200 OK[^]*"id":"1"/);
  }
  line.socket.destroy();
});

test("malformed bodies, wrong types and bad bytes are failures of the inputs", async (t) => {
  const { running } = await started(t);
  const line = talk(running.port);
  const cases: readonly (readonly [string, string])[] = [
    ["{", "malformed body"],
    ['{"text":"\xff"}', "malformed body"],
    ['{"text":1}', "wrong type"],
    ['{"text":"a","text":"b"}', "repeated member"],
    ['{"__proto__":1,"text":"a"}', "unknown member"],
    ["[".repeat(1000), "malformed body"],
  ];
  for (const [body, condition] of cases) {
    const length = Buffer.byteLength(body, "latin1");
    line.send(
      `POST /items HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n` +
        `Content-Length: ${length}\r\n\r\n${body}`,
    );
    assert.match(await line.receive(/\}$/), new RegExp(`"condition":"${condition}"`), body);
  }
  line.socket.destroy();
});

test("a body without length is read in chunks; nothing sent is body absent", async (t) => {
  const { running } = await started(t);
  const line = talk(running.port);
  const head = "POST /items HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n";
  line.send(`${head}Transfer-Encoding: chunked\r\n\r\n5\r\n{"tex\r\n`);
  line.send('7\r\nt":"a"}\r\n0\r\n\r\n');
  assert.match(await line.receive(/\}$/), /201/);
  line.send(`${head}\r\n`);
  assert.match(await line.receive(/\}$/), /body absent/);
  line.send(`${head}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n`);
  assert.match(await line.receive(/\}$/), /body absent/);
  line.socket.destroy();
});

test("more content than the host reads is 413, with and without a length", async (t) => {
  const { running, record } = await started(t, { bounds: { bodyBytesMax: 1000 } });
  const big = talk(running.port);
  big.send(post("/items", "x".repeat(1001)));
  assert.match(await big.receive(/\r\n\r\n/), /HTTP\/1\.1 413[^]*Connection: close/);
  const chunked = talk(running.port);
  chunked.send("POST /items HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n");
  for (let i = 0; i < 20; i++) chunked.send(`64\r\n${"x".repeat(100)}\r\n`);
  assert.match(await chunked.receive(/\r\n\r\n/), /HTTP\/1\.1 413/);
  assert.deepEqual(record.log, []);
});

test("a slow sender is cut off while others are served", async (t) => {
  const bounds = { headersTimeoutMs: 150, requestTimeoutMs: 300, checkIntervalMs: 50 };
  const { running } = await started(t, { bounds });
  const slowHead = talk(running.port);
  slowHead.send("GET /items HTTP/1.1\r\nHo");
  const slowBody = talk(running.port);
  slowBody.send(post("/items", '{"text":"a"}').slice(0, -3));
  assert.equal((await fetch(`${running.address}/items`)).status, 200);
  assert.match(await slowHead.receive(/never/), /HTTP\/1\.1 408/);
  assert.match(await slowBody.receive(/never/), /HTTP\/1\.1 408/);
});

test("a head that is too large is 431; what is no HTTP is 400", async (t) => {
  const { running } = await started(t);
  const flood = talk(running.port);
  flood.send(`GET /items HTTP/1.1\r\nHost: x\r\n${"X-A: 1\r\n".repeat(5000)}\r\n`);
  assert.match(await flood.receive(/never/), /HTTP\/1\.1 431/);
  const noise = talk(running.port);
  noise.send("\x16\x03\x01 hello\r\n\r\n");
  assert.match(await noise.receive(/never/), /HTTP\/1\.1 400/);
  const smuggler = talk(running.port);
  smuggler.send(
    "POST /items HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n" +
      "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
  );
  assert.match(await smuggler.receive(/never/), /HTTP\/1\.1 400/);
});

test("a fault inside the program is no crash and shows nothing", async (t) => {
  const lines: string[] = [];
  const { running } = await started(t, { log: (line) => lines.push(line) });
  const got = await fetch(`${running.address}/items/boom`);
  assert.equal(got.status, 501);
  const body = (await got.json()) as { gap: { id: string } };
  assert.equal(body.gap.id, "failures/fault inside");
  assert.ok(!JSON.stringify(body).includes("boom"));
  assert.ok(lines.some((line) => line.includes("boom")));
  assert.equal((await fetch(`${running.address}/items`)).status, 200);
});

test("what is stated of faults and failures is answered where the store cannot be read", async (t) => {
  const lines: string[] = [];
  const { running, record } = await started(t, { log: (line) => lines.push(line) });
  record.unreadable = true;
  assert.equal((await fetch(`${running.address}/other`)).status, 404);
  const got = await fetch(`${running.address}/items`);
  assert.deepEqual(await got.json(), { gap: { id: "failures/fault inside" } });
  assert.ok(lines.some((line) => line.includes("no disk")));
});

test("a read at a moment at which something is due sees it done", async (t) => {
  const clock = movableClock(1000n);
  const { running, record } = await started(t, {}, { clock, timed: true });
  record.log.length = 0;
  record.due = 5000n;
  clock.move(4000n);
  assert.equal((await fetch(`${running.address}/items`)).status, 200);
  assert.deepEqual(record.log.slice(0, 4), ["read", "rollback", "write", "fired"]);
});

test("the alarm fires what falls due without a request", async (t) => {
  const clock = movableClock(0n);
  const { running, record } = await started(t, {}, { clock, timed: true });
  record.due = 10_000_000n;
  await fetch(`${running.address}/items`, json({ text: "a" }));
  assert.ok(!record.log.includes("fired"));
  clock.move(10_000_000n);
  assert.ok(record.log.includes("fired"));
});

test("stop answers what was begun and then closes", async () => {
  const { running, record } = await startFake();
  const begun = talk(running.port);
  const whole = post("/items", '{"text":"late"}');
  const idle = talk(running.port);
  for (const line of [idle, begun]) {
    line.send("GET /items HTTP/1.1\r\nHost: x\r\n\r\n");
    await line.receive(/\[\]$/);
  }
  begun.send(whole.slice(0, -4));
  await new Promise((resolve) => setTimeout(resolve, 250));
  const stopping = running.stop();
  await assert.rejects(fetch(`${running.address}/items`));
  begun.send(whole.slice(-4));
  const text = await begun.receive(/never/);
  assert.match(text, /HTTP\/1\.1 201[^]*Connection: close/);
  assert.equal(await idle.receive(/never/), "");
  await stopping;
  assert.deepEqual(record.items, ["late"]);
  assert.equal(record.log.at(-1), "close");
});

test("when too many wait, sockets are no longer read, and all are answered in the end", async (t) => {
  const { running, record } = await started(t, { bounds: { waitingMax: 3 } });
  const lines = Array.from({ length: 40 }, (_, i) => {
    const line = talk(running.port);
    line.send(post("/items", `{"text":"${i}"}`));
    return line;
  });
  const texts = await Promise.all(lines.map((line) => line.receive(/\}$/)));
  for (const line of lines) line.socket.destroy();
  assert.ok(texts.every((text) => text.startsWith("HTTP/1.1 201")));
  assert.equal(new Set(record.items).size, 40);
});

test("100 Continue is sent where the body is read, and an answer without it ends the connection", async (t) => {
  const { running } = await started(t);
  const head = (path: string): string =>
    `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n` +
    "Content-Length: 12\r\nExpect: 100-continue\r\n\r\n";
  const line = talk(running.port);
  line.send(head("/items"));
  assert.match(await line.receive(/\r\n\r\n/), /^HTTP\/1\.1 100 Continue\r\n\r\n$/);
  line.send(`{"text":"a"}`);
  assert.match(await line.receive(/\}$/), /HTTP\/1\.1 201/);
  line.socket.destroy();
  const refused = talk(running.port);
  refused.send(head("/nothing"));
  const text = await refused.receive(/never/);
  assert.match(text, /^HTTP\/1\.1 404[^]*Connection: close/);
});
