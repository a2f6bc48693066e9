/** Does what is stated for the answer of a long call, in a savepoint of its own. */
import { gapMet } from "../answers/gap.ts";
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
  const { kit } = executor;
  const none = { events: [], timersChanged: false, freedoms: [] };
  const work = new Transaction({ model: kit.model, session, ambient });
  const door = kit.call(answer.call);
  const ending = attempt(executor, work, () => {
    const said = door.said(work, door.given(work, answer.given, answer.rows), answer.answer);
    if ("is" in said) return said as Extract<typeof said, { is: "fault" }>;
    return fireAnswered(kit, work, { call: answer.call, said, rows: answer.rows });
  });
  const called = work.called.map((one) => one.key);
  if (ending === undefined || ending === "refused") {
    return { events: work.events, timersChanged: true, freedoms: [...work.freedoms], called };
  }
  const met = unmet(kit, ending);
  if (met !== undefined) return { ...none, ...met };
  if (ending.is === "gap") {
    return { ...none, gap: gapMet(kit.model, ending.gap) };
  }
  if (ending.is === "error" && ending.keep) return { ...none, events: work.events, called };
  const why =
    ending.is === "fault" ? ending.message : ending.is === "error" ? ending.error : ending.is;
  return { ...none, fault: `the answer of \`${answer.call}\` has caused nothing: ${why}` };
}
