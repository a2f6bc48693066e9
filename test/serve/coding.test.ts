/** Content codings: gzip for who asks for it, where it changes nothing that is stated. */
import assert from "node:assert/strict";
import { request } from "node:http";
import type { TestContext } from "node:test";
import { test } from "node:test";
import { gunzipSync } from "node:zlib";
import { coded, takesGzip } from "../../src/serve/http/coding.ts";
import { serve } from "../../src/serve/index.ts";
import type { Reply } from "../../src/serve/jobs/job.ts";
import { example } from "./document.ts";

interface Answer {
  readonly status: number;
  readonly headers: Record<string, string | string[] | undefined>;
  readonly body: Buffer;
}

function ask(url: string, headers: Record<string, string>, method = "GET"): Promise<Answer> {
  return new Promise((resolve, reject) => {
    request(url, { method, headers }, (got) => {
      const pieces: Buffer[] = [];
      got.on("data", (piece: Buffer) => pieces.push(piece));
      got.on("end", () =>
        resolve({ status: got.statusCode ?? 0, headers: got.headers, body: Buffer.concat(pieces) }),
      );
    })
      .on("error", reject)
      .end();
  });
}

async function todos(t: TestContext, count: number): Promise<string> {
  const running = await serve(example("todo").plan, { memory: true });
  t.after(() => running.stop());
  for (let i = 0; i < count; i++) {
    const made = await fetch(`${running.address}/todos`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ title: `todo ${i}` }),
    });
    assert.equal(made.status, 201);
  }
  return `${running.address}/todos`;
}

test("a long answer is coded for who takes it, with the same content", async (t) => {
  const url = await todos(t, 40);
  const plain = await ask(url, {});
  assert.equal(plain.headers["content-encoding"], undefined);
  assert.equal(plain.headers.vary, "Accept-Encoding");
  assert.equal(plain.headers["content-length"], String(plain.body.length));
  const small = await ask(url, { "Accept-Encoding": "br;q=1, gzip;q=0.5" });
  assert.equal(small.headers["content-encoding"], "gzip");
  assert.equal(small.headers["content-length"], String(small.body.length));
  assert.ok(small.body.length < plain.body.length / 3);
  assert.deepEqual(gunzipSync(small.body), plain.body);
  const head = await ask(url, { "Accept-Encoding": "gzip" }, "HEAD");
  assert.equal(head.headers["content-length"], small.headers["content-length"]);
  assert.equal(head.body.length, 0);
});

test("a short answer is sent as it is", async (t) => {
  const short = await ask(await todos(t, 2), { "Accept-Encoding": "gzip" });
  assert.deepEqual([short.headers["content-encoding"], short.headers.vary], [undefined, undefined]);
});

test("many coded answers on one connection keep their order", async (t) => {
  const url = await todos(t, 30);
  const all = await Promise.all(
    Array.from({ length: 60 }, (_, i) =>
      ask(i % 2 === 0 ? url : `${url}/x`, { "Accept-Encoding": i % 3 === 0 ? "gzip" : "identity" }),
    ),
  );
  for (const [i, one] of all.entries()) assert.equal(one.status, i % 2 === 0 ? 200 : 404, `${i}`);
});

test("who takes gzip is told by weights", () => {
  const takes = ["gzip", "deflate, gzip;q=0.001", "*", "x-gzip", "GZIP;Q=1", "br, *;q=0.1"];
  for (const one of takes) assert.equal(takesGzip(one), true, one);
  const not = [undefined, "", "identity", "gzip;q=0", "*;q=0", "gzip;q=0, *", "br", "gzip;q=none"];
  for (const one of not) assert.equal(takesGzip(one), false, String(one));
});

test("bytes that a tag or a stated coding speaks of are not changed", async () => {
  const body = "x".repeat(10_000);
  const json = ["Content-Type", "application/json"];
  const made = (reply: Partial<Reply>): Promise<readonly string[]> =>
    new Promise((resolve) =>
      coded(
        { status: 200, headers: json, body, ...reply },
        { "accept-encoding": "gzip" },
        ({ headers }) => resolve(headers),
      ),
    );
  assert.deepEqual(await made({ headers: [...json, "ETag", '"1"'] }), []);
  assert.deepEqual(await made({ headers: [...json, "Content-Encoding", "br"] }), []);
  assert.deepEqual(await made({ headers: ["Content-Type", "image/png"] }), []);
  assert.deepEqual(await made({ binary: true }), []);
  const whole = ["Vary", "Accept-Encoding", "Content-Encoding", "gzip"];
  assert.deepEqual(await made({ headers: [...json, "ETag", 'W/"1"'] }), whole);
  assert.deepEqual(await made({ headers: ["Content-Type", "application/problem+json"] }), whole);
});

test("a 415 to a body with a content coding says that there is none to take", async (t) => {
  const running = await serve(example("todo").plan, { memory: true });
  t.after(() => running.stop());
  const post = (headers: Record<string, string>) =>
    fetch(`${running.address}/todos`, { method: "POST", headers, body: '{"title":"a"}' });
  const json = { "Content-Type": "application/json" };
  const coded = await post({ ...json, "Content-Encoding": "br" });
  assert.equal(coded.status, 415);
  assert.equal(coded.headers.get("accept-encoding"), "identity");
  for (const [headers, status] of [
    [{ "Content-Type": "text/plain" }, 415],
    [{ "Content-Type": "text/plain", "Content-Encoding": "Identity" }, 415],
    [{ ...json, "Content-Encoding": "identity" }, 201],
  ] as const) {
    const answer = await post(headers);
    assert.equal(answer.status, status);
    assert.equal(answer.headers.get("accept-encoding"), null);
  }
});
