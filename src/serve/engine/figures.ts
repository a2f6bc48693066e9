/** What an operator may want to know of a store: how much waits in it, and how late it is. */
import type { Engine } from "./engine.ts";

/** Past so many messages none is counted. */
const COUNTED_MAX = 100_001;
const FIRST = -(2n ** 62n);
const ASKED = "asked";

/** Figures of a store at an instant; times in seconds. */
export interface EngineFigures {
  /** Messages that wait for receivers, counted up to 100,001. */
  readonly messages: number;
  /** Since the first of them was due; 0: none is due. */
  readonly messagesLate: number;
  /** Since the first thing was due that happens by time; 0: nothing is due. */
  readonly timersLate: number;
}

/**
 * Asked of the engine that writes, between its transactions; undefined: the store does not answer.
 */
export function figuresOf(engine: Engine, now: bigint): EngineFigures | undefined {
  const { storage, program, plan } = engine.parts;
  const { session } = storage;
  engine.refresh();
  try {
    storage.begin("read");
    // A store elsewhere is asked, be there nothing to count.
    storage.notes.read(ASKED);
    const sends = plan.webhooks.length > 0;
    return {
      messages: sends ? session.messages.count(COUNTED_MAX) : 0,
      messagesLate: sends ? lateAt(now, session.messages.nextDue(FIRST)) : 0,
      timersLate: engine.timed ? lateAt(now, program.nextDue(session)) : 0,
    };
  } catch (fault) {
    storage.loss.hear(fault);
    return undefined;
  } finally {
    storage.rollback();
  }
}

function lateAt(now: bigint, due: bigint | undefined): number {
  return due === undefined || due > now ? 0 : Number(now - due) / 1e6;
}
