/** A proxy in front of a service: real traffic is passed on at once, and judged behind it. */
import type { Plan } from "../../plan/index.ts";
import { Session, type SessionOptions } from "../session.ts";
import { nowMicros } from "../talk/client.ts";
import { textIn } from "./contents.ts";
import type { Batch, Passed, Waiting } from "./passed.ts";
import { Sequence, type Tally } from "./sequence.ts";
import { sizeOf } from "./tap.ts";
import { type Forwarding, forwarding } from "./thread.ts";

interface ProxyOptions extends Pick<SessionOptions, "settings" | "given" | "occurring"> {
  /** Where it listens; 0: any free port. */
  readonly host: string;
  readonly port: number;
  /** The service gets the field `Host` of the client, not that of its address. */
  readonly keepHost: boolean;
  /** The service has no data but what its document states for the start. */
  readonly isFresh: boolean;
}

/** What was found of the traffic. */
export interface Proxied {
  readonly session: Session;
  readonly tally: Tally;
  readonly seconds: number;
}

/** What waits to be judged, at most. */
const ROOM = { exchanges: 20_000, bytes: 128 * 1024 * 1024 };
/** Bytes of one content that are kept to be judged. */
const CONTENT_MAX = 4 * 1024 * 1024;
/** Exchanges and breaks that are kept for a report. */
const KEPT = 1_000;
/** So long is judged at a time, in milliseconds: signals wait as long. */
const TURN_MS = 20;
const LOOK_MS = 100;
/** What is under way when it is stopped may go on so long, in milliseconds. */
const PATIENCE_MS = 2_000;

/** A proxy that runs. */
export class Proxy {
  readonly #sequence: Sequence;
  readonly #session: Session;
  readonly #began = performance.now();
  readonly #sizes = new WeakMap<Waiting, number>();
  #forwarding: Forwarding | undefined;
  #open: bigint | undefined;
  #isRunning = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(plan: Plan, { settings, given, occurring, isFresh }: ProxyOptions) {
    this.#session = new Session(plan, {
      tag: "",
      occurring,
      now: nowMicros(),
      hasPast: !isFresh,
      most: KEPT,
      ...(settings === undefined ? {} : { settings }),
      ...(given === undefined ? {} : { given }),
    });
    this.#sequence = new Sequence(this.#session);
  }

  /** Listens; rejects with `CannotListen`. */
  static async start(plan: Plan, url: URL, options: ProxyOptions): Promise<Proxy> {
    const proxy = new Proxy(plan, options);
    const { host, port, keepHost } = options;
    const data = { url: url.href, host, port, keepHost, contentMax: CONTENT_MAX, room: ROOM };
    proxy.#forwarding = await forwarding(data, (batch) => proxy.#take(batch));
    return proxy;
  }

  get port(): number {
    return this.#forwarding?.port ?? 0;
  }

  /** What was found up to now. */
  get found(): Proxied {
    const seconds = (performance.now() - this.#began) / 1000;
    return { session: this.#session, tally: this.#sequence.tally, seconds };
  }

  /** Exchanges that wait to be judged. */
  get waits(): number {
    return this.#sequence.waits;
  }

  /** Takes no more, judges what has come, and gives what was found. */
  async stop(): Promise<Proxied> {
    await this.#forwarding?.close(PATIENCE_MS);
    this.#open = undefined;
    clearTimeout(this.#timer);
    while (this.#turn()) await new Promise((next) => setImmediate(next));
    return this.found;
  }

  #take({ passed, lost, open }: Batch): void {
    this.#open = Number.isFinite(open) ? BigInt(open) : undefined;
    for (const one of passed) {
      const waiting = waitingOf(one);
      this.#sizes.set(waiting, sizeOf(one));
      this.#sequence.take(waiting);
    }
    if (lost > 0) this.#sequence.lost(lost, nowMicros());
    this.#run();
  }

  #run(): void {
    if (this.#isRunning) return;
    this.#isRunning = true;
    clearTimeout(this.#timer);
    setImmediate(() => {
      this.#isRunning = false;
      if (this.#turn()) this.#run();
      // What overlaps with a request that goes on is judged without it in the end.
      else if (this.waits > 0) this.#timer = setTimeout(() => this.#run(), LOOK_MS);
    });
  }

  /** Judges for a while; whether there is more to do at once. */
  #turn(): boolean {
    const until = performance.now() + TURN_MS;
    let bytes = 0;
    let exchanges = 0;
    let isMore = false;
    for (;;) {
      const judged = this.#sequence.next(this.#open, nowMicros());
      for (const one of judged) bytes += this.#sizes.get(one) ?? 0;
      exchanges += judged.length;
      if (judged.length === 0) break;
      isMore = performance.now() >= until;
      if (isMore) break;
    }
    if (exchanges > 0) this.#forwarding?.done({ exchanges, bytes });
    return isMore;
  }
}

function waitingOf(passed: Passed): Waiting {
  const { method, target, headers, status, answered } = passed;
  const [body, said] = [textIn(passed.body, headers), textIn(passed.answerBody, answered)];
  const missing = passed.missing ?? (body === null || said === null ? "no text" : undefined);
  const request = { method, target, headers, ...(typeof body === "string" ? { body } : {}) };
  return {
    request,
    answer: {
      status,
      headers: answered,
      body: said ?? undefined,
      sent: BigInt(passed.sent),
      received: BigInt(passed.received),
    },
    ...(missing === undefined ? {} : { missing }),
  };
}
