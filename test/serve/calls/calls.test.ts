/** Calls of requests: what code is given and says, what is undone, what is refused. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { held, shop, until, WELL } from "./shop.ts";

const LINE = `### \`Line\`, a part

| Field | Type | Create | Update | Read | Rules |
|---|---|---|---|---|---|
| \`count\` | integer | required | no | yes | none |
| \`price\` | decimal 2 | required | no | yes | none |
| \`at\` | timestamp | required | no | yes | none |
`;

const WEIGH = `### \`weigh\`, a call

- Given \`line\`: \`Line\`
- Kind: pure
- Time-out: 5 s
- No answer in time: \`unavailable\` with \`call\` = \`"weigh"\`
- Stand-in: none

| Says | Data | Meaning |
|---|---|---|
| \`weighed\` | \`line\`: \`Line\` | what was given |
`;

const LINES = `### \`POST /lines\`: line

| Input | In | Type | Needed | Rules |
|---|---|---|---|---|
| \`line\` | body | \`Line\` | yes | none |

1. Call \`weigh\` with \`line\` = \`body.line\` as \`weighed\`.
2. Require \`has(weighed.line)\`, else \`declined\`.
3. Respond \`200\` with \`weighed.line\`.
`;

const BOOK = { item: "book", total: 12.5 };

function storeFile(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "lacuna-calls-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, "shop.sqlite");
}

for (const inline of [true, false]) {
  test(`served: headings/call, bullets/call/given, bullets/call/kind=effect, steps/call, steps/call[with], steps/call[as], tables/says/says/word, tables/says/data/data: exact values are given, and the answer is kept (${inline})`, async (t) => {
    const one = await shop(t, {}, { file: storeFile(t), inline });
    const got = await one.post("/orders", { item: "book", total: 999_999_999_999.99 });
    assert.equal(got.status, 201, got.text);
    assert.equal(got.json.payment, "r1");
    assert.equal(got.json.state, "paid");
    assert.deepEqual(
      one.made.map(({ call, given }) => ({ call, given })),
      [{ call: "charge", given: { amount: "999999999999.99", order: "1" } }],
    );
    const seen = await one.get(`/orders/${got.json.id}`);
    assert.deepEqual(seen.json, got.json);
    assert.deepEqual(one.log, []);
  });

  test(`served: bullets/call/undo: a request refused behind a call has it undone, once (${inline})`, async (t) => {
    const one = await shop(t, {}, { file: storeFile(t), inline });
    await one.post("/flags", { name: "closed" });
    const got = await one.post("/orders", BOOK);
    assert.equal(got.json.error, "closed");
    await until(() => one.made.length > 1);
    await new Promise((resolve) => setTimeout(resolve, 300));
    const [charge, refund, ...more] = one.made;
    assert.deepEqual(more, []);
    assert.equal(refund?.call, "refund");
    assert.deepEqual(refund?.given, { order: "1" });
    assert.equal(refund?.context.undoes, charge?.context.key);
    assert.notEqual(refund?.context.key, charge?.context.key);
  });
}

test("served: tables/says/data/none: a word that leads to a refusal; the call is undone", async (t) => {
  const one = await shop(t, { charge: () => ({ word: "declined" }) });
  const got = await one.post("/orders", BOOK);
  assert.equal(got.status, 402);
  await until(() => one.names().includes("refund"));
});

test("exact values inside a part are given as texts, and may be said as texts", async (t) => {
  const given: unknown[] = [];
  const one = await shop(
    t,
    {
      weigh: (made) => {
        given.push(made.given);
        return { word: "weighed", ...made.given };
      },
    },
    {
      edit: (text) =>
        text
          .replace("### `Flag`", `${LINE}\n### \`Flag\``)
          .replace("## Endpoints", `${WEIGH}\n## Endpoints`)
          .replace("## Authentication", `${LINES}\n## Authentication`),
    },
  );
  const sent = '{"count":9007199254740993,"price":999999999999.99,"at":"2026-01-02T03:04:05.678Z"}';
  const got = await fetch(`${one.address}/lines`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: `{"line":${sent}}`,
  });
  assert.equal(await got.text(), sent);
  assert.deepEqual(given, [
    {
      line: {
        count: "9007199254740993",
        price: "999999999999.99",
        at: "2026-01-02T03:04:05.678000Z",
      },
    },
  ]);
});

test("where the data of a word are not shown, code that says it meets the gap; others do not", async (t) => {
  const hidden = (was: string): ((text: string) => string) => {
    return (text) => text.replace(was, was.replace(/(?<=` \| ).*(?= \| the)/, "not shown"));
  };
  const declined = await shop(
    t,
    { charge: () => ({ word: "declined" }) },
    { edit: hidden("| `declined` | none | the card said no |") },
  );
  const first = await declined.post("/orders", BOOK);
  assert.equal(first.status, 501, first.text);
  assert.match(first.text, /charge\/declined\/data/);
  await until(() => declined.names().includes("refund"));
  const settled = await shop(
    t,
    { charge: () => ({ word: "settled", reference: 1, what: "ever" }) },
    { edit: hidden("| `settled` | `reference`: string; `fee`: decimal 2 | the money is there |") },
  );
  const second = await settled.post("/orders", BOOK);
  assert.equal(second.status, 501, second.text);
  const whole = await shop(
    t,
    { charge: () => ({ word: "declined" }) },
    {
      edit: hidden("| `settled` | `reference`: string; `fee`: decimal 2 | the money is there |"),
    },
  );
  assert.equal((await whole.post("/orders", BOOK)).status, 402);
});

test("what was created before the call is not there when the request is refused", async (t) => {
  const one = await shop(t, { charge: () => ({ word: "declined" }) });
  await one.post("/orders", BOOK);
  one.made.length = 0;
  const numbers = await one.post("/orders", BOOK);
  assert.equal(numbers.status, 402);
  // Numbers are counted in the same transaction: the refused order took none.
  await until(() => one.made.length > 0);
  assert.equal(one.made[0]?.given.order, "1");
});

test("served: bullets/call/time-out, bullets/call/no answer in time: the stated error; undone", async (t) => {
  let aborted = false;
  const one = await shop(t, {
    charge: ({ context }) =>
      new Promise(() => {
        context.signal.addEventListener("abort", () => {
          aborted = true;
        });
      }),
  });
  const beginMs = performance.now();
  const got = await one.post("/orders", BOOK);
  assert.equal(got.status, 503);
  assert.deepEqual(got.json, { error: "unavailable", call: "charge" });
  assert.ok(performance.now() - beginMs >= 590);
  await until(() => one.names().includes("refund"));
  assert.equal(aborted, true);
});

const WRONG: readonly (readonly [string, unknown, RegExp])[] = [
  ["a word that is not in the table", { word: "maybe" }, /word that is not in its table/],
  ["data that is missing", { word: "settled", fee: "0.10" }, /`reference` is absent/],
  ["data of another type", { word: "settled", reference: 1, fee: "0.10" }, /`reference`/],
  ["too many places", { word: "settled", reference: "r", fee: 0.125 }, /`fee`/],
  ["data that is not stated", { word: "declined", why: "no" }, /no data `why`/],
  ["no object", "settled", /no object/],
  ["an invariant that is broken", { word: "declined" }, /invariant/],
];

for (const [what, answer, note] of WRONG) {
  test(`a fault of the code is a fault inside: ${what}`, async (t) => {
    const one = await shop(t, { charge: () => answer });
    const total = what.startsWith("an invariant") ? 4 : 12.5;
    const got = await one.post("/orders", { item: "book", total });
    assert.equal(got.status, 500);
    assert.deepEqual(got.json, { error: "broken", call: "" });
    assert.match(one.log.join("\n"), note);
    await until(() => one.names().includes("refund"));
  });
}

test("code that throws is a fault inside, and says nothing of itself", async (t) => {
  const one = await shop(t, {
    charge: () => {
      throw new Error("secret thing");
    },
  });
  const got = await one.post("/orders", BOOK);
  assert.equal(got.status, 500);
  assert.ok(!got.text.includes("secret thing"));
  assert.match(one.log.join("\n"), /secret thing/);
});

test("integers may be numbers, big ones texts or big integers", async (t) => {
  let answer: unknown;
  const one = await shop(t, { rate: () => ({ word: "known", points: answer }) });
  for (answer of [7, "123456789012345678901234567890", 123456789012345678901234567890n]) {
    const got = await one.get(`/ratings/${String(answer)}`);
    assert.equal(got.text, `{"points":${String(answer)}}`);
  }
});

test("a part that code says may have what no client gives, and nothing that is not stated", async (t) => {
  const part = (text: string): string =>
    text
      .replace("| `known` | `points`: integer |", "| `known` | `mark`: `Mark` |")
      .replace(
        '`{"points": has(rating.points) ? rating.points : -1}`',
        '`{"points": has(rating.mark) ? rating.mark.points : -1}`',
      )
      .replace(
        "\n## States and transitions",
        `
### \`Mark\`, a part

| Field | Type | Create | Update | Read | Rules |
|---|---|---|---|---|---|
| \`points\` | integer | no | no | yes | none |

## States and transitions`,
      );
  let mark: unknown = { points: 7 };
  const one = await shop(t, { rate: () => ({ word: "known", mark }) }, { edit: part });
  assert.equal((await one.get("/ratings/a")).text, '{"points":7}');
  for (mark of [{ points: 7, junk: 1 }, { Points: 7 }, {}]) {
    assert.equal((await one.get("/ratings/a")).status, 500, JSON.stringify(mark));
  }
  assert.match(one.log.join("\n"), /`mark` is not as stated: unknown member \(`junk`\)/);
});

test("a slow call delays nobody else", async (t) => {
  const gate = held<unknown>();
  const one = await shop(
    t,
    { charge: () => gate.promise },
    { edit: (text) => text.replace("- Time-out: 600 ms", "- Time-out: 60 s") },
  );
  const waiting = Array.from({ length: 20 }, () => one.post("/orders", BOOK));
  await until(() => one.made.length === 20);
  for (let i = 0; i < 20; i++) {
    const beginMs = performance.now();
    assert.equal((await one.post("/flags", { name: `f${i}` })).status, 204);
    assert.ok(performance.now() - beginMs < 1_000);
  }
  gate.give({ word: "settled", reference: "r", fee: 0 });
  for (const got of await Promise.all(waiting)) assert.equal(got.status, 201, got.text);
});

test("where the data has moved meanwhile, the call is made anew and the first undone", async (t) => {
  const gates = [held<unknown>(), held<unknown>()];
  const settled = { word: "settled", reference: "r", fee: 0 };
  let count = 0;
  const one = await shop(
    t,
    { charge: () => gates[count++]?.promise ?? settled },
    { edit: (text) => text.replace("- Time-out: 600 ms", "- Time-out: 60 s") },
  );
  // Both have number 1 in their first run.
  const first = one.post("/orders", BOOK);
  await until(() => count === 1);
  const second = one.post("/orders", BOOK);
  await until(() => count === 2);
  assert.deepEqual(
    one.made.map(({ given }) => given.order),
    ["1", "1"],
  );
  gates[0]?.give(settled);
  assert.equal((await first).json.number, 1);
  gates[1]?.give(settled);
  assert.equal((await second).json.number, 2);
  await until(() => one.names().includes("refund"));
  const keys = one.made.map(({ context }) => context.key);
  assert.deepEqual(
    one.made.map(({ call, given }) => [call, given.order]),
    [
      ["charge", "1"],
      ["charge", "1"],
      ["charge", "2"],
      ["refund", "1"],
    ],
  );
  assert.equal(one.made[3]?.context.undoes, keys[1]);
  assert.equal(new Set(keys).size, 4);
});

test("served: bullets/endpoint/same key waits: a second request gets the answer", async (t) => {
  const gate = held<unknown>();
  const one = await shop(
    t,
    { charge: () => gate.promise },
    { edit: (text) => text.replace("- Time-out: 600 ms", "- Time-out: 60 s") },
  );
  const headers = { "Idempotency-Key": "k1" };
  const first = one.post("/orders", BOOK, headers);
  await until(() => one.made.length === 1);
  const second = one.post("/orders", BOOK, headers);
  const other = await one.post("/orders", { ...BOOK, total: 13 }, headers);
  assert.equal(other.json.error, "key_used");
  gate.give({ word: "settled", reference: "r", fee: 0 });
  const [a, b] = await Promise.all([first, second]);
  assert.equal(a.status, 201);
  assert.equal(b.text, a.text);
  assert.equal(one.made.length, 1);
});

test("an element of a loop that is refused has its own call undone alone", async (t) => {
  const one = await shop(t);
  const got = await one.post("/batches", { items: ["a", "bad", "c"] });
  assert.equal(got.text, '{"done":2}');
  await until(() => one.names().includes("refund"));
  await new Promise((resolve) => setTimeout(resolve, 200));
  const refunds = one.made.filter(({ call }) => call === "refund");
  const bad = one.made.filter(({ call }) => call === "charge")[1];
  assert.deepEqual(
    refunds.map(({ context }) => context.undoes),
    [bad?.context.key],
  );
});

test("served: bullets/call/kind=pure: an endpoint that only reads may call", async (t) => {
  const one = await shop(t);
  const got = await one.get("/ratings/tea");
  assert.equal(got.text, '{"points":3}');
});

test("without code a request that calls is refused by name", async (t) => {
  const one = await shop(t, {}, { code: undefined });
  const got = await one.get("/ratings/tea");
  assert.equal(got.status, 501);
  assert.equal(got.json.call, "rate");
  assert.equal((await one.post("/flags", { name: "x" })).status, 204);
});

test("served: bullets/call/stand-in: one answers where that is asked for, or is a gap", async (t) => {
  const one = await shop(t, {}, { code: undefined, standIns: true });
  const got = await one.get("/ratings/tea");
  assert.equal(got.text, '{"points":-1}');
  const gap = await one.post("/orders", BOOK);
  assert.equal(gap.status, 501);
  assert.match(String((gap.json.gap as { sentence: string }).sentence), /Stand-in: not shown/);
});

test("code without a function for a call is not served", async (t) => {
  await assert.rejects(shop(t, {}, { code: { charge: () => null } }), /no function `refund`/);
});

test("served: bullets/call/kind=long, tables/transitions/on/call: made when committed, and fires", async (t) => {
  const gate = held<unknown>();
  const one = await shop(t, { send: () => gate.promise });
  const { json } = await one.post("/orders", BOOK);
  const got = await one.post(`/orders/${json.id}/parcel`);
  assert.equal(got.status, 202);
  assert.equal(got.json.state, "paid");
  await until(() => one.names().includes("send"));
  gate.give({ word: "sent", parcel: "p7" });
  await until(async () => (await one.get(`/orders/${json.id}`)).json.state === "shipped");
  assert.equal((await one.get(`/orders/${json.id}`)).json.parcel, "p7");
  assert.deepEqual(one.made.at(-1)?.given, { order: String(json.id), item: "book" });
});

test("a long call that has no answer yet is made again with its key", async (t) => {
  let count = 0;
  const one = await shop(t, { send: () => (count++ < 2 ? undefined : WELL.send?.({} as never)) });
  const { json } = await one.post("/orders", BOOK);
  await one.post(`/orders/${json.id}/parcel`);
  await until(async () => (await one.get(`/orders/${json.id}`)).json.state === "shipped");
  const keys = one.made.filter(({ call }) => call === "send").map(({ context }) => context.key);
  assert.equal(keys.length, 3);
  assert.equal(new Set(keys).size, 1);
});

test("served: steps/call[tail]: the step's own answer where none comes in time", async (t) => {
  const one = await shop(
    t,
    { charge: () => new Promise(() => {}) },
    {
      edit: (text) =>
        text.replace("`order.number` as `paid`.", "`order.number` as `paid`, else `closed`."),
    },
  );
  assert.equal((await one.post("/orders", BOOK)).json.error, "closed");
});

test("served: bullets/call/call always: an invariant over what is given and said", async (t) => {
  const one = await shop(t, { charge: () => ({ word: "declined" }) });
  assert.equal((await one.post("/orders", { ...BOOK, total: 5.01 })).status, 402);
  assert.equal((await one.post("/orders", { ...BOOK, total: 5 })).status, 500);
});

test("served: bullets/endpoint/same key while the first runs: the stated error", async (t) => {
  const gate = held<unknown>();
  const one = await shop(
    t,
    { charge: () => gate.promise },
    {
      edit: (text) =>
        text
          .replace("- Time-out: 600 ms", "- Time-out: 60 s")
          .replace("runs: waits for it", "runs: `taken`"),
    },
  );
  const headers = { "Idempotency-Key": "k1" };
  const first = one.post("/orders", BOOK, headers);
  await until(() => one.made.length === 1);
  assert.equal((await one.post("/orders", BOOK, headers)).json.error, "taken");
  gate.give({ word: "settled", reference: "r", fee: 0 });
  const { status, text } = await first;
  assert.equal(status, 201);
  assert.equal((await one.post("/orders", BOOK, headers)).text, text);
});

test("served: bullets/call/stand-in/none, bullets/call/undo/none, bullets/call/same key/none: a call without any of them", async (t) => {
  const none = (text: string): string =>
    text
      .replace("- Undo: `refund`", "- Undo: none")
      .replace("Same key: first answer again", "Same key: none")
      .replace("\nStand-in: not shown.\n", "")
      .replace("- Undo: none\n", "- Undo: none\n- Stand-in: none\n");
  const bare = await shop(t, {}, { edit: none, code: undefined, standIns: true });
  const got = await bare.post("/orders", BOOK);
  assert.equal(got.status, 501);
  assert.equal(got.json.call, "charge");
  const one = await shop(t, { charge: () => ({ word: "declined" }) }, { edit: none });
  assert.equal((await one.post("/orders", BOOK)).status, 402);
  await new Promise((resolve) => setTimeout(resolve, 100));
  assert.deepEqual(one.names(), ["charge"]);
});

test("an undo that is not shown is a gap for who is refused, and for nobody else", async (t) => {
  const one = await shop(
    t,
    {},
    { edit: (text) => text.replace("- Undo: `refund`", "- Undo: not shown") },
  );
  assert.equal((await one.post("/orders", BOOK)).status, 201);
  await one.post("/flags", { name: "closed" });
  const got = await one.post("/orders", BOOK);
  assert.equal(got.status, 501);
  assert.match(got.text, /Undo: not shown/);
  const batch = await one.post("/batches", { items: ["a", "bad"] });
  assert.match(batch.text, /Undo: not shown/);
});

test("stand-ins of long calls answer before the next request", async (t) => {
  const one = await shop(
    t,
    {},
    {
      code: undefined,
      standIns: true,
      edit: (text) =>
        text
          .replace("Stand-in: not shown.\n", "")
          .replace("- Undo: `refund`", "- Undo: `refund`\n- Stand-in: `settled`")
          .replace("- Stand-in: none", "- Stand-in: `done`"),
    },
  );
  const { json } = await one.post("/orders", BOOK);
  assert.equal(json.payment, null);
  await one.post(`/orders/${json.id}/parcel`);
  assert.equal((await one.get(`/orders/${json.id}`)).json.state, "lost");
});

test("a request whose time to answer is over while it waits has its call undone", async (t) => {
  const one = await shop(
    t,
    {
      charge: async () => {
        await new Promise((resolve) => setTimeout(resolve, 500));
        return { word: "settled", reference: "r", fee: 0 };
      },
    },
    {
      edit: (text) =>
        text
          .replace(
            "Rate limits, size limits, time-outs and quotas: none.",
            `Rate limits, size limits and quotas: none.

| Limit | Counts | Per | Amount | Window | When passed |
|---|---|---|---|---|---|
| \`answer\` | time to answer a request | request | 200 ms | none | \`taken\` |`,
          )
          .replace(
            "3. Check the idempotency key.",
            "3. Check the limits.\n4. Check the idempotency key.",
          ),
    },
  );
  const beginMs = performance.now();
  const got = await one.post("/orders", BOOK, { "Idempotency-Key": "k" });
  assert.equal(got.json.error, "taken");
  assert.ok(performance.now() - beginMs < 450);
  await until(() => one.names().includes("refund"));
  assert.deepEqual(one.names(), ["charge", "refund"]);
});

test("requests that wait for a call are counted once, and when they came", async (t) => {
  const gate = held<unknown>();
  const one = await shop(
    t,
    { charge: () => gate.promise },
    {
      edit: (text) =>
        text
          .replace("- Time-out: 600 ms", "- Time-out: 60 s")
          .replace(
            "Rate limits, size limits, time-outs and quotas: none.",
            `Size limits, time-outs and quotas: none.

- Sent with every answer: none

| Limit | Counts | Per | Amount | Window | When passed |
|---|---|---|---|---|---|
| \`pace\` | requests to \`POST /orders\` | everyone | 3 | 1 h, sliding | \`taken\` |`,
          )
          .replace(
            "3. Check the idempotency key.",
            "3. Check the limits.\n4. Check the idempotency key.",
          ),
    },
  );
  const waiting = [1, 2, 3].map(() => one.post("/orders", BOOK));
  await until(() => one.made.length === 3);
  assert.equal((await one.post("/orders", BOOK)).json.error, "taken");
  gate.give({ word: "settled", reference: "r", fee: 0 });
  const answers = await Promise.all(waiting);
  assert.deepEqual(
    answers.map(({ status }) => status),
    [201, 201, 201],
  );
  assert.equal((await one.post("/orders", BOOK)).json.error, "taken");
});

test("what is shaken is the same in every run of a request", async (t) => {
  const one = await shop(t, {}, { shake: "a" });
  const got = await one.post("/orders", BOOK);
  assert.equal(got.status, 201, got.text);
  assert.equal((await one.get(`/orders/${got.json.id}`)).status, 200);
});

test("a request that hashes a secret and calls does each once", async (t) => {
  const one = await shop(
    t,
    {},
    {
      edit: (text) =>
        text.replace(
          /\| `payment` +\| string or null +\|/,
          "| `pin` | secret or null | optional | no | no | " +
            "kept as Argon2id with 19456 KiB, 2 passes and 1 lanes; starts `null` |\n" +
            "| `payment` | string or null |",
        ),
    },
  );
  const got = await one.post("/orders", { ...BOOK, pin: "1234" }, { "Idempotency-Key": "k" });
  assert.equal(got.status, 201, got.text);
  const again = await one.post("/orders", { ...BOOK, pin: "1234" }, { "Idempotency-Key": "k" });
  assert.equal(again.text, got.text);
  assert.deepEqual(one.names(), ["charge"]);
});
