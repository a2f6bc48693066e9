/** Does what is stated for the answer of a long call, in a savepoint of its own. */
import { doubtsOf, saidItem } from "../../plan/index.ts";
import { gapMet } from "../answers/gap.ts";
import { mark } from "../context/row-marks.ts";
import { Transaction } from "../context/transaction.ts";
import { fireAnswered, unmet } from "../effects/answered-call.ts";
import type { Ambient, Answered, Effects, Session } from "../ports/index.ts";
import type { Executor } from "./execute.ts";
import { attempt } from "./timed.ts";

/** The effects of an answer. A fault where it is not as stated, or where nothing can be done. */
export function answered(
  executor: Executor,
  answer: Answered,
  {
    session,
    ambient,
  }: {
    readonly session: Session;
    readonly ambient: Ambient;
  },
): Effects {
  const { services } = executor;
  const none = { events: [], timersChanged: false, freedoms: [] };
  const tx = new Transaction({ model: services.model, session, ambient });
  const door = services.call(answer.call);
  let word: unknown;
  const outcome = attempt(executor, tx, () => {
    const said = door.said(tx, door.given(tx, answer.given, answer.rows), answer.answer);
    if ("is" in said) return said as Extract<typeof said, { is: "fault" }>;
    word = said.get("word");
    return fireAnswered(services, tx, { call: answer.call, said, rows: answer.rows });
  });
  const called = tx.called.map((one) => one.key);
  if (outcome === undefined || outcome === "refused") {
    return { events: tx.events, timersChanged: true, freedoms: [...tx.freedoms], called };
  }
  const met = unmet(services, outcome);
  if (met !== undefined) return { ...none, ...met };
  if (outcome.is === "gap") {
    const { model } = services;
    for (const { resource, key } of answer.rows) {
      const row = session.get(resource, key);
      const item = saidItem(resource, answer.call, typeof word === "string" ? word : undefined);
      // Where nothing comes of the word, nothing of the row is in doubt.
      if (row === undefined || !doubtsOf(model.plan).of.has(item)) continue;
      mark(
        session,
        { info: model.info(resource), row, over: { item, at: ambient.now } },
        outcome.gap,
      );
    }
    return { ...none, timersChanged: true, gap: gapMet(services.model, outcome.gap) };
  }
  if (outcome.is === "error" && outcome.keep) return { ...none, events: tx.events, called };
  const why =
    outcome.is === "fault" ? outcome.message : outcome.is === "error" ? outcome.error : outcome.is;
  return { ...none, fault: `the answer of \`${answer.call}\` has caused nothing: ${why}` };
}
