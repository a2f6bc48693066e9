/**
 * The mark of assumptions is exact: each statement of an assumptions file alone is taken away, and
 * the answers of a fixed traffic that change are those that were marked with it.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { lineTable, positionOf } from "../../src/base/index.ts";
import type { ItemId } from "../../src/plan/index.ts";
import { read } from "../../src/read/index.ts";
import { type Clause, clausesOf } from "../gaps/clauses.ts";
import { textOf } from "../gaps/compare.ts";
import { type Answers, play, type Session } from "../gaps/play.ts";
import { checkedText, type Ready, readyOf } from "../gaps/static.ts";
import { type Subject, subjects } from "../gaps/subjects.ts";
import { trafficOf } from "../gaps/traffic.ts";
import { cases } from "../whole.ts";

const SEED = 20261122;

function madeOf(subject: Subject): Ready | undefined {
  return readyOf(checkedText(new TextDecoder().decode(subject.bytes), subject), subject);
}

interface Changed {
  readonly answers: Answers;
  /** Requests that meet the gap, or are answered otherwise by themselves. */
  readonly own: ReadonlySet<number>;
  /** Those, and requests that are answered otherwise since what they ask for was not made. */
  readonly all: ReadonlySet<number>;
}

/** Which requests are answered otherwise where the statement is missing. */
async function changed(
  subject: Subject,
  { whole, less }: { readonly whole: Ready; readonly less: Ready },
  session: Session,
): Promise<Changed> {
  const answers = await play(whole, subject, session);
  const got = await play(less, subject, session);
  const met = new Set(
    got.flatMap((one, at) => (one?.status === 501 && answers[at]?.status !== 501 ? [at] : [])),
  );
  // A request that meets the gap does nothing: the rest is as if it had not been sent.
  const wanted = met.size === 0 ? answers : await play(whole, subject, session, met);
  const differing = (than: Answers): number[] =>
    got.flatMap((one, at) => {
      const other = than[at];
      if (one === undefined || other === undefined || met.has(at)) return [];
      return textOf(one, true) === textOf(other, true) ? [] : [at];
    });
  const own = new Set([...met, ...differing(wanted)]);
  return { answers, own, all: new Set([...own, ...differing(answers)]) };
}

interface Found {
  readonly missed: string[];
  readonly idle: string[];
  marked: number;
  changed: number;
}

/** The items that come from the statement alone: those that are gone, or else stand in its line. */
function itemsOf(clause: Clause, { plan, checked }: Ready, less: Ready): ItemId[] {
  const left = new Set(less.plan.assumed);
  const { assumed = [] } = plan;
  const gone = assumed.filter((id) => !left.has(id));
  if (gone.length > 0) return gone;
  const table = lineTable(checked.assumptions?.text ?? "");
  return assumed.filter((id) => {
    const start = checked.origins.get(id)?.start ?? -1;
    return positionOf(table, start).line === clause.line;
  });
}

interface Asked {
  readonly subject: Subject;
  readonly whole: Ready;
  readonly sessions: readonly Session[];
}

async function judge({ subject, whole, sessions }: Asked, clause: Clause, found: Found) {
  const less = madeOf({ ...subject, assumptions: Buffer.from(clause.text) });
  if (less === undefined) return false;
  const assumed = itemsOf(clause, whole, less);
  // A mark names twelve items at most: here it names those of the statement alone.
  const alone = { ...whole, plan: { ...whole.plan, assumed } };
  for (const session of sessions) {
    const one = await changed(subject, { whole: alone, less }, session);
    for (const [at, answer] of one.answers.entries()) {
      const step = session.steps[at];
      if (answer === undefined || step?.is !== "request") continue;
      const isMarked = answer.headers.some(([name]) => name.toLowerCase() === "lacuna-assumed");
      if (isMarked) found.marked++;
      if (one.own.has(at)) found.changed++;
      if (isMarked ? one.all.has(at) : !one.own.has(at)) continue;
      const { method, target } = step.request;
      const where = `${clause.where} (line ${clause.line}): ${method} ${target} ${answer.status}`;
      (isMarked ? found.idle : found.missed).push(where);
    }
  }
  return true;
}

/** One statement in so many is taken away. */
const EVERY = cases(12, 1);

test("conduit: an answer is marked with what it would miss, and seldom with more", async (t) => {
  const subject = subjects().find(({ name }) => name === "conduit");
  const assumptions = subject?.assumptions;
  assert.ok(subject && assumptions);
  const ready = madeOf(subject);
  assert.ok(ready);
  const sessions = (await trafficOf(ready, subject, SEED)).slice(0, 3);
  const clauses = clausesOf(read(assumptions).spec)
    .filter(({ kind }) => kind !== "answer")
    .filter((_, i) => i % EVERY === 0);
  const found: Found = { missed: [], idle: [], marked: 0, changed: 0 };
  let judged = 0;
  for (const clause of clauses)
    if (await judge({ subject, whole: ready, sessions }, clause, found)) judged++;
  const { changed, marked, idle, missed } = found;
  t.diagnostic(`${judged} statements: ${changed} changed, ${marked} marked, ${idle.length} idle`);
  assert.deepEqual(missed, []);
  assert.ok(changed > 50, "statements change answers");
  // A text that a body may show, or a bound that a token may come near, is marked all the same.
  assert.ok(idle.length < 0.75 * marked, idle.join("\n"));
});
