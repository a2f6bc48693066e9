/** Makes the attempts that are due, many at a time, and tells the writer what became of them. */

import type { Message } from "../../run/index.ts";
import { machineMs } from "../jobs/deadlines.ts";
import type { Delivered, Result, Sending, UnderWay } from "../jobs/job.ts";
import { Alarm } from "../time/alarm.ts";
import type { Clock } from "../time/clock.ts";
import { hostOf } from "./receivers.ts";
import { send } from "./send.ts";

/** When results that could not be kept are told again. */
const AGAIN_MICROS = 1_000_000n;

/** Whoever takes longer is slow. */
const SLOW_MS = 1_000;
/** Where many attempts are under way, those that end meanwhile are told of together. */
const MANY = 64;
const TOGETHER_MS = 25;
/** Of so many it is told in one transaction: others have their turn in between. */
const TOLD_AT_ONCE = 32;

interface CourierOptions {
  readonly allowPrivate: boolean;
  /** Attempts at a time. */
  readonly most: number;
}

interface Begun {
  readonly message: Message;
  readonly host: string;
  readonly atMs: number;
}

/** The writer, as far as deliveries need it. */
interface MessageWriter {
  deliver(
    now: bigint,
    results: readonly Result[],
    underWay: UnderWay | undefined,
  ): Promise<Delivered>;
}

/** One loop: it asks when something may be due, and waits for the next time. */
export class Courier {
  private readonly writer: MessageWriter;
  private readonly clock: Clock;
  private readonly options: CourierOptions;
  private readonly alarm: Alarm;
  private readonly busy = new Map<number, Begun>();
  private readonly aborting = new AbortController();
  private asking = false;
  private stopping = false;
  /** Attempts under way, and who waits for their end. */
  private sending = 0;
  private stopped: (() => void) | undefined;
  private again = false;
  private ended: Result[] = [];

  constructor(writer: MessageWriter, clock: Clock, options: CourierOptions) {
    this.writer = writer;
    this.clock = clock;
    this.options = options;
    this.alarm = new Alarm(clock, () => this.wake());
  }

  /** Something may be due. */
  wake(): void {
    if (this.asking) this.again = true;
    else if (!this.stopping) void this.ask();
  }

  /**
   * Begins no further attempt, and resolves when those under way have ended. What takes longer than
   * the time given is given up: it is tried again when the service runs again.
   */
  async stop(withinMs: number): Promise<void> {
    this.stopping = true;
    this.alarm.stop();
    const late = setTimeout(() => this.aborting.abort(), withinMs);
    await new Promise<void>((resolve) => {
      this.stopped = resolve;
      this.look();
    });
    clearTimeout(late);
    this.alarm.stop();
    if (this.ended.length > 0) await this.tell(false);
  }

  private async ask(): Promise<void> {
    this.asking = true;
    do {
      this.again = false;
      const { kept, sendings, due, isPart, untilMs } = await this.tell(true);
      if (!kept) {
        // The store fails: no further attempt is made whose outcome could not be kept either.
        this.alarm.set(this.clock.now() + AGAIN_MICROS);
        break;
      }
      for (const one of sendings) this.start(one, untilMs);
      if (sendings.length > 0 && isPart === true) this.again = true;
      this.alarm.set(due);
      if (this.busy.size > MANY) await new Promise((go) => setTimeout(go, TOGETHER_MS));
    } while (this.again && !this.stopping);
    this.asking = false;
    this.look();
  }

  /** `results`: of those that have ended. */
  private underWay(results: readonly Result[]): UnderWay {
    const nowMs = performance.now();
    const ended = new Set(results.map(({ message }) => message.number));
    const left = [...this.busy.values()].filter(({ message }) => !ended.has(message.number));
    const busy = left.map(({ message, host, atMs }) => {
      const { number, webhook, receiver } = message;
      return { number, webhook, receiver, host, isSlow: nowMs - atMs > SLOW_MS };
    });
    return { busy, most: this.options.most };
  }

  /** Tells who waits for the end when nothing is under way any more. */
  private look(): void {
    if (!this.asking && this.sending === 0) this.stopped?.();
  }

  /** Tells what became of attempts; `further`: whether others are to be made. */
  private async tell(further: boolean): Promise<Delivered> {
    for (;;) {
      const results = this.ended.splice(0, TOLD_AT_ONCE);
      const isLast = this.ended.length === 0;
      const underWay = further && isLast ? this.underWay(results) : undefined;
      const delivered = await this.writer.deliver(this.clock.now(), results, underWay);
      if (!delivered.kept) {
        this.ended.push(...results);
        return delivered;
      }
      for (const { message } of results) this.busy.delete(message.number);
      if (isLast) return delivered;
    }
  }

  private start(sending: Sending, untilMs = Number.POSITIVE_INFINITY): void {
    const { message } = sending;
    const { signal } = this.aborting;
    if (this.busy.has(message.number)) return;
    if (machineMs() > untilMs) {
      // This process stood still meanwhile, and another may have taken over.
      this.ended.push({ message, arrived: false, isUnmade: true });
      this.again = true;
      return;
    }
    const atMs = performance.now();
    this.busy.set(message.number, { message, host: hostOf(sending.address), atMs });
    this.sending++;
    const { allowPrivate } = this.options;
    const options = { allowPrivate, signal, now: this.clock.now() };
    void send(sending, options).then((result) => {
      this.sending--;
      const isSlow = performance.now() - atMs > SLOW_MS;
      if (!signal.aborted) this.ended.push({ ...result, isSlow });
      this.wake();
      this.look();
    });
  }
}
