/** What the coordinator of calls works in: the running transaction, and what late answers cause. */
import type { Called } from "../../run/index.ts";
import { answerName, type CoordinatorContext } from "../calls/coordinator.ts";
import { notesOf } from "../jobs/reply.ts";
import type { Outbox } from "./outbox.ts";
import type { EngineParts } from "./parts.ts";
import { ambientOf } from "./surroundings.ts";

/** The context of the running transaction, at its instant. */
export function coordinatorContextOf(
  parts: EngineParts,
  outbox: Outbox,
  now: bigint,
): CoordinatorContext {
  const {
    calls,
    program,
    storage: { session },
  } = parts;
  const base = ambientOf(parts, now);
  const answered = (called: Called, text: string): void => {
    const name = answerName(called.key);
    const ambient = calls.begin(name, base, session);
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
