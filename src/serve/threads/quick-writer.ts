/**
 * Writes in this thread what never has to be waited for in the middle of a transaction, and has a
 * thread write the rest: see `Quick`.
 */
import type { Engine } from "../engine/engine.ts";
import type { EngineFigures } from "../engine/figures.ts";
import type { Setup } from "../engine/open.ts";
import type { AskResult, Asks } from "../jobs/ask.ts";
import type { Delivered, Job, Reply, Result, UnderWay } from "../jobs/job.ts";
import { faultInside } from "../jobs/problem.ts";
import { allExplained } from "./explained.ts";
import { unlessAway } from "./in-turn.ts";
import type { Turn, Writer, WriterEvents } from "./writer.ts";

/** Jobs in one transaction: others are accepted and read in between. */
const BATCH_MAX = 128;

interface Waiting {
  readonly job: Job;
  readonly done: (reply: Reply) => void;
}

type Events = Pick<WriterEvents, "news" | "fault">;

/** Jobs that are written with an engine in one transaction. */
interface Batch {
  readonly engine: Engine;
  jobs: readonly Waiting[];
}

export class QuickWriter implements Writer {
  /** Writes all that this one does not. */
  private readonly other: Writer;
  private readonly events: Events;
  private engine: Engine | undefined;
  /** What waits for its transaction. */
  private jobs: Waiting[] = [];
  private batch: Batch | undefined;
  /** Told when a batch has ended that was waited for. */
  private ended: (() => void) | undefined;

  constructor(other: Writer, events: Events) {
    this.other = other;
    this.events = events;
  }

  /** From then on it writes with the engine, which is its own. */
  use(engine: Engine): void {
    this.engine = engine;
  }

  /** Resolves, to what it wrote with, when nothing is written here any more. */
  private async rested(): Promise<Engine | undefined> {
    const { engine, batch } = this;
    if (engine === undefined) return undefined;
    this.engine = undefined;
    for (const { job, done } of this.jobs.splice(0)) this.other.submit(job, done);
    if (batch === undefined) return engine;
    const isAway = (): boolean => engine.parts.storage.shared?.isAway() === true;
    await new Promise<void>((resolve) => {
      this.ended = resolve;
      unlessAway(
        () => this.batch !== batch,
        isAway,
        () => this.lost(batch),
      );
    });
    return engine;
  }

  /** Nobody is told any more what became of it: it may have been kept or not. */
  private lost(batch: Batch): void {
    this.batch = undefined;
    for (const { job, done } of batch.jobs) done(this.events.fault?.(job) ?? faultInside());
    this.ended?.();
  }

  get waiting(): number {
    return this.jobs.length + (this.batch?.jobs.length ?? 0) + this.other.waiting;
  }

  submit(job: Job, done: (reply: Reply) => void): void {
    if (this.engine?.quick.takes(job) !== true) this.other.submit(job, done);
    else if (this.jobs.push({ job, done }) === 1) setImmediate(() => this.begin());
  }

  private begin(): void {
    const { engine } = this;
    if (engine === undefined || this.batch !== undefined || this.jobs.length === 0) return;
    this.batch = { engine, jobs: [] };
    void this.write(this.batch);
  }

  private async write(batch: Batch): Promise<void> {
    const taken = (): Job[] => {
      const more = this.jobs.splice(0, BATCH_MAX - batch.jobs.length);
      batch.jobs = [...batch.jobs, ...more];
      return more.map(({ job }) => job);
    };
    const replies = await batch.engine.quick.write(taken(), taken);
    if (this.batch !== batch) return;
    this.batch = undefined;
    // The next one waits for its turn while these are answered.
    this.begin();
    this.written(batch, replies);
    this.ended?.();
  }

  private written({ engine, jobs }: Batch, replies: readonly (Reply | undefined)[]): void {
    const news = engine.news();
    if (news) this.events.news(news);
    const isAny = replies.some((reply) => reply !== undefined);
    if (isAny && engine.timed) this.other.fire(jobs.at(-1)?.job.now ?? 0n);
    const all = jobs.map(({ job }) => job);
    for (const [at, reply] of allExplained(engine, all, replies).entries()) {
      const { job, done } = jobs[at] as Waiting;
      if (reply === undefined) this.other.submit(job, done);
      else done(reply);
    }
  }

  fire(now: bigint): void {
    this.other.fire(now);
  }

  deliver(
    now: bigint,
    results: readonly Result[],
    underWay: UnderWay | undefined,
  ): Promise<Delivered> {
    return this.other.deliver(now, results, underWay);
  }

  calls(now: bigint, asked: readonly AskResult[], busy: readonly string[]): Promise<Asks> {
    return this.other.calls(now, asked, busy);
  }

  async renew(setup: Setup): Promise<Turn> {
    const turn = await this.other.renew(setup);
    const take = async (): Promise<void> => {
      const engine = await this.rested();
      try {
        await turn.take();
      } catch (fault) {
        if (engine !== undefined) this.use(engine);
        throw fault;
      }
      engine?.close();
    };
    return { ...turn, take };
  }

  figures(now: bigint): Promise<EngineFigures | undefined> {
    return this.other.figures(now);
  }

  async stop(): Promise<void> {
    (await this.rested())?.close();
    await this.other.stop();
  }
}
