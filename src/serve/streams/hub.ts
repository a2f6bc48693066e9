/** Holds the streams that are open, and sends each what has happened, as fast as it takes it. */

import type { Opening } from "../jobs/job.ts";
import { Alarm } from "../time/alarm.ts";
import type { Clock } from "../time/clock.ts";
import type { Portion, StreamTerms } from "./reader.ts";

/** A line that clients pass over (WHATWG HTML section 9.2.6). */
const COMMENT = ":\n\n";

/** Where a stream is written. */
export interface Sink {
  /** False: no more is to be written before `drained`. */
  write(text: string): boolean;
  end(): void;
  onDrained(run: () => void): void;
  onClosed(run: () => void): void;
}

/** What the hub reads from. */
export interface Source {
  begin(opening: Opening): number;
  /** A promise: to be read again when it is kept. */
  read(opening: Opening, after: number): Portion | Promise<void>;
  terms(stream: string): StreamTerms;
  /** Whether the stream is stated, with the parameters of its path. */
  states(opening: Opening): boolean;
}

interface Listener {
  readonly opening: Opening;
  readonly sink: Sink;
  readonly endsAt: bigint | undefined;
  readonly beat: bigint | undefined;
  after: number;
  /** When it is to be sent something, be it a comment. */
  beatsAt: bigint | undefined;
  /** When the credentials end with which it was opened. */
  until: bigint | undefined;
  stalled: boolean;
  /** More is read in the next turn of the event loop. */
  reading: boolean;
  /** Its time is over: it ends when what has happened is sent. */
  ending: boolean;
}

/** The open streams of a service. */
export class Hub {
  private source: Source;
  private readonly clock: Clock;
  private readonly alarm: Alarm;
  private readonly listeners = new Set<Listener>();
  private waking = false;

  constructor(source: Source, clock: Clock) {
    this.source = source;
    this.clock = clock;
    this.alarm = new Alarm(clock, () => this.end());
  }

  /** How many streams are open. */
  get count(): number {
    return this.listeners.size;
  }

  /** Sends what the client has missed, and from now on what happens. */
  open(opening: Opening, sink: Sink): void {
    const { stream } = opening;
    const after = this.begin(opening);
    if (after === undefined) {
      sink.end();
      return;
    }
    const listener: Listener = {
      opening,
      sink,
      after,
      ...this.source.terms(stream),
      beatsAt: undefined,
      until: undefined,
      stalled: false,
      reading: false,
      ending: false,
    };
    this.listeners.add(listener);
    sink.onClosed(() => this.listeners.delete(listener));
    sink.onDrained(() => {
      listener.stalled = false;
      this.send(listener);
    });
    this.beaten(listener);
    this.setAlarm();
    this.send(listener);
  }

  /** Something was sent just now, or could not be. */
  private beaten(listener: Listener): void {
    const { beat } = listener;
    if (beat !== undefined) listener.beatsAt = this.clock.now() + beat;
  }

  /**
   * From now on another document says what is sent. Streams that it states go on where they are,
   * and end when it was said that they do; the others end here.
   */
  turn(source: Source): void {
    this.source = source;
    for (const one of this.listeners) if (!source.states(one.opening)) this.close(one);
    this.wake();
  }

  /** Something has happened. */
  wake(): void {
    if (this.waking || this.listeners.size === 0) return;
    this.waking = true;
    setImmediate(() => {
      this.waking = false;
      for (const one of this.listeners) this.send(one);
    });
  }

  stop(): void {
    this.alarm.stop();
    for (const one of this.listeners) this.close(one);
  }

  /** Nothing is held for a client that is slow: it is read again when there is room. */
  private send(listener: Listener): void {
    if (listener.stalled || listener.reading || !this.listeners.has(listener)) return;
    const read = this.read(listener);
    if (read instanceof Promise) {
      this.later(listener, read);
      return;
    }
    const { text, after, more, gone, until } = read;
    listener.after = after;
    if (until !== listener.until) {
      listener.until = until;
      this.setAlarm();
    }
    if (text !== "") {
      if (!listener.sink.write(text)) listener.stalled = true;
      this.beaten(listener);
    }
    if (gone || (listener.ending && (listener.stalled || !more))) this.close(listener);
    if (!more) return;
    // Who has missed much is served in turns with everybody else.
    this.later(listener, new Promise((resolve) => setImmediate(resolve)));
  }

  private later(listener: Listener, ready: Promise<void>): void {
    listener.reading = true;
    const again = (): void => {
      listener.reading = false;
      this.send(listener);
    };
    ready.then(again, () => this.close(listener));
  }

  /** Where it begins; undefined: the store cannot be read. */
  private begin(opening: Opening): number | undefined {
    try {
      return this.source.begin(opening);
    } catch {
      return undefined;
    }
  }

  /** A store that cannot be read ends a stream, and not the service. */
  private read({ opening, after }: Listener): Portion | Promise<void> {
    try {
      return this.source.read(opening, after);
    } catch {
      return { text: "", after, more: false, gone: true };
    }
  }

  private close(listener: Listener): void {
    this.listeners.delete(listener);
    listener.sink.end();
  }

  private end(): void {
    const now = this.clock.now();
    for (const one of this.listeners) {
      // Who is slow has no turn in which it would be found out.
      if (one.until !== undefined && one.until <= now) {
        if (one.stalled) this.close(one);
        else this.send(one);
        continue;
      }
      this.beat(one, now);
      if (one.ending || one.endsAt === undefined || one.endsAt > now) continue;
      one.ending = true;
      if (one.stalled) this.close(one);
      else this.send(one);
    }
    this.setAlarm();
  }

  /** Tells a client to which nothing was sent that the stream is open. */
  private beat(listener: Listener, now: bigint): void {
    const { beatsAt, stalled, sink } = listener;
    if (beatsAt === undefined || beatsAt > now) return;
    if (!stalled && !sink.write(COMMENT)) listener.stalled = true;
    this.beaten(listener);
  }

  private setAlarm(): void {
    let first: bigint | undefined;
    for (const { endsAt, ending, until, beatsAt } of this.listeners) {
      for (const one of [ending ? undefined : endsAt, until, beatsAt]) {
        if (one !== undefined && (first === undefined || one < first)) first = one;
      }
    }
    this.alarm.set(first);
  }
}
