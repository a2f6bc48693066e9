/** What happens by itself, of which nobody sees when. */
import type { Emitted } from "../../run/index.ts";
import type { Judge } from "../judge/judge.ts";
import { nowMicros } from "../talk/client.ts";
import type { World } from "../world/world.ts";

/** An event that fell due, and between which of the service's times it came about. */
interface Due {
  readonly event: string;
  readonly since: bigint;
  readonly at: bigint;
}

/** Answers may have been read as if what was due had been left so long, in microseconds. */
const LEFT = 5_000_000n;

/**
 * Does in the model what has fallen due by then, by this program's clock, each at its own time; the
 * service may have done it a little later. Gives what it emits.
 */
export function fallDue(judge: Judge, ours: bigint): readonly Emitted[] {
  const { world } = judge;
  const now = judge.timeAt(ours);
  const events: Emitted[] = [];
  // Rows may be due for long without anything that comes of it.
  if (!changes(world, now)) return events;
  for (let due = world.nextDue(); due !== undefined && due < now; due = world.nextDue(due)) {
    const { version } = world.session;
    // When it was to be is known, and another time than when it was.
    const at = due + 1n;
    events.push(...world.fire(at));
    if (world.session.version !== version) judge.happened({ at, from: at, to: now });
  }
  return events;
}

/** Whether anything comes of what is due at that time; nothing is changed. */
function changes(world: World, now: bigint): boolean {
  const { version } = world.session;
  world.begin();
  world.fire(now);
  const isOther = world.session.version !== version;
  world.undo();
  return isOther;
}

/** Knows up to when all that fell due is taken up. */
export class Timed {
  readonly #judge: Judge;
  /** The service's time. */
  #upTo: bigint;
  readonly #due: Due[] = [];

  constructor(judge: Judge) {
    this.#judge = judge;
    this.#upTo = judge.timeAt(nowMicros());
  }

  /** All that was due then is taken up, by this program's clock. */
  takenUp(ours: bigint): void {
    this.#upTo = this.#judge.timeAt(ours);
  }

  /** The earliest that an event may have come about which was taken up just now. */
  since({ at, event }: Pick<Emitted, "at" | "event">): bigint {
    const upTo = this.#upTo - LEFT;
    const since = upTo < at ? upTo : at;
    this.#due.push({ event, since, at });
    return since;
  }

  /** Since when, by this program's clock, one of those events had come about before that time. */
  before(ours: bigint, event: string): bigint | undefined {
    const at = this.#judge.timeAt(ours);
    const slack = this.#judge.timeSlack;
    const last = this.#due.findLast((one) => one.event === event && one.since - slack <= at);
    return last && ours - (at - last.since) - slack;
  }
}
