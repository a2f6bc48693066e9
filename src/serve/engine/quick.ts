/**
 * Writes in the thread that accepts requests: nothing is waited for while a job is run. One that
 * asks for what is not known is undone, and run again with the answers. What cannot be done so is
 * for an engine that may wait.
 */
import { giveBack, take } from "../jobs/deadlines.ts";
import type { Job, News, Reply } from "../jobs/job.ts";
import type { Storage } from "../jobs/storage.ts";
import type { Foresight } from "./foresight.ts";
import type { Outbox } from "./outbox.ts";
import type { EngineParts } from "./parts.ts";
import type { Served } from "./served.ts";

type Shared = NonNullable<Storage["shared"]>;

/** Nobody waits for the reply any more. */
const NO_REPLY: Reply = { status: 0, headers: [], body: undefined };

/** What became of a job: it asks for what is not known yet, or has to wait for something else. */
type Tried = Reply | "asks" | "waits";

function replyOf(tried: Tried | undefined): Reply | undefined {
  return typeof tried === "object" ? tried : undefined;
}

/** How often jobs of a transaction are run, one answer behind the other. */
const GOES_MOST = 32;

/** How much the last job counts, and how much of it may be in vain. */
const LAST_SHARE = 1 / 16;
const VAIN_MOST = 1 / 4;
/** How long jobs like those are not tried then, in milliseconds. */
const AGAIN_MS = 10_000;
/** For how long jobs are run before others are accepted, in milliseconds. */
const TURN_MS = 10;
/** A run that takes so long is for a thread of its own. */
const RUN_MS_MOST = 5;

/** The engine of one document. */
interface Doing {
  readonly parts: Pick<EngineParts, "limits">;
  readonly outbox: Outbox;
  readonly foresight: Foresight;
  servedAt(endpoint: number): Served;
  /** Whether all that is due is done before the job. */
  awaits(job: Job): boolean;
  /** Runs a job in the transaction that there is. */
  run(job: Job): Reply;
}

interface Around {
  /** The document that a job is for. */
  of(job: Job): Doing;
  /** What other nodes are to look at. */
  told(): Omit<News, "notes">;
  /** Forgets what a transaction has told that was not kept. */
  forget(): void;
}

/** How the jobs of one endpoint have gone lately. */
interface Lately {
  vain: number;
  untilMs: number;
}

export class Quick {
  private readonly parts: EngineParts;
  private readonly around: Around;
  private readonly lately = new Map<string, Lately>();

  constructor(parts: EngineParts, around: Around) {
    this.parts = parts;
    this.around = around;
  }

  /** Whether it is worth to try a job. */
  takes(job: Job): boolean {
    const { storage, chooser, calls } = this.parts;
    if (storage.shared?.isAway() !== false || chooser !== undefined || calls.any) return false;
    if (job.replay !== undefined) return false;
    const engine = this.around.of(job);
    // A hash that is slow by intent is made where nobody waits for it.
    if (!engine.foresight.isShort(job) || engine.servedAt(job.endpoint).mayHash) return false;
    const { untilMs = 0 } = this.lately.get(nameOf(job)) ?? {};
    return untilMs <= performance.now();
  }

  /**
   * All jobs that can be in one transaction, durable when this resolves; the reply of the others is
   * undefined: nothing of them was done. `more`: jobs that have come until the transaction is
   * begun; their replies follow.
   */
  async write(
    given: readonly Job[],
    more: () => readonly Job[],
  ): Promise<readonly (Reply | undefined)[]> {
    const { storage, limits } = this.parts;
    const { shared } = storage;
    const jobs = [...given];
    if (shared === undefined) return jobs.map(() => undefined);
    try {
      await shared.begin();
      jobs.push(...more());
      const replies = await this.tried(shared, jobs);
      if (await shared.commit(this.around.told())) return replies.map(replyOf);
    } catch {
      // Whoever writes the jobs then meets what is wrong, and tells of it.
      storage.rollback();
    }
    limits.rates.reset();
    this.around.forget();
    for (const job of jobs) giveBack(job);
    return jobs.map(() => undefined);
  }

  /** Runs the jobs, and again those that had asked for more, until they have it. */
  private async tried(shared: Shared, jobs: readonly Job[]): Promise<readonly Tried[]> {
    const replies = jobs.map((): Tried => "asks");
    let fromMs = performance.now();
    for (let go = 0; go < GOES_MOST; go++) {
      for (const [at, job] of jobs.entries()) {
        if (replies[at] === "asks") replies[at] = this.one(shared, job);
        if (performance.now() - fromMs < TURN_MS) continue;
        await new Promise((resolve) => setImmediate(resolve));
        fromMs = performance.now();
      }
      if (!replies.includes("asks") || !(await shared.learn())) break;
    }
    for (const [at, job] of jobs.entries()) this.went(job, replyOf(replies[at]) === undefined);
    return replies;
  }

  private one(shared: Shared, job: Job): Tried {
    const { program, storage } = this.parts;
    const engine = this.around.of(job);
    if (!take(job)) return NO_REPLY;
    const undo = [engine.outbox.mark(), engine.parts.limits.rates.mark()];
    const fromMs = performance.now();
    const ran = shared.attempt((): Tried => {
      // What is due is done first, and takes as long as it takes.
      if (engine.awaits(job) && program.anyDue(storage.session, job.now)) return "waits";
      return engine.foresight.watched(storage, job, () => engine.run(job));
    });
    if (performance.now() - fromMs > RUN_MS_MOST) this.went(job, true);
    if (ran.is !== "made") for (const one of undo) one();
    const reply = ran.is === "made" ? ran.made : ran.is;
    if (replyOf(reply) === undefined) giveBack(job);
    return reply;
  }

  private went(job: Job, wasVain: boolean): void {
    const name = nameOf(job);
    const lately = this.lately.get(name) ?? { vain: 0, untilMs: 0 };
    this.lately.set(name, lately);
    lately.vain += ((wasVain ? 1 : 0) - lately.vain) * LAST_SHARE;
    if (lately.vain < VAIN_MOST) return;
    lately.vain = 0;
    lately.untilMs = performance.now() + AGAIN_MS;
  }
}

function nameOf({ older, endpoint }: Job): string {
  return older === undefined ? String(endpoint) : `${endpoint} of ${older}`;
}
