/** A list whose order is free, beside times that are reckoned from the time of the request. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Answer, Request } from "../../src/verify/world/message.ts";
import { documentOf } from "./clauses/trial.ts";
import { edited, sessionOf } from "./edited.ts";

const TODO = documentOf("todo");
const MILLISECOND = 1_000n;
const BEGAN = 1_767_225_600_000n * MILLISECOND;
const EDITS = [
  ["| `due` | date or null |", "| `due` | timestamp or null |"],
  [
    "## States and transitions",
    "### `All`, a shape\n\n- Given `todos`: list of `Todo`\n- Given `until`: timestamp\n\n| Field | Type | Value |\n|---|---|---|\n| `until` | timestamp | `until` |\n| `todos` | list of `Todo` | `todos` |\n\n## States and transitions",
  ],
  [
    "1. Fire `finish` on `todo`.\n2. Respond 200 with `todo`.",
    "1. Fire `finish` on `todo`.\n2. Let `todos` be every `Todo`.\n3. Respond 200 with `All` where `todos` and `until` = `now + minutes(30)`.",
  ],
] as const;
const text = edited(TODO.text, EDITS);

/** How an answer is judged: so much later than thought, its list turned about, a time so far off. */
function judged(later: bigint, isTurned: boolean, off = 0n): string {
  const session = sessionOf(TODO, text, BEGAN);
  const { judge } = session;
  const headers = [["Content-Type", "application/json"]] as const;
  for (const name of ["first", "second", "third"]) {
    const body = JSON.stringify({ title: `v${name}` });
    const request: Request = { method: "POST", target: "/todos", headers, body };
    const { response } = judge.foresee(request, BEGAN).outcome;
    const real = (one: string): string => one.replaceAll(/q7zx\d+xz7q/g, name);
    const answer: Answer = {
      ...{ status: response.status, sent: BEGAN, received: BEGAN },
      headers: response.headers.map(([field, value]) => [field, real(value)]),
      body: real(response.body ?? ""),
    };
    assert.equal(session.judged(request, answer).is, "as stated");
  }
  const request: Request = { method: "POST", target: "/todos/todo_first/finish", headers: [] };
  const at = BEGAN + 1_000n * MILLISECOND;
  const { response } = judge.foresee(request, at + later).outcome;
  const body = JSON.parse(response.body ?? "");
  if (isTurned) body.todos.reverse();
  const until = new Date(body.until).getTime() + Number(off);
  body.until = new Date(until).toISOString();
  const answer: Answer = {
    ...{ status: response.status, headers: response.headers, body: JSON.stringify(body) },
    ...{ sent: at - 20n * MILLISECOND, received: at + 20n * MILLISECOND },
  };
  return session.judged(request, answer).is;
}

for (const later of [0n, -12n, 9n]) {
  for (const isTurned of [false, true]) {
    const how = `${later} ms later, its list ${isTurned ? "turned about" : "as it was"}`;
    test(`as stated: ${how}`, () => {
      assert.equal(judged(later * MILLISECOND, isTurned), "as stated");
    });
    test(`broken: ${how}, and a time that fits no other`, () => {
      assert.equal(judged(later * MILLISECOND, isTurned, 1_000n), "broken");
    });
  }
}

const MADE = edited(TODO.text, [
  [
    "## States and transitions",
    "### `All`, a shape\n\n- Given `todos`: list of `Todo`\n\n| Field | Type | Value |\n|---|---|---|\n| `todos` | list of `Todo` | `todos` |\n\n## States and transitions",
  ],
  ["- Timestamps: in milliseconds", "- Timestamps: in seconds"],
  [
    "2. Respond 201 with `todo`",
    "2. Let `todos` be every `Todo`.\n3. Respond 201 with `All` where `todos`",
  ],
]);

/** Three are made, seconds apart; each answer shows all, the last turned about. */
function judgedAll(apart: bigint, off = 0): string {
  const session = sessionOf(TODO, MADE, BEGAN);
  const { judge } = session;
  const headers = [["Content-Type", "application/json"]] as const;
  let last = "";
  for (const [i, name] of ["first", "second", "third"].entries()) {
    const at = BEGAN + BigInt(i) * apart;
    const body = JSON.stringify({ title: `v${name}` });
    const request: Request = { method: "POST", target: "/todos", headers, body };
    const { response } = judge.foresee(request, at).outcome;
    const shown = JSON.parse((response.body ?? "").replaceAll(/q7zx\d+xz7q/g, name));
    if (i === 2) {
      shown.todos.reverse();
      const [{ createdAt }] = shown.todos;
      const moved = new Date(new Date(createdAt).getTime() + off * 1_000);
      shown.todos[0].createdAt = moved.toISOString().replace(".000", "");
    }
    const answer: Answer = {
      ...{ status: response.status, body: JSON.stringify(shown) },
      headers: response.headers.map(([field, value]) => [
        field,
        value.replaceAll(/q7zx\d+xz7q/g, name),
      ]),
      ...{ sent: at - 5n * MILLISECOND, received: at + 5n * MILLISECOND },
    };
    last = session.judged(request, answer).is;
  }
  return last;
}

for (const seconds of [1, 4, 20]) {
  test(`a row that was made now, in a list with others of ${seconds} s ago, turned about`, () => {
    assert.equal(judgedAll(BigInt(seconds) * 1_000_000n), "as stated");
    assert.equal(judgedAll(BigInt(seconds) * 1_000_000n, 900), "broken");
  });
}

const SORTED = edited(TODO.text, [[" ascending, then `it.id` ascending", " ascending"]]);

/** Three are made, so many microseconds apart; a list of them by that time, in that order. */
function judgedSorted(apart: bigint, order: readonly number[]): string {
  const session = sessionOf(TODO, SORTED, BEGAN);
  const { judge } = session;
  const judged = (request: Request, name: string, at: bigint, turn: (body: string) => string) => {
    const { response } = judge.foresee(request, at).outcome;
    const real = (one: string): string => one.replaceAll(/q7zx\d+xz7q/g, name);
    const answer: Answer = {
      ...{ status: response.status, sent: at - 100n, received: at + 100n },
      headers: response.headers.map(([field, value]) => [field, real(value)]),
      body: turn(real(response.body ?? "")),
    };
    return session.judged(request, answer).is;
  };
  const headers = [["Content-Type", "application/json"]] as const;
  for (const [i, name] of ["first", "second", "third"].entries()) {
    const body = JSON.stringify({ title: `v${name}` });
    const request: Request = { method: "POST", target: "/todos", headers, body };
    const at = BEGAN + BigInt(i) * apart;
    assert.equal(
      judged(request, name, at, (one) => one),
      "as stated",
    );
  }
  const request: Request = { method: "GET", target: "/todos", headers: [] };
  return judged(request, "", BEGAN + 1_000_000n, (body) => {
    const all = JSON.parse(body);
    return JSON.stringify(order.map((at) => all[at]));
  });
}

for (const order of [
  [0, 1, 2],
  [0, 2, 1],
  [1, 0, 2],
  [1, 2, 0],
  [2, 0, 1],
  [2, 1, 0],
]) {
  test(`rows of one millisecond by their time, in the order ${order}`, () => {
    assert.equal(judgedSorted(1n, order), "as stated");
  });
  test(`rows of different milliseconds by their time, in the order ${order}`, () => {
    const isSorted = order.join() === "0,1,2";
    assert.equal(judgedSorted(2_000n, order), isSorted ? "as stated" : "broken");
  });
}
