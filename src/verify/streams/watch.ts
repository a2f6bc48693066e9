/** Watches the streams that are open here: which events each is to send, and which came. */
import { durationOf, type Plan, type Stream, statedOf } from "../../plan/index.ts";
import type { Emitted, Listener } from "../../run/index.ts";
import { type Exchange, isSafe } from "../events/found.ts";
import { type Foreseen, isAlike } from "../events/free.ts";
import { Timed } from "../events/timed.ts";
import { TIGHT } from "../judge/compare.ts";
import type { Judge } from "../judge/judge.ts";
import { nowMicros } from "../talk/client.ts";
import { inJson } from "../world/texts.ts";
import type { Ran } from "../world/world.ts";
import { type Happened, Listening, type Opening, sentTo } from "./listening.ts";
import { Matching } from "./matching.ts";
import type { Entry, Over, Subscription } from "./subscription.ts";

/** An event is judged anew for so long, as rows change: nobody knows when it is sent. */
const RECENT = 5_000_000n;
/** What happened so shortly before a stream was opened may be sent there. */
const JUST_BEFORE = 1_000_000n;
/** So many events of one stream are worth to be seen. */
const COUNTED = 4;

/** One watch for all streams of a document. */
export class StreamWatch {
  readonly plan: Plan;
  readonly judge: Judge;
  readonly listening: Listening;
  readonly matching: Matching;
  readonly log: Entry[] = [];
  readonly subscriptions: Subscription[] = [];
  readonly exchanges: Exchange[] = [];
  /** From here on nobody knows what the service has in mind: an answer was wrong. */
  doubt: bigint | undefined;
  readonly #sent: ReadonlyMap<string, ReadonlySet<string>>;
  readonly #timed: Timed;

  constructor(judge: Judge) {
    this.judge = judge;
    this.plan = judge.world.plan;
    this.listening = new Listening(judge);
    this.#sent = sentTo(this.plan);
    this.#timed = new Timed(judge);
    this.matching = new Matching({
      shown: (text) => judge.world.shown(text, inJson),
      get timeSlack() {
        return judge.timeSlack;
      },
    });
  }

  /** The names of the events that the stream sends. */
  sends(stream: string, event: string): boolean {
    return this.#sent.get(stream)?.has(event) === true;
  }

  statedOf(name: string): Stream | undefined {
    return this.plan.streams.find((one) => one.name === name);
  }

  /** What a request comes to that is worth to be seen once: who gets its events, and who not. */
  features({ events }: Ran): readonly string[] {
    const found = new Set<string>();
    for (const one of events) {
      for (const { opened, listener, over, isOpen, expected } of this.subscriptions) {
        const { stream } = opened.opening;
        if (!isOpen || over !== undefined || !this.sends(stream, one.event)) continue;
        const isSeen = this.listening.sees(opened.opening, listener, one);
        found.add(`${one.event} ${isSeen ? "on" : "kept from one on"} ${stream}`);
        // With several it shows in which order they come, and what is sent again.
        const before = [...expected.values()].filter((how) => how === "must").length;
        if (isSeen && before < COUNTED) found.add(`${stream} behind ${before}`);
      }
    }
    return [...found];
  }

  /** Before a request is sent: who may not listen any more because time has passed. */
  before(): void {
    for (const one of this.subscriptions) this.#judgeListener(one, "the time");
  }

  /** Takes up what an exchange has emitted, and what has come since. */
  after(exchange: Exchange, { ran: planned, loose }: Foreseen): void {
    const { judgement, answer, request } = exchange;
    this.exchanges.push(exchange);
    if (judgement.is === "as stated") {
      const { events, outcome } = judgement.ran;
      const isSame = isAlike(planned.events, events) && loose !== undefined;
      for (const [i, one] of events.entries()) {
        const isTimed = !outcome.effects.events.includes(one);
        this.#add(one, { exchange, isTimed, loose: loose?.[i]?.data ?? TIGHT, isSure: isSame });
      }
      this.#judgeAll();
    } else if (judgement.is === "broken" || !isSafe(request)) this.doubt ??= answer.sent;
    this.#timed.takenUp(answer.sent);
    this.take();
  }

  /** Takes up what has happened by itself. */
  addTimed(events: readonly Emitted[]): void {
    const ours = nowMicros();
    for (const one of events) {
      this.#add(one, { exchange: undefined, isTimed: true, loose: TIGHT, isSure: true });
    }
    this.#timed.takenUp(ours);
    if (events.length > 0) this.#judgeAll();
  }

  #judgeAll(): void {
    for (const one of this.subscriptions) {
      this.#judgeEvents(one);
      this.#judgeListener(one, "a request");
    }
  }

  #add(
    one: Emitted,
    about: {
      readonly exchange: Exchange | undefined;
      readonly isTimed: boolean;
      readonly loose: Entry["loose"];
      /** Whether it happens whatever is chosen where that is free. */
      readonly isSure: boolean;
    },
  ): void {
    const { exchange, isTimed, loose } = about;
    if (!this.plan.streams.some(({ name }) => this.sends(name, one.event))) return;
    const { event, resource, key, values } = one;
    const entry: Entry = {
      ...{ event, resource, key, ...(values === undefined ? {} : { values: [...values] }) },
      ...{ place: this.log.length, data: one.data ?? "null", loose, isTimed },
      cause: exchange?.number ?? this.exchanges.at(-1)?.number ?? 0,
      from: exchange?.answer.sent ?? nowMicros(),
      happenedAt: one.at,
      since: isTimed ? this.#timed.since(one) : one.at,
      isSure: about.isSure && this.doubt === undefined,
    };
    this.log.push(entry);
    if (entry.isSure) return;
    for (const each of this.subscriptions) each.expected.set(entry, "may");
  }

  /** Which events it is to send, as rows are now; what was otherwise before may be either. */
  #judgeEvents(subscription: Subscription): void {
    const { opened, listener, over, expected, matched } = subscription;
    const since = nowMicros() - RECENT;
    for (let i = this.log.length - 1; i >= opened.place; i--) {
      const entry = this.log[i] as Entry;
      const before = expected.get(entry);
      if (before !== undefined && entry.from < since) return;
      if (before === "may" || matched.includes(entry)) continue;
      if (!this.sends(opened.opening.stream, entry.event)) continue;
      if (over !== undefined && before === undefined) {
        // What was on its way when it ended may come still.
        expected.set(entry, entry.from - over.at < JUST_BEFORE && entry.isTimed ? "may" : "not");
        continue;
      }
      if (over !== undefined) continue;
      const isOpen = !this.#isNearEnd(subscription, entry) && !this.#isBefore(subscription, entry);
      const now = isOpen ? this.#seen(opened.opening, listener, entry) : "may";
      expected.set(entry, before === undefined || before === now ? now : "may");
    }
  }

  /** Whether the stream may have ended when the event happened, because its time was over. */
  #isNearEnd({ opened, at }: Subscription, { from }: Entry): boolean {
    const lasts = lastsFor(this.statedOf(opened.opening.stream));
    return lasts !== undefined && from > at + lasts - JUST_BEFORE;
  }

  /** Whether the event may have happened before the stream was open, because its time had come. */
  #isBefore({ at }: Subscription, { isTimed, since }: Entry): boolean {
    return isTimed && since < this.judge.timeAt(at);
  }

  #seen(opening: Opening, listener: Listener, entry: Happened): "must" | "not" {
    return this.listening.sees(opening, listener, entry) ? "must" : "not";
  }

  /** Whether it may listen still. `by`: what has come between. */
  #judgeListener(subscription: Subscription, by: "a request" | "the time"): void {
    const { opened, listener, expected, closed } = subscription;
    const since = by === "the time" ? nowMicros() : (this.exchanges.at(-1)?.answer.sent ?? 0n);
    // A service may have ended it already because of what was asked last.
    if (subscription.over !== undefined || (closed !== undefined && closed.at < since)) return;
    const stream = this.statedOf(opened.opening.stream);
    if (stream === undefined) return;
    const ending = this.#endedBehind(subscription, stream);
    const now = this.listening.listener(opened.opening, listener.rows);
    const isSame = now?.caller?.key === listener.caller?.key;
    if (now !== undefined && isSame && !now.isOver && ending === undefined) {
      subscription.listener = now;
      return;
    }
    const number = this.exchanges.at(-1)?.number ?? 0;
    const at = { at: nowMicros(), number, place: this.log.length };
    const who = "id" in stream.who ? [stream.who.id] : [stream.id];
    const rows = (stream.bindings ?? []).map(({ id }) => id);
    const ends = "id" in stream.ends ? [stream.ends.id] : [stream.id];
    const over = (): Over => {
      if (ending !== undefined) return { why: "the event", items: ends, ...at, place: ending + 1 };
      if (by === "the time" || this.#wasStill(subscription)) {
        return { why: "the time", items: who, ...at };
      }
      const isRow = now !== undefined && isSame;
      return { why: isRow ? "the row" : "the caller", items: isRow ? rows : who, ...at };
    };
    subscription.over = over();
    // It ends when the service sees it: what was not sent yet may not be.
    for (const [entry, how] of expected) {
      const isBefore = ending !== undefined && entry.place <= ending;
      if (how !== "must" || isBefore || subscription.matched.includes(entry)) continue;
      expected.set(entry, "may");
    }
  }

  /** Whether it might listen still, by the rows of now, when the last request was sent. */
  #wasStill({ opened: { opening }, listener }: Subscription): boolean {
    const sent = this.exchanges.at(-1)?.answer.sent ?? nowMicros();
    const then = this.judge.timeAt(sent) - this.judge.timeSlack;
    const before = this.listening.listener(opening, listener.rows, then);
    return before !== undefined && !before.isOver && before.caller?.key === listener.caller?.key;
  }

  /** The place of the first event behind which the stream ends that is to be sent there. */
  #endedBehind({ expected }: Subscription, { endsBehind = [] }: Stream): number | undefined {
    const found = [...expected].find(
      ([{ event }, how]) => how === "must" && endsBehind.includes(event),
    );
    return found?.[0].place;
  }

  /** A stream that was opened now. `resumed`: behind which event. */
  add(subscription: Subscription): void {
    const { opened, expected } = subscription;
    const { opening, resumed, place } = opened;
    this.subscriptions.push(subscription);
    const stream = this.statedOf(opening.stream);
    const kept = statedOf(stream?.resume ?? { is: "not asked" })?.kept;
    const from = resumed?.place ?? place;
    for (const entry of this.log) {
      if (!this.sends(opening.stream, entry.event)) continue;
      const isSeen = this.listening.sees(opening, opened.listener, entry);
      if (!isSeen) continue;
      const age = this.judge.timeAt(nowMicros()) - entry.happenedAt + this.judge.timeSlack;
      const isKept = kept !== undefined && age < durationOf(kept);
      if (resumed !== undefined && entry.place > from) {
        expected.set(entry, isKept && entry.isSure ? "must" : "may");
      } else if (entry.place >= from || nowMicros() - entry.from < JUST_BEFORE) {
        if (entry.place !== resumed?.place) expected.set(entry, "may");
      }
    }
  }

  take(): void {
    for (const one of this.subscriptions) this.matching.match(one);
  }
}

/** The time after which a stream ends, in microseconds; undefined: none is stated. */
export function lastsFor(stream: Stream | undefined): bigint | undefined {
  const text = statedOf(stream?.ends ?? { is: "not asked" });
  return text === undefined ? undefined : durationOf(text);
}
