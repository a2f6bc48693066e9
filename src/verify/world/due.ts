/** What happens in the model by itself. */
import type { Ambient, Emitted, Program, Session } from "../../run/index.ts";

const FIRINGS = 1_000;
/** Where a clause is changed, the same may fall due again as soon as it has happened. */
const ROUNDS = 30;
/** Versions of the rows of which it is kept when something falls due. */
const VERSIONS_MAX = 64;

/** Rows in a version, in which nothing is due from one instant until before another. */
interface Quiet {
  readonly from: bigint;
  /** When something falls due, in microseconds; "not asked": some time behind `from`. */
  readonly until: bigint | undefined | "not asked";
}

/** When something falls due, for each version of the rows: most requests change none. */
export class DueTimes {
  readonly #program: Program;
  readonly #quiet = new Map<number, Quiet>();

  constructor(program: Program) {
    this.#program = program;
  }

  /** Whether something is due in the session, whose rows are in that version. */
  isDue(session: Session, version: number, now: bigint): boolean {
    const known = this.#quiet.get(version);
    if (known === undefined || now < known.from) {
      const isDue = this.#program.anyDue(session, now);
      if (!isDue) this.#keep(version, { from: now, until: "not asked" });
      return isDue;
    }
    if (now === known.from) return false;
    const { from } = known;
    const until = known.until === "not asked" ? this.#program.nextDue(session, from) : known.until;
    this.#keep(version, { from, until });
    return until !== undefined && until <= now;
  }

  #keep(version: number, quiet: Quiet): void {
    if (this.#quiet.size >= VERSIONS_MAX) this.#quiet.clear();
    this.#quiet.set(version, quiet);
  }
}

/** What a model does by itself is done in a session, whose rows have a version. */
export interface Firing {
  readonly program: Program;
  readonly times: DueTimes;
  readonly session: Session;
  readonly ambient: Ambient;
  version(): number;
}

/** What is due happens, in steps, until nothing is, or `most` has; gives what that emits. */
export function fireDue(
  { program, times, session, ambient, version }: Firing,
  most = FIRINGS * ROUNDS,
): readonly Emitted[] {
  const events: Emitted[] = [];
  let count = 0;
  const isDue = (): boolean => times.isDue(session, version(), ambient.now);
  for (let i = 0; i < ROUNDS && count < most && isDue(); i++) {
    const fired = program.fireDue(session, ambient, Math.min(FIRINGS, most - count));
    events.push(...fired.flatMap(({ effects }) => effects.events));
    count += fired.length;
    if (fired.every(({ left }) => left)) break;
  }
  return events;
}
