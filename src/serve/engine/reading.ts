/** Jobs that only read, in read transactions. */
import type { Job, Reply } from "../jobs/job.ts";
import { ELSEWHERE } from "./pace.ts";
import type { EngineParts } from "./parts.ts";
import type { ReadTurn } from "./read-turn.ts";

/** Gives a reply, or throws; undefined as in `Reading`. */
type Read = () => Reply | undefined;

/**
 * Replies are undefined where the writer is to do the job: something is due first, or the store is
 * not reached from here. A long job is not read to its end unless nobody else waits: its reply
 * says so.
 */
export class Reading {
  private readonly parts: Pick<EngineParts, "storage" | "chooser" | "isAlone">;
  private readonly turn: ReadTurn;
  private readonly run: (job: Job) => Reply | undefined;

  constructor(
    parts: Pick<EngineParts, "storage" | "chooser" | "isAlone">,
    turn: ReadTurn,
    run: (job: Job) => Reply | undefined,
  ) {
    this.parts = parts;
    this.turn = turn;
    this.run = run;
  }

  /** One job. */
  one(job: Job): Reply | undefined {
    try {
      return this.turn.run(() => this.run(job));
    } catch (fault) {
      return this.unread(fault);
    }
  }

  private unread(fault: unknown): Reply | undefined {
    const { storage, isAlone } = this.parts;
    // What is asked before the job itself may take long, too.
    if (!isAlone && storage.shared?.isLong(fault) === true) return ELSEWHERE;
    if (storage.shared?.isAway() !== true) throw fault;
    return undefined;
  }

  /** Whether a store is asked better for several jobs at once. */
  get isTogether(): boolean {
    const { storage, chooser, isAlone } = this.parts;
    return storage.shared !== undefined && chooser === undefined && !isAlone;
  }

  /** Several jobs, each at one moment of the store; one call at a time. */
  async together(jobs: readonly Job[]): Promise<readonly Read[]> {
    const { shared } = this.parts.storage;
    if (shared === undefined) return jobs.map((job) => () => this.one(job));
    const runs = jobs.map((job) => () => this.run(job));
    try {
      const all = (await shared.later(runs)) ?? this.here(() => shared.together(runs));
      return all.map((one, at) => {
        if (one.is === "made") return () => one.made;
        if (one.is === "fault") return () => this.unread(one.fault);
        if (one.is === "long") return () => ELSEWHERE;
        return () => this.one(jobs[at] as Job);
      });
    } catch (fault) {
      return jobs.map(() => () => this.unread(fault));
    }
  }

  /** In a transaction of its own, which everything waits for. */
  private here<T>(run: () => T): T {
    try {
      return this.turn.run(run);
    } finally {
      this.turn.end();
    }
  }
}
