/** What happens in the model by itself. */
import type { Ambient, Emitted, Program, Session } from "../../run/index.ts";

const FIRINGS = 1_000;

/** What is due happens, in steps, until nothing is; gives what that emits. */
export function fireDue(program: Program, session: Session, ambient: Ambient): readonly Emitted[] {
  const events: Emitted[] = [];
  for (let i = 0; i < FIRINGS && program.anyDue(session, ambient.now); i++) {
    const fired = program.fireDue(session, ambient, FIRINGS);
    events.push(...fired.flatMap(({ effects }) => effects.events));
    if (fired.every(({ left }) => left)) break;
  }
  return events;
}
