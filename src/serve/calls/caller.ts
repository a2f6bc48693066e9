/** Makes calls beside the writer: for requests that wait, and those that the store asks for. */

import type { Ask, AskResult, Asks, CallResult } from "../jobs/ask.ts";
import { machineMs } from "../jobs/deadlines.ts";
import type { Job, Reply } from "../jobs/job.ts";
import { BoundedQueue } from "../jobs/queue.ts";
import { Alarm } from "../time/alarm.ts";
import type { Clock } from "../time/clock.ts";
import type { Attempted, Door } from "./door.ts";

/** Calls of one kind under way at a time; further ones wait for their turn. */
const UNDER_WAY_MAX = 1_024;
/** When it is asked again whether a work of another node has ended. */
const AGAIN_MS = 100;
const FIRST_PAUSE_MS = 50;
const LAST_PAUSE_MS = 5_000;
/** How long nobody may be there, where the document states no time-out. */
const LOST_MS_MAX = 30_000;
/** The longest time that a timer of the platform takes. */
const TIMER_MS_MAX = 2_147_483_647;

/** The writer, as far as calls need it. */
export interface CallWriter {
  calls(now: bigint, asked: readonly AskResult[], busy: readonly string[]): Promise<Asks>;
}

interface CallerParts {
  readonly writer: CallWriter;
  readonly door: Door;
  readonly clock: Clock;
  /** Whether other nodes serve on the same store. */
  readonly hasOthers?: boolean;
}

/** Nothing was begun: it is asked for again. */
const LATER: CallResult = { is: "later" };

type Submit = (job: Job) => void;

export class Caller {
  private readonly parts: CallerParts;
  private door: Door;
  /** Calls under way, by what they go through. */
  private readonly through = new Map<Door, number>();
  private readonly alarm: Alarm;
  private readonly aborting = new AbortController();
  /** Long calls may be under way for days: they must not keep others waiting. */
  private readonly queues = {
    work: new BoundedQueue(UNDER_WAY_MAX),
    undo: new BoundedQueue(UNDER_WAY_MAX),
    long: new BoundedQueue(UNDER_WAY_MAX),
  };
  /** Keys of the calls that the store has asked for and that are under way. */
  private readonly busy = new Set<string>();
  private asked: AskResult[] = [];
  private asking = false;
  private again = false;
  /** Requests that wait until a work has ended. */
  private readonly behind = new Map<string, (() => void)[]>();

  constructor(parts: CallerParts) {
    this.parts = parts;
    this.door = parts.door;
    this.alarm = new Alarm(parts.clock, () => this.wake());
  }

  /** Whether a reply is none yet: then its call is made, and the job is submitted again. */
  takes(job: Job, reply: Reply, submit: Submit): boolean {
    if (reply.behind !== undefined) {
      const waiting = this.behind.get(reply.behind) ?? [];
      this.behind.set(reply.behind, waiting);
      const go = (): void => submit(job);
      waiting.push(go);
      // A work of another node is not heard of.
      if (this.parts.hasOthers === true) setTimeout(() => this.retry(reply.behind, go), AGAIN_MS);
      return true;
    }
    const { unfinished } = reply;
    if (unfinished === undefined) {
      if (job.replay !== undefined) this.ended(job.replay.work);
      return false;
    }
    const { ask, step, replay } = unfinished;
    this.make({ ask }, (told) => {
      const said = [...replay.said, { ...step, told }];
      submit({ ...job, replay: { ...replay, said } });
    });
    return true;
  }

  /** Submits one that waits still. */
  private retry(work = "", go: () => void): void {
    const waiting = this.behind.get(work) ?? [];
    if (!waiting.includes(go)) return;
    const others = waiting.filter((one) => one !== go);
    if (others.length > 0) this.behind.set(work, others);
    else this.behind.delete(work);
    go();
  }

  private ended(work: string): void {
    const waiting = this.behind.get(work) ?? [];
    this.behind.delete(work);
    for (const one of waiting) one();
  }

  /** Calls that begin now go through another door; the one before closes behind the last of its. */
  turn(door: Door): void {
    const former = this.door;
    this.door = door;
    if (!this.through.has(former)) former.close();
  }

  private left(door: Door): void {
    const others = (this.through.get(door) ?? 1) - 1;
    if (others > 0) this.through.set(door, others);
    else {
      this.through.delete(door);
      if (door !== this.door) door.close();
    }
  }

  /** Calls of the store may be due. */
  wake(): void {
    if (this.asking) this.again = true;
    else if (!this.aborting.signal.aborted) void this.ask();
  }

  /** What is under way is given up; what has to be made again is, when the service runs again. */
  stop(): void {
    this.aborting.abort();
    this.alarm.stop();
    for (const queue of Object.values(this.queues)) queue.clear();
    for (const door of new Set([...this.through.keys(), this.door])) door.close();
  }

  private async ask(): Promise<void> {
    const { writer, clock } = this.parts;
    this.asking = true;
    do {
      this.again = false;
      const asked = this.asked;
      this.asked = [];
      const { asks, due, untilMs } = await writer.calls(clock.now(), asked, [...this.busy]);
      for (const { key } of asked) this.busy.delete(key);
      for (const one of asks) this.start(one, untilMs);
      this.alarm.set(due);
    } while (this.again && !this.aborting.signal.aborted);
    this.asking = false;
  }

  private start(ask: Ask, untilMs: number | undefined): void {
    if (this.busy.has(ask.key)) return;
    this.busy.add(ask.key);
    this.make({ ask, untilMs }, (told) => {
      this.asked.push({ key: ask.key, told });
      this.wake();
    });
  }

  /** Makes a call when it is its turn; nothing is told once the service stops. */
  private make(
    { ask, untilMs = Number.POSITIVE_INFINITY }: { ask: Ask; untilMs?: number | undefined },
    done: (told: CallResult) => void,
  ): void {
    const queue = this.queues[!ask.patient ? "work" : ask.undoes === undefined ? "long" : "undo"];
    queue.add(async () => {
      // Where it has waited too long, another node may have taken over.
      const isLate = ask.patient && machineMs() > untilMs;
      const told = isLate ? LATER : await this.answerOf(ask);
      if (!this.aborting.signal.aborted) done(told);
    });
  }

  private async answerOf(ask: Ask): Promise<CallResult> {
    if (ask.standIn !== undefined) return { is: "said", text: ask.standIn };
    const { door } = this;
    this.through.set(door, (this.through.get(door) ?? 0) + 1);
    const ending = new AbortController();
    const { signal } = this.aborting;
    const stop = (): void => ending.abort();
    signal.addEventListener("abort", stop, { once: true });
    const late =
      ask.withinMs === undefined
        ? undefined
        : setTimeout(() => ending.abort(), Math.min(ask.withinMs, TIMER_MS_MAX));
    try {
      return await this.attempts(ask, door, ending.signal);
    } finally {
      clearTimeout(late);
      this.left(door);
      signal.removeEventListener("abort", stop);
    }
  }

  /** Attempts until one is answered, as long as the call may be made again and has time. */
  private async attempts(ask: Ask, door: Door, signal: AbortSignal): Promise<CallResult> {
    const { key, call, given, undoes, repeatable } = ask;
    const startMs = performance.now();
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LAST_PAUSE_MS)) {
      const attempted = await orAborted(
        signal,
        door.ask({ call, given, key, undoes, repeatable, signal }),
      );
      if (attempted === "aborted") return { is: "late" };
      if (ask.patient) return patient(attempted, ask);
      if (attempted.is === "later") {
        return { is: "fault", message: "it gives no answer, and its kind is not `long`" };
      }
      if (attempted.is !== "lost") return attempted;
      if (attempted.arrived && !ask.repeatable) return { is: "late" };
      if (ask.withinMs === undefined && performance.now() - startMs > LOST_MS_MAX) {
        return { is: "fault", message: attempted.message };
      }
      if ((await orAborted(signal, pause(attempted.afterMs ?? pauseMs))) === "aborted") {
        return { is: "late" };
      }
    }
  }
}

/** A call that the store asks for again by itself. */
function patient(attempted: Attempted, { repeatable, undoes }: Ask): CallResult {
  if (attempted.is !== "lost") return attempted;
  const { message, arrived, afterMs } = attempted;
  if (arrived && !repeatable && undoes === undefined) return { is: "fault", message };
  return { is: "later", message, ...(afterMs === undefined ? {} : { afterMs }) };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });
}

/** What a promise gives, unless the signal comes first. */
function orAborted<T>(signal: AbortSignal, promise: Promise<T>): Promise<T | "aborted"> {
  if (signal.aborted) return Promise.resolve("aborted");
  return new Promise((resolve) => {
    const stop = (): void => resolve("aborted");
    signal.addEventListener("abort", stop, { once: true });
    void promise.then((value) => {
      signal.removeEventListener("abort", stop);
      resolve(value);
    });
  });
}
