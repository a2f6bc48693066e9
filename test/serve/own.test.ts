/** What HTTP itself asks: the host's own answers, and those that a document states instead. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { test } from "node:test";
import { failureConditions } from "../../src/language/index.ts";
import type { HttpCondition } from "../../src/plan/index.ts";
import { OWN_ANSWERS } from "../../src/serve/http/own.ts";
import type { HostBounds, Running } from "../../src/serve/index.ts";
import { BOUNDS, boundNamed, CannotServe, serve } from "../../src/serve/index.ts";
import { document } from "./document.ts";
import { exchange, halfCloses, onlyAnswer, provoked, SLOW } from "./provoked.ts";

const notation = readFileSync(join(import.meta.dirname, "../../docs/first-document.md"), "utf8");
const NOTES = notation.match(/^````markdown spec\n([\s\S]*?)^````/m)?.[1] ?? "";
const PROVOKED = provoked("/v1/notes");
/** Those that one request alone meets. */
const NAMES = Object.keys(PROVOKED) as (keyof typeof PROVOKED)[];

const ALL: readonly HttpCondition[] = [...NAMES, "too busy"];

/** The notes with an answer of their own for each of these conditions. */
const STATED = NOTES.replace(
  "| fault inside | `fault` |",
  ["| fault inside | `fault` |", ...ALL.map((name) => `| ${name} | \`odd\` |`)].join("\n"),
).replace(
  "| `fault` | 500 |",
  "| `odd` | 418 | `That is no request` | `Problem` |\n| `fault` | 500 |",
);

const BODY = `POST /v1/notes HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n`;
const GET = "GET /v1/notes HTTP/1.1\r\nHost: x\r\n";

const CASES = NAMES.flatMap((condition) =>
  PROVOKED[condition].map(({ what, bytes }) => [what, bytes, condition] as const),
);

async function started(
  t: TestContext,
  text: string,
  bounds: Partial<HostBounds> = {},
): Promise<Running> {
  const running = await serve(document(text).plan, { memory: true, bounds });
  t.after(() => running.stop());
  return running;
}

test("served: failures/malformed request, failures/unknown HTTP version, failures/unknown transfer coding, failures/unknown expectation, failures/target too long, failures/header section too large, failures/body too large, failures/sender too slow: as the document states them", async (t) => {
  const { port } = await started(t, STATED, SLOW);
  const met = new Set<string>();
  for (const [what, bytes, condition] of CASES) {
    const { status, head, body } = onlyAnswer(await exchange(port, bytes, halfCloses(condition)));
    assert.equal(status, 418, `${what}: ${head}`);
    assert.match(head, /\r\nConnection: close/, what);
    assert.deepEqual(
      JSON.parse(body),
      { title: "That is no request", status: 418, field: null },
      what,
    );
    met.add(condition);
  }
  assert.deepEqual(met, new Set(NAMES));
});

test("without a row the host answers as the reference lists it, and closes the connection", async (t) => {
  const { port, address } = await started(t, NOTES, SLOW);
  for (const [what, bytes, condition] of CASES) {
    const { status, head, body } = onlyAnswer(await exchange(port, bytes, halfCloses(condition)));
    const own = OWN_ANSWERS[condition];
    assert.equal(status, own.status, `${what}: ${head}`);
    assert.match(head, /\r\nConnection: close/, what);
    assert.match(head, /\r\nDate: /, what);
    const { title } = own;
    assert.equal(body, JSON.stringify({ title, status, detail: condition }), what);
  }
  assert.equal((await fetch(`${address}/v1/notes`)).status, 200);
});

test("served: failures/too busy: of the client that sends most, the first body that still comes", async (t) => {
  const bounds = { bodyBytesMax: 100, heldBytesMax: 200 };
  const part = `${BODY}Content-Length: 90\r\n\r\n${" ".repeat(60)}`;
  for (const [text, wanted] of [
    [STATED, 418],
    [NOTES, OWN_ANSWERS["too busy"].status],
  ] as const) {
    const { port } = await started(t, text, bounds);
    const first = exchange(port, part, false);
    const second = connect({ port, host: "127.0.0.1" });
    second.write(part);
    const { status, head, body } = onlyAnswer(await first);
    assert.equal(status, wanted, head);
    assert.match(head, /\r\nConnection: close/);
    const detail = "too busy";
    const own = { title: OWN_ANSWERS[detail].title, status, detail };
    if (text === NOTES) assert.deepEqual(JSON.parse(body), own);
    second.write(" ".repeat(30));
    const [said] = (await once(second, "data")) as [Buffer];
    assert.match(String(said), / 400 /, "who has sent less is answered");
    second.destroy();
  }
});

test("the host's own answers are those of the closed list that are of HTTP itself", () => {
  const listed = failureConditions.filter((one) => one.occurs === "HTTP itself");
  assert.deepEqual(listed.map((one) => one.name).sort(), [...ALL].sort());
});

for (const [what, bytes, status] of [
  ["an unknown method", "FOO /v1/notes HTTP/1.1\r\nHost: x\r\n\r\n", 405],
  ["a method in small letters", "get /v1/notes?a=b HTTP/1.1\r\nHost: x\r\n\r\n", 405],
  ["CONNECT", "CONNECT x:80 HTTP/1.1\r\nHost: x:80\r\n\r\n", 405],
  ["an unknown method at an unknown path", "FOO /v1/none HTTP/1.1\r\nHost: x\r\n\r\n", 404],
] as const) {
  test(`${what} is answered as the document states it`, async (t) => {
    const { port } = await started(t, NOTES);
    const made = onlyAnswer(await exchange(port, bytes, false));
    assert.equal(made.status, status);
    assert.equal(JSON.parse(made.body).status, status);
    if (status === 405) assert.match(made.head, /\r\nAllow: /);
    if (status === 405 && what !== "CONNECT") assert.match(made.head, /Allow: POST, GET, HEAD/);
  });
}

test("what was asked before the end of a connection is answered before it", async (t) => {
  const { port } = await started(t, NOTES);
  const post = `${BODY}Content-Length: 12\r\n\r\n{"text":"a"}`;
  for (const [last, status] of [
    ["FOO /v1/notes HTTP/1.1\r\nHost: x\r\n\r\n", 405],
    ["hello\r\n\r\n", 400],
    [`${BODY}Transfer-Encoding: chunked\r\n\r\nzz\r\n`, 400],
  ] as const) {
    for (const isHalfClosed of [false, true]) {
      for (const [before, wanted] of [
        [`${post}${GET}\r\n`, [201, 200, status]],
        [post, [201, status]],
        // What is refused ends the connection, whatever comes behind it.
        [`${GET}Host: y\r\n\r\n`, [400]],
      ] as const) {
        const text = await exchange(port, before + last, isHalfClosed);
        const statuses = [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map((one) => Number(one[1]));
        assert.deepEqual(statuses, wanted, `${before}${last}, ${isHalfClosed}`);
      }
    }
  }
});

test("a client that closes its side behind a whole request gets its answer", async (t) => {
  const { port } = await started(t, NOTES);
  const post = `${BODY}Content-Length: 12\r\n\r\n{"text":"b"}`;
  assert.equal(onlyAnswer(await exchange(port, post, true)).status, 201);
  const two = await exchange(port, `${post}${GET}\r\n`, true);
  assert.equal(two.match(/HTTP\/1\.1 20[01]/g)?.length, 2);
});

for (const [what, bytes, status] of [
  ["a whole request", `${BODY}Content-Length: 12\r\n\r\n{"text":"c"}`, 201],
  ["a part of one", `${BODY}Content-Length: 12\r\n\r\n{`, 408],
  ["half a head", "GET /v1/no", 408],
] as const) {
  test(`${what} that came in time and is read late, because the process was busy, is answered`, async (t) => {
    const { port } = await started(t, NOTES, SLOW);
    const socket = connect({ port, host: "127.0.0.1" });
    t.after(() => socket.destroy());
    await once(socket, "connect");
    // The service takes the connection, and notes since when it is open.
    await new Promise((resolve) => setTimeout(resolve, 50));
    // Timers come next in the event loop, and what came in after them.
    await new Promise((resolve) => setImmediate(resolve));
    socket.write(bytes, "latin1");
    const end = performance.now() + 500;
    while (performance.now() < end);
    const [first] = (await once(socket, "data")) as [Buffer];
    assert.match(first.toString("latin1"), new RegExp(`^HTTP/1\\.1 ${status} `));
  });
}

test("OPTIONS * says nothing of any path; nothing else has an asterisk", async (t) => {
  const { port } = await started(t, NOTES);
  const text = await exchange(port, "OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n", true);
  assert.equal(onlyAnswer(text).status, 204);
  const unknown = NOTES.replace(/^- Cross-origin: .*$/m, "- Cross-origin: not shown");
  const { port: asked } = await started(t, unknown);
  const page = "OPTIONS * HTTP/1.1\r\nHost: x\r\nOrigin: https://a.example\r\n\r\n";
  const gap = onlyAnswer(await exchange(asked, page, true));
  assert.equal(gap.status, 501);
  assert.match(JSON.stringify(gap), /[Cc]ross-origin/);
});

function limited(counts: string, amount: number): string {
  const limit =
    "| Limit | Counts | Per | Amount | Window | When passed |\n|---|---|---|---|---|---|\n" +
    `| \`most\` | ${counts} | request | ${amount} | none | \`odd\` |`;
  return STATED.replace(
    "Rate limits, size limits, time-outs and quotas: none.",
    `Rate limits, time-outs and quotas: none.\n\n${limit}`,
  )
    .replaceAll(/\| (?:target|header|body)[a-z ]* \| `odd` \|\n/g, "")
    .replace(
      "1. Check the inputs.\n2. Check the paths.",
      "1. Check the limits.\n2. Check the inputs.\n3. Check the paths.",
    );
}

test("a bound is as wide as the limit that the document states, and no narrower", async (t) => {
  const big = await started(t, limited("request body bytes", 10_000_000));
  const post = (size: number): string =>
    `${BODY}Content-Length: ${size}\r\n\r\n${`{"text":"a"}`.padEnd(size)}`;
  assert.equal(onlyAnswer(await exchange(big.port, post(9_500_000), true)).status, 201);
  assert.equal(onlyAnswer(await exchange(big.port, post(10_000_001), true)).status, 418);
  const wide = await started(t, limited("request header bytes", 40_000));
  const get = (size: number): string => `${GET}X: ${"a".repeat(size)}\r\n\r\n`;
  assert.equal(onlyAnswer(await exchange(wide.port, get(39_000), true)).status, 200);
  assert.equal(onlyAnswer(await exchange(wide.port, get(41_000), true)).status, 418);
  assert.equal(onlyAnswer(await exchange(wide.port, get(100_000), true)).status, 418);
  await assert.rejects(
    serve(document(limited("request body bytes", 10_000_000)).plan, {
      memory: true,
      bounds: { bodyBytesMax: 9_999_999 },
    }),
    (fault) => fault instanceof CannotServe && /`body-bytes`.*`most`/.test(fault.message),
  );
});

test("every bound has a name of its own", () => {
  const names = Object.values(BOUNDS).map((one) => one.name);
  assert.equal(new Set(names).size, names.length);
  assert.equal(boundNamed("body-bytes"), "bodyBytesMax");
  assert.equal(boundNamed("bodyBytesMax"), undefined);
});
