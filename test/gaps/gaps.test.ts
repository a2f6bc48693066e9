/** A fixed share of the gap campaign, and what it stands on. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { read } from "../../src/read/index.ts";
import { serve } from "../../src/serve/index.ts";
import { StepBytes } from "../histories/random.ts";
import { Talker } from "../histories/talk.ts";
import { cases, sampled } from "../whole.ts";
import { bursts } from "./bursts.ts";
import { clausesOf } from "./clauses.ts";
import { codedUntilWell } from "./coded.ts";
import { compare, playWhole } from "./compare.ts";
import { type Around, attempts, goodOf, streaming } from "./directed.ts";
import { edited } from "./edited.ts";
import { judge } from "./judge.ts";
import { hear, play, type Session } from "./play.ts";
import { unreachableWhy } from "./reach.ts";
import { settingsGiven } from "./service.ts";
import { checkedText, type Ready, readyOf } from "./static.ts";
import { type Subject, subjects } from "./subjects.ts";
import { trafficOf } from "./traffic.ts";

const SEED = 20_261_122;
const ALL = { at: 0, of: 1 };

function subject(name: string): Subject {
  const found = subjects().find((one) => one.name === name);
  assert.ok(found);
  return found;
}

function ready(of: Subject, edit: (text: string) => string = (text) => text): Ready {
  const made = readyOf(checkedText(edit(new TextDecoder().decode(of.bytes)), of), of);
  assert.ok(made);
  return made;
}

const request = (method: string, target: string, body = "") =>
  ({
    is: "request",
    request: { method, target, headers: [["Content-Type", "application/json"]], body },
  }) as const;

const SESSION: Session = {
  start: 1_774_745_000_000_000n,
  steps: [
    { seed: 1, ...request("POST", "/todos", '{"title":"tea"}') },
    { seed: 2, ...request("GET", "/todos") },
    { seed: 3, ...request("HEAD", "/todos") },
    { seed: 4, ...request("POST", "/todos", "{") },
    { seed: 5, ...request("DELETE", "/nowhere") },
  ],
};

test("clauses of small documents: none is filled, contagious or misnamed", async () => {
  for (const name of ["todo-backend", "payments"]) {
    const options = {
      seed: SEED,
      limit: cases(2, 40),
      serves: true,
      searches: false,
      slice: ALL,
      lines: undefined,
    };
    for await (const { clause, outcome, why } of judge(subject(name), options)) {
      const said = `${name}:${clause.line} ${clause.where}: ${why}`;
      assert.ok(outcome === "named" || outcome === "unseen", said);
    }
  }
});

/** Clauses that hang on others: where they stand, by document. */
const HANGING: Readonly<Record<string, readonly string[]>> = {
  // What a call is given; what names the rows that a list in a body names.
  payments: ["`deliver`, a call, Given `order`", "`Item`, many `items`, fixed, `code`, Rules"],
  // The challenge of every 401; a token that is issued where rows may be marked.
  "unseen/auth": ["`access`, a scheme, Sent in", "`Session`, many `sessions`, Kept"],
  // What names the rows that other rows refer to.
  "unseen/jobs": ["`Queue`, many `queues`, `name`, Rules"],
};

test("a gap is met by what hangs on it from afar", async () => {
  for (const [name, places] of sampled(Object.entries(HANGING), 3)) {
    const of = subject(name);
    const clauses = clausesOf(read(of.bytes).spec);
    const lines = places.map((place) => clauses.find(({ where }) => where === place)?.line);
    assert.ok(
      lines.every((line) => line !== undefined),
      name,
    );
    const options = {
      seed: SEED,
      limit: Number.POSITIVE_INFINITY,
      serves: true,
      searches: false,
      slice: ALL,
      lines: new Set(lines),
    };
    const seen = new Set<string>();
    for await (const { clause, outcome, why } of judge(of, options)) {
      if (!places.includes(clause.where)) continue;
      seen.add(clause.where);
      assert.equal(outcome, "named", `${name} ${clause.where}: ${why}`);
    }
    assert.equal(seen.size, places.length, name);
  }
});

test("a store that fails is answered by the row of faults, and messages are heard", async () => {
  const of = subject("todo");
  const [begun] = (await trafficOf(ready(of), of, SEED, 0)).slice(0, 1);
  assert.ok(begun);
  const made = begun.steps.find((one) => one.is === "request" && one.request.method === "POST");
  assert.ok(made?.is === "request");
  const fails: Session = { start: begun.start, steps: [{ ...made, fails: true }, made] };
  const { answers, beside } = await hear(ready(of), of, fails);
  assert.deepEqual([answers[0]?.status, answers[1]?.status], [500, 201]);
  assert.equal(beside.flatMap(({ notes }) => notes).length, 1);
});

test("what code says to a request hangs on it alone, and on no clock of the machine", async () => {
  const of = subject("unseen/payments");
  const charge = (seed: number, key: string, amount: number) => {
    const body = `{"amount":${amount},"currency":"usd","source":"tok_visa4242"}`;
    const made = request("POST", "/v1/charges", body);
    const fields = [
      ["Authorization", "Basic c2tfb25lOg=="],
      ["Idempotency-Key", key],
    ] as const;
    const headers = [...made.request.headers, ...fields];
    return { seed, ...made, request: { ...made.request, headers } };
  };
  const pairs = Array.from({ length: 12 }, (_, i) => {
    const first = { ...charge(2 * i, `at once ${i}`, 50 + i), waits: true } as const;
    return [first, charge(2 * i + 1, `at once ${i}`, 80 + i)];
  });
  const session: Session = { start: SESSION.start, steps: pairs.flat(), code: true };
  const whole = await hear(ready(of), of, session);
  const seconds = new Set(session.steps.flatMap((_, at) => (at % 2 === 1 ? [at] : [])));
  const alone = await hear(ready(of), of, session, { without: seconds });
  const statuses = new Set<number | undefined>();
  for (const at of session.steps.keys()) {
    const answer = whole.answers[at];
    if (seconds.has(at)) assert.equal(answer?.status, 400, answer?.body);
    else assert.equal(answer?.body, alone.answers[at]?.body);
    statuses.add(answer?.status);
  }
  // Taken, declined, no answer in time, and a fault.
  for (const status of [201, 402, 500, 502]) assert.ok(statuses.has(status), String(status));
});

test("a message that a gap keeps back is named by the log, behind the answer that is as before", async () => {
  const of = subject("unseen/payments");
  const asked = (seed: number, target: string, body: string) => {
    const made = request("POST", target, body);
    const key = ["Authorization", "Basic c2tfb25lOg=="] as const;
    const headers = [...made.request.headers, key];
    return { seed, ...made, request: { ...made.request, headers } };
  };
  const hook = '{"url":"https://a.example/x","enabledEvents":["customer.created"]}';
  const steps = [asked(1, "/v1/webhook_endpoints", hook), asked(2, "/v1/customers", "{}")];
  const session: Session = { start: SESSION.start, steps };
  const text = new TextDecoder().decode(of.bytes);
  const line = text.split("- Address:")[0]?.split("\n").length ?? 0;
  const [clause] = clausesOf(read(of.bytes).spec).filter(
    (one) => one.line === line && one.kind === "bullet",
  );
  assert.ok(clause);
  const gap = ready(of, () => clause.text);
  const hooked: Session = { ...session, steps: [...session.steps, ...attempts(gap.plan)] };
  const whole = await hear(ready(of), of, hooked);
  const { beside, answers } = await hear(gap, of, hooked);
  assert.deepEqual(
    answers.map((one) => one?.status),
    whole.answers.map((one) => one?.status),
  );
  const isSent = whole.beside.some(({ sent }) => sent.length > 0);
  const isNoted = beside.some(({ notes }) => notes.some((one) => one.includes(`:${line}:`)));
  assert.deepEqual([isSent, isNoted], [true, true]);
});

test("what a stream writes is the body of its answer, and others are answered meanwhile", async () => {
  const of = subject("unseen/booking");
  const made = ready(of);
  const sessions = await trafficOf(made, of, SEED, 0);
  const bodies: string[] = [];
  for (const session of sessions) {
    const open = await streaming(made, of, session);
    const { answers } = await hear(made, of, open);
    bodies.push(
      ...open.steps.flatMap((step, at) =>
        step.is === "request" && step.opens ? (answers[at]?.body ?? []) : [],
      ),
    );
  }
  assert.ok(bodies.some((body) => /^id: .+\nevent: .+\ndata: /.test(body)));
});

test("without sockets the service answers as it does on them", async (t) => {
  const of = subject("todo-backend");
  const made = ready(of);
  const bytes = new StepBytes();
  bytes.begin(1);
  const running = await serve(made.plan, {
    ...{ memory: true, random: bytes.draw, settings: settingsGiven(made.plan, of) },
    clock: { now: () => SESSION.start },
    origins: made.origins,
  });
  t.after(() => running.stop());
  const talker = new Talker(running.port);
  t.after(() => talker.close());
  const direct = await play(made, of, SESSION);
  for (const [at, step] of SESSION.steps.entries()) {
    if (step.is !== "request") continue;
    bytes.begin(step.seed);
    const { status, body } = await talker.ask(step.request);
    assert.deepEqual([direct[at]?.status, direct[at]?.body], [status, body], step.request.target);
  }
});

test("the judge sees an answer that is made up, one that is misnamed, and one that is right", async () => {
  const of = subject("todo-backend");
  const whole = [await playWhole(ready(of), of, SESSION)];
  const row = "starts false |";
  const edited = (to: string): Ready =>
    ready(of, (text) => {
      assert.ok(text.includes(row));
      return text.replace(row, to);
    });
  const line = new TextDecoder().decode(of.bytes).split(row)[0]?.split("\n").length ?? 0;
  const told = async (to: string, at: number): Promise<string> => {
    const lines = new Set([at]);
    return (await compare(edited(to), of, whole, { lines, isAssumed: false })).outcome;
  };
  assert.equal(await told(row, line), "unseen");
  assert.equal(await told("starts true |", line), "filled");
  assert.equal(await told("not shown |", line), "named");
  assert.equal(await told("not shown |", line + 1), "misnamed");
});

/** Why nothing can meet a gap, by the place of its clause; undefined: something may. */
const REASONS: readonly (readonly [name: string, where: string, why: string | undefined])[] = [
  ["unseen/stock", "`Reservation`, `stuck`, From", "nothing refuses what it follows"],
  ["unseen/jobs", "`Job`, `stuck`, To", "nothing refuses what it follows"],
  ["unseen/booking", "`Booking`, `lapse_alone`, From", undefined],
  ["bank", "`Transfer`, `miss`, From", undefined],
  ["unseen/stock", "`Movement`, many `movements`, Changed", "nothing changes rows of the resource"],
  [
    "unseen/jobs",
    "`Queue`, many `queues`, `name`, Rules, else",
    "it is made only where no row has the value",
  ],
  [
    "unseen/saas",
    "`Change`, Any other transition",
    "its transitions are fired where a condition says that they can be taken",
  ],
  ["unseen/auth", "`User`, Any other transition", undefined],
  [
    "unseen/chat",
    "Errors, `member_already`, Status",
    "nothing that can come about is answered with it",
  ],
  ["unseen/chat", "Errors, `taken`, Status", undefined],
];

test("reasons are read off the plan: what is refused, what is made once, what a condition holds", () => {
  for (const [name, where, why] of REASONS) {
    const of = subject(name);
    const clause = clausesOf(read(of.bytes).spec).find((one) => one.where === where);
    assert.ok(clause, `${name} ${where}`);
    const gap = ready(of, () => clause.text);
    assert.equal(unreachableWhy(gap.plan, clause), why, `${name} ${where}`);
  }
});

test("code is asked until each request of a block is well, and says the words of a long call", async () => {
  const of = subject("payments");
  const made = ready(of);
  const [block] = await trafficOf(made, of, SEED, 0);
  assert.ok(block);
  const coded = await codedUntilWell(made, of, block, 6);
  const { answers } = await hear(made, of, coded);
  const seen = new Set(answers.map((one) => /"status": ?"(\w+)"/.exec(one?.body ?? "")?.[1]));
  for (const state of ["paid", "sent", "arrived", "lost"]) assert.ok(seen.has(state), state);
});

/** What sessions made from the first block of a document end with. */
async function refusals(name: string, made: typeof edited | typeof again): Promise<Set<string>> {
  const of = subject(name);
  const whole = ready(of);
  const seen = new Set<string>();
  const around = { ready: whole, subject: of, tried: { seen, done: new Set<string>() } };
  const [block] = await trafficOf(whole, of, SEED, 0);
  assert.ok(block);
  for (const session of await made(around, block)) {
    const { answers } = await hear(whole, of, session);
    const isDue = (session.edit?.rows.length ?? 0) > 1;
    assert.ok(isDue || (answers.at(-1)?.status ?? 0) >= 400);
  }
  return new Set([...seen].map(decodeURIComponent));
}

async function again(around: Around, session: Session): Promise<Session[]> {
  return await bursts(around, session, await goodOf(around.ready, around.subject, session));
}

test("what is done again passes limits, and what rows may have had besides is refused", async () => {
  const passed = await refusals("unseen/auth", again);
  assert.ok(passed.has("limits/resets/when passed"), [...passed].join("; "));
  const refused = await refusals("todo", edited);
  assert.deepEqual([...refused], ["states/Todo/any other transition/else"]);
});
