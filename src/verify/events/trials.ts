/** Answers attempts otherwise than is good, on purpose, and judges what follows. */
import {
  answerItem,
  durationOf,
  type ItemId,
  isStated,
  itemOf,
  type Plan,
  statedOf,
  type Webhook,
} from "../../plan/index.ts";
import type { Effects } from "../../run/index.ts";
import type { Judge } from "../judge/judge.ts";
import { nowMicros } from "../talk/client.ts";
import type { Ran } from "../world/world.ts";
import type { Behaviour } from "./arrival.ts";
import { said } from "./closing.ts";
import type { EventSink } from "./found.ts";
import type { Message } from "./ledger.ts";
import type { EventWatch } from "./watch.ts";

/** One way to answer, for one webhook. */
export interface Trial {
  readonly name: string;
  readonly webhook: Webhook;
  readonly behaviour: Behaviour;
  /** The status that a bullet of the webhook answers. */
  readonly status?: number;
  /** Attempts that are made, as far as the document says; undefined: it does not. */
  readonly attempts: number | undefined;
}

/** A trial that was begun. */
interface Begun {
  readonly trial: Trial;
  readonly target: string;
  message?: Message;
  isOver?: boolean;
}

const MILLISECOND = 1_000n;
const SECOND = 1_000_000n;
/** What an attempt may be late: load, and clocks of alarms. */
const LATE = 1_500n * MILLISECOND;
const EARLY = 100n * MILLISECOND;
const LOOK_MS = 20;
/** How long a service may take to do what follows an answer. */
const DONE_MS = 250;
const FAILURES = [500, 503, 400, 418, 599];

/** The trials of a document, in the order in which they are made. */
export function trialsOf({ webhooks }: Plan, patienceMs: number): readonly Trial[] {
  return webhooks.flatMap((webhook): Trial[] => {
    const { name, attempts, onStatus, delivered } = webhook;
    const failure = FAILURES.find((one) => onStatus.every(({ status }) => status !== one)) ?? 500;
    const delays = statedOf(attempts);
    if (delays === undefined || !isStated(delivered)) return [];
    const isOnce = statedOf(webhook.guarantee) === "at most once";
    const patience = BigInt(patienceMs) * MILLISECOND;
    const [first] = delays.map(durationOf);
    const isSoon = first !== undefined && first <= patience && !isOnce;
    const within = durationOf(delivered.value.within);
    const trial = (kind: string, behaviour: Behaviour, more: Partial<Trial> = {}): Trial => ({
      ...{ name: `${name} ${kind}`, webhook, behaviour, attempts: 1 },
      ...more,
    });
    const answered = onStatus.map(({ status }) =>
      trial(`answers ${status}`, { statuses: [status] }, { status }),
    );
    const recovers = trial("recovers", { statuses: [failure, 200] }, { attempts: 2 });
    const lateMs = Number(within / MILLISECOND) + 500;
    const late = trial("is late", { statuses: [200], lateMs }, { attempts: 2 });
    const fails = trial("fails", { statuses: [failure] }, { attempts: delays.length + 1 });
    return [
      ...answered,
      ...(isSoon ? [recovers] : []),
      ...(isSoon && within <= patience ? [late] : []),
      isOnce ? { ...fails, attempts: 1 } : fails,
    ];
  });
}

/** What it takes to find a receiver for a trial, and to be told that a message has come. */
const ROUND = 1_000n * MILLISECOND;

/** Milliseconds that the trials of a document take which are awaited, all together. */
export function trialsMs(plan: Plan, patienceMs: number): number {
  const patience = BigInt(patienceMs) * MILLISECOND;
  const all = trialsOf(plan, patienceMs).map(({ webhook, attempts = 1, behaviour }) => {
    const delays = (statedOf(webhook.attempts) ?? []).slice(0, attempts - 1).map(durationOf);
    const awaited = delays.filter((one) => one <= patience).reduce((sum, one) => sum + one, 0n);
    return ROUND + awaited + BigInt(behaviour.lateMs ?? 0) * MILLISECOND;
  });
  return Number(all.reduce((sum, one) => sum + one, 0n) / MILLISECOND);
}

/** Makes trials one after the other: somebody else sends the requests that cause the messages. */
export class Trials {
  readonly #watch: EventWatch;
  readonly #judge: Judge;
  readonly #sink: EventSink;
  readonly #patience: bigint;
  readonly #begun: Begun[] = [];
  readonly #used = new Set<string>();
  /** Receivers whose rows have changed by what followed an attempt, and the items that say so. */
  readonly changed: { readonly target: string; readonly items: readonly ItemId[] }[] = [];
  #next: Trial | undefined;
  #target: string | undefined;

  constructor(watch: EventWatch, judge: Judge, sink: EventSink, patienceMs: number) {
    this.#watch = watch;
    this.#judge = judge;
    this.#sink = sink;
    this.#patience = BigInt(patienceMs) * MILLISECOND;
  }

  /** The trial that the next message fit for it begins. */
  set next(trial: Trial | undefined) {
    this.#next = trial;
  }

  /** Whether the next trial has not begun. */
  get isAwaited(): boolean {
    return this.#next !== undefined;
  }

  /** Whether a request would cause a message for the next trial. */
  fits(ran: Ran): boolean {
    return this.#targetIn(ran) !== undefined;
  }

  /** What fell due before the request may have come already. */
  #targetIn({ events, outcome }: Ran): string | undefined {
    const webhook = this.#next?.webhook.name;
    const isTimed = events.some((one) => !outcome.effects.events.includes(one));
    const all = isTimed ? [] : events.flatMap(({ messages = [] }) => messages);
    for (const one of all.filter((each) => each.webhook === webhook)) {
      const target = this.#watch.targetOf(one);
      const isAlone = all.every((each) => each === one || this.#watch.targetOf(each) !== target);
      if (target !== undefined && isAlone && !this.#used.has(target)) return target;
    }
    return undefined;
  }

  /** Before a request is sent: from now on the receiver answers as the trial says. */
  async before(ran: Ran): Promise<void> {
    const target = this.#targetIn(ran);
    const trial = this.#next;
    if (target === undefined || trial === undefined) return;
    if (!(await this.#isQuiet(target))) return;
    this.#target = target;
    await this.#watch.receiver.behave(target, trial.behaviour);
  }

  /** Waits until all messages to the target have come that are on their way; false: not all do. */
  async #isQuiet(target: string): Promise<boolean> {
    const { ledger } = this.#watch;
    const latest = nowMicros() + this.#patience;
    for (;;) {
      this.#watch.take();
      const left = ledger.messages.filter(
        ({ arrivals, targets }) => arrivals.length === 0 && targets.has(target),
      );
      if (left.length === 0) return true;
      if (left.some(({ isOptional }) => isOptional) || nowMicros() > latest) return false;
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
  }

  /** Behind a request; true: the trial has begun, and is over as far as other requests go. */
  async after(): Promise<boolean> {
    const [target, trial] = [this.#target, this.#next];
    if (target === undefined || trial === undefined) return false;
    this.#target = undefined;
    this.#used.add(target);
    const message = this.#watch.ledger.messages.findLast(
      (one) => !one.isTimed && one.targets.has(target) && one.webhook.name === trial.webhook.name,
    );
    if (message === undefined) {
      await this.#watch.receiver.behave(target, undefined);
      return false;
    }
    this.#next = undefined;
    const begun: Begun = { trial, target, message };
    this.#begun.push(begun);
    // What changes the rows of the service is awaited before anything else is asked.
    if (trial.status !== undefined || this.#isShort(trial)) await this.#run([begun]);
    return true;
  }

  /** Whether all its attempts are awaited. */
  #isShort({ webhook, attempts = 0 }: Trial): boolean {
    const delays = (statedOf(webhook.attempts) ?? []).slice(0, attempts).map(durationOf);
    return delays.every((one) => one <= this.#patience);
  }

  /** Waits for the trials that are not over. */
  async finish(): Promise<void> {
    await this.#run(this.#begun.filter(({ isOver }) => isOver !== true));
  }

  async #run(all: readonly Begun[]): Promise<void> {
    let open = all;
    while (open.length > 0) {
      this.#watch.take();
      const now = nowMicros();
      for (const one of open) if (this.#until(one) <= now) await this.#end(one);
      open = open.filter(({ isOver }) => isOver !== true);
      if (open.length > 0) await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
  }

  /** When nothing more is to be seen of it. */
  #until({ trial, message }: Begun): bigint {
    const arrivals = message?.arrivals ?? [];
    const last = arrivals.at(-1);
    if (last === undefined) return (message?.from ?? 0n) + this.#patience + LATE;
    const made = arrivals.length;
    // Of a service that never gives up no more is to be seen.
    if (made > (trial.attempts ?? made)) return last.at;
    const end = this.#endOf(trial, last);
    if (end === undefined) return nowMicros() + SECOND;
    const delay = this.#delays(trial)[made - 1];
    const isDone = made >= (trial.attempts ?? 1);
    if (isDone) {
      // A further attempt would come as the one before it came.
      const usual = delay ?? this.#delays(trial).at(-1) ?? 0n;
      return end + min(this.#patience, usual + LATE);
    }
    if (delay === undefined || delay > this.#patience) return end + this.#patience;
    return end + delay + lateOf(delay);
  }

  #delays({ webhook }: Trial): readonly bigint[] {
    return (statedOf(webhook.attempts) ?? []).map(durationOf);
  }

  /** When the attempt ended for the service: it was answered, or took too long. */
  #endOf({ webhook }: Trial, { at, answeredAt }: Message["arrivals"][number]): bigint | undefined {
    const within = durationOf(statedOf(webhook.delivered)?.within ?? "0 s");
    const latest = at + within;
    if (answeredAt === undefined) return latest <= nowMicros() ? latest : undefined;
    return min(answeredAt, latest);
  }

  async #end(begun: Begun): Promise<void> {
    const { trial, message, target } = begun;
    begun.isOver = true;
    const arrivals = message?.arrivals ?? [];
    if (message === undefined || arrivals.length === 0) return;
    const isWhole = this.#judgeTimes(trial, message);
    if (!isWhole) return;
    const { webhook, status } = trial;
    if (status === undefined && trial.behaviour.statuses.length > 1) return;
    if (trial.behaviour.lateMs !== undefined) return;
    await new Promise((resolve) => setTimeout(resolve, DONE_MS));
    if (this.#follow(message, status)) {
      this.changed.push({ target, items: followingItems(webhook, status) });
    }
  }

  /** Does in the model what follows an attempt; true: something does. */
  #follow(message: Message, status: number | undefined): boolean {
    const { world } = this.#judge;
    const to = { webhook: message.webhook.name, receiver: message.receiver };
    const now = this.#judge.timeAt(message.arrivals.at(-1)?.answeredAt ?? nowMicros());
    const { deliveries } = world.program;
    const ambient = world.ambient({ now });
    world.begin();
    const effects: Effects | undefined =
      status === undefined
        ? deliveries.givenUp(to, world.session, ambient)
        : deliveries.answered(to, status, world.session, ambient);
    const isDone =
      effects !== undefined && effects.gap === undefined && effects.fault === undefined;
    if (!isDone) {
      world.undo();
      return false;
    }
    world.keep();
    this.#watch.addTimed(effects.events);
    return true;
  }

  /** Judges when attempts came; true: all came that are stated, and no more. */
  #judgeTimes(trial: Trial, message: Message): boolean {
    const { webhook, status } = trial;
    const { arrivals } = message;
    const delays = this.#delays(trial);
    const attempts = itemOf(webhook.attempts);
    const wrong = (fault: "wrong time of an attempt" | "not given up", text: string): false => {
      const isLate = trial.behaviour.lateMs !== undefined && fault !== "not given up";
      const stated = isLate ? itemOf(webhook.delivered) : attempts;
      const own = status === undefined ? stated : answerItem(webhook, status);
      const items = own === undefined ? [] : [own];
      const whole = `${said(message)} to ${arrivals[0]?.target}: ${text}`;
      this.#sink.broken({ fault, text: whole, items, number: message.cause, differences: [] });
      return false;
    };
    const most = trial.attempts ?? delays.length + 1;
    for (const [i, arrival] of arrivals.entries()) {
      const before = arrivals[i - 1];
      if (before === undefined) continue;
      if (i >= most && isRepeatable(trial)) break;
      if (i >= most) return wrong("not given up", `attempt ${i + 1} came, of ${most} stated`);
      const [delay = 0n, end = 0n] = [delays[i - 1], this.#endOf(trial, before)];
      const waited = arrival.at - end;
      if (waited >= delay - EARLY - delay / 20n && waited <= delay + lateOf(delay)) continue;
      const came = `attempt ${i + 1} came ${seconds(waited)} after the one before`;
      return wrong("wrong time of an attempt", `${came}, not ${seconds(delay)}`);
    }
    if (arrivals.length < most) {
      const delay = delays[arrivals.length - 1] ?? 0n;
      if (delay > this.#patience) return false;
      const next = `attempt ${arrivals.length + 1}`;
      const text = `${next} did not come ${seconds(delay)} after the one before`;
      return wrong("wrong time of an attempt", text);
    }
    this.#holds(trial, message);
    return true;
  }

  #holds(trial: Trial, { webhook, cause }: Message): void {
    const isAll = trial.attempts === this.#delays(trial).length + 1;
    const items = [
      ...(isAll ? [itemOf(webhook.attempts)] : []),
      ...(trial.attempts === 1 ? [] : [itemOf(webhook.delivered)]),
    ];
    this.#sink.held(
      items.filter((one) => one !== undefined),
      cause,
    );
  }
}

/** What states that something follows an attempt: an answer of a status, or the last one. */
function followingItems(webhook: Webhook, status: number | undefined): readonly ItemId[] {
  const { afterLast, onStatus } = webhook;
  if (status === undefined) {
    if (!isStated(afterLast)) return [];
    return [afterLast.id, ...afterLast.value.map(({ id }) => id)];
  }
  const steps = onStatus.find((one) => one.status === status)?.then ?? [];
  return [answerItem(webhook, status), ...steps.map(({ id }) => id)];
}

/** Whether a message that has arrived may come again. */
function isRepeatable({ behaviour, webhook }: Trial): boolean {
  const isTaken = behaviour.statuses.length > 1 || behaviour.lateMs !== undefined;
  return isTaken && statedOf(webhook.guarantee) === "at least once";
}

const min = (a: bigint, b: bigint): bigint => (a < b ? a : b);
const lateOf = (delay: bigint): bigint => LATE + delay / 5n;
const seconds = (micros: bigint): string => `${Number(micros / MILLISECOND) / 1000} s`;
