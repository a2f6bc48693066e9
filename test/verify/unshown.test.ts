/** Times of rows that no answer shows, compared with a time that a request gives. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Answer, Request } from "../../src/verify/world/message.ts";
import { documentOf } from "./clauses/trial.ts";
import { edited, sessionOf } from "./edited.ts";

const TODO = documentOf("todo");
const MILLISECOND = 1_000n;
const BEGAN = 1_767_225_600_000n * MILLISECOND;
const NAMES = ["first", "second", "third"];
const SINCE = edited(TODO.text, [
  [
    "| `limit` | query | integer | no | 1 to 100; absent means 20 |",
    "| `since` | query | timestamp | no | none |\n| `limit` | query | integer | no | 1 to 100; absent means 20 |",
  ],
  [
    "where `status` is `query.status`, if given.",
    "where all of:\n   - `status` is `query.status`, if given\n   - `it.createdAt >= query.since`, if given",
  ],
]);
const [field = ""] = /^\| `createdAt` .*$/m.exec(SINCE) ?? [];
const HIDDEN = SINCE.replace(field, field.replace("| yes |", "| no |"));

/** Three are made, so many microseconds apart; the list is asked for from a millisecond on. */
function listing(text: string, apart = 2n * MILLISECOND, from = 2n) {
  const session = sessionOf(TODO, text, BEGAN);
  const { judge } = session;
  const judged = (
    request: Request,
    at: bigint,
    turn: (text: string, isBody: boolean) => string,
  ): string => {
    const { response } = judge.foresee(request, at).outcome;
    const answer: Answer = {
      ...{
        status: response.status,
        sent: at - 30n * MILLISECOND,
        received: at + 30n * MILLISECOND,
      },
      headers: response.headers.map(([name, value]) => [name, turn(value, false)]),
      body: turn(response.body ?? "", true),
    };
    return session.judged(request, answer).is;
  };
  const headers = [["Content-Type", "application/json"]] as const;
  for (const [i, name] of NAMES.entries()) {
    const body = JSON.stringify({ title: `v${name}` });
    const request: Request = { method: "POST", target: "/todos", headers, body };
    const at = BEGAN + BigInt(i) * apart;
    const real = (one: string): string => one.replaceAll(/q7zx\d+xz7q/g, name);
    assert.equal(judged(request, at, real), "as stated");
  }
  let all = "";
  const later = BEGAN + 1_000n * MILLISECOND;
  const list = { method: "GET", target: "/todos", headers: [] };
  assert.equal(
    judged(list, later, (text, isBody) => (isBody ? (all = text) : text)),
    "as stated",
  );
  const since = new Date(Number((BEGAN + from * MILLISECOND) / 1_000n)).toISOString();
  const target = `/todos?since=${encodeURIComponent(since)}`;
  /** How a list from that time on is judged that shows these. */
  return (shown: readonly number[]): string =>
    judged({ ...list, target }, later, (text, isBody) =>
      isBody ? JSON.stringify(shown.map((i) => JSON.parse(all)[i])) : text,
    );
}

for (const shown of [[], [2], [1, 2]]) {
  test(`any of the last ones may be behind the time: ${shown}`, () => {
    const listed = listing(HIDDEN);
    assert.equal(listed(shown), "as stated");
    assert.equal(listed(shown), "as stated");
  });
}

for (const shown of [[0, 1, 2], [1, 2], [2], []]) {
  test(`they stay in their order, however close they are: ${shown}`, () => {
    assert.equal(listing(HIDDEN, 600n, 1n)(shown), "as stated");
  });
}

for (const shown of [[1], [0], [0, 1], [0, 2]]) {
  test(`not one that was made before another: ${shown}`, () => {
    assert.equal(listing(HIDDEN)(shown), "broken");
  });
}

for (const shown of [[], [1], [2], [1, 2]]) {
  test(`of times that answers show it is known which are behind it: ${shown}`, () => {
    assert.equal(listing(SINCE)(shown), shown.length === 2 ? "as stated" : "broken");
  });
}
