/** What hangs on the hash of a text that the service has made is known when the text was shown. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import type { Answer } from "../../src/verify/world/message.ts";
import { documentOf } from "./clauses/trial.ts";
import { edited, sessionOf } from "./edited.ts";

const TODO = documentOf("todo");
const BEGAN = 1_767_225_600_000_000n;
const SALT = "00112233445566778899aabbccddeeff";
const FIELD = "| `note` | string or null |";
const STEP = "1. Respond 200 with `todo`.";

/** How an answer is judged whose header is a digit of the hash; `read`: whether the salt is shown. */
function judged(read: "yes" | "no", digit: (hash: string) => string): string {
  const row = `| \`salt\` | string | no | no | ${read} | 16 random bytes as hex |`;
  const shown = "header `Mark` = `sha256(todo.salt).substring(0, 1)`";
  const text = edited(TODO.text, [
    [FIELD, `${row}\n${FIELD}`],
    [STEP, `1. Respond 200 with \`todo\`, ${shown}.`],
  ]);
  const session = sessionOf(TODO, text, BEGAN);
  const { judge } = session;
  const made = {
    method: "POST",
    target: "/todos",
    headers: [["Content-Type", "application/json"]] as const,
    body: '{"title":"v"}',
  };
  const at = { sent: BEGAN, received: BEGAN };
  const first = judge.foresee(made, BEGAN).outcome.response;
  const names = [...(first.body ?? "").matchAll(/q7zx\d+xz7q/g)].map(([mark]) => mark);
  const real = (one: string): string =>
    names
      .reduce((now, mark, i) => now.replaceAll(mark, i === 0 ? "one" : SALT), one)
      .replaceAll(/q7zx\d+xz7q/g, SALT);
  const answerOf = (response: typeof first, more: Answer["headers"] = []): Answer => ({
    ...{ status: response.status, body: response.body && real(response.body), ...at },
    headers: [
      ...response.headers
        .filter(([name]) => name !== "Mark")
        .map(([name, value]) => [name, real(value)] as const),
      ...more,
    ],
  });
  assert.equal(session.judged(made, answerOf(first)).is, "as stated");
  const request = { method: "GET", target: "/todos/todo_one", headers: [] };
  const { response } = judge.foresee(request, BEGAN).outcome;
  const whole = response.status === 200 ? response : { ...first, status: 200, headers: [] };
  const hash = createHash("sha256").update(SALT).digest("hex");
  return session.judged(request, answerOf(whole, [["Mark", digit(hash)]])).is;
}

const right = (hash: string): string => hash.slice(0, 1);
const wrong = (hash: string): string => (hash.startsWith("0") ? "1" : "0");

test("a text that was shown: its hash is known", () => {
  assert.equal(judged("yes", right), "as stated");
  assert.equal(judged("yes", wrong), "broken");
});

test("a text that nobody has seen: any hash may be", () => {
  assert.equal(judged("no", right), "unstated");
  assert.equal(judged("no", wrong), "unstated");
});
