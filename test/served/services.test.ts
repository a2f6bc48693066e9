/** Items that need more than one request at a time, an operator, or a restart, shown served. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { movableClock, type ServeOptions, serve } from "../../src/serve/index.ts";
import { type Passages, document as written } from "../run/document.ts";
import { document } from "../serve/document.ts";
import { receiver } from "../serve/receiver.ts";

const START = 1_800_000_000_000_000n;
const SECOND = 1_000_000n;

function newFile(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "lacuna-services-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, "data.sqlite");
}

interface Answer {
  readonly status: number;
  readonly text: string;
}

/** A service of a document; stopped when the test ends, or before. */
async function served(t: TestContext, text: string, options: ServeOptions) {
  const made = document(text);
  const running = await serve(made.plan, options);
  t.after(() => running.stop());
  const ask = async (
    method: string,
    path: string,
    body?: unknown,
    key?: string,
  ): Promise<Answer> => {
    const headers = new Headers(key === undefined ? [] : [["Idempotency-Key", key]]);
    if (body !== undefined) headers.set("Content-Type", "application/json");
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const got = await fetch(`${running.address}${path}`, { method, headers, ...sent });
    return { status: got.status, text: await got.text() };
  };
  return { ask, address: running.address, stop: () => running.stop() };
}

const withCounters = (passages: Passages): string =>
  written({
    resources: COUNTER,
    endpoints: MAKE + LOOK,
    about: "- One request: all or nothing, as if alone",
    ...passages,
  });

const FIELDS = "| Field | Type | Create | Update | Read | Rules |\n|---|---|---|---|---|---|\n";
const COUNTER = `### \`Counter\`, many \`counters\`

${FIELDS}| \`name\` | string | required | no | yes | key; unique, else \`taken\` on \`name\` |
| \`count\` | integer | no | no | yes | starts \`0\` |
`;
const MAKE = `### \`POST /counters\`: make

- Body: new \`Counter\`

1. Create a \`Counter\` as \`counter\` from \`body\`.
2. Respond \`201\` with \`Counter\` of \`counter\`.
`;
const LOOK = `### \`GET /counters/{name}\`: look

- Path \`name\`: \`counter\`, the \`Counter\` by \`name\`, else \`gone\`

1. Respond \`200\` with \`Counter\` of \`counter\`.
`;
const ADD = `### \`PUT /counters/{name}\`: add one

- Path \`name\`: \`counter\`, the \`Counter\` by \`name\`, else \`gone\`
- Body: none

1. Set \`counter.count\` = \`counter.count + 1\`.
2. Respond \`200\` with \`Counter\` of \`counter\`.
`;

for (const inline of [true, false]) {
  const where = inline ? "one thread" : "two threads";
  test(`served: bullets/service/one request: as if alone, ${where}`, async (t) => {
    const text = withCounters({ endpoints: MAKE + LOOK + ADD });
    const { ask } = await served(t, text, { file: newFile(t), inline });
    const made = await Promise.all(
      Array.from({ length: 8 }, () => ask("POST", "/counters", { name: "a" })),
    );
    assert.deepEqual(made.map((one) => one.status).sort(), [201, ...Array(7).fill(409)]);
    const counts = await Promise.all(Array.from({ length: 64 }, () => ask("PUT", "/counters/a")));
    const seen = counts.map((one) => (JSON.parse(one.text) as { count: number }).count);
    assert.deepEqual(
      seen.sort((a, b) => a - b),
      Array.from({ length: 64 }, (_, i) => i + 1),
    );
    assert.equal((await ask("GET", "/counters/a")).text, '{"name":"a","count":64}');
  });
}

async function rowsGiven(t: TestContext, text: string): Promise<void> {
  const look = async (file: string, startRows?: string): Promise<Answer> => {
    const { ask, stop } = await served(t, text, { file, inline: true, startRows });
    const answer = await ask("GET", "/counters/a");
    await stop();
    return answer;
  };
  const file = newFile(t);
  const rows = '{"Counter": [{"name": "a", "count": 7}]}';
  assert.equal((await look(file, rows)).text, '{"name":"a","count":7}');
  assert.equal((await look(file)).text, '{"name":"a","count":7}', "they stay");
  assert.equal((await look(newFile(t))).status, 404, "none need be given");
}

const NONE = "- Rows at the start: none";
const GIVEN = "- Rows at the start: given when the service starts";

test("served: bullets/resource/rows at the start given: by the operator, once", (t) =>
  rowsGiven(t, withCounters({ resources: COUNTER.replace("\n\n", `\n\n${GIVEN}\n\n`) })));

test("served: bullets/every resource/rows at the start given: by the operator, once", (t) =>
  rowsGiven(t, withCounters({}).replace(NONE, GIVEN)));

const KEYS = (running: string): string => `- Idempotency key: header \`Idempotency-Key\`
- Key kept: 1 h
- Key per: everyone
- Same key and same body: first answer again
- Same key and other body: \`refused\`
- Same key while the first runs: ${running}
- Answers kept under a key: 2xx answers
- Bodies are the same when: their bytes are the same
`;
const KEY_INPUT = `
| Input | In | Type | Needed | Rules |
|---|---|---|---|---|
| \`Idempotency-Key\` | header | string | no | none |

`;

/** Thirty requests with one key at a time: one effect, and one answer, or the one stated. */
async function oneEffect(t: TestContext, text: string, busy: number | undefined): Promise<void> {
  for (const inline of [true, false]) {
    const { ask } = await served(t, text, { file: newFile(t), inline });
    await ask("POST", "/counters", { name: "a" });
    const all = await Promise.all(
      Array.from({ length: 30 }, () => ask("PUT", "/counters/a", undefined, "k")),
    );
    const first = '{"name":"a","count":1}';
    for (const one of all) {
      if (one.status !== busy) assert.deepEqual(one, { status: 200, text: first });
    }
    assert.ok(all.some((one) => one.status === 200));
    assert.equal((await ask("GET", "/counters/a")).text, first);
    assert.deepEqual(await ask("PUT", "/counters/a", undefined, "k"), { status: 200, text: first });
  }
}

const CHECKS = "1. Check the inputs.\n2. Check the idempotency key.\n3. Check the paths.";
const everyOf = (running: string): string => `- Who: none\n${KEYS(running)}${KEY_INPUT}${CHECKS}`;
const addWith = (running: string): string =>
  ADD.replace("- Body: none\n", `- Body: none\n${KEYS(running)}${KEY_INPUT}`);
const withKeys = (running: string): string =>
  withCounters({ every: `- Who: none\n\n${CHECKS}`, endpoints: MAKE + LOOK + addWith(running) });
const everywhere = (running: string): string =>
  withCounters({ every: everyOf(running), endpoints: MAKE + LOOK + ADD });

test("served: bullets/endpoint/same key waits: one effect, one answer", (t) =>
  oneEffect(t, withKeys("waits for it"), undefined));
test("served: bullets/endpoint/same key while the first runs: one effect, one answer", (t) =>
  oneEffect(t, withKeys("`taken`"), 409));
test("served: bullets/every endpoint/same key waits: one effect, one answer", (t) =>
  oneEffect(t, everywhere("waits for it"), undefined));
test("served: bullets/every endpoint/same key while the first runs: one effect, one answer", (t) =>
  oneEffect(t, everywhere("`taken`"), 409));

const TURNING = `### \`Counter\`

- Held in: \`state\`
- States: \`on\` (initial), \`off\` (final)
- Any other transition: refused with \`refused\`
- Clock: no later than 1 s after
- At the same time: in order of \`it.name\` ascending

| Transition | From | To | On | When | Then |
|---|---|---|---|---|---|
| \`turn\` | \`on\` | \`on\` | every 10 s | none | set \`it.count\` = \`it.count + 1\` |
| \`end\` | \`on\` | \`off\` | by itself within 95 s | none | none |
`;

test("served: tables/transitions/on/every, tables/transitions/on/itself: also while stopped", async (t) => {
  const text = withCounters({
    states: TURNING,
    endpoints: MAKE + LOOK,
    resources: `${COUNTER}| \`state\` | state | no | no | yes | none |\n`,
  });
  const file = newFile(t);
  const at = async (seconds: bigint): Promise<string> => {
    const clock = movableClock(START + seconds * SECOND);
    const { ask, stop } = await served(t, text, { file, inline: true, clock });
    if (seconds === 0n) await ask("POST", "/counters", { name: "a" });
    const { text: body } = await ask("GET", "/counters/a");
    await stop();
    return body;
  };
  assert.equal(await at(0n), '{"name":"a","count":0,"state":"on"}');
  assert.equal(await at(9n), '{"name":"a","count":0,"state":"on"}');
  assert.equal(await at(35n), '{"name":"a","count":3,"state":"on"}');
  assert.equal(await at(35n), '{"name":"a","count":3,"state":"on"}');
  // Entering `on` again begins the time of `end` anew: the last turn was at 30 s.
  assert.equal(await at(1000n), '{"name":"a","count":100,"state":"on"}');
});

const EVENTS = `| Event | About | Data | Sent to |
|---|---|---|---|
| \`counter.made\` | \`Counter\` | \`Counter\` of \`it\` | stream \`feed\`; webhook \`hooks\` |
| \`counter.seen\` | \`Counter\` | none | stream \`feed\` |
| \`counter.kept\` | \`Counter\` | none | none |

### \`Envelope\`, a shape

| Field | Type | Value |
|---|---|---|
| \`event\` | event name | \`event\` |
| \`data\` | json | \`data\` |
| \`sent\` | timestamp | \`sent\` |

### \`hooks\`, a webhook

- Receivers: each \`Hook\` where \`true\`
- Address: \`receiver.url\`
- Sent as: \`POST\` with \`Envelope\`
- Signature: none
- Delivered when: any 2xx within 15 s
- Attempts: at once
- After the last attempt: do nothing
- Guarantee: at least once
- Order of arrival: as they happened

### \`feed\`, a stream

- Path: \`GET /feed\`
- Who: none
- Sees: \`true\`
- Resume: none
- Ends: none
`;
const HOOK = `
### \`Hook\`, many \`hooks\`

${FIELDS}| \`url\` | uri | required | no | yes | key; unique, else \`taken\` |
`;
const EMITTING = `### \`POST /hooks\`: listen

- Body: new \`Hook\`

1. Create a \`Hook\` from \`body\`.
2. Respond \`204\` with no body.

### \`POST /counters\`: make

- Body: new \`Counter\`

1. Create a \`Counter\` as \`counter\` from \`body\`.
2. Emit \`counter.kept\` of \`counter\`.
3. Emit \`counter.made\` of \`counter\`.
4. Emit \`counter.seen\` of \`counter\`.
5. Require \`counter.name != "bad"\`, else \`refused\`.
6. Respond \`204\` with no body.
`;

/** Events of a stream until there are so many: their names and data. */
async function heard(answer: Response, count: number): Promise<readonly string[]> {
  const found: string[] = [];
  let text = "";
  for await (const piece of answer.body as unknown as AsyncIterable<Uint8Array>) {
    text += Buffer.from(piece).toString();
    const whole = text.split("\n\n");
    text = whole.pop() ?? "";
    for (const one of whole) {
      const lines = one.split("\n").filter((line) => /^(event|data):/.test(line));
      if (lines.length > 0) found.push(lines.join(" "));
    }
    if (found.length >= count) break;
  }
  return found;
}

test(
  "served: steps/emit, tables/events/event/word, tables/events/about/about, " +
    "tables/events/data/data, tables/events/data/none, tables/events/sent to/webhook, " +
    "tables/events/sent to/stream, tables/events/sent to/none: committed events alone",
  async (t) => {
    const text = withCounters({
      resources: `${COUNTER}${HOOK}`,
      endpoints: EMITTING,
      events: EVENTS,
    });
    const hooks = await receiver(t);
    const { ask, address } = await served(t, text, {
      file: newFile(t),
      inline: true,
      clock: movableClock(START),
      allowPrivateReceivers: true,
    });
    assert.equal((await ask("POST", "/hooks", { url: hooks.address })).status, 204);
    const stream = await fetch(`${address}/feed`);
    assert.equal((await ask("POST", "/counters", { name: "bad" })).status, 422);
    assert.equal((await ask("POST", "/counters", { name: "a" })).status, 204);
    const [made, seen] = await heard(stream, 2);
    assert.match(made ?? "", /^event: ?counter\.made .*"name":"a"/);
    assert.match(seen ?? "", /^event: ?counter\.seen/);
    const [sent] = await hooks.until(1);
    assert.deepEqual(JSON.parse(sent?.body ?? ""), {
      event: "counter.made",
      data: { name: "a", count: 0 },
      sent: "2027-01-15T08:00:00.000000Z",
    });
  },
);
