/** What happens in the model by itself. */
import type { Ambient, Emitted, Program, Session } from "../../run/index.ts";

const FIRINGS = 1_000;
/** Where a clause is changed, the same may fall due again as soon as it has happened. */
const ROUNDS = 30;

/** What is due happens, in steps, until nothing is; gives what that emits. */
export function fireDue(program: Program, session: Session, ambient: Ambient): readonly Emitted[] {
  const events: Emitted[] = [];
  for (let i = 0; i < ROUNDS && program.anyDue(session, ambient.now); i++) {
    const fired = program.fireDue(session, ambient, FIRINGS);
    events.push(...fired.flatMap(({ effects }) => effects.events));
    if (fired.every(({ left }) => left)) break;
  }
  return events;
}
