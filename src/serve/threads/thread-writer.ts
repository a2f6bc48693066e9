/** The writer in a thread of its own; a thread that ends by a fault is started again. */
import type { Worker } from "node:worker_threads";
import type { EngineFigures } from "../engine/figures.ts";
import type { Setup } from "../engine/open.ts";
import type { AskResult, Asks } from "../jobs/ask.ts";
import type { Delivered, Job, Note, Reply, Result, UnderWay } from "../jobs/job.ts";
import { faultInside } from "../jobs/problem.ts";
import { CannotServe } from "../settings/refused.ts";
import type { Opening, Order, Report } from "./orders.ts";
import { packJob, unpackReply } from "./packing.ts";
import type { ThreadData } from "./thread.ts";
import type { Thread } from "./thread-start.ts";
import { startThread } from "./thread-start.ts";
import type { Turn, Writer, WriterEvents } from "./writer.ts";
import { Waiting } from "./writer.ts";

/** Faults within this time after which the thread is not started again, and how often it is. */
const CALM_MS = 60_000;
const STARTS_MAX = 5;
const AGAIN_MICROS = 1_000_000n;
/** Jobs in one transaction, so that no answer waits for an endless one. */
const BATCH_MAX = 512;

/** Opens the store in a thread of its own; resolves when it is open. Rejects with `CannotServe`. */
export async function threadWriter(
  setup: Setup,
  clock: { now(): bigint },
  events: WriterEvents,
  thread?: Thread,
): Promise<Writer> {
  const writer = new ThreadWriter(setup, clock, events);
  await writer.open(thread);
  return writer;
}

type Answer = Extract<Report, { is: "delivered" | "calls" | "figures" }>;

interface Starting {
  readonly thread?: Thread | undefined;
  readonly judged?: bigint;
}

/** A thread that is there and does not write yet. */
interface Started {
  readonly prepared: Promise<void>;
  readonly opened: Promise<void>;
  open(): void;
  end(): void;
}

const ANSWERS: readonly Report["is"][] = ["delivered", "calls", "figures"];

function isAnswer(report: Report): report is Answer {
  return ANSWERS.includes(report.is);
}

class ThreadWriter implements Writer {
  private setup: Setup;
  private readonly clock: { now(): bigint };
  private readonly events: WriterEvents;
  private readonly pending = new Waiting<Reply | undefined>();
  /** Jobs in `pending` that the thread has been given: the first ones. */
  private given = 0;
  private readonly asked = new Waiting<Answer | undefined>();
  private jobs: Job[] = [];
  private worker: Worker | undefined;
  private readonly endedAtMs: number[] = [];
  /** Whether the thread fires what is due, and for when it is to be told again behind that. */
  private isFiring = false;
  private fireNext: bigint | undefined;
  private broken = false;
  private stopping: Promise<void> | undefined;
  private stopped: (() => void) | undefined;
  /** The thread that is to end because another one takes its place. */
  private leaving: { readonly worker: Worker; readonly left: () => void } | undefined;
  /** Ends when another thread has taken the place of the one that wrote. */
  private turned: Promise<void> | undefined;

  constructor(setup: Setup, clock: { now(): bigint }, events: WriterEvents) {
    this.setup = setup;
    this.clock = clock;
    this.events = events;
  }

  get waiting(): number {
    return this.pending.count;
  }

  /** Starts a thread; resolves when it has opened the store. */
  async open(thread?: Thread): Promise<void> {
    const started = this.start(this.setup, { thread });
    started.open();
    await started.prepared;
    await started.opened;
  }

  /** Starts a thread that prepares itself, and opens the store when it is told to. */
  private start({ plan, ...setup }: Setup, { thread, judged }: Starting): Started {
    const { worker } = thread ?? startThread();
    const data: ThreadData = { plan: JSON.stringify(plan), setup, judged };
    worker.postMessage(data);
    const prepared = Promise.withResolvers<void>();
    const opened = Promise.withResolvers<void>();
    // Who does not wait for them hears of it by the thread's end.
    prepared.promise.catch(() => {});
    opened.promise.catch(() => {});
    const refuse = (why: unknown): void => {
      prepared.reject(why);
      opened.reject(why);
    };
    let isOpen = false;
    worker.on("message", (report: Report) => {
      if (report.is === "prepared") prepared.resolve();
      else if (report.is === "open") {
        isOpen = true;
        this.worker = worker;
        if (report.news) this.events.news(report.news);
        opened.resolve();
      } else if (report.is === "opening") this.note("store", report.text);
      else if (report.is === "failed") refuse(new CannotServe(report.message.split("\n")));
      else this.hear(report);
    });
    let why: unknown = "it ended";
    worker.on("error", (fault) => {
      why = fault;
    });
    worker.on("exit", () => {
      refuse(why);
      if (this.leaving?.worker === worker) this.leaving.left();
      else if (isOpen && this.stopping === undefined) this.fail(why);
      else if (isOpen) this.stopped?.();
    });
    return {
      prepared: prepared.promise,
      opened: opened.promise,
      open: () => {
        const opening: Opening = { is: "open", now: this.clock.now() };
        worker.postMessage(opening);
      },
      end: () => void worker.terminate(),
    };
  }

  async renew(setup: Setup): Promise<Turn> {
    const started = this.start(setup, { judged: this.clock.now() });
    await started.prepared;
    return { take: () => this.turn(started, setup), drop: () => started.end() };
  }

  /** The thread that writes does what it was given and ends; the other one writes from then on. */
  private async turn(next: Started, setup: Setup): Promise<void> {
    const { worker } = this;
    if (worker === undefined || this.stopping !== undefined) {
      next.end();
      throw new CannotServe(["The writing thread is not there at this moment."]);
    }
    const turned = Promise.withResolvers<void>();
    this.turned = turned.promise;
    this.end();
    this.worker = undefined;
    await new Promise<void>((left) => {
      this.leaving = { worker, left };
    });
    this.leaving = undefined;
    this.lost();
    try {
      next.open();
      await next.opened;
      this.setup = setup;
    } catch (fault) {
      next.end();
      await this.open().catch((again) => this.fail(again));
      throw fault;
    } finally {
      this.turned = undefined;
      turned.resolve();
      if (this.worker) this.resume();
    }
  }

  submit(job: Job, done: (reply: Reply) => void): void {
    const settle = (reply: Reply | undefined): void =>
      done(reply ?? this.events.fault?.(job) ?? faultInside());
    if (this.broken) {
      settle(undefined);
      return;
    }
    if (this.jobs.push(job) === 1) setImmediate(() => this.flush());
    this.pending.add(settle);
  }

  fire(now: bigint): void {
    if (this.isFiring) this.fireNext = now;
    else if (this.worker) {
      this.isFiring = true;
      this.order({ is: "time", now });
    }
  }

  /** The thread has fired what was due; it was told more than once meanwhile. */
  private fired(): void {
    const { fireNext } = this;
    this.isFiring = false;
    this.fireNext = undefined;
    if (fireNext !== undefined) this.fire(fireNext);
  }

  async deliver(
    now: bigint,
    results: readonly Result[],
    underWay: UnderWay | undefined,
  ): Promise<Delivered> {
    const answer = await this.ask({ is: "deliver", now, results, underWay });
    if (answer?.is === "delivered") return answer.delivered;
    // Where the thread ended, what it kept is found in the store again.
    return { kept: true, sendings: [], due: now + AGAIN_MICROS };
  }

  async calls(now: bigint, asked: readonly AskResult[], busy: readonly string[]): Promise<Asks> {
    const answer = await this.ask({ is: "calls", now, asked, busy });
    return answer?.is === "calls" ? answer.asks : { asks: [], due: now + AGAIN_MICROS };
  }

  async figures(now: bigint): Promise<EngineFigures | undefined> {
    const answer = await this.ask({ is: "figures", now });
    return answer?.is === "figures" ? answer.figures : undefined;
  }

  stop(): Promise<void> {
    if (this.broken) return Promise.resolve();
    this.stopping ??= new Promise((resolve) => {
      this.stopped = resolve;
      this.end();
    });
    return this.stopping;
  }

  /** An answer; undefined where the thread ended before it gave one. */
  private async ask(order: Order): Promise<Answer | undefined> {
    await this.turned;
    return await new Promise((resolve) => {
      if (!this.worker) {
        resolve(undefined);
        return;
      }
      this.asked.add(resolve);
      this.order(order);
    });
  }

  private hear(report: Report): void {
    if (report.is === "lost") this.events.gaveUp?.(report.why);
    if ("due" in report) this.events.due(report.due);
    if ("news" in report && report.news) this.events.news(report.news);
    if (report.is === "replies") {
      this.given -= report.replies.length;
      this.flush();
      for (const reply of report.replies) this.pending.settle(unpackReply(reply));
    } else if (report.is === "fired") this.fired();
    else if (isAnswer(report)) this.asked.settle(report);
  }

  /** What the thread was given may have been kept or not: nobody was told that it was. */
  private fail(fault: unknown): void {
    this.worker = undefined;
    this.note("fault", `the writing thread ended: ${String(fault)}`);
    this.lost();
    const nowMs = performance.now();
    this.endedAtMs.push(nowMs);
    const often = this.endedAtMs.filter((at) => nowMs - at < CALM_MS).length;
    if (often > STARTS_MAX) this.giveUp();
    else
      this.open().then(
        () => this.resume(),
        (again) => this.fail(again),
      );
  }

  /** Nobody answers what the thread was given and has not answered. */
  private lost(): void {
    for (; this.given > 0; this.given--) this.pending.settle(undefined);
    while (this.asked.count > 0) this.asked.settle(undefined);
    this.isFiring = false;
    this.fireNext = undefined;
  }

  private resume(): void {
    this.fire(this.clock.now());
    this.events.news({ notes: [], messages: true, events: true, calls: true });
    this.flush();
    if (this.stopping) this.end();
  }

  private giveUp(): void {
    this.broken = true;
    this.jobs = [];
    const why = "the writing thread is not started again: it has ended too often";
    this.note("fault", why);
    while (this.pending.count > 0) this.pending.settle(undefined);
    this.events.gaveUp?.(why);
    this.stopped?.();
  }

  private note(what: Note["what"], text: string): void {
    this.events.news({
      notes: [{ what, text }],
      messages: false,
      events: false,
      calls: false,
    });
  }

  /**
   * Jobs wait here while there is no thread, and while it does those before: what comes meanwhile
   * shares one transaction. A thread that waits for other nodes takes them in by itself.
   */
  private flush(): void {
    const { store } = this.setup;
    const isShared = store !== "memory" && "postgres" in store;
    if (this.given === 0 || isShared) this.give();
  }

  /** Gives the thread as many jobs as share a transaction. */
  private give(): void {
    if (this.jobs.length === 0 || !this.worker) return;
    const jobs = this.jobs.splice(0, BATCH_MAX);
    this.given += jobs.length;
    this.order({ is: "jobs", jobs: jobs.map(packJob) });
  }

  /** What was submitted is done before the thread ends. */
  private end(): void {
    while (this.worker && this.jobs.length > 0) this.give();
    this.order({ is: "stop" });
  }

  private order(order: Order): void {
    this.worker?.postMessage(order);
  }
}
