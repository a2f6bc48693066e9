/** What happens by itself happens when it is due, or a little later, and not when somebody asks. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Session } from "../../src/verify/session.ts";
import type { Answer, Request } from "../../src/verify/world/message.ts";
import { compiled, documentOf, tagOf, toldOf } from "./clauses/trial.ts";

const TODO = documentOf("todo");
const MILLISECOND = 1_000n;
const BEGAN = 1_767_225_600_000n * MILLISECOND;
const DUE = BEGAN + 60_000n * MILLISECOND;
const textOf = (micros: bigint): string => new Date(Number(micros / MILLISECOND)).toISOString();

const ROW = "| `finish` | `open` | `done` | step | none | set `it.doneAt` = `now` |";
const FIELD = "| `due` | date or null |";
const OTHERS = "- Any other transition: refused with `already_done`";
for (const one of [ROW, FIELD, OTHERS]) assert.ok(TODO.text.includes(one), one);
const text = TODO.text
  .replace(FIELD, "| `due` | timestamp or null |")
  .replace(OTHERS, `${OTHERS}\n- Clock: no later than 5 s after\n- At the same time: free`)
  .replace(
    ROW,
    `${ROW}\n| \`end\` | \`open\` | \`done\` | time \`due\` | none | set \`it.doneAt\` = \`now\` |`,
  );

/** How an answer is judged that shows a to-do done so long behind its time, a second behind it. */
function judged(late: bigint): string {
  const document = compiled(text);
  assert.ok(document !== undefined, "the document has errors");
  const { plan, occurring } = document;
  const { settings, rows: given } = toldOf(TODO, plan);
  const session = new Session(plan, { tag: tagOf(1), settings, given, occurring, now: BEGAN });
  const { world } = session.judge;
  const body = JSON.stringify({ title: "v1", due: textOf(DUE) });
  world.begin();
  world.run(
    { method: "POST", target: "/todos", headers: [["Content-Type", "application/json"]], body },
    { now: BEGAN },
  );
  world.keep();
  const [id] = world.rows("Todo")[0]?.values ?? [];
  const request: Request = { method: "GET", target: `/todos/${id}`, headers: [] };
  const at = DUE + 1_000n * MILLISECOND;
  world.begin();
  const { response } = world.run(request, { now: at }).outcome;
  world.undo();
  const shown = JSON.stringify(textOf(at));
  const { body: seen = "" } = response;
  assert.ok(seen.includes(`"doneAt":${shown}`), seen);
  const done = JSON.stringify(textOf(DUE + late));
  const answer: Answer = {
    ...{ ...response, sent: at, received: at },
    body: seen.replace(`"doneAt":${shown}`, `"doneAt":${done}`),
  };
  return session.judged(request, answer).is;
}

for (const [late, is] of [
  [0n, "as stated"],
  [2n * MILLISECOND, "as stated"],
  [700n * MILLISECOND, "as stated"],
  [1_000n * MILLISECOND, "as stated"],
  [-1n * MILLISECOND, "broken"],
] as const) {
  test(`done ${late / MILLISECOND} ms behind its time, and asked for 1 s behind it: ${is}`, () => {
    assert.equal(judged(late), is);
  });
}
