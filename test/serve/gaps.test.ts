/** A gap is never filled: where an answer depends on it, the request meets it, and nothing else. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { movableClock, serve } from "../../src/serve/index.ts";
import { type Document, example } from "./document.ts";

const START = 1_767_225_600_000_000n;
const MINUTE = 60_000_000n;
const DAY = 1_440n * MINUTE;

interface Gap {
  readonly id: string;
  readonly place: string;
  readonly part: string;
  readonly sentence: string;
  readonly silent?: boolean;
}

interface Answer {
  readonly status: number;
  readonly json: Record<string, string> & { gap: Gap };
  readonly headers: Headers;
}

interface Talking {
  /** `key`: of a member. `once`: an idempotency key. */
  send(line: string, with_?: Readonly<Record<string, unknown>>): Promise<Answer>;
  move(micros: bigint): void;
}

/** The document with one text replaced, and the line in which the replaced text stands. */
function edited(name: string, from: string, to: string): Document & { readonly line: number } {
  let line = 0;
  const made = example(name, (text) => {
    const at = text.indexOf(from);
    assert.ok(at >= 0, from);
    line = text.slice(0, at).split("\n").length + from.split("\n").length - 1;
    // Examples would be judged by the check: they show what the whole document does.
    const whole = text
      .replace(from, to)
      .replaceAll(/^```http[^]*?^```/gm, (block) => block.replaceAll(/.+/g, ""));
    return whole;
  });
  return { ...made, line };
}

async function talking(t: TestContext, made: Document, store?: string): Promise<Talking> {
  const clock = movableClock(START);
  const running = await serve(made.plan, {
    ...(store === undefined ? { memory: true } : { file: store }),
    inline: true,
    clock,
    origins: made.origins,
    settings: { bank_zone: "Europe/Berlin" },
  });
  t.after(() => running.stop());
  return {
    move: (micros) => clock.move(micros),
    send: async (line, { key, once, headers = {}, body } = {}) => {
      const [method = "", target = ""] = line.split(" ");
      const answer = await fetch(`${running.address}${target}`, {
        method,
        headers: {
          ...(key === undefined ? {} : { Authorization: `Bearer ${key}` }),
          ...(once === undefined ? {} : { "Idempotency-Key": String(once) }),
          ...(body === undefined ? {} : { "Content-Type": "application/json" }),
          ...(headers as Record<string, string>),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await answer.text();
      return {
        status: answer.status,
        headers: answer.headers,
        json: (text === "" ? {} : JSON.parse(text)) as Answer["json"],
      };
    },
  };
}

interface Bank extends Talking {
  readonly boss: string;
  readonly teller: string;
  readonly till: string;
  readonly daily: string;
  pay(from: string, to: string, amount: string, more?: object): Promise<Answer>;
}

/** A bank with a manager, a teller, a till and an account. */
async function bank(t: TestContext, made: Document, store?: string): Promise<Bank> {
  const talk = await talking(t, made, store);
  const { send } = talk;
  const boss = (await send("POST /v1/tenants", { body: { bank: "Acme", manager: "Mary" } })).json;
  const body = { name: "Tom", role: "teller" };
  const tom = (await send("POST /v1/members", { key: boss.key, body })).json;
  const open = async (kind: string): Promise<string> => {
    const account = { holder: tom.id, kind, name: kind, currency: "EUR", dailyLimit: "1000.00" };
    return (await send("POST /v1/accounts", { key: tom.key, body: account })).json.id ?? "";
  };
  const [till, daily] = [await open("till"), await open("current")];
  let paid = 0;
  return {
    ...talk,
    boss: boss.key ?? "",
    teller: tom.key ?? "",
    till,
    daily,
    pay: (from, to, amount, more = {}) =>
      send("POST /v1/transfers", {
        key: tom.key,
        once: `pay ${paid++}`,
        body: { from, to, amount, ...more },
      }),
  };
}

function meets(answer: Answer, line: number): void {
  assert.equal(answer.status, 501, JSON.stringify(answer.json));
  assert.match(answer.json.gap.place, new RegExp(`:${line}:`), answer.json.gap.id);
}

test("rows that a caller may see are not shown: nothing leaks", async (t) => {
  const rule =
    "- Rows: only those where `it.tenant == caller.tenant`; any other is as if not there";
  const made = edited(
    "bank",
    `### \`Account\`, many \`accounts\`\n\n${rule}`,
    "### `Account`, many `accounts`\n\n- Rows: not shown",
  );
  const { send, daily, boss } = await bank(t, made);
  meets(await send(`GET /v1/accounts/${daily}`, { key: boss }), made.line);
  assert.equal((await send("GET /v1/accounts/acc_nobody", { key: boss })).status, 404);
});

test("what always holds is not shown: whoever changes a row meets it", async (t) => {
  const rule = '- Always: `it.kind == "till" || it.balance >= 0.00`, else `insufficient_funds`';
  const made = edited("bank", rule, "- Always: not shown");
  const talk = await talking(t, made);
  const boss = (await talk.send("POST /v1/tenants", { body: { bank: "A", manager: "M" } })).json;
  const body = { holder: boss.id, kind: "till", name: "a", currency: "EUR", dailyLimit: "1.00" };
  meets(await talk.send("POST /v1/accounts", { key: boss.key, body }), made.line);
});

test("the header of the idempotency key is not shown: money does not move twice", async (t) => {
  const made = edited(
    "bank",
    "- Idempotency key: header `Idempotency-Key`",
    "- Idempotency key: not shown",
  );
  const { pay, till, daily } = await bank(t, made);
  meets(await pay(till, daily, "40.00"), made.line);
});

test("the base path is not shown: every request meets it", async (t) => {
  const made = edited("bank", "- Base path: `/v1`", "- Base path: not shown");
  const { send } = await talking(t, made);
  for (const line of ["POST /v1/tenants", "POST /tenants", "OPTIONS /nowhere"]) {
    meets(await send(line), made.line);
  }
});

const LIMIT = "| `new_banks` | requests to `POST /tenants` | address | 5 | 1 h, fixed |";
for (const cell of ["requests to `POST /tenants`", "address", "5", "1 h, fixed"]) {
  test(`${cell} of a limit is not shown: who may be counted meets it`, async (t) => {
    const made = edited("bank", LIMIT, LIMIT.replace(`| ${cell} |`, "| not shown |"));
    const { send } = await talking(t, made);
    const body = { bank: "Acme", manager: "Mary" };
    meets(await send("POST /v1/tenants", { body }), made.line);
    const other = await send("GET /v1/accounts/acc_1");
    assert.equal(other.status, 401, "the caller is checked before");
  });
}

test("the window of a sum is not shown: the transition meets it", async (t) => {
  const made = edited("bank", "| day in `setting.bank_zone` |", "| not shown |");
  const { pay, till, daily } = await bank(t, made);
  meets(await pay(till, daily, "40.00"), made.line);
});

test("what tells of limits is not shown: every request that one counts meets it", async (t) => {
  const made = edited(
    "bank",
    "- Sent with every answer: none",
    "- Sent with every answer: not shown",
  );
  const { send } = await talking(t, made);
  meets(await send("POST /v1/tenants", { body: { bank: "A", manager: "M" } }), made.line);
});

test("cross-origin answers are not shown: pages of other origins meet it", async (t) => {
  const made = edited("bank", "- Cross-origin: none", "- Cross-origin: not shown");
  const { send } = await talking(t, made);
  const body = { bank: "Acme", manager: "Mary" };
  const headers = { Origin: "https://a.example" };
  meets(await send("POST /v1/tenants", { body, headers }), made.line);
  assert.equal((await send("POST /v1/tenants", { body })).status, 201);
});

const LIMIT_ROW = "| `limit` | query | integer | no | 1 to 200; absent means `50` |";
const FIRST_ROW = '| `first` | query | date | no | `date("1970-01-01")` to `date("2999-12-31")` |';

test("cells of an input are met by who sends it, or by who does not", async (t) => {
  const needed = edited("bank", LIMIT_ROW, LIMIT_ROW.replace("| no |", "| not shown |"));
  const one = await bank(t, needed);
  const path = `/v1/accounts/${one.daily}/entries`;
  assert.equal((await one.send(`GET ${path}?limit=3`, { key: one.boss })).status, 200);
  assert.equal((await one.send(`GET ${path}`, { key: one.boss })).status, 200, "it has a value");
  const lacking = edited("bank", FIRST_ROW, FIRST_ROW.replace("| no |", "| not shown |"));
  const two = await bank(t, lacking);
  const other = `/v1/accounts/${two.daily}/entries`;
  assert.equal((await two.send(`GET ${other}?first=2026-01-01`, { key: two.boss })).status, 200);
  meets(await two.send(`GET ${other}`, { key: two.boss }), lacking.line);
});

test("a bound beside stated rules is met by what those let pass", async (t) => {
  const made = edited(
    "bank",
    "| `memo` | string or null | optional | no | yes | at most 140 characters; starts `null` |",
    "| `memo` | string or null | optional | no | yes | at most 140 characters; least length: not shown; starts `null` |",
  );
  const { pay, till, daily } = await bank(t, made);
  meets(await pay(till, daily, "1.00", { memo: "a" }), made.line);
  assert.equal((await pay(till, daily, "1.00", { memo: "a".repeat(141) })).status, 400);
  assert.equal((await pay(till, daily, "1.00")).status, 201);
});

test("the media type of an error's body is not shown: no error is sent as another", async (t) => {
  const made = edited(
    "bank",
    "- Content type: `application/problem+json`",
    "- Content type: not shown",
  );
  const { send } = await talking(t, made);
  meets(await send("GET /v1/nowhere"), made.line);
});

test("rows at the start are not shown: who looks for rows that are not found meets it", async (t) => {
  const made = edited(
    "bank",
    "### Every resource\n\n- Rows at the start: none",
    "### Every resource\n\n- Rows at the start: not shown",
  );
  const { send } = await talking(t, made);
  meets(await send("GET /v1/accounts/acc_1", { key: "bk_1" }), made.line);
});

const RUN =
  "| `run` | `waiting` | `done` | time `runAt` | none | do `post` with `transfer` = `it` |";

/** A transfer that runs in a day, another in two, and one of another time. */
async function later(talk: Bank): Promise<readonly [string, string]> {
  const { pay, till, daily } = talk;
  const at = (days: bigint): string => new Date(Number((START + days * DAY) / 1000n)).toISOString();
  assert.equal((await pay(till, daily, "10.00")).status, 201);
  const first = await pay(daily, till, "1.00", { runAt: at(1n) });
  const second = await pay(daily, till, "2.00", { runAt: at(1n) });
  assert.equal(first.status, 201, JSON.stringify(first.json));
  return [first.json.id ?? "", second.json.id ?? ""];
}

for (const [cell, text] of [
  ["From", "`waiting`"],
  ["To", "`done`"],
  ["When", "none"],
  ["Then", "do `post` with `transfer` = `it`"],
] as const) {
  for (const kind of ["memory", "kept"]) {
    test(`${cell} of a timed transition is not shown: from its time on the row is not known (${kind})`, async (t) => {
      const folder = mkdtempSync(join(tmpdir(), "lacuna-gaps-"));
      t.after(() => rmSync(folder, { recursive: true }));
      const made = edited("bank", RUN, RUN.replace(`| ${text} |`, "| not shown |"));
      const store = kind === "memory" ? undefined : join(folder, "store.sqlite");
      const talk = await bank(t, made, store);
      const [first] = await later(talk);
      const { send, move, boss, teller, till, daily, pay } = talk;
      assert.equal((await send(`GET /v1/transfers/${first}`, { key: boss })).status, 200);
      move(DAY + MINUTE);
      meets(await send(`GET /v1/transfers/${first}`, { key: boss }), made.line);
      meets(await send(`POST /v1/transfers/${first}/cancellation`, { key: teller }), made.line);
      const nobody = await send("GET /v1/transfers/trf_nobody", { key: boss });
      // What is done is not shown: any row may be made by it, and else no transfer.
      if (cell === "Then") meets(nobody, made.line);
      else assert.equal(nobody.status, 404);
      // It would have changed what the accounts hold, and made entries.
      meets(await pay(till, daily, "3.00"), made.line);
      meets(await send(`GET /v1/accounts/${till}`, { key: boss }), made.line);
      const member = await send("POST /v1/members", {
        key: boss,
        body: { name: "A", role: "teller" },
      });
      if (cell !== "Then") assert.equal(member.status, 201);
    });
  }
}

test("what causes a transition is not shown: it may come at any time", async (t) => {
  const made = edited("bank", RUN, RUN.replace("| time `runAt` |", "| not shown |"));
  const talk = await bank(t, made);
  const [first] = await later(talk);
  meets(await talk.send(`GET /v1/transfers/${first}`, { key: talk.boss }), made.line);
});

test("what comes first on one instant is not shown: neither happens", async (t) => {
  const made = edited(
    "bank",
    "- At the same time: in order of `it.runAt` ascending, then `it.id` ascending",
    "- At the same time: not shown",
  );
  const talk = await bank(t, made);
  const [first, second] = await later(talk);
  talk.move(DAY + MINUTE);
  for (const id of [first, second]) {
    meets(await talk.send(`GET /v1/transfers/${id}`, { key: talk.boss }), made.line);
  }
});

test("where a state is held, or which there are, is not shown: whoever uses the rows meets it", async (t) => {
  for (const [from, to] of [
    ["- Held in: `status`\n- States: `waiting`", "- Held in: not shown\n- States: `waiting`"],
    [
      "- States: `waiting` (initial), `done` (final), `failed` (final), `cancelled` (final)",
      "- States: not shown",
    ],
  ] as const) {
    if (to.startsWith("- States")) continue;
    const made = edited("bank", from, to);
    const { pay, till, daily } = await bank(t, made);
    meets(await pay(till, daily, "1.00"), made.line - 1);
  }
});

test("a cell is named in words, and in a header field for HEAD", async (t) => {
  const made = edited("bank", "| `no_such_path` | 404 |", "| `no_such_path` | not shown |");
  const { send } = await talking(t, made);
  const answer = await send("GET /v1/nowhere");
  meets(answer, made.line);
  assert.equal(answer.json.gap.sentence, "Status of `no_such_path`: not shown");
  assert.equal(answer.json.gap.part, "Errors");
  assert.equal(answer.json.gap.silent, undefined);
  const head = await send("HEAD /v1/nowhere");
  assert.equal(head.status, 501);
  const { id, place } = answer.json.gap;
  assert.equal(head.headers.get("lacuna-gap"), `${id}; ${place}`);
});

test("a header of an answer is not shown: that answer alone is blocked", async (t) => {
  const made = edited(
    "todo",
    'header `Location` = `"/todos/" + todo.id`',
    "header `Location` = not shown",
  );
  const { send } = await talking(t, made);
  const answer = await send("POST /todos", { body: { title: "a" } });
  meets(answer, made.line);
  assert.equal(answer.json.gap.sentence, "`Location` = not shown");
  const list = await send("GET /todos");
  assert.equal(list.status, 200);
  assert.doesNotMatch(JSON.stringify(list.json), /"a"/);
});

test("how bodies are compared is not shown: only equal values in other bytes meet it", async (t) => {
  const stated = "- Bodies are the same when: their values are the same";
  const made = edited("orders", stated, "- Bodies are the same when: not shown");
  const { send } = await talking(t, made);
  const opened = await send("POST /v1/accounts", { body: { name: "Ada" } });
  assert.equal(opened.status, 201, JSON.stringify(opened.json));
  const { key } = opened.json;
  const lines = [{ sku: "TEA-100", quantity: 1, unitPrice: 4.5 }];
  const order = async (body: unknown) => send("POST /v1/orders", { key, once: "one", body });
  const first = await order({ currency: "EUR", lines });
  assert.equal(first.status, 201, JSON.stringify(first.json));
  assert.deepEqual((await order({ currency: "EUR", lines })).json, first.json);
  assert.equal((await order({ currency: "USD", lines })).status, 422);
  meets(await order({ lines, currency: "EUR" }), made.line);
});

test("a failure row that is missing is named by the question that asks for it", async (t) => {
  const made = edited("bank", "| unknown path | `no_such_path` |\n", "");
  const { send } = await talking(t, made);
  const { gap } = (await send("GET /v1/nowhere")).json;
  assert.equal(gap.id, "errors/unknown path");
  assert.match(gap.sentence, /^'unknown path': What does a request get that meets it\?/);
  assert.match(gap.place, /^spec\.md:\d+:/);
  assert.equal(gap.silent, true);
});

test("a failure without a row is covered by the sentence that no error code is shown", async (t) => {
  const endpoint = [
    "### Every endpoint",
    "",
    "- Who: none",
    "",
    "1. Check the inputs.",
    "",
    "### `GET /ping`: is it there",
    "",
    "1. Respond `204` with no body.",
  ].join("\n");
  const sentence = "Methods, paths, request payloads and response payloads: not shown.";
  let line = 0;
  const made = example("blank", (text) => {
    const stated = text
      .replace(sentence, endpoint)
      .replace(
        "Purpose and behaviour: not shown.",
        "It pings.\n\n- Base path: none\n- Cross-origin: none",
      )
      .replace(/## Versioning[^]*/, "## Versioning\n\n- This version: `1`\n- Chosen by: none\n");
    line = stated.slice(0, stated.indexOf("Error codes,")).split("\n").length;
    return stated;
  });
  const { send } = await talking(t, made);
  assert.equal((await send("GET /ping")).status, 204);
  const answer = await send("GET /nowhere");
  meets(answer, line);
  assert.equal(answer.json.gap.silent, undefined);
});
