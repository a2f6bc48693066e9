/** Keeps what became of attempts to deliver messages, and chooses those to be made now. */
import type { Dispatch } from "../delivery/dispatch.ts";
import type { Collected, Delivered, Result, UnderWay } from "../jobs/job.ts";
import type { Firing } from "./firing.ts";
import { leading } from "./leading.ts";
import type { EngineParts } from "./parts.ts";
import { ambientOf } from "./surroundings.ts";

/** What is told where nothing is to be done. */
export const NOTHING: Delivered = { kept: true, sendings: [], due: undefined };

export class Delivering {
  private readonly parts: EngineParts;
  private readonly dispatch: Dispatch;
  private readonly firing: Firing;

  constructor(parts: EngineParts, dispatch: Dispatch, firing: Firing) {
    this.parts = parts;
    this.dispatch = dispatch;
    this.firing = firing;
  }

  /** `failed`: what is told where nothing is kept. `underWay` undefined: none is chosen. */
  deliver(
    now: bigint,
    results: readonly Result[],
    underWay: UnderWay | undefined,
    failed: Delivered,
  ): Delivered {
    if (results.length > 0 && !this.settle(now, results)) return failed;
    return underWay === undefined ? NOTHING : { kept: true, ...this.collect(now, underWay) };
  }

  private collect(now: bigint, underWay: UnderWay): Collected {
    const { session, shared } = this.parts.storage;
    const moment = { session, ambient: ambientOf(this.parts, now), together: shared?.together };
    return leading(shared, now, underWay, () => this.dispatch.collect(moment, underWay));
  }

  /** False: nothing of it was kept. */
  private settle(now: bigint, results: readonly Result[]): boolean {
    const { session, shared } = this.parts.storage;
    // Another node makes these attempts anew, and what becomes of those counts.
    if (shared?.leads() === false) return true;
    this.firing.within(now);
    if (this.firing.more) return false;
    for (const result of results) {
      this.dispatch.settle({ session, ambient: ambientOf(this.parts, now) }, result);
    }
    this.firing.written();
    return true;
  }
}
