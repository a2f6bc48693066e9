/** The streams of a service while it is tested: opened, read, opened again, judged. */
import type { IncomingMessage } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { durationOf, isStated, type Plan, type Stream } from "../plan/index.ts";
import type { Emitted } from "../run/index.ts";
import type { EventSink } from "./events/found.ts";
import { type Foreseen, foreseen } from "./events/free.ts";
import { fallDue } from "./events/timed.ts";
import { type Exploring, isUnsendable, makingOf } from "./generate/explore.ts";
import { requestTo } from "./generate/requests.ts";
import type { Judgement } from "./judge/judgement.ts";
import type { Session } from "./session.ts";
import { judgeStreams } from "./streams/closing.ts";
import { type Goal, lostGoals, shownGoals, sought } from "./streams/seeking.ts";
import { Subscription } from "./streams/subscription.ts";
import { lastsFor, StreamWatch } from "./streams/watch.ts";
import { type Client, nowMicros } from "./talk/client.ts";
import type { Request } from "./world/message.ts";
import type { Ran } from "./world/world.ts";

/** Streams that are open at once, of each that is stated and in all. */
const OPEN_MAX = 3;
const ALL_MAX = 12;
/** With those that other requests have opened; connections are few. */
const HELD_MAX = 24;
/** Requests among which one is looked for that opens a further stream, and how often. */
const TRIES = 12;
const EVERY = 5;
/** Until a stream that was just opened is sure to be told of what happens. */
const BEGIN_MS = 40;
const QUIET_MS = 150;
const LOOK_MS = 20;
const LATE_MS = 1_500;
const PATIENCE_MS = 5_000;
/** A name that no event has. */
const UNKNOWN = "AAAAAAAAAAAAAAAAAAAAAA";

type Send = (request: Request) => Promise<Judgement>;

/** How a stream is opened again. */
interface Resuming {
  readonly id: string;
  readonly place: number;
}

/** What is done about streams beside each request, and behind all of them. */
export class Streams {
  readonly #session: Session;
  readonly #watch: StreamWatch;
  readonly #client: Client;
  readonly #sink: EventSink;
  readonly #patienceMs: number;
  /** Told what has happened by itself. */
  onTimed: ((events: readonly Emitted[]) => void) | undefined;
  #taken: IncomingMessage | undefined;
  #resuming: Resuming | undefined;
  #place = 0;
  #turn = 0;

  private constructor(session: Session, client: Client, patienceMs: number) {
    this.#session = session;
    this.#watch = new StreamWatch(session.judge);
    this.#client = client;
    this.#patienceMs = patienceMs;
    this.#sink = {
      held: (items, number) => session.verdicts.held(items, number),
      broken: (found) => session.eventBroken(found),
    };
    client.onStream = (incoming) => {
      this.#taken?.destroy();
      this.#taken = incoming;
    };
  }

  /** Undefined: the document has no stream. */
  static of(
    session: Session,
    client: Client,
    { patienceMs = PATIENCE_MS }: { readonly patienceMs?: number | undefined },
  ): Streams | undefined {
    const { streams }: Plan = session.plan;
    return streams.length === 0 ? undefined : new Streams(session, client, patienceMs);
  }

  close(): void {
    this.#client.onStream = undefined;
    this.#taken?.destroy();
    for (const one of this.#watch.subscriptions) one.leave();
  }

  /** What a request comes to that is worth to be seen once. */
  features(ran: Ran): readonly string[] {
    return this.#watch.features(ran);
  }

  /** To be called before a request is sent. */
  before(): void {
    this.#watch.before();
    this.#place = this.#watch.log.length;
  }

  /** What the events of the request may be. */
  foreseen(request: Request): Foreseen {
    return foreseen(this.#session.judge, request, nowMicros());
  }

  /** To be called when its answer is judged. */
  async after(found: Foreseen): Promise<void> {
    const exchange = this.#session.exchanges.at(-1);
    const taken = this.#taken;
    this.#taken = undefined;
    if (exchange === undefined) return;
    const { request, judgement, number } = exchange;
    if (taken !== undefined) {
      const opening = this.#watch.listening.openingOf(request);
      const listener = opening && this.#watch.listening.listener(opening);
      const isKept = this.#watch.subscriptions.filter((one) => one.isOpen).length < HELD_MAX;
      const isRight = judgement.is === "as stated" && isKept;
      if (opening === undefined || listener === undefined || !isRight) {
        taken.destroy();
      } else {
        const resumed = this.#resuming;
        const opened = { opening, listener, number, place: this.#place };
        const more = resumed === undefined ? {} : { resumed };
        this.#watch.add(new Subscription({ ...opened, ...more }, taken));
        await wait(BEGIN_MS);
      }
    }
    this.#watch.after(exchange, found);
  }

  /** Takes up what has happened by itself. */
  addTimed(events: readonly Emitted[]): void {
    this.#watch.addTimed(events);
  }

  /** A request that opens a stream for somebody who has none; undefined: none was found. */
  wanted(exploring: Exploring): Request | undefined {
    const open = this.#open;
    if (this.#turn++ % EVERY !== 0 || open.length >= ALL_MAX) return undefined;
    for (const stream of this.#session.plan.streams) {
      const own = open.filter(({ opened }) => isOf(opened, stream));
      const found = own.length < OPEN_MAX ? this.#opener(exploring, stream) : undefined;
      if (found !== undefined) return found;
    }
    return undefined;
  }

  get #open(): readonly Subscription[] {
    return this.#watch.subscriptions.filter(({ isOpen, over }) => isOpen && over === undefined);
  }

  /** One with another path than those that are open, as far as there is one. */
  #opener(exploring: Exploring, { id }: Stream): Request | undefined {
    const { plan } = this.#watch;
    const endpoint = plan.endpoints.find((one) => one.id === id);
    if (endpoint === undefined) return undefined;
    const open = this.#open.map(({ opened }) => opened.opening.request);
    const known = new Set(open.map((one) => this.#nameOf(one)));
    const paths = new Set(open.map(({ target }) => target));
    let found: Request | undefined;
    for (let i = 0; i < TRIES && (found === undefined || paths.has(found.target)); i++) {
      const made = requestTo({ ...makingOf(exploring), wrong: 0 }, endpoint);
      const request = { ...made, headers: made.headers.filter(([one]) => !isLast(one)) };
      if (isUnsendable(request, new Set()) || known.has(this.#nameOf(request))) continue;
      const { endpoint: at, outcome } = exploring.judge.foresee(request, exploring.clock());
      const isGood = at?.id === id && outcome.response.status === 200;
      if (!isGood || outcome.effects.gap !== undefined) continue;
      if (found === undefined || !paths.has(request.target)) found = request;
    }
    return found;
  }

  /** Alike for requests of one listener to one stream with one path. */
  #nameOf(request: Request): string {
    const { listening } = this.#watch;
    const opening = listening.openingOf(request);
    const caller = opening && listening.listener(opening)?.caller;
    return [
      opening?.stream,
      caller?.resource,
      caller?.key,
      ...(opening?.path.values() ?? []),
    ].join();
  }

  /** Opens streams again behind what came, and waits for what is stated to come by itself. */
  async finish(exploring: Exploring, send: Send, isOver: () => boolean): Promise<void> {
    const each = async (act: (stream: Stream) => Promise<void>): Promise<void> => {
      for (const stream of this.#session.plan.streams) {
        if (this.#watch.doubt === undefined && !isOver()) await act(stream);
      }
    };
    const all = async (goals: readonly Goal[]): Promise<void> => {
      await this.#openMore(exploring, send);
      for (const goal of goals) {
        if (this.#watch.doubt !== undefined || isOver()) return;
        const open = this.#watch.subscriptions.filter(({ isOpen, over }) => isOpen && !over);
        const request = sought(exploring, open, goal);
        if (request !== undefined) await send(request);
      }
      await this.#settle();
    };
    const shown = shownGoals(this.#watch);
    await all(shown.usual);
    await each((stream) => this.#resume(stream, send));
    await this.#settle();
    await each((stream) => this.#beat(stream));
    await all([...shown.ending, ...lostGoals(this.#watch)]);
    await each((stream) => this.#resumeEnded(stream));
  }

  /** Somebody more is to listen to each stream. */
  async #openMore(exploring: Exploring, send: Send): Promise<void> {
    for (const stream of this.#session.plan.streams) {
      for (let i = 0; i < OPEN_MAX; i++) {
        const request = this.#opener(exploring, stream);
        if (request !== undefined) await send(request);
      }
    }
  }

  /** Waits until all has come, and judges it. */
  async judge(): Promise<void> {
    await this.#settle();
    judgeStreams(this.#watch, this.#sink, this.#patienceMs);
  }

  /** Opens it again behind an event that came, and behind none. */
  async #resume(stream: Stream, send: Send): Promise<void> {
    const own = this.#watch.subscriptions.filter(({ opened }) => isOf(opened, stream));
    for (const one of own) {
      const [from] = one.over === undefined ? behind(one) : [];
      if (from === undefined || !this.#mayListen(one)) continue;
      const { request } = one.opened.opening;
      // Where nothing is kept any name is as good as none.
      this.#resuming = isStated(stream.resume) ? from : undefined;
      await send(withLast(request, from.id));
      this.#resuming = undefined;
      if (isStated(stream.resume)) await send(withLast(request, UNKNOWN));
      break;
    }
  }

  #mayListen({ opened, listener }: Subscription): boolean {
    const now = this.#watch.listening.listener(opened.opening);
    return now !== undefined && !now.isOver && now.caller?.key === listener.caller?.key;
  }

  /** Nothing more comes behind the event that ends it: that is said by 204. */
  async #resumeEnded(stream: Stream): Promise<void> {
    const one = this.#watch.subscriptions.find(
      (each) =>
        isOf(each.opened, stream) && each.over?.why === "the event" && this.#mayListen(each),
    );
    if (one?.over === undefined || !isStated(stream.resume)) return;
    const { opened, frames, matched, over } = one;
    const { endsBehind = [] } = stream;
    const at = matched.findIndex((entry) => endsBehind.includes(entry?.event ?? ""));
    const id = frames[at]?.id;
    if (id === undefined) return;
    const { judge } = this.#session;
    const request = withLast(opened.opening.request, id);
    const answer = await this.#client.ask(request);
    this.#taken?.destroy();
    this.#taken = undefined;
    // The model knows no names of events, but counts the request.
    judge.world.begin();
    judge.world.run(request, { now: judge.timeAt(answer.sent) });
    judge.world.keep();
    const { number } = opened;
    if (answer.status === 204) this.#sink.held(over.items, number);
    else if (answer.status < 300) {
      const text = `${request.target} behind its last event was answered ${answer.status}, not 204`;
      this.#sink.broken({ fault: "not ended", text, items: over.items, number, differences: [] });
    }
  }

  /** Where nothing happens something is sent all the same, if that is stated. */
  async #beat({ name, heartbeat }: Stream): Promise<void> {
    if (!isStated(heartbeat)) return;
    const beatMs = Number(durationOf(heartbeat.value) / 1_000n);
    const one = this.#watch.subscriptions.find(
      ({ opened, isOpen, over }) => opened.opening.stream === name && isOpen && over === undefined,
    );
    if (one === undefined || beatMs > this.#patienceMs) return;
    const { number, opening } = one.opened;
    const { comments, frames } = one;
    const count = frames.length;
    while (one.isOpen && one.comments === comments && one.frames.length === count) {
      if (Number((nowMicros() - one.lastAt) / 1_000n) > beatMs + LATE_MS) {
        const text = `nothing came over ${opening.request.target} within ${beatMs} ms`;
        const items = [heartbeat.id];
        this.#sink.broken({ fault: "no heartbeat", text, items, number, differences: [] });
        return;
      }
      await wait(LOOK_MS);
    }
    if (one.comments > comments) this.#sink.held([heartbeat.id], number);
  }

  /** Waits until all has come, or nothing has for so long. */
  async #settle(): Promise<void> {
    const { judge } = this.#session;
    const watch = this.#watch;
    let last = performance.now();
    let seen = -1;
    for (;;) {
      if (watch.doubt === undefined) {
        const events = fallDue(judge, nowMicros());
        watch.addTimed(events);
        this.onTimed?.(events);
      }
      watch.take();
      const { subscriptions } = watch;
      const came = subscriptions.reduce((sum, { frames, isOpen }) => {
        return sum + frames.length + (isOpen ? 0 : 1);
      }, 0);
      if (came !== seen) last = performance.now();
      seen = came;
      const isAwaited = subscriptions.some((one) => one.isAwaited || isToEnd(one));
      const most = isAwaited ? this.#patienceMs : Math.min(QUIET_MS, this.#patienceMs);
      if (performance.now() - last >= most && !subscriptions.some((one) => this.#isNearEnd(one))) {
        return;
      }
      await wait(LOOK_MS);
    }
  }

  /** Whether its time is over within what is waited for. */
  #isNearEnd({ opened, at, isOpen }: Subscription): boolean {
    const stream = this.#watch.statedOf(opened.opening.stream);
    const lasts = lastsFor(stream);
    if (!isOpen || lasts === undefined) return false;
    const lastsMs = Number(lasts / 1_000n);
    const ageMs = Number((nowMicros() - at) / 1_000n);
    return lastsMs <= this.#patienceMs && ageMs <= lastsMs * 1.05 + LATE_MS;
  }
}

const isOf = ({ opening }: Subscription["opened"], { name }: Stream): boolean =>
  opening.stream === name;

const isToEnd = ({ over, isOpen }: Subscription): boolean =>
  isOpen && over !== undefined && over.why !== "the time";

/** Events that came behind which more is to be sent again, the earliest first. */
function behind({ frames, matched, expected }: Subscription): readonly Resuming[] {
  const places = matched.flatMap((entry) =>
    entry !== undefined && expected.get(entry) === "must" ? [entry.place] : [],
  );
  return frames.flatMap(({ id }, i) => {
    const place = matched[i]?.place;
    const isGood = id !== undefined && /^[!-~]+$/.test(id) && place !== undefined;
    return isGood && places.some((one) => one > place) ? [{ id, place }] : [];
  });
}

function withLast(request: Request, id: string): Request {
  const headers = request.headers.filter(([name]) => !isLast(name));
  return { ...request, headers: [...headers, ["Last-Event-ID", id]] };
}

const isLast = (name: string): boolean => name.toLowerCase() === "last-event-id";
