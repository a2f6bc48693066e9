/** A time that steps compare with now: which of the two comes first may hang on a few milliseconds. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Session } from "../../src/verify/session.ts";
import type { Answer, Request } from "../../src/verify/world/message.ts";
import { compiled, documentOf, tagOf, toldOf } from "./clauses/trial.ts";

const TODO = documentOf("todo");
const MILLISECOND = 1_000n;
const BEGAN = 1_767_225_600_000n * MILLISECOND;
const TIME = BEGAN + 60_000n * MILLISECOND;
const TEXT = new Date(Number(TIME / MILLISECOND)).toISOString();
const TYPE = ["Content-Type", "application/json"] as const;

const [DUE, MADE, CHANGED] = [
  "| `due` | date or null |",
  "1. Create a `Todo`",
  "1. Require `todo.status",
];
for (const one of [DUE, MADE, CHANGED]) assert.ok(TODO.text.includes(one), one);
const late = (time: string, or = ""): string =>
  `1. Require \`${or}${time} == null || ${time} >= now\`, else \`already_done\`.\n2. `;
const text = TODO.text
  .replace(DUE, "| `due` | timestamp or null |")
  .replace(`${MADE}`, () => `${late("body.due", "!has(body.due) || ")}Create a \`Todo\``)
  .replace("2. Respond 201", "3. Respond 201")
  .replace(CHANGED, () => `${late("todo.due")}Require \`todo.status`)
  .replace("2. Set `todo` from `body`, given", "3. Set `todo` from `body`, given")
  .replace(/(3\. Set `todo`[^\n]*\n)3\./, "$14.");

/** How the answer to a request is judged that says it came too late, so long before that time. */
function judged(of: "request" | "row", before: bigint): string {
  const document = compiled(text);
  assert.ok(document !== undefined, "the document has errors");
  const { plan, occurring } = document;
  const { settings, rows: given } = toldOf(TODO, plan);
  const common = { tag: tagOf(1), settings, given, occurring, now: BEGAN };
  const session = new Session(plan, common);
  const { world } = session.judge;
  const made: Request = {
    ...{ method: "POST", target: "/todos", headers: [TYPE] },
    body: JSON.stringify({ title: "v1", due: TEXT }),
  };
  let request = made;
  if (of === "row") {
    world.begin();
    world.run(made, { now: BEGAN });
    world.keep();
    const [id] = world.rows("Todo")[0]?.values ?? [];
    request = { ...made, method: "PATCH", target: `/todos/${id}`, body: '{"title":"v2"}' };
  }
  world.begin();
  const { response } = world.run(request, { now: TIME + MILLISECOND }).outcome;
  world.undo();
  assert.equal(response.status, 409, response.body);
  const at = TIME - before;
  const answer: Answer = { ...response, body: response.body ?? "", sent: at, received: at };
  return session.judged(request, answer).is;
}

for (const where of ["request", "row"] as const) {
  test(`refused for a time of the ${where} that is some milliseconds off: either may be`, () => {
    assert.equal(judged(where, 40n * MILLISECOND), "as stated");
  });
  test(`refused for a time of the ${where} that is far off: broken`, () => {
    assert.equal(judged(where, 20_000n * MILLISECOND), "broken");
  });
}
