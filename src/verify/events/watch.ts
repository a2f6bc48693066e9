/** Watches the messages that a service sends to the receiver here, and judges them. */
import { isStated, type Plan, statedOf, type Webhook } from "../../plan/index.ts";
import type { Addressed, Emitted, Value } from "../../run/index.ts";
import { TIGHT } from "../judge/compare.ts";
import type { Judge } from "../judge/judge.ts";
import { nowMicros } from "../talk/client.ts";
import type { Request } from "../world/message.ts";
import { inJson } from "../world/texts.ts";
import type { Ran } from "../world/world.ts";
import type { Arrival } from "./arrival.ts";
import { judgeAll, said } from "./closing.ts";
import { type EventSink, type Exchange, isSafe } from "./found.ts";
import { type Foreseen, foreseen, isAlike } from "./free.ts";
import { Ledger, type Message } from "./ledger.ts";
import type { Receiver } from "./receiver.ts";
import { type Judged, judgeAttempt } from "./signed.ts";
import { fallDue, Timed } from "./timed.ts";

/** Changes of a receiver within this time are states in which a message may have been sent. */
const STATES_FOR = 60_000_000n;
/** How long after all has come more is waited for. */
const QUIET_MS = 150;
const LOOK_MS = 20;

/** One watch for all webhooks of a document. */
export class EventWatch {
  readonly ledger: Ledger;
  readonly receiver: Receiver;
  readonly #judge: Judge;
  readonly #plan: Plan;
  readonly #sink: EventSink;
  /** Told what has happened by itself. */
  onTimed: ((events: readonly Emitted[]) => void) | undefined;
  /** From here on nobody knows what the service has in mind: an answer was wrong. */
  #doubt: bigint | undefined;
  readonly #timed: Timed;
  #taken = 0;
  #exchanges: Exchange[] = [];
  readonly #faulty = new Set<Arrival>();

  constructor(judge: Judge, receiver: Receiver, sink: EventSink) {
    this.#judge = judge;
    this.#plan = judge.world.plan;
    this.receiver = receiver;
    this.#sink = sink;
    this.#timed = new Timed(judge);
    this.ledger = new Ledger({
      shown: (text) => judge.world.shown(text, inJson),
      get timeSlack() {
        return judge.timeSlack;
      },
    });
  }

  /** Before a request is sent: what it is to emit, and what of that is free. */
  before(request: Request): Foreseen {
    return foreseen(this.#judge, request, nowMicros());
  }

  /** What a request comes to that is worth to be seen once: an event that is sent here. */
  features({ events }: Ran): readonly string[] {
    return events.flatMap(({ event, messages = [] }) => {
      const first = messages.find((one) => this.targetOf(one) !== undefined);
      return first === undefined ? [] : [`${event} to ${first.webhook}`];
    });
  }

  /** Where a message arrives here; undefined: it goes elsewhere, or is not sent. */
  targetOf(message: Addressed): string | undefined {
    const { world } = this.#judge;
    const now = this.#judge.timeAt(nowMicros());
    const whole = { ...message, number: 0, sent: now, attempts: 0, due: now };
    const ambient = world.ambient({ now });
    const attempt = world.program.deliveries.attempt(whole, world.session, ambient);
    if (attempt.is !== "request") return undefined;
    return this.receiver.targetOf(world.shown(attempt.address));
  }

  /** Takes up what an exchange has emitted, and what has come since. */
  after(exchange: Exchange, { ran: planned, loose }: Foreseen): void {
    const { judgement, answer } = exchange;
    this.#exchanges.push(exchange);
    if (judgement.is === "as stated") {
      this.#states();
      const { events } = judgement.ran;
      const same = isAlike(planned.events, events);
      for (const [i, one] of events.entries()) {
        const free = same ? loose?.[i]?.message : undefined;
        this.#add(one, { exchange, isTimed: !isOwn(one, judgement.ran), free: free ?? TIGHT });
        if (loose === undefined || !same) this.#optional(events.length);
      }
    } else if (judgement.is === "broken" || !isSafe(exchange.request)) {
      this.#doubt ??= answer.sent;
    }
    this.#timed.takenUp(answer.sent);
    this.take();
  }

  #optional(count: number): void {
    for (const one of this.ledger.messages.slice(-count)) one.isOptional = true;
  }

  #add(
    emitted: Emitted,
    {
      exchange,
      isTimed,
      free,
    }: { readonly exchange: Exchange | undefined; isTimed: boolean; free: Message["loose"] },
  ): void {
    const since = isTimed ? this.#timed.since(emitted) : emitted.at;
    for (const one of emitted.messages ?? []) {
      const webhook = this.#plan.webhooks.find(({ name }) => name === one.webhook);
      const target = this.targetOf(one);
      const values = webhook && this.#values(webhook, one.receiver);
      if (webhook === undefined || target === undefined || values === undefined) continue;
      this.ledger.messages.push({
        cause: exchange?.number ?? this.#exchanges.length,
        ...{ webhook, receiver: one.receiver, event: one.event, name: one.name, body: one.body },
        ...{ loose: free, sent: emitted.at, isTimed, arrivals: [] },
        since,
        isOptional: this.#doubt !== undefined || this.#isHeldUp(webhook, target),
        from: isTimed ? 0n : (exchange?.answer.sent ?? 0n),
        targets: new Set([target]),
        states: [values],
      });
    }
  }

  #values({ receivers }: Webhook, key: number): readonly Value[] | undefined {
    const row = this.#judge.world.session.get(statedOf(receivers)?.resource ?? "", key);
    return row && [...row.values];
  }

  /** Notes how receivers of messages that may not be sent yet have changed. */
  #states(): void {
    const since = nowMicros() - STATES_FOR;
    for (const one of this.ledger.messages) {
      if (one.from < since && one.arrivals.length > 0) continue;
      const values = this.#values(one.webhook, one.receiver);
      const isOther =
        values === undefined || one.states.at(-1)?.some((value, i) => value !== values[i]) === true;
      // What falls due by itself may come a little later, to those who are there then.
      if (values === undefined || (isOther && one.isTimed)) one.isOptional = true;
      if (values !== undefined && isOther) {
        one.states.push(values);
        const target = this.targetOf({ ...one, webhook: one.webhook.name });
        if (target !== undefined) one.targets.add(target);
      }
    }
  }

  /** Judges what has come since. */
  take(): void {
    const arrivals = this.receiver.arrivals.slice(this.#taken);
    this.#taken += arrivals.length;
    const judge = (message: Message, arrival: Arrival): Judged => this.#judged(message, arrival);
    for (const [message, arrival, { faults }] of this.ledger.take(arrivals, judge)) {
      if (faults.length === 0) continue;
      this.#faulty.add(arrival);
      this.#sink.broken({
        fault: "wrong signature",
        text: `${said(message)} came to ${arrival.target} with other headers than are stated`,
        items: [...new Set(faults.flatMap(({ items }) => items))],
        number: message.cause,
        differences: faults.map(({ difference }) => difference),
      });
    }
  }

  #judged(message: Message, arrival: Arrival): Judged {
    return judgeAttempt(this.#judge.world, {
      ...{ webhook: message.webhook, receiver: message.receiver, event: message.event },
      ...{ name: this.ledger.nameOf(message), sent: message.sent, arrival },
      now: this.#judge.timeAt(arrival.at),
      slack: this.#judge.timeSlack,
      states: message.states.map((values) => values.map((value) => this.#shown(value))),
    });
  }

  #shown(value: Value): Value {
    return typeof value === "string" ? this.#judge.world.shown(value) : value;
  }

  /** Takes up what was emitted by itself. */
  addTimed(events: readonly Emitted[]): void {
    const ours = nowMicros();
    for (const one of events) this.#add(one, { exchange: undefined, isTimed: true, free: TIGHT });
    this.#timed.takenUp(ours);
  }

  /** Whether a message waits for one before it that did not arrive. */
  #isHeldUp({ order }: Webhook, target: string): boolean {
    return isStated(order) && this.receiver.isBehaving(target);
  }

  /** Waits until all has come, or nothing has for so long. */
  async settle(patienceMs: number): Promise<void> {
    let last = performance.now();
    let seen = this.receiver.arrivals.length;
    for (;;) {
      const timed = this.#doubt === undefined ? fallDue(this.#judge, nowMicros()) : [];
      this.addTimed(timed);
      this.onTimed?.(timed);
      this.take();
      if (this.receiver.arrivals.length > seen) last = performance.now();
      seen = this.receiver.arrivals.length;
      const quiet = performance.now() - last;
      if (
        quiet >= (this.ledger.missing().length === 0 ? Math.min(QUIET_MS, patienceMs) : patienceMs)
      )
        break;
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
  }

  /** Judges all that has come, and what has not. */
  close(patienceMs: number): void {
    judgeAll({
      ...{ plan: this.#plan, ledger: this.ledger, sink: this.#sink, patienceMs },
      ...{ exchanges: this.#exchanges, faulty: this.#faulty, doubt: this.#doubt },
      timed: this.#timed,
      // A service may not reach this machine, or may be told to send nothing here.
      isReached: this.receiver.arrivals.length > 0,
    });
  }
}

function isOwn(one: Emitted, { outcome }: Ran): boolean {
  return outcome.effects.events.includes(one);
}
