import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { test } from "node:test";
import { randomFrom, testSeed } from "../random.ts";
import { cases } from "../whole.ts";
import { campaign } from "./campaign.ts";
import type { Case } from "./cases.ts";
import { judge } from "./judge.ts";
import { Line } from "./wire.ts";

const seed = testSeed;
const REQUESTS = cases(500, 6000);
console.log(`seed ${seed}`);

test(`${REQUESTS} hostile requests: no crash, nothing unstated, others are served`, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "lacuna-hostile-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const result = await campaign({ folder, count: REQUESTS, random: randomFrom(seed) });
  const faults = result.faults.map(({ what, target, kind }) => `${target}, ${kind}: ${what}`);
  assert.deepEqual(faults, []);
  assert.ok(result.sent >= REQUESTS && result.kinds > 60, `${result.kinds} kinds`);
  assert.ok((result.answers.get(200) ?? 0) > 100, "seeds are served");
  assert.ok(result.events > 0, "events are seen");
  console.log(
    `${result.sent} sent, ${Math.round(result.rssMax / 1_048_576)} MiB, ` +
      `probe ${result.probeP99Ms.toFixed(1)} ms at the 99th percentile`,
  );
});

/** The port of a server that answers every connection with the same bytes. */
async function answering(t: TestContext, text: string, isEnd: boolean): Promise<number> {
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", () => (isEnd ? socket.end(text) : socket.write(text)));
  });
  t.after(() => server.close());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

const CASE: Case = {
  kind: "x",
  bytes: Buffer.from("GET / HTTP/1.1\r\n\r\n"),
  methods: ["GET"],
  open: false,
  refused: false,
};

function answer(status: string, body = ""): string {
  return (
    `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\n` +
    `Content-Length: ${body.length}\r\n\r\n${body}`
  );
}

const JUDGED: readonly (readonly [string, string, RegExp | undefined, Partial<Case>])[] = [
  ["a refusal", answer("400 Bad Request", "{}"), undefined, {}],
  ["a fault", answer("500 Internal Server Error", "{}"), /unstated 500/, {}],
  ["an empty 501", answer("501 Not Implemented"), /unstated 501/, {}],
  ["a gap", answer("501 Not Implemented", `{"gap":{"id":"failures/absent"}}`), undefined, {}],
  [
    "a hidden fault",
    answer("501 Not Implemented", `{"gap":{"id":"failures/fault inside"}}`),
    /unstated 501/,
    {},
  ],
  ["success where none may be", answer("201 Created", "{}"), /accepted/, { refused: true }],
  ["broken JSON", answer("200 OK", "{"), /no JSON/, {}],
  ["nothing", "", /closed without an answer/, {}],
  ["two answers", answer("200 OK", "{}").repeat(2), /smuggled/, { open: true }],
  ["no status", "HTTP/1.1 abc\r\nContent-Length: 0\r\n\r\n", /status NaN/, {}],
];

for (const [what, text, expected, over] of JUDGED) {
  test(`the judge of answers: ${what}`, async (t) => {
    const line = new Line(await answering(t, text, text === "" || over.open === true));
    const sent = { ...CASE, ...over };
    const wrong = judge(sent, await line.exchange(sent));
    line.close();
    if (expected === undefined) assert.equal(wrong, undefined);
    else assert.match(wrong ?? "", expected);
  });
}
