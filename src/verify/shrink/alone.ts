/**
 * Whether a trial shows by itself what is broken: a list may be wrong because of what was done long
 * before, and then nobody else finds the same.
 */
import type { Session } from "../session.ts";
import type { World } from "../world/world.ts";
import { type Start, startedBeside } from "./rehearsal.ts";
import type { Sought } from "./sought.ts";
import type { Trial } from "./trials.ts";

/** Judges trials as one does who has seen nothing else; what was there before is of others. */
export class Alone {
  readonly #session: Session;
  readonly #world: World;

  constructor(session: Session, start: Start) {
    this.#session = session;
    this.#world = startedBeside(session, start);
  }

  shows({ tag, tried }: Trial, sought: Sought): boolean {
    const own = this.#world;
    own.begin();
    try {
      const judge = this.#session.judge.beside(own, tag);
      const judged = tried.map(({ request, answer }) => judge.judge(request, answer));
      const [last, answer] = [judged.at(-1), tried.at(-1)?.answer];
      if (last?.is !== "broken" || answer === undefined || last.unlessOthers === true) return false;
      return sought.isShown(last, answer);
    } finally {
      own.undo();
    }
  }
}
