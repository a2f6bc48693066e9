/** Records events, and the messages that they cause, in the transaction of their cause. */
import { durationOf, type ItemId, isStated, type Plan } from "../../plan/index.ts";
import type { Addressed, Effects, Session } from "../../run/index.ts";
import { gapNote, type News, type Note } from "../jobs/job.ts";
import { contentOf } from "../streams/reader.ts";

/** The host's own bound: events are kept for seven days, and longer where a stream keeps them. */
const KEPT_MICROS = 7n * 86_400_000_000n;
const FORGOTTEN_EVERY = 512;

/** The events of a plan. An event is recorded if and only if its cause is committed. */
export class Outbox {
  /** Whether requests can emit anything at all. */
  readonly any: boolean;
  private readonly kept: bigint;
  private count = 0;
  private notes: Note[] = [];
  private messages = false;
  private events = false;
  private calls = false;

  private readonly placeOf: (item: ItemId) => string;

  /** `placeOf`: `file:line:column` of an item, or nothing. `all`: the plans of the store. */
  constructor(plan: Plan, placeOf: (item: ItemId) => string, all: readonly Plan[] = [plan]) {
    this.placeOf = placeOf;
    this.any = plan.events.length > 0;
    const times = all.flatMap(({ streams }) =>
      streams.map(({ resume }) => (isStated(resume) ? durationOf(resume.value.kept) : 0n)),
    );
    this.kept = times.reduce((most, time) => (time > most ? time : most), KEPT_MICROS);
  }

  /** Records what happened, in order. */
  record(events: Effects["events"], session: Session): void {
    for (const one of events) {
      const { event, at, messages = [], blocked = [] } = one;
      session.events.record(event, at, contentOf(one));
      this.events = true;
      this.count++;
      if (this.count % FORGOTTEN_EVERY === 0) session.events.forget(at - this.kept);
      this.send(messages, at, session);
      for (const gap of blocked) this.note(gapNote({ id: gap, place: this.placeOf(gap) }));
    }
  }

  /** Adds messages; one of which the order is not shown is judged after those before it. */
  private send(all: readonly Addressed[], at: bigint, session: Session): void {
    if (all.length === 0) return;
    if (all.every(({ unordered }) => unordered === undefined)) this.add(all, at, session);
    else
      for (const one of all) if (!this.isKeptBack(one, at, session)) this.add([one], at, session);
  }

  private add(all: readonly Addressed[], at: bigint, { messages }: Session): void {
    messages.add(all, at);
    this.messages = true;
  }

  /**
   * Whether it is not known when the message may arrive: another waits for the receiver, or one was
   * kept back, which would have to arrive before or after it.
   */
  private isKeptBack(message: Addressed, at: bigint, { messages, counters }: Session): boolean {
    const { unordered } = message;
    if (unordered === undefined) return false;
    const name = `#unordered ${message.webhook}`;
    const wasKeptBack = counters.tallies(name, message.receiver, 0n).length > 0;
    if (!wasKeptBack && messages.first(message) === undefined) return false;
    if (!wasKeptBack) counters.tally(name, message.receiver, { at, amount: 1n });
    this.note(gapNote({ id: unordered, place: this.placeOf(unordered) }));
    return true;
  }

  /** Who listens to streams may have changed. */
  wakeStreams(): void {
    this.events = true;
  }

  /** What calls are to be made has changed. */
  stir(): void {
    this.calls = true;
  }

  note(...notes: readonly Note[]): void {
    this.notes.push(...notes);
  }

  /** What of it others are to look at. */
  get told(): Omit<News, "notes"> {
    const { messages, events, calls } = this;
    return { messages, events, calls };
  }

  /** What undoes all that is told from then on. */
  mark(): () => void {
    const { messages, events, calls } = this;
    const { length } = this.notes;
    return () => {
      this.notes.length = length;
      Object.assign(this, { messages, events, calls });
    };
  }

  /** What happened since this was last asked; undefined: nothing. */
  news(): News | undefined {
    const { notes, messages, events, calls } = this;
    if (notes.length === 0 && !messages && !events && !calls) return undefined;
    this.notes = [];
    this.messages = false;
    this.events = false;
    this.calls = false;
    return { notes, messages, events, calls };
  }
}

/** What others are to look at by all documents of a store. */
export function toldBy(all: readonly Outbox[]): Omit<News, "notes"> {
  return {
    messages: all.some(({ told }) => told.messages),
    events: all.some(({ told }) => told.events),
    calls: all.some(({ told }) => told.calls),
  };
}

/** What happened by all documents of a store; undefined: nothing. */
export function together(all: readonly Outbox[]): News | undefined {
  const { messages, events, calls } = toldBy(all);
  const news = all.flatMap((one) => one.news() ?? []);
  if (news.length === 0) return undefined;
  return { notes: news.flatMap(({ notes }) => notes), messages, events, calls };
}
