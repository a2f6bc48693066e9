/** The time to answer: late requests get what is stated and leave nothing behind. */
import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { movableClock, serve } from "../../src/serve/index.ts";
import { Deadlines, take } from "../../src/serve/jobs/deadlines.ts";
import type { Job, Reply } from "../../src/serve/jobs/job.ts";
import { document as passages } from "../run/document.ts";
import { document } from "./document.ts";

const SECOND = 1_000_000n;
const START = 1_800_000_000n * SECOND;

function slow(amount: string, answer: string, failures = "") {
  return document(
    passages({
      about: "- Setting `keys`: string",
      resources:
        "### `Note`, many `notes`\n\n| Field | Type | Create | Update | Read | Rules |\n" +
        "|---|---|---|---|---|---|\n| `text` | string | required | no | yes | key; unique, else `taken` |",
      states: "- No states: `Note`",
      every: "- Who: none\n\n1. Check the caller.\n2. Check the inputs.\n3. Check the paths.",
      endpoints: `### \`POST /notes\`

- Body: new \`Note\`

1. Create a \`Note\` as \`note\` from \`body\`.
2. When \`body.text == "long"\`, respond \`201\` with \`{"n": ${"[1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map(a, ".repeat(5)}a${")".repeat(5)}}\`.
3. Otherwise, respond \`201\` with \`Note\` of \`note\`.

### \`GET /notes/{text}\`

- Path \`text\`: \`note\`, the \`Note\` by \`text\`, else \`gone\`

1. Respond \`200\` with \`Note\` of \`note\`.

### \`GET /mine\`

- Who: \`user\`

1. Respond \`204\` with no body.`,
      authentication: `| Actor | Holds when |
|---|---|
| \`user\` | \`caller.text != ""\` |

### \`jwt\`, a scheme

- Sent in: header \`Authorization\`, form \`Bearer {credential}\`
- Credential: JWT signed with \`RS256\`, keys at \`setting.keys\`
- Caller: the \`Note\` where \`it.text == claims.sub\`, else \`refused\`
- Issuer: none
- Audience: none
- Subject: none
- Lifetime: none
- Clock skew: none
- Revocation: none
- Rotation: by \`kid\``,
      errors: "| `slow` | 503 | `Problem` |",
      failures: `| bad credentials | \`refused\` |\n| no credentials | \`refused\` |\n${failures}`,
      limits: `| Limit | Counts | Per | Amount | Window | When passed |
|---|---|---|---|---|---|
| \`answer\` | time to answer a request | request | ${amount} | none | ${answer} |`,
    }),
  );
}

const post = (address: string, text: string): Promise<Response> =>
  fetch(`${address}/notes`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ text }),
  });

for (const inline of [true, false]) {
  test(`served: tables/limits/counts/request time, tables/limits/amount/time: steps that take too long are undone (${inline})`, async (t) => {
    const { plan } = slow("5 ms", "`slow` with `Retry-After`");
    const running = await serve(plan, { memory: true, inline, settings: { keys: "/none" } });
    t.after(() => running.stop());
    const { address } = running;
    // What is compiled for the first request takes its time too.
    while ((await post(address, `${performance.now()}`)).status !== 201);
    const late = await post(address, "long");
    assert.equal(late.status, 503);
    assert.deepEqual(await late.json(), { error: "slow", field: null });
    assert.equal(late.headers.get("retry-after"), "0");
    // A read that is slow itself is answered as the limit says, and is asked again.
    let found = 503;
    while (found === 503) found = (await fetch(`${address}/notes/long`)).status;
    assert.equal(found, 404);
  });
}

test("a request that waits is answered when its time is over, and by the clock", async (t) => {
  const keys = createServer(() => {});
  await new Promise<void>((resolve) => keys.listen(0, "127.0.0.1", resolve));
  t.after(() => {
    keys.closeAllConnections();
    keys.close();
  });
  const clock = movableClock(START);
  const { port } = keys.address() as AddressInfo;
  const settings = { keys: `http://127.0.0.1:${port}/` };
  const { plan } = slow("10 s", "`slow`");
  const running = await serve(plan, { memory: true, clock, settings });
  t.after(() => running.stop());
  const headers = {
    Authorization: `Bearer ${Buffer.from('{"kid":"a"}').toString("base64url")}.e.e`,
  };
  const asked = new Promise((resolve) => keys.once("request", resolve));
  const waiting = fetch(`${running.address}/mine`, { headers });
  await asked;
  let isOver = false;
  waiting.finally(() => {
    isOver = true;
  });
  clock.move(10n * SECOND - 1n);
  assert.equal((await fetch(`${running.address}/notes/x`)).status, 404);
  assert.equal(isOver, false);
  clock.move(1n);
  assert.equal((await waiting).status, 503);
});

test("a limit on the time that is not shown is met by the late alone", async (t) => {
  const { plan } = slow("5 ms", "not shown");
  const running = await serve(plan, { memory: true, settings: { keys: "/none" } });
  t.after(() => running.stop());
  const tries = 200;
  let quick = 0;
  for (let i = 0; i < tries && quick === 0; i++) {
    if ((await post(running.address, `${i}`)).status === 201) quick++;
  }
  assert.equal(quick, 1, "no request is answered in time");
  assert.equal((await post(running.address, "long")).status, 501);
});

test("where the amount of time is not shown, every request meets that", async (t) => {
  const { plan } = slow("not shown", "not shown");
  const running = await serve(plan, { memory: true, settings: { keys: "/none" } });
  t.after(() => running.stop());
  assert.equal((await post(running.address, "short")).status, 501);
});

test("served: failures/time passed: the condition answers where the limit does not", async (t) => {
  const { plan } = slow("5 ms", "not shown", "| time passed | `slow` |");
  const running = await serve(plan, { memory: true, settings: { keys: "/none" } });
  t.after(() => running.stop());
  while ((await post(running.address, `${performance.now()}`)).status !== 201);
  assert.equal((await post(running.address, "long")).status, 503);
});

test("one of those that ask for a job's turn gets it", () => {
  const clock = movableClock(START);
  const answers: [string, number][] = [];
  const late: Reply = { status: 503, headers: [], body: undefined };
  const deadlines = new Deadlines(clock, SECOND, () => late);
  const begin = (name: string) =>
    deadlines.begin({ now: clock.now() } as Job, ({ status }) => answers.push([name, status]));
  const [a, b] = [begin("a"), begin("b")];
  clock.move(SECOND / 2n);
  const c = begin("c");
  assert.equal(take(a.job), true);
  clock.move(SECOND / 2n);
  assert.deepEqual(answers, [["b", 503]]);
  assert.equal(take(b.job), false);
  b.done({ ...late, status: 200 });
  a.done({ ...late, status: 201 });
  clock.move(SECOND / 2n);
  assert.equal(take(c.job), false);
  assert.deepEqual(answers, [
    ["b", 503],
    ["a", 201],
    ["c", 503],
  ]);
  deadlines.stop();
});
