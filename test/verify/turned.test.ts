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
