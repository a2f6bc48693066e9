/** What happens by itself happens when it is due, or a little later, and not when somebody asks. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { fallDue } from "../../src/verify/events/timed.ts";
import type { Session } from "../../src/verify/session.ts";
import type { Answer, Request } from "../../src/verify/world/message.ts";
import { documentOf } from "./clauses/trial.ts";
import { edited, sessionOf } from "./edited.ts";

const TODO = documentOf("todo");
const MILLISECOND = 1_000n;
const SECOND = 1_000n * MILLISECOND;
const BEGAN = 1_767_225_600_000n * MILLISECOND;
const DUE = BEGAN + 60_000n * MILLISECOND;
const textOf = (micros: bigint): string => new Date(Number(micros / MILLISECOND)).toISOString();

const ROW = "| `finish` | `open` | `done` | step | none | set `it.doneAt` = `now` |";
const FIELD = "| `due` | date or null |";
const OTHERS = "- Any other transition: refused with `already_done`";
const text = edited(TODO.text, [
  [FIELD, "| `due` | timestamp or null |"],
  [OTHERS, `${OTHERS}\n- Clock: no later than 5 s after\n- At the same time: free`],
  [
    ROW,
    `${ROW}\n| \`end\` | \`open\` | \`done\` | time \`due\` | none | set \`it.doneAt\` = \`now\` |`,
  ],
]);

interface Done {
  /** Milliseconds behind the first time. */
  readonly due: bigint;
  /** Milliseconds behind its own time at which it is done. */
  readonly late: bigint;
}

/** A session in which to-dos were made that fall due so many milliseconds behind the first. */
function begun(dues: readonly bigint[]): Session {
  const session = sessionOf(TODO, text, BEGAN);
  const { world } = session.judge;
  for (const [i, due] of dues.entries()) {
    const body = JSON.stringify({ title: `v${i}`, due: textOf(DUE + due * MILLISECOND) });
    const headers = [["Content-Type", "application/json"]] as const;
    world.begin();
    world.run(
      { method: "POST", target: "/todos", headers, body },
      { now: BEGAN + BigInt(i) * MILLISECOND },
    );
    world.keep();
  }
  return session;
}

const request: Request = { method: "GET", target: "/todos", headers: [] };

/** How a list is judged that shows to-dos done so long behind their times, a second behind all. */
function judged(all: readonly Done[]): string {
  const session = begun(all.map(({ due }) => due));
  const { world } = session.judge;
  const at =
    all.reduce((last, { due }) => (due > last ? due : last), 0n) * MILLISECOND + DUE + SECOND;
  world.begin();
  const { response } = world.run(request, { now: at }).outcome;
  world.undo();
  const times = all.map(({ due, late }) => textOf(DUE + (due + late) * MILLISECOND));
  let i = 0;
  const body = (response.body ?? "").replaceAll(JSON.stringify(textOf(at)), () =>
    JSON.stringify(times[i++]),
  );
  assert.equal(i, all.length, response.body);
  const answer: Answer = { ...response, body, sent: at, received: at };
  return session.judged(request, answer).is;
}

const cases: readonly (readonly [is: string, ...all: Done[]])[] = [
  ["as stated", { due: 0n, late: 0n }],
  ["as stated", { due: 0n, late: 2n }],
  ["as stated", { due: 0n, late: 700n }],
  ["as stated", { due: 0n, late: 1_000n }],
  ["broken", { due: 0n, late: -1n }],
  ["as stated", { due: 0n, late: 2n }, { due: 2_000n, late: 3n }],
  ["as stated", { due: 2_000n, late: 3n }, { due: 0n, late: 2n }, { due: 0n, late: 2n }],
  ["as stated", { due: 0n, late: 1n }, { due: 500n, late: 1n }, { due: 900n, late: 1n }],
  ["broken", { due: 0n, late: 2n }, { due: 2_000n, late: -5n }],
];

for (const [is, ...all] of cases) {
  const told = all.map(({ due, late }) => `due at ${due} and done ${late} ms behind it`).join(", ");
  test(`${told}, asked for 1 s behind all: ${is}`, () => {
    assert.equal(judged(all), is);
  });
}

/** How it is judged when it was looked 300 ms behind its time what has happened by itself. */
function judgedBehindLook(late: bigint): string {
  const session = begun([0n]);
  const { judge } = session;
  assert.equal(fallDue(judge, DUE + 300n * MILLISECOND).length, 0);
  const at = DUE + SECOND;
  const { response } = judge.foresee(request, at).outcome;
  const shown = JSON.stringify(textOf(DUE));
  const [done, ...others] = (response.body ?? "").split(`"doneAt":${shown}`);
  assert.equal(others.length, 1, response.body);
  const body = `${done}"doneAt":${JSON.stringify(textOf(DUE + late * MILLISECOND))}${others[0]}`;
  return session.judged(request, { ...response, body, sent: at, received: at }).is;
}

for (const [late, is] of [
  [0n, "as stated"],
  [2n, "as stated"],
  [250n, "as stated"],
  [700n, "broken"],
  [-500n, "broken"],
] as const) {
  test(`looked at 300 ms behind its time, done ${late} ms behind it: ${is}`, () => {
    assert.equal(judgedBehindLook(late), is);
  });
}
