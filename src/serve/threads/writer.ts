/** Hands jobs to whoever writes, in their order, and gives their replies back. */
import type { Engine } from "../engine/engine.ts";
import { type EngineFigures, figuresOf } from "../engine/figures.ts";
import type { Setup } from "../engine/open.ts";
import type { AskResult, Asks } from "../jobs/ask.ts";
import type { Delivered, Job, News, Reply, Result, UnderWay } from "../jobs/job.ts";
import { CannotServe } from "../settings/refused.ts";
import { InTurn } from "./in-turn.ts";

/** Told what the writer learns besides replies. */
export interface WriterEvents {
  /** When something falls due next; undefined: nothing is set. */
  due(at: bigint | undefined): void;
  news(news: News): void;
  /** The answer of a request whose writer has ended. */
  fault?(job: Job): Reply;
  /** Nothing is written any more: the service is of no use. */
  gaveUp?(why: string): void;
}

/** Another document that is ready to be written for. */
export interface Turn {
  /**
   * From then on it is written for that one: jobs that were submitted before are done first. Where
   * the store does not take it, it is written on for the one before: rejects with `CannotServe`.
   */
  take(): Promise<void>;
  /** It is not needed. */
  drop(): void;
}

export interface Writer {
  /** Jobs without a reply yet. */
  readonly waiting: number;
  /** Jobs that wait together share a transaction. */
  submit(job: Job, done: (reply: Reply) => void): void;
  fire(now: bigint): void;
  /**
   * Keeps what became of attempts, and chooses messages whose delivery is to be tried now beside
   * those that are being tried; `underWay` undefined: none. Resolves when all of it is durable.
   */
  deliver(
    now: bigint,
    results: readonly Result[],
    underWay: UnderWay | undefined,
  ): Promise<Delivered>;
  /** Takes in what calls have said; gives those to be made now, except those under way. */
  calls(now: bigint, asked: readonly AskResult[], busy: readonly string[]): Promise<Asks>;
  /** Makes ready for another document. Rejects with `CannotServe` where it cannot be served. */
  renew(setup: Setup): Promise<Turn>;
  /** How much waits in the store; undefined where the writer has ended meanwhile. */
  figures(now: bigint): Promise<EngineFigures | undefined>;
  /** Ends when all jobs have their replies and the store is closed. */
  stop(): Promise<void>;
}

/** What waits for replies: first in, first out. */
export class Waiting<T> {
  private done: (((reply: T) => void) | undefined)[] = [];
  private head = 0;

  get count(): number {
    return this.done.length - this.head;
  }

  add(done: (reply: T) => void): void {
    this.done.push(done);
  }

  settle(reply: T): void {
    const done = this.done[this.head];
    // What was answered is not held on to: it would outlive the collections of new objects.
    this.done[this.head++] = undefined;
    if (this.head > 1024 && this.head * 2 > this.done.length) {
      this.done = this.done.slice(this.head);
      this.head = 0;
    }
    done?.(reply);
  }
}

/** Writes in this thread: a turn's jobs in one transaction at the end of the turn. */
export function inlineWriter(engine: Engine, events: WriterEvents): Writer {
  const waiting = new Waiting<Reply>();
  const turns = new InTurn();
  let jobs: Job[] = [];
  const tell = (now: bigint): void => {
    events.due(engine.nextDue(now));
    const news = engine.news();
    if (news) events.news(news);
  };
  /** Jobs that came since these were taken. */
  const taken = (): Job[] => {
    const batch = jobs;
    jobs = [];
    return batch;
  };
  const flush = (): void => {
    let batch: readonly Job[] = [];
    turns.run(
      () => {
        batch = taken();
        // Those before it may have taken all of them.
        return batch.length === 0 ? [] : engine.write(batch, taken);
      },
      (replies) => {
        for (const reply of replies) waiting.settle(reply);
        if (replies.length > 0) tell(batch.at(-1)?.now ?? 0n);
      },
    );
  };
  const asked = <T>(now: bigint, work: () => T | Promise<T>): Promise<T> =>
    new Promise((resolve) => {
      turns.run(work, (made) => {
        tell(now);
        resolve(made);
      });
    });
  return {
    get waiting() {
      return waiting.count;
    },
    submit: (job, done) => {
      if (jobs.push(job) === 1) setImmediate(flush);
      waiting.add(done);
    },
    fire: (now) =>
      turns.run(
        () => engine.fire(now),
        () => tell(now),
      ),
    deliver: (now, results, underWay) => asked(now, () => engine.deliver(now, results, underWay)),
    calls: (now, results, busy) => asked(now, () => engine.calls(now, results, busy)),
    renew: () =>
      Promise.reject(new CannotServe(["What is in memory is of the document that it began with."])),
    figures: (now) =>
      new Promise((resolve) => {
        turns.run(() => figuresOf(engine, now), resolve);
      }),
    stop: () => {
      if (jobs.length > 0) flush();
      const isAway = (): boolean => engine.parts.storage.shared?.isAway() === true;
      return turns.end(() => engine.close(), isAway);
    },
  };
}
