/** What the coordinator of calls works in: the running transaction, and what late answers cause. */
import type { Ambient, Called, Program, Session } from "../../run/index.ts";
import { answerName, type CallCoordinator, type CoordinatorContext } from "../calls/coordinator.ts";
import { notesOf } from "../jobs/reply.ts";
import type { Outbox } from "./outbox.ts";

interface Parts {
  readonly calls: CallCoordinator;
  readonly session: Session;
  readonly program: Program;
  readonly outbox: Outbox;
  readonly ambient: Ambient;
}

/** The context of the running transaction. */
export function coordinatorContextOf({
  calls,
  session,
  program,
  outbox,
  ambient: base,
}: Parts): CoordinatorContext {
  const answered = (called: Called, text: string): void => {
    const name = answerName(called.key);
    const ambient = calls.begin(name, base);
    if (ambient === undefined) return;
    const { call, given, rows } = called;
    const answer = { text, standIn: calls.standsIn(call) };
    const effects = program.answered({ call, given, rows, answer }, session, ambient);
    if (!calls.done(name, effects, session, () => answered(called, text))) return;
    const { gap, fault } = effects;
    if (gap === undefined && fault === undefined) session.calls.remove(called.key);
    else calls.askAgain(session, called, base.now);
    outbox.record(effects.events, session);
    outbox.note(...notesOf(effects));
  };
  return { session, answered, note: (...notes) => outbox.note(...notes) };
}
