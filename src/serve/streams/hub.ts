/** Holds the streams that are open, and sends each what has happened, as fast as it takes it. */
import { Alarm } from "../alarm.ts";
import type { Clock } from "../clock.ts";
import type { Opening } from "../job.ts";
import type { Portion } from "./reader.ts";

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
  read(opening: Opening, after: number): Portion;
  endsAt(stream: string): bigint | undefined;
}

interface Listener {
  readonly opening: Opening;
  readonly sink: Sink;
  readonly endsAt: bigint | undefined;
  after: number;
  stalled: boolean;
}

/** The open streams of a service. */
export class Hub {
  private readonly source: Source;
  private readonly clock: Clock;
  private readonly alarm: Alarm;
  private readonly listeners = new Set<Listener>();
  private waking = false;

  constructor(source: Source, clock: Clock) {
    this.source = source;
    this.clock = clock;
    this.alarm = new Alarm(clock, () => this.end());
  }

  /** Sends what the client has missed, and from now on what happens. */
  open(opening: Opening, sink: Sink): void {
    const { stream } = opening;
    const after = this.source.begin(opening);
    const endsAt = this.source.endsAt(stream);
    const listener: Listener = { opening, sink, endsAt, after, stalled: false };
    this.listeners.add(listener);
    sink.onClosed(() => this.listeners.delete(listener));
    sink.onDrained(() => {
      listener.stalled = false;
      this.send(listener);
    });
    this.setAlarm();
    this.send(listener);
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
    while (!listener.stalled && this.listeners.has(listener)) {
      const { text, after, more, gone } = this.source.read(listener.opening, listener.after);
      listener.after = after;
      if (text !== "" && !listener.sink.write(text)) listener.stalled = true;
      if (gone) this.close(listener);
      if (!more) return;
    }
  }

  private close(listener: Listener): void {
    this.listeners.delete(listener);
    listener.sink.end();
  }

  private end(): void {
    const now = this.clock.now();
    for (const one of this.listeners) {
      if (one.endsAt === undefined || one.endsAt > now) continue;
      this.send(one);
      this.close(one);
    }
    this.setAlarm();
  }

  private setAlarm(): void {
    let first: bigint | undefined;
    for (const { endsAt } of this.listeners) {
      if (endsAt !== undefined && (first === undefined || endsAt < first)) first = endsAt;
    }
    this.alarm.set(first);
  }
}
