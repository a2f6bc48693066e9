/** Requests that wait for calls: who counts them, which key they carry, what becomes of them. */
import type { Effects } from "../../run/index.ts";
import type { CallRun } from "../calls/call-run.ts";
import type { CallCoordinator, CoordinatorContext } from "../calls/coordinator.ts";
import { giveBack } from "../jobs/deadlines.ts";
import type { Job, Reply } from "../jobs/job.ts";
import type { Storage } from "../jobs/storage.ts";
import type { Keys } from "../limits/idempotency.ts";
import type { Limits } from "../limits/limits.ts";
import { type Judged, nothingJudged } from "../limits/rates.ts";
import type { JobHooks } from "./hooks.ts";

interface Parts {
  readonly calls: CallCoordinator;
  readonly keys: Keys;
  readonly limits: Limits;
  readonly storage: Storage;
}

/** Stands for a reply that nobody gets. */
const NO_REPLY: Reply = { status: 0, headers: [], body: undefined };

export class CallingRequests {
  private readonly parts: Parts;
  private readonly context: (now: bigint) => CoordinatorContext;
  /** Rates that have counted a request which waits, by the name of its work. */
  private readonly counted = new Map<string, Judged["counted"]>();

  constructor(parts: Parts, context: (now: bigint) => CoordinatorContext) {
    this.parts = parts;
    this.context = context;
  }

  /** A run of a request; undefined: the document has no calls. */
  turn({ now, replay }: Job): CallRun | undefined {
    const { calls, storage } = this.parts;
    return calls.any ? calls.turn(now, storage.session, replay) : undefined;
  }

  /** What is known of a run's rates before it begins. */
  judged(turn: CallRun | undefined): Judged {
    return nothingJudged(turn && this.counted.get(turn.replay.work));
  }

  /** What a request waits for; undefined: it has ended. */
  waits(
    turn: CallRun | undefined,
    effects: Effects,
    { job, judged, keyed, hashes }: JobHooks,
  ): Reply | undefined {
    if (hashes?.needed !== undefined) return NO_REPLY;
    if (keyed.behind !== undefined) {
      giveBack(job);
      return { ...NO_REPLY, behind: keyed.behind };
    }
    if (turn === undefined) return undefined;
    const {
      calls,
      keys,
      limits,
      storage: { session },
    } = this.parts;
    const { work } = turn.replay;
    const unfinished = calls.ended(turn, effects, session);
    if (unfinished === undefined) {
      this.ended(work);
      if (turn.keepsAny) calls.standIn(this.context(job.now), job.now);
      return undefined;
    }
    limits.rates.begun(judged, session, job.now);
    this.counted.set(work, judged.counted);
    keys.waits(keyed, work, session);
    giveBack(job);
    return { ...NO_REPLY, unfinished };
  }

  /** A request that was answered while it waited: what it called is undone. */
  givenUp({ replay }: Job): Reply {
    if (replay !== undefined) {
      this.ended(replay.work);
      this.parts.calls.abandon(replay, this.parts.storage.session);
    }
    return NO_REPLY;
  }

  /** A transaction was undone: what is known of works may not be what the store holds. */
  reset(): void {
    this.counted.clear();
    this.parts.calls.reset();
    this.parts.keys.reset();
  }

  private ended(work: string): void {
    this.counted.delete(work);
    this.parts.keys.ended(work, this.parts.storage.session);
  }
}
