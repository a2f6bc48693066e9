/** What data of other clients explains of an answer, and what it does not. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { check, plan as compile, occurrencesOf } from "../../../src/check/index.ts";
import { read } from "../../../src/read/index.ts";
import { Session } from "../../../src/verify/session.ts";
import { ROOT } from "../../peers/served.ts";

const NOW = Date.UTC(2026, 0, 1) * 1000;
const TODO = readFileSync(join(ROOT, "examples/todo/spec.md"), "utf8");
const COUNTED = TODO.replace(
  "| `id` | id `todo_` | no | no | yes | none |",
  "| `id` | integer | no | no | yes | counts up from 1; key |",
).replace('"/todos/" + todo.id', '"/todos/" + string(todo.id)');

interface Shown {
  readonly id: unknown;
  readonly title: string;
}

const shown = (one: Shown): object => ({
  ...one,
  note: null,
  due: null,
  status: "open",
  createdAt: "2026-01-01T00:00:00.000Z",
  doneAt: null,
});

/** Judges exchanges with the list of things to do; gives the numbers of those that are broken. */
function brokenIn(
  document: string,
  ...exchanges: readonly (readonly [made: string | undefined, target: string, told: unknown])[]
): readonly number[] {
  const checked = check(read(Buffer.from(document)));
  const { plan } = compile(checked) ?? assert.fail("no plan");
  const occurring = occurrencesOf(checked.service);
  const session = new Session(plan, { tag: "vtag", occurring, now: BigInt(NOW) });
  for (const [at, [made, target, told]] of exchanges.entries()) {
    const isMade = made !== undefined;
    const json = ["Content-Type", "application/json"] as const;
    const place = ["Location", `/todos/${(told as Shown).id}`] as const;
    session.judged(
      {
        method: isMade ? "POST" : "GET",
        target,
        headers: isMade ? [json] : [],
        body: isMade ? JSON.stringify({ title: made }) : undefined,
      },
      {
        status: isMade ? 201 : 200,
        headers: isMade ? [json, place] : [json],
        body: JSON.stringify(told),
        sent: BigInt(NOW + 100 * at),
        received: BigInt(NOW + 100 * at + 10),
      },
    );
  }
  return session.breaks.map(({ number }) => number);
}

const mine = shown({ id: "todo_2", title: "vtag1" });
const made = ["vtag1", "/todos", mine] as const;
const theirs = shown({ id: "todo_1", title: "theirs" });
const moved = [undefined, "/todos?offset=1", [mine]] as const;

const cases: readonly [name: string, broken: readonly number[], ...Parameters<typeof brokenIn>][] =
  [
    [
      "a list that shows something of others",
      [],
      TODO,
      made,
      [undefined, "/todos", [theirs, mine]],
    ],
    ["a page that nobody's data has moved", [2], TODO, made, moved],
    [
      "a page that data of others has moved, which is seen later",
      [],
      TODO,
      made,
      moved,
      [undefined, "/todos", [theirs, mine]],
    ],
    [
      "a page without what was made here",
      [3],
      TODO,
      made,
      [undefined, "/todos", [theirs, mine]],
      [undefined, "/todos", []],
    ],
    [
      "what was made here, shown otherwise beside data of others",
      [2],
      TODO,
      made,
      [undefined, "/todos", [theirs, { ...mine, title: "vtag2" }]],
    ],
    [
      "an own id under which others' data is shown",
      [2],
      TODO,
      made,
      [undefined, "/todos", [shown({ id: "todo_2", title: "theirs" })]],
    ],
    [
      "two times that are shown alike: the ids decide",
      [],
      TODO,
      ["vtag1", "/todos", shown({ id: "todo_9", title: "vtag1" })],
      ["vtag2", "/todos", shown({ id: "todo_10", title: "vtag2" })],
      [
        undefined,
        "/todos",
        [shown({ id: "todo_10", title: "vtag2" }), shown({ id: "todo_9", title: "vtag1" })],
      ],
    ],
    [
      "two times that are shown alike: the finer time decides",
      [],
      TODO,
      ["vtag1", "/todos", shown({ id: "todo_9", title: "vtag1" })],
      ["vtag2", "/todos", shown({ id: "todo_10", title: "vtag2" })],
      [
        undefined,
        "/todos",
        [shown({ id: "todo_9", title: "vtag1" }), shown({ id: "todo_10", title: "vtag2" })],
      ],
    ],
    [
      "a number that others have counted up",
      [],
      COUNTED,
      ["vtag1", "/todos", shown({ id: 7, title: "vtag1" })],
      ["vtag2", "/todos", shown({ id: 9, title: "vtag2" })],
      [undefined, "/todos/9", shown({ id: 9, title: "vtag2" })],
    ],
    [
      "a number that is counted down",
      [2],
      COUNTED,
      ["vtag1", "/todos", shown({ id: 7, title: "vtag1" })],
      ["vtag2", "/todos", shown({ id: 5, title: "vtag2" })],
    ],
  ];

for (const [name, broken, ...exchanges] of cases) {
  test(`others: ${name}`, () => assert.deepEqual(brokenIn(...exchanges), broken));
}
