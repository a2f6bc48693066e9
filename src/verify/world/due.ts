/** What happens in the model by itself. */
import type { Ambient, Emitted, Program, Session } from "../../run/index.ts";

const FIRINGS = 1_000;
/** Where a clause is changed, the same may fall due again as soon as it has happened. */
const ROUNDS = 30;

/** What is due happens, in steps, until nothing is, or `most` has; gives what that emits. */
export function fireDue(
  program: Program,
  session: Session,
  ambient: Ambient,
  most = FIRINGS * ROUNDS,
): readonly Emitted[] {
  const events: Emitted[] = [];
  let count = 0;
  for (let i = 0; i < ROUNDS && count < most && program.anyDue(session, ambient.now); i++) {
    const fired = program.fireDue(session, ambient, Math.min(FIRINGS, most - count));
    events.push(...fired.flatMap(({ effects }) => effects.events));
    count += fired.length;
    if (fired.every(({ left }) => left)) break;
  }
  return events;
}
