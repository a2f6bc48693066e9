/** Chooses the messages whose attempt is due and settles attempts, in the writer's transactions. */
import { durationOf, isStated, type Plan, statedOf, type Webhook } from "../../plan/index.ts";
import type { Ambient, Effects, Message, Program, Receiver, Session } from "../../run/index.ts";
import type { CallCoordinator } from "../calls/coordinator.ts";
import type { Collected, Note, Result, Sending } from "../jobs/job.ts";
import { notesOf } from "../jobs/reply.ts";

/**
 * Attempts under way at a time: to one receiver, so that it delays no other, and in all. Where many
 * are under way each receiver has but one, so that many slow ones delay no other either.
 */
const RECEIVER_MAX = 4;
const MANY = 128;
const ALL_MAX = 512;
/** Receivers looked at in one go. */
const LOOKED_AT_MAX = 1_000;
const LOOK_AGAIN_MICROS = 1_000_000n;

/** The transaction that is running, at its instant. */
interface Moment {
  readonly session: Session;
  readonly ambient: Ambient;
}

interface Terms {
  readonly delays: readonly bigint[];
  readonly inOrder: boolean;
  readonly once: boolean;
}

function termsOf({ attempts, order, guarantee }: Webhook): Terms {
  return {
    delays: isStated(attempts) ? attempts.value.map((text) => durationOf(text)) : [],
    inOrder: isStated(order),
    once: statedOf(guarantee) === "at most once",
  };
}

const NO_TERMS: Terms = { delays: [], inOrder: false, once: false };
/** The name of the steps that follow a message. */
const workOf = ({ number }: Message): string => `message ${number}`;
const nameOf = ({ webhook, receiver }: Receiver): string => `${receiver} ${webhook}`;

/** Where the deliveries of a store leave what they bring about. */
interface Records {
  /** Keeps events that steps after an attempt emit. */
  record(events: Effects["events"], session: Session): void;
  /** What the log may say. */
  note(...notes: readonly Note[]): void;
}

/** The deliveries of one store. */
export class Dispatch {
  /** Whether any message can ever wait. */
  readonly any: boolean;
  private readonly terms: ReadonlyMap<string, Terms>;
  private readonly program: Program;
  private readonly records: Records;
  private readonly calls: CallCoordinator;
  /** The receiver looked at last: the next look begins behind it, so that all have their turn. */
  private last: Receiver | undefined;

  constructor(plan: Plan, program: Program, records: Records, calls: CallCoordinator) {
    this.calls = calls;
    this.any = plan.webhooks.length > 0;
    this.terms = new Map(plan.webhooks.map((one) => [one.name, termsOf(one)]));
    this.program = program;
    this.records = records;
  }

  /** Attempts that are due and not under way. */
  collect({ session, ambient }: Moment, busy: readonly Message[]): Collected {
    const { messages } = session;
    const sendings: Sending[] = [];
    const underWay = new Set(busy.map((one) => one.number));
    const counts = new Map<string, number>();
    for (const one of busy) counts.set(nameOf(one), (counts.get(nameOf(one)) ?? 0) + 1);
    const seen = this.receivers({ session, ambient });
    let isCleared = false;
    for (const receiver of seen) {
      if (busy.length + sendings.length >= ALL_MAX) break;
      this.last = receiver;
      const most = busy.length + sendings.length < MANY ? RECEIVER_MAX : 1;
      const free = most - (counts.get(nameOf(receiver)) ?? 0);
      if (free <= 0) continue;
      for (const message of this.due(receiver, { session, ambient }, underWay).slice(0, free)) {
        const sending = this.sendingOf(message, { session, ambient });
        if (sending === undefined) isCleared = true;
        else sendings.push(sending);
      }
    }
    // What took the place of a message that is not sent may be due as well.
    if (isCleared) return { sendings, due: ambient.now };
    const due = messages.nextDue(ambient.now);
    const soon = ambient.now + LOOK_AGAIN_MICROS;
    const isWhole = seen.length < LOOKED_AT_MAX || (due !== undefined && due < soon);
    return { sendings, due: isWhole ? due : soon };
  }

  /** Receivers with messages that are due, those behind the last one first. */
  private receivers({ session: { messages }, ambient: { now } }: Moment): readonly Receiver[] {
    const seen: Receiver[] = [];
    const next = (after: Receiver | undefined): Receiver | undefined =>
      messages.nextReceiver(after, now) ?? messages.nextReceiver(undefined, now);
    const first = next(this.last);
    for (let at = first; at !== undefined && seen.length < LOOKED_AT_MAX; ) {
      seen.push(at);
      at = next(at);
      if (at !== undefined && first !== undefined && nameOf(at) === nameOf(first)) break;
    }
    return seen;
  }

  private due(
    receiver: Receiver,
    { session, ambient }: Moment,
    busy: ReadonlySet<number>,
  ): readonly Message[] {
    const { messages } = session;
    const { inOrder } = this.terms.get(receiver.webhook) ?? NO_TERMS;
    if (!inOrder) {
      return messages
        .due(receiver, ambient.now, RECEIVER_MAX + busy.size + this.calls.waitingCount)
        .filter((one) => !busy.has(one.number) && !this.calls.isWaiting(workOf(one)));
    }
    const head = messages.first(receiver);
    const isFree =
      head !== undefined &&
      head.due <= ambient.now &&
      !busy.has(head.number) &&
      !this.calls.isWaiting(workOf(head));
    return isFree ? [head] : [];
  }

  private sendingOf(message: Message, moment: Moment): Sending | undefined {
    const { session, ambient } = moment;
    const attempt = this.program.deliveries.attempt(message, session, ambient);
    if (attempt.is === "gone") {
      session.messages.remove(message.number);
      return undefined;
    }
    if (attempt.is === "blocked") {
      this.records.note(...notesOf(attempt.effects));
      this.settle(moment, { message, arrived: false }, false);
      return undefined;
    }
    // A message that may arrive but once must not be found again after a crash.
    if (this.terms.get(message.webhook)?.once) session.messages.remove(message.number);
    const { method, address, contentType, secret, withinMicros } = attempt;
    const withinMs = Number(withinMicros / 1000n);
    return { message, method, address, contentType, secret, withinMs };
  }

  /** Does what the document states for the outcome of an attempt, where that is known. */
  settle({ session, ambient: base }: Moment, result: Result, isMade = true): void {
    const { message, status, arrived } = result;
    const { deliveries } = this.program;
    const { delays, once } = this.terms.get(message.webhook) ?? NO_TERMS;
    const name = workOf(message);
    const ambient = this.calls.begin(name, base);
    if (ambient === undefined) return;
    const isDelivered = status !== undefined && status >= 200 && status < 300;
    let effects =
      status === undefined ? undefined : deliveries.answered(message, status, session, ambient);
    if (effects === undefined && !isDelivered) {
      const attempts = message.attempts + 1;
      const delay = delays[attempts - 1];
      if (delay !== undefined && !(once && arrived)) {
        session.messages.put({ ...message, attempts, due: ambient.now + delay });
        this.calls.forget(name);
        return;
      }
      effects = isMade ? deliveries.givenUp(message, session, ambient) : undefined;
    }
    const again = (): void => this.settle({ session, ambient: base }, result, isMade);
    if (effects !== undefined && !this.calls.done(name, effects, session, again)) return;
    session.messages.remove(message.number);
    if (effects !== undefined) this.done(effects, session);
    else this.calls.forget(name);
  }

  private done(effects: Effects, session: Session): void {
    this.records.record(effects.events, session);
    this.records.note(...notesOf(effects));
  }
}
