/**
 * Writes in this thread what never has to be waited for in the middle of a transaction, and has a
 * thread write the rest: see `Quick`.
 */
import type { Engine } from "../engine/engine.ts";
import type { EngineFigures } from "../engine/figures.ts";
import type { Setup } from "../engine/open.ts";
import type { AskResult, Asks } from "../jobs/ask.ts";
import type { Delivered, Job, Reply, Result, UnderWay } from "../jobs/job.ts";
import { allExplained } from "./explained.ts";
import { InTurn } from "./in-turn.ts";
import type { Turn, Writer, WriterEvents } from "./writer.ts";

/** Jobs in one transaction: others are accepted and read in between. */
const BATCH_MAX = 128;

interface Waiting {
  readonly job: Job;
  readonly done: (reply: Reply) => void;
}

type Events = Pick<WriterEvents, "news">;

export class QuickWriter implements Writer {
  /** Writes all that this one does not. */
  private readonly other: Writer;
  private readonly events: Events;
  private turns = new InTurn();
  private engine: Engine | undefined;
  /** Jobs that wait for their transaction, and those that are in one. */
  private jobs: Waiting[] = [];
  private underWay = 0;

  constructor(other: Writer, events: Events) {
    this.other = other;
    this.events = events;
  }

  /** From then on it writes with the engine, which is its own. */
  use(engine: Engine): void {
    this.engine = engine;
    this.turns = new InTurn();
  }

  /** Resolves, to what it wrote with, when nothing is written here any more. */
  private async rested(): Promise<Engine | undefined> {
    const { engine } = this;
    if (engine === undefined) return undefined;
    this.engine = undefined;
    for (const { job, done } of this.jobs.splice(0)) this.other.submit(job, done);
    const isAway = (): boolean => engine.parts.storage.shared?.isAway() === true;
    await this.turns.end(() => {}, isAway);
    return engine;
  }

  get waiting(): number {
    return this.jobs.length + this.underWay + this.other.waiting;
  }

  submit(job: Job, done: (reply: Reply) => void): void {
    const { engine } = this;
    if (engine?.quick.takes(job) !== true) this.other.submit(job, done);
    else if (this.jobs.push({ job, done }) === 1) setImmediate(() => this.begin(engine));
  }

  private begin(engine: Engine): void {
    let batch: Waiting[] = [];
    const taken = (): Job[] => {
      const more = this.jobs.splice(0, BATCH_MAX - batch.length);
      batch = [...batch, ...more];
      this.underWay = batch.length;
      return more.map(({ job }) => job);
    };
    this.turns.run(
      () => {
        const jobs = taken();
        // Those before it may have taken all of them.
        return jobs.length === 0 ? [] : engine.quick.write(jobs, taken);
      },
      (replies) => {
        this.underWay = 0;
        if (this.jobs.length > 0) this.begin(engine);
        if (replies.length > 0) this.written(engine, batch, replies);
      },
    );
  }

  private written(
    engine: Engine,
    batch: readonly Waiting[],
    replies: readonly (Reply | undefined)[],
  ): void {
    const news = engine.news();
    if (news) this.events.news(news);
    const isAny = replies.some((reply) => reply !== undefined);
    if (isAny && engine.timed) this.other.fire(batch.at(-1)?.job.now ?? 0n);
    const jobs = batch.map(({ job }) => job);
    for (const [at, reply] of allExplained(engine, jobs, replies).entries()) {
      const { job, done } = batch[at] as Waiting;
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
