/** Fires what has fallen due, in the running transaction; what waits for a call is left alone. */
import type { Program } from "../../run/index.ts";
import type { CallDesk } from "../calls/coordinator.ts";
import { notesOf } from "../jobs/reply.ts";
import type { Storage } from "../jobs/storage.ts";
import type { Outbox } from "./outbox.ts";
import { isTimed } from "./served.ts";
import { ambientOf, type SurroundingParts } from "./surroundings.ts";

/** Timed firings in one transaction, and in one go before requests are served again. */
const FIRED_AT_ONCE = 100;
const FIRED_IN_A_GO = 10_000;

interface Parts extends SurroundingParts {
  readonly program: Program;
  readonly storage: Storage;
  readonly calls: CallDesk;
}

export class Firing {
  /** Whether anything in the plan can fall due. */
  readonly timed: boolean;
  /** Whether all that is due meets a gap: it is tried again when something was written. */
  stuck = false;
  private readonly parts: Parts;
  private readonly outbox: Outbox;
  private times = 0;

  constructor(parts: Parts, outbox: Outbox) {
    this.parts = parts;
    this.outbox = outbox;
    this.timed = isTimed(parts.plan);
  }

  /** Fires all that is due at `now`. */
  within(now: bigint): void {
    if (!this.timed) return;
    const {
      program,
      storage: { session },
      calls,
    } = this.parts;
    for (let count = 0; count < FIRED_IN_A_GO; ) {
      this.stuck = false;
      if (!program.anyDue(session, now)) {
        if (calls.any) calls.sweep(session);
        return;
      }
      this.parts.shake?.begin(`time ${this.times++}`);
      const ambient = ambientOf(this.parts, now);
      const host = calls.any ? calls.firingHost(ambient) : undefined;
      const fired = program.fireDue(session, ambient, FIRED_AT_ONCE, host);
      for (const one of fired) {
        if (!calls.fired(one.due, one.effects, session)) continue;
        this.outbox.note(...notesOf(one.effects));
        this.outbox.record(one.effects.events, session);
      }
      if (calls.any && fired.length < FIRED_AT_ONCE) calls.sweep(session);
      this.stuck = !fired.some((one) => !one.left);
      if (this.stuck) return;
      count += fired.length;
    }
  }
}
