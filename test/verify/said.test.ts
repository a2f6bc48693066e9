/** What code behind a call says is free among its words: each of them is allowed, and no other. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type ServeOptions, serve } from "../../src/serve/index.ts";
import { Random } from "../../src/verify/generate/random.ts";
import { type Verified, verify } from "../../src/verify/index.ts";
import { compiled, documentOf, tagOf } from "./clauses/trial.ts";
import { edited } from "./edited.ts";

const PAYMENTS = documentOf("payments");

type Code = NonNullable<Exclude<ServeOptions["code"], string>>;

/** Code that says one of its words as it likes. */
function codeOf(seed: number): Code {
  const random = new Random(seed);
  let count = 0;
  return {
    judge: () => ({ word: random.pick(["fine", "fine", "risky"]) }),
    charge: () => {
      if (random.chance(0.3)) return { word: "declined" };
      return { word: "settled", reference: `bank ${++count}` };
    },
    refund: () => ({ word: "done" }),
    deliver: () => ({ word: "lost" }),
  };
}

/** Verifies a service by one text by another, its code saying what it likes. */
async function verified(
  served: string,
  judged: string,
  seed: number,
  { code = codeOf(seed), requestsMax = 90 } = {},
): Promise<Verified> {
  const [serving, judging] = [compiled(served), compiled(judged)];
  assert.ok(serving !== undefined && judging !== undefined, "a document has errors");
  const running = await serve(serving.plan, { memory: true, inline: true, code });
  try {
    return await verify(judging.plan, new URL(running.address), {
      ...{ seed, tag: tagOf(seed), requestsMax, secondsMax: 15, shrinkMax: 0, breaksMax: 1 },
      occurring: judging.occurring,
    });
  } finally {
    await running.stop();
  }
}

const statuses = ({ session }: Verified, target: RegExp): ReadonlySet<number> =>
  new Set(
    session.exchanges.flatMap(({ request, answer, judgement }) =>
      judgement.is === "as stated" && target.test(request.target) ? [answer.status] : [],
    ),
  );

test("any word may be said, and what follows is known", async () => {
  const found = await verified(PAYMENTS.text, PAYMENTS.text, 2);
  assert.deepEqual(found.session.breaks, []);
  const { verdicts } = found.session;
  for (const error of ["too_risky", "declined"]) {
    assert.equal(verdicts.of(`errors/${error}`).verdict, "held", error);
  }
  assert.ok(statuses(found, /^\/orders$/).has(201));
  assert.ok(statuses(found, /cancellation$/).has(200));
});

/** Nothing is said later, so that all is known. */
const SOON: readonly (readonly [string, string])[] = [
  ["`sent`, `arrived` (final), `lost` (final), ", "`sent` (final), "],
  [" call `deliver` with `order` = `it` and `item` = `it.item.code` |", " none |"],
  [/\| `arrive` .*\n\| `lose` .*\n/.exec(PAYMENTS.text)?.[0] ?? "", ""],
  [/### `deliver`, a call[\s\S]*?(?=\n## )/.exec(PAYMENTS.text)?.[0] ?? "", ""],
];
const SOON_TEXT = edited(PAYMENTS.text.replace(/```http[\s\S]*?```\n/g, ""), SOON);
const DECLINED = '5. Require `paid.word == "settled"`, else `declined`.\n';
const REST: readonly (readonly [string, string])[] = [
  ["6. Set", "5. Set"],
  ["7. Fire `pay`", "6. Fire `pay`"],
  ["8. Respond 201", "7. Respond 201"],
];

test("found: it is paid though the bank said no", async () => {
  const served = edited(SOON_TEXT, [[DECLINED, ""], ...REST]);
  const { session } = await verified(served, SOON_TEXT, 1);
  assert.ok(session.breaks.length > 0, `${session.requests} requests`);
});

/** Whether it is paid stands in no answer to the order. */
const HIDDEN: readonly (readonly [string, string])[] = [
  [DECLINED, ""],
  ["6. Set", "5. Set"],
  ["7. Fire `pay` on `order`.", '6. When `paid.word == "settled"`, fire `pay` on `order`.'],
  ["8. Respond 201 with `order`, header", "7. Respond 201 with no body, header"],
];

test("where no answer shows what was said, what follows may be either", async () => {
  const text = edited(SOON_TEXT, HIDDEN);
  for (const seed of [1, 2]) {
    const { session } = await verified(text, text, seed);
    assert.deepEqual(session.breaks, []);
    const made = session.exchanges.filter(
      ({ request, answer }) => request.target === "/orders" && answer.status === 201,
    );
    assert.ok(made.length > 0 && made.every(({ judgement }) => judgement.is === "unstated"));
  }
});

test("where the time-out is not shown, nothing may be said in time as well", async () => {
  // No other call is answered so when it is late.
  const otherwise = "- No answer in time: `unavailable`\n- Undo: `refund`";
  const declined = otherwise.replace("unavailable", "declined");
  const text = (timeOut: string): string =>
    edited(SOON_TEXT, [
      ["- Time-out: 2 s", `- Time-out: ${timeOut}`],
      [otherwise, declined],
    ]);
  const code = { ...codeOf(1), judge: () => new Promise<never>(() => {}) };
  const found = await verified(text("300 ms"), text("not shown"), 1, {
    code,
    requestsMax: 20,
  });
  assert.deepEqual(found.session.breaks, []);
  const late = found.session.exchanges.filter(({ answer }) => answer.status === 503);
  assert.ok(late.length > 0, `${found.session.requests} requests`);
});
