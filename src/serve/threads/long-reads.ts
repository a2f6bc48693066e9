/** Reads that may take long run in threads of their own, so that nobody else waits for them. */
import type { Setup } from "../engine/open.ts";
import { giveUp, isGivenUp } from "../jobs/deadlines.ts";
import type { Job, Note, Reply } from "../jobs/job.ts";
import { Lanes, type Presence } from "../jobs/lanes.ts";
import { peerOf } from "../jobs/peer.ts";
import { faultInside } from "../jobs/problem.ts";
import { packJob, unpackReply } from "./packing.ts";
import type { Read, ReadingStart } from "./reading.ts";
import { startThread } from "./thread-start.ts";

/**
 * A read that takes longer than this keeps others waiting: of a store in this process, where that
 * is work; of one that is asked over a connection, where most of it is waiting.
 */
const LONG_MS = { here: 4, asked: 50 } as const;
/** So many reads of an endpoint run apart after one that was long; then one is tried again. */
const APART = 16;
/** How often it is looked whether a client still waits for its read. */
const LOOK_MS = 250;
const NO_LINE = -1;

/** What is told of a read: its reply; undefined: something is due that has to be done first. */
type Done = (reply: Reply | undefined) => void;

interface Waiting {
  readonly job: Job;
  readonly done: Done;
}

interface Surroundings {
  readonly setup: Setup;
  readonly clock: { now(): bigint };
  /** Threads at most; each is started when it is first needed. */
  readonly threads: number;
  readonly at: (line: number) => Presence;
  readonly note: (note: Note) => void;
  /** The answer of a job that a fault has ended. */
  readonly fault: (job: Job) => Reply;
}

/** What makes them, for those who know how connections are. */
export type MakeLongReads = (around: Pick<Surroundings, "at" | "note" | "fault">) => LongReads;

/** One thread that reads, and what it reads now. */
class ReadThread {
  current: Waiting | undefined;
  /** Whether it can read: until then it starts, which takes most of a second. */
  isOpen = false;
  private readonly worker = startThread("read").worker;

  constructor({ setup, clock, note, fault }: Surroundings, free: (isOver: boolean) => void) {
    const { plan, ...rest } = setup;
    const data: ReadingStart = { plan: JSON.stringify(plan), setup: rest, now: clock.now() };
    this.worker.postMessage(data);
    let why: unknown = "it ended";
    const settle = (reply: Reply | undefined): void => {
      const { current } = this;
      this.current = undefined;
      current?.done(reply);
    };
    this.worker.on("message", (read: Read) => {
      if (read.is === "open") this.isOpen = true;
      else if (read.is === "failed") why = read.message;
      else {
        settle(read.is === "due" ? undefined : unpackReply(read.reply));
        free(false);
      }
    });
    this.worker.on("error", (thrown) => {
      why = thrown;
    });
    this.worker.on("exit", () => {
      const { current } = this;
      if (current !== undefined) {
        const text = `a reading thread ended: ${String(why)}`;
        note({ what: "fault", text });
        settle(fault(current.job));
      }
      free(true);
    });
  }

  read(waiting: Waiting): void {
    this.current = waiting;
    this.worker.postMessage(packJob(waiting.job));
  }

  async stop(): Promise<void> {
    await this.worker.terminate();
  }
}

/** The reads that run apart, in fair turns of the clients. */
export class LongReads {
  private readonly around: Surroundings;
  private readonly longMs: number;
  private readonly lanes: Lanes<Waiting>;
  private readonly threads = new Set<ReadThread>();
  /** By endpoint: how many of its next reads run apart. */
  private readonly apart: number[] = [];
  /** By endpoint: whether its last read here took long. */
  private readonly wasLong: boolean[] = [];
  private stopped: (() => void) | undefined;
  private stopping: Promise<void> | undefined;
  private watch: NodeJS.Timeout | undefined;

  constructor(around: Surroundings) {
    this.around = around;
    const { store } = around.setup;
    this.longMs = store !== "memory" && "postgres" in store ? LONG_MS.asked : LONG_MS.here;
    this.lanes = new Lanes(
      (line) => (line === NO_LINE ? "open" : around.at(line)),
      ({ done }) => done(faultInside()),
    );
  }

  /** Whether the next read of the endpoint is taken for a long one. */
  isLong(endpoint: number): boolean {
    const left = this.apart[endpoint] ?? 0;
    if (left > 0) this.apart[endpoint] = left - 1;
    return left > 0;
  }

  /** Told how long a read took beside others; undefined: too long to be ended there. */
  took(endpoint: number, ms: number | undefined): void {
    const isLong = ms === undefined || ms > this.longMs;
    // Once may be the machine, which did something else meanwhile; what is too much is counted.
    const isApart = ms === undefined || (isLong && this.wasLong[endpoint] && this.isOpen());
    if (isApart) this.apart[endpoint] = APART;
    this.wasLong[endpoint] = isLong;
  }

  /** Whether a thread is there; else one starts: who can be read here does not wait for that. */
  private isOpen(): boolean {
    for (const one of this.threads) if (one.isOpen) return true;
    if (this.threads.size === 0 && this.stopping === undefined) this.free();
    return false;
  }

  /** Reads apart. Nothing is done where nobody waits for it any more. */
  take(given: Job, done: Done): void {
    const turn = given.turn ?? new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
    this.lanes.add(peerOf(given.address), given.line ?? NO_LINE, { job: { ...given, turn }, done });
    this.next();
  }

  /** Does what was begun and somebody waits for, and ends. */
  stop(): Promise<void> {
    this.look();
    this.stopping ??= new Promise((resolve) => {
      this.stopped = resolve;
      this.next();
    });
    return this.stopping;
  }

  private next(): void {
    while (this.lanes.count > 0) {
      const thread = this.free();
      if (thread === undefined) return;
      const waiting = this.lanes.next();
      if (waiting === undefined) break;
      if (isGivenUp(waiting.job)) continue;
      thread.read({ ...waiting, job: { ...waiting.job, now: this.around.clock.now() } });
      this.watch ??= setInterval(() => this.look(), LOOK_MS).unref();
    }
    const { stopped } = this;
    if (stopped === undefined || [...this.threads].some((one) => one.current)) return;
    this.stopped = undefined;
    clearInterval(this.watch);
    void Promise.all([...this.threads].map((one) => one.stop())).then(() => stopped());
  }

  private free(): ReadThread | undefined {
    for (const one of this.threads) if (one.current === undefined) return one;
    if (this.threads.size >= this.around.threads) return undefined;
    const thread = new ReadThread(this.around, (isOver) => {
      if (isOver) this.threads.delete(thread);
      this.next();
    });
    this.threads.add(thread);
    return thread;
  }

  /** Ends the reads whose clients have gone. */
  private look(): void {
    let isIdle = true;
    for (const { current } of this.threads) {
      if (current === undefined) continue;
      isIdle = false;
      const { line = NO_LINE, begunMs } = current.job;
      // A job with a stated time to answer ends by that.
      if (begunMs !== undefined) continue;
      if (line !== NO_LINE && this.around.at(line) === "gone") giveUp(current.job);
    }
    if (!isIdle) return;
    clearInterval(this.watch);
    this.watch = undefined;
  }
}
