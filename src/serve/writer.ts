/** Hands jobs to whoever writes, in their order, and gives their replies back. */
import { Worker } from "node:worker_threads";
import type { Engine } from "./engine.ts";
import type { Job, Note, Order, Reply, Report } from "./job.ts";
import { CannotServe } from "./options.ts";
import type { Setup } from "./open.ts";
import { faultInside } from "./problem.ts";
import type { ThreadData } from "./thread.ts";

/** Told what the writer learns besides replies. */
export interface WriterEvents {
  /** When something falls due next; undefined: nothing is set. */
  due(at: bigint | undefined): void;
  note(note: Note): void;
}

export interface Writer {
  /** Jobs without a reply yet. */
  readonly waiting: number;
  /** Jobs submitted in one turn of the event loop share a transaction. */
  submit(job: Job, done: (reply: Reply) => void): void;
  fire(now: bigint): void;
  /** Ends when all jobs have their replies and the store is closed. */
  stop(): Promise<void>;
}

/** What waits for replies: first in, first out. */
class Waiting {
  private done: ((reply: Reply) => void)[] = [];
  private head = 0;

  get count(): number {
    return this.done.length - this.head;
  }

  add(done: (reply: Reply) => void): void {
    this.done.push(done);
  }

  settle(reply: Reply): void {
    const done = this.done[this.head++];
    if (this.head > 1024 && this.head * 2 > this.done.length) {
      this.done = this.done.slice(this.head);
      this.head = 0;
    }
    done?.(reply);
  }
}

/** Writes in this thread: a turn's jobs in one transaction at the end of the turn. */
export function inlineWriter(engine: Engine, events: WriterEvents): Writer {
  const waiting = new Waiting();
  let jobs: Job[] = [];
  const flush = (): void => {
    const batch = jobs;
    jobs = [];
    const replies = engine.write(batch);
    events.due(engine.nextDue(batch.at(-1)?.now ?? 0n));
    for (const reply of replies) waiting.settle(reply);
  };
  return {
    get waiting() {
      return waiting.count;
    },
    submit: (job, done) => {
      if (jobs.push(job) === 1) setImmediate(flush);
      waiting.add(done);
    },
    fire: (now) => {
      for (const note of engine.fire(now)) events.note(note);
      events.due(engine.nextDue(now));
    },
    stop: async () => {
      if (jobs.length > 0) flush();
      engine.close();
    },
  };
}

/** Starts the writing thread; resolves when its store is open. Rejects with `CannotServe`. */
export function threadWriter(setup: Setup, now: bigint, events: WriterEvents): Promise<Writer> {
  const file = import.meta.url.endsWith(".ts") ? "./thread.ts" : "./thread.js";
  const workerData: ThreadData = { setup, now };
  const worker = new Worker(new URL(file, import.meta.url), { workerData });
  return new Promise((resolve, reject) => {
    const writer = new ThreadWriter(worker, events);
    worker.on("message", (report: Report) => {
      if (report.is === "open") resolve(writer);
      else if (report.is === "failed") reject(new CannotServe(report.message.split("\n")));
      else writer.hear(report);
    });
    worker.on("error", (fault) => {
      reject(fault);
      writer.fail(fault);
    });
  });
}

class ThreadWriter implements Writer {
  private readonly worker: Worker;
  private readonly events: WriterEvents;
  private readonly pending = new Waiting();
  private jobs: Job[] = [];
  private taken = 0;
  private broken = false;
  private stopped: (() => void) | undefined;

  constructor(worker: Worker, events: WriterEvents) {
    this.worker = worker;
    this.events = events;
  }

  get waiting(): number {
    return this.pending.count;
  }

  submit(job: Job, done: (reply: Reply) => void): void {
    if (this.broken) {
      done(faultInside());
      return;
    }
    if (this.jobs.push(job) === 1) setImmediate(() => this.flush());
    this.pending.add(done);
  }

  fire(now: bigint): void {
    this.order({ is: "time", now });
  }

  stop(): Promise<void> {
    this.flush();
    if (this.broken) return Promise.resolve();
    return new Promise((resolve) => {
      this.stopped = resolve;
      this.order({ is: "stop" });
    });
  }

  /** Takes what the thread says. */
  hear(report: Report): void {
    if (report.is === "replies") {
      this.events.due(report.due);
      for (const reply of report.replies) this.pending.settle(reply);
    } else if (report.is === "fired") {
      this.events.due(report.due);
      for (const note of report.notes) this.events.note(note);
    } else if (report.is === "stopped") this.stopped?.();
  }

  /** The thread has ended by a fault: nothing that waits was promised to be kept. */
  fail(fault: unknown): void {
    this.broken = true;
    this.events.note({ what: "fault", text: `the writing thread ended: ${String(fault)}` });
    this.jobs = [];
    while (this.pending.count > 0) this.pending.settle(faultInside());
    this.stopped?.();
  }

  private flush(): void {
    if (this.jobs.length === 0) return;
    this.order({ is: "jobs", first: this.taken, jobs: this.jobs });
    this.taken += this.jobs.length;
    this.jobs = [];
  }

  private order(order: Order): void {
    if (!this.broken) this.worker.postMessage(order);
  }
}
