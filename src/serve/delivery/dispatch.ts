/** Chooses the messages whose attempt is due and settles attempts, in the writer's transactions. */
import { durationOf, isStated, type Plan, statedOf, type Webhook } from "../../plan/index.ts";
import type {
  Ambient,
  Attempt,
  Effects,
  Message,
  Program,
  Receiver,
  Session,
} from "../../run/index.ts";
import type { CallCoordinator } from "../calls/coordinator.ts";
import type { Collected, Note, Result, Sending, UnderWay } from "../jobs/job.ts";
import { notesOf } from "../jobs/reply.ts";
import type { Storage } from "../jobs/storage.ts";
import { nameOf, Places, Receivers } from "./receivers.ts";

/** Receivers looked at in one go, and when the next go is where that was not all. */
const LOOKED_AT_MAX = 200;
const LOOK_AGAIN_MICROS = 50_000n;
/** When an attempt is due again that this host could not begin. */
const UNMADE_AGAIN_MICROS = 1_000_000n;
/** Messages looked at for one receiver. */
const MESSAGES_MAX = 4;
/** Receivers of which is asked together what waits for them. */
const TOGETHER_MAX = 32;

/** The transaction that is running, at its instant. */
interface Moment {
  readonly session: Session;
  readonly ambient: Ambient;
  /** Runs what only reads, where a store is asked better for several at once. */
  readonly together?: NonNullable<Storage["shared"]>["together"] | undefined;
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

/** One look for what is due. */
interface Go {
  readonly places: Places;
  /** Numbers of messages. */
  readonly underWay: Set<number>;
  readonly sendings: Sending[];
  isCleared: boolean;
  /** What was read ahead of receivers and of messages: each holds until something is written. */
  readonly due: Map<string, readonly Message[]>;
  readonly attempts: Map<number, Attempt>;
}

const NO_TERMS: Terms = { delays: [], inOrder: false, once: false };
/** The name of the steps that follow a message. */
const workOf = ({ number }: Message): string => `message ${number}`;

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
  private readonly known = new Receivers();
  /** The receiver looked at last: the next look begins behind it, so that all have their turn. */
  private last: Receiver | undefined;

  constructor(plan: Plan, program: Program, records: Records, calls: CallCoordinator) {
    this.calls = calls;
    this.any = plan.webhooks.length > 0;
    this.terms = new Map(plan.webhooks.map((one) => [one.name, termsOf(one)]));
    this.program = program;
    this.records = records;
  }

  /** Attempts that are due and not under way, of as many as may be. */
  collect(moment: Moment, { busy, most }: UnderWay): Collected {
    const { session, ambient } = moment;
    const go: Go = {
      places: new Places(this.known, busy, most),
      underWay: new Set(busy.map((one) => one.number)),
      sendings: [],
      isCleared: false,
      due: new Map(),
      attempts: new Map(),
    };
    const seen = go.places.isOpen ? this.receivers(moment) : [];
    for (const [i, receiver] of seen.entries()) {
      if (!go.places.isOpen) break;
      if (i % TOGETHER_MAX === 0) this.readAhead(seen.slice(i, i + TOGETHER_MAX), moment, go);
      this.last = receiver;
      this.begin(receiver, moment, go);
    }
    const isWhole = go.places.isOpen && seen.length < LOOKED_AT_MAX;
    // Where many wait, those who answer do not wait until it is their turn.
    if (!isWhole) {
      for (const one of this.known.some(LOOKED_AT_MAX)) this.begin(one, moment, go);
    }
    const { sendings } = go;
    // What took the place of a message that is not sent may be due as well.
    if (go.isCleared) return { sendings, due: ambient.now };
    const due = session.messages.nextDue(ambient.now);
    const soon = ambient.now + LOOK_AGAIN_MICROS;
    const next = isWhole || (due !== undefined && due < soon) ? due : soon;
    return { sendings, due: next, isPart: !isWhole };
  }

  /** Reads together what waits for receivers, and how it would be sent. */
  private readAhead(receivers: readonly Receiver[], moment: Moment, go: Go): void {
    const { session, ambient, together } = moment;
    if (together === undefined) return;
    const free = receivers.filter((one) => go.places.free(one) > 0);
    const due = together(free.map((one) => () => this.due(one, moment, go.underWay)));
    const messages: Message[] = [];
    for (const [i, one] of free.entries()) {
      const found = due[i];
      if (found?.is !== "made") continue;
      go.due.set(nameOf(one), found.made);
      messages.push(...found.made.slice(0, go.places.free(one)));
    }
    const { deliveries } = this.program;
    const attempts = together(
      messages.map((one) => () => deliveries.attempt(one, session, ambient)),
    );
    for (const [i, { number }] of messages.entries()) {
      const found = attempts[i];
      if (found?.is === "made") go.attempts.set(number, found.made);
    }
  }

  /** Begins what is due for a receiver, as far as there are places for it. */
  private begin(receiver: Receiver, moment: Moment, go: Go): void {
    const free = go.places.free(receiver);
    if (free <= 0) return;
    const name = nameOf(receiver);
    const due = go.due.get(name) ?? this.due(receiver, moment, go.underWay);
    // Attempts that begin now are under way when it is asked again.
    go.due.delete(name);
    for (const message of due.slice(0, free)) {
      const sending = this.sendingOf(message, moment, go);
      if (sending === "full") return;
      if (sending === "cleared") {
        go.isCleared = true;
        go.due.clear();
        go.attempts.clear();
      } else {
        go.underWay.add(message.number);
        go.sendings.push(sending);
      }
    }
  }

  /** Receivers with messages that are due, those behind the last one first. */
  private receivers({ session: { messages }, ambient: { now } }: Moment): readonly Receiver[] {
    const behind = messages.receivers(this.last, now, LOOKED_AT_MAX);
    const left = LOOKED_AT_MAX - behind.length;
    if (this.last === undefined || left === 0) return behind;
    const names = new Set(behind.map(nameOf));
    const others = messages
      .receivers(undefined, now, left)
      .filter((one) => !names.has(nameOf(one)));
    return [...behind, ...others];
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
        .due(receiver, ambient.now, MESSAGES_MAX + busy.size + this.calls.waitingCount)
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

  /** `cleared`: nothing is to be sent. `full`: where it goes are as many as may be. */
  private sendingOf(
    message: Message,
    moment: Moment,
    { places, attempts }: Go,
  ): Sending | "cleared" | "full" {
    const { session, ambient } = moment;
    const known = attempts.get(message.number);
    const attempt = known ?? this.program.deliveries.attempt(message, session, ambient);
    if (attempt.is === "gone") {
      session.messages.remove(message.number);
      return "cleared";
    }
    if (attempt.is === "blocked") {
      this.records.note(...notesOf(attempt.effects));
      this.settle(moment, { message, arrived: false }, false);
      return "cleared";
    }
    if (!places.take(message, attempt.address)) return "full";
    // A message that may arrive but once must not be found again after a crash.
    if (this.terms.get(message.webhook)?.once) session.messages.remove(message.number);
    const { is: _, withinMicros, ...request } = attempt;
    return { message, ...request, withinMs: Number(withinMicros / 1000n) };
  }

  /** Does what the document states for the outcome of an attempt, where that is known. */
  settle({ session, ambient: base }: Moment, result: Result, isMade = true): void {
    const { message, status, arrived } = result;
    if (result.isUnmade === true) {
      session.messages.put({ ...message, due: base.now + UNMADE_AGAIN_MICROS });
      return;
    }
    this.known.ended(message, status !== undefined && result.isSlow !== true);
    const { deliveries } = this.program;
    const { delays, once } = this.terms.get(message.webhook) ?? NO_TERMS;
    const name = workOf(message);
    const ambient = this.calls.begin(name, base, session);
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
