/** Tests a running service against all that its document states. */
import type { Plan } from "../plan/index.ts";
import {
  type Exploring,
  featuresOf,
  makingOf,
  nextRequests,
  type Planned,
} from "./generate/explore.ts";
import { Random } from "./generate/random.ts";
import { isNearlyUsedUp, Sparing } from "./generate/scarce.ts";
import { widest } from "./generate/widest.ts";
import { hiding } from "./judge/hidden.ts";
import type { Judgement } from "./judge/judgement.ts";
import { Messages, PATIENCE_MS } from "./messages.ts";
import type { Verified, VerifyOptions } from "./options.ts";
import { probeOrigins } from "./probe/origins.ts";
import { lastSharesOf, probe, probeLast, type Shares, sharesOf } from "./probe/probe.ts";
import { awaitLimits, type Probing } from "./probe/probing.ts";
import { Races } from "./racing/races.ts";
import { Rivals } from "./rivals/rivals.ts";
import { Searching } from "./rivals/searching.ts";
import { Session } from "./session.ts";
import { shrink } from "./shrink/shrink.ts";
import { Streams } from "./streams.ts";
import { Client, NoAnswer, nowMicros } from "./talk/client.ts";
import type { Request } from "./world/message.ts";
import { realRequest } from "./world/real.ts";
import type { Ran } from "./world/world.ts";

/** How often it is waited for limits to let something new through. */
const WAITS = 8;

/** Requests that may be made again. */
const REPEATED = 30;

/** Of the time before, what races may take; and seconds at least, and at most. */
const RACES_SHARE = 0.2;
const RACES_LEAST = 3;
const RACES_MOST = 15;

/** Runs until nothing new is found, or a bound is reached. */
export async function verify(plan: Plan, url: URL, options: VerifyOptions): Promise<Verified> {
  const client = new Client(url);
  // What is under way gets no answer then.
  options.signal?.addEventListener("abort", () => client.close(), { once: true });
  const session = new Session(plan, { ...options, now: nowMicros() });
  const messages = await Messages.open(session, options);
  const streams = Streams.of(session, client, options);
  if (streams !== undefined) messages?.beside(streams);
  try {
    const verification = new Verification({ session, client, messages, streams }, options);
    const verified = await verification.run();
    if (verified.ended === "no answer" || verified.ended === "stopped") return verified;
    // What races leave behind would be in the way of showing again what is broken without them.
    const shrunk = await shrunkIn(verified, client, options);
    const races = verification.races(url, verified);
    return await verification.last(await withRaces({ ...verified, shrunk }, races, options));
  } finally {
    await messages?.close();
    streams?.close();
    client.close();
  }
}

async function withRaces(
  verified: Verified,
  races: Races | undefined,
  { signal, shrinkMax }: VerifyOptions,
): Promise<Verified> {
  if (races === undefined) return verified;
  const began = performance.now();
  try {
    await races.run();
    const seconds = verified.seconds + (performance.now() - began) / 1000;
    const found = { ...verified, seconds, races: races.counts };
    if (signal?.aborted === true) return { ...found, ended: "stopped" };
    const shrunk = await races.shrunk(shrinkMax, SHRINK_SECONDS);
    return { ...found, shrunk: [...verified.shrunk, ...shrunk] };
  } finally {
    races.close();
  }
}

/** Seconds that are spent on showing breaks again. */
const SHRINK_SECONDS = 30;

function shrunkIn({ session }: Verified, client: Client, options: VerifyOptions) {
  const { tag, settings, given, shrinkMax, shrinking: progress, signal } = options;
  const bounds = { requestsMax: shrinkMax, secondsMax: SHRINK_SECONDS };
  const told = { tag, settings, given, now: session.began, progress, signal };
  return shrink(session, client, { ...told, ...bounds });
}

/** Of all seconds, how much more may be spent on what streams show when all others are over. */
const STREAM_SHARE = 0.25;

/** Of all seconds, what is kept for what the service has sent by itself: at least, and at most. */
const BY_ITSELF = 0.1;
const BY_ITSELF_MOST = 0.3;

/** Rows of requests by which one thing is sought. */
const SEEKS = 8;

interface Parts {
  readonly session: Session;
  readonly client: Client;
  readonly messages: Messages | undefined;
  readonly streams: Streams | undefined;
}

class Verification {
  readonly #client: Client;
  readonly #options: VerifyOptions;
  readonly #session: Session;
  readonly #lookedAt = new Set<string>();
  readonly #exploring: Exploring;
  readonly #sparing: Sparing;
  readonly #rivals: Rivals;
  readonly #searching: Searching;
  readonly #messages: Messages | undefined;
  readonly #streams: Streams | undefined;
  /** What is sought, and whether it was found. */
  #sought: { readonly isGoal: (ran: Ran) => boolean; isMet: boolean } | undefined;
  readonly #began = performance.now();
  #waits = 0;

  constructor({ session, client, messages, streams }: Parts, options: VerifyOptions) {
    this.#client = client;
    this.#options = options;
    this.#session = session;
    this.#messages = messages;
    this.#streams = streams;
    const { judge, gapsMet } = session;
    const random = new Random(options.seed);
    const { tag } = options;
    const seen = new Set<string>();
    this.#sparing = new Sparing(() => options.shrinkMax > 0 && session.breaks.length > 0);
    this.#exploring = {
      ...{ judge, random, tag, seen, clock: nowMicros, before: [], gapsMet },
      taken: new Map(),
      addresses: messages?.addresses,
      isSpared: (ran, rates, purpose = "what is new") =>
        this.#sparing.isSpared(ran, purpose) ||
        isNearlyUsedUp(rates, { purpose, hasEnd: this.#isSent }),
      features: (ran, request) => [
        ...featuresOf(ran, { gone: hiding(judge.world, request, ran), method: request.method }),
        ...(messages?.features(ran) ?? []),
        ...(streams?.features(ran) ?? []),
      ],
    };
    this.#rivals = new Rivals(this.#exploring);
    this.#searching = new Searching(this.#exploring, this.#rivals);
  }

  get #isStopped(): boolean {
    return this.#options.signal?.aborted === true;
  }

  get #seconds(): number {
    return (performance.now() - this.#began) / 1000;
  }

  async run(): Promise<Verified> {
    try {
      const { plan } = this.#session;
      const { patienceMs = PATIENCE_MS, requestsMax } = this.#options;
      const first = await this.#explore(sharesOf(plan, { patienceMs, requestsMax }));
      // A few requests are made even if that has taken all the time.
      const isOver = (): boolean => this.#isStopped || this.#isBroken;
      if (!isOver()) await probeOrigins(this.#probing(isOver));
      if (!isOver()) await probe(this.#probing(() => isOver() || this.#isLate(this.#kept)));
      const found = await this.#further(first);
      if (found.ended !== "stopped") await this.#finish();
      return { ...found, seconds: this.#seconds };
    } catch (error) {
      return this.#failed(error);
    }
  }

  /** What probes have left of the bounds is for the search. */
  async #further(found: Verified): Promise<Verified> {
    const isBounded = found.ended === "seconds" || found.ended === "requests";
    return !isBounded || this.isOver || this.#isBroken ? found : this.#explore(this.#kept);
  }

  /** Whether the service sends something by itself. */
  get #isSent(): boolean {
    return this.#messages !== undefined || this.#streams !== undefined;
  }

  /** What is kept for the last probes, and for what the service has sent by itself. */
  get #kept(): Shares {
    const { patienceMs = PATIENCE_MS, requestsMax } = this.#options;
    const { time, requests } = lastSharesOf(this.#session.plan, { patienceMs, requestsMax });
    return { time: this.#isSent ? time + this.#byItself : time, requests };
  }

  get #byItself(): number {
    const wanted = (this.#messages?.trialsMs ?? 0) / 1000 / this.#options.secondsMax;
    return Math.min(BY_ITSELF_MOST, Math.max(BY_ITSELF, wanted));
  }

  /** Whether no more time is left than is kept. */
  #isLate({ time }: Shares): boolean {
    return this.isOver || this.#seconds >= this.#options.secondsMax * (1 - time);
  }

  /** What makes requests at the same time, for a share of the time that it took up to now. */
  races(url: URL, { seconds }: Verified): Races | undefined {
    const { tag, signal, progress, breaksMax, racesMax: requestsMax = 0 } = this.#options;
    const session = this.#session;
    const isOver = this.#isStopped || session.breaks.length >= breaksMax;
    if (isOver || requestsMax === 0 || !Races.isJudged(session)) return undefined;
    const secondsMax = Math.min(Math.max(RACES_LEAST, seconds * RACES_SHARE), RACES_MOST);
    const bounds = { requestsMax, secondsMax };
    return new Races(session, url, this.#exploring, { tag, signal, progress, ...bounds });
  }

  /** Judges what the service has sent by itself. */
  async #finish(): Promise<void> {
    const send = (request: Request): Promise<Judgement> => this.#send(request);
    const most = this.#options.secondsMax * (1 + STREAM_SHARE);
    const isOver = (): boolean => this.#isStopped || this.#seconds >= most;
    await this.#streams?.finish(this.#exploring, send, isOver);
    await this.#messages?.finish((one) => this.#seek(one), this);
    await this.#streams?.judge();
  }

  /** What uses up what the service lets through: nothing can be asked for behind it. */
  async last(verified: Verified): Promise<Verified> {
    try {
      if (!this.#isBroken) await probeLast(this.#probing());
      return { ...verified, seconds: this.#seconds };
    } catch (error) {
      return { ...this.#failed(error), shrunk: verified.shrunk };
    }
  }

  /** The model and the service are too far apart to go on. */
  get #isBroken(): boolean {
    return this.#session.breaks.length >= this.#options.breaksMax;
  }

  #failed(error: unknown): Verified {
    if (!(error instanceof NoAnswer)) throw error;
    if (this.#isStopped) return this.#ended("stopped");
    return { ...this.#ended("no answer"), fault: error.message };
  }

  #probing(isOver = (): boolean => this.isOver || this.#isBroken): Probing {
    const { patienceMs = PATIENCE_MS, requestsMax } = this.#options;
    const left = (): number => requestsMax - this.#session.requests;
    return {
      session: this.#session,
      patienceMs,
      get isOver() {
        return isOver();
      },
      get requestsLeft() {
        return left();
      },
      making: () => ({ ...makingOf(this.#exploring), wrong: 0 }),
      send: (request) => this.#send(request),
      follow: (next) => this.#follow(next),
    };
  }

  /** Nothing more is to be begun. */
  get isOver(): boolean {
    return this.#isStopped || this.#seconds >= this.#options.secondsMax;
  }

  /** Sends requests until one comes to a goal; false: none was found. */
  async #seek(isGoal: (ran: Ran) => boolean): Promise<boolean> {
    const sought = { isGoal, isMet: false };
    this.#sought = sought;
    const features = (ran: Ran): readonly string[] => (isGoal(ran) ? ["goal"] : []);
    const isSpared = (ran: Ran): boolean => this.#sparing.isSpared(ran, "a limit");
    const exploring = { ...this.#exploring, isSpared, features, seen: new Set<string>() };
    for (let i = 0; i < SEEKS && !sought.isMet; i++) {
      const next = await nextRequests(exploring, () => this.isOver);
      if (next.length > 0) await this.#follow(next);
      else if (this.isOver || !(await awaitLimits(this.#probing()))) break;
    }
    this.#sought = undefined;
    return sought.isMet;
  }

  /** `kept`: for what comes later. */
  async #explore(kept: Shares): Promise<Verified> {
    const { requestsMax } = this.#options;
    const session = this.#session;
    const isOver = (): boolean => this.#isLate(kept);
    for (;;) {
      if (session.requests >= requestsMax * (1 - kept.requests)) return this.#ended("requests");
      if (isOver()) return this.#ended("seconds");
      if (this.#isBroken) return this.#ended("broken answers");
      const next = await this.#next(isOver);
      if (this.#isStopped) return this.#ended("stopped");
      if (next.length === 0 && !isOver() && (await this.#awaited())) continue;
      if (next.length === 0) return this.#ended(isOver() ? "seconds" : "nothing new");
      this.#rivals.followed(await this.#follow(next));
    }
  }

  /** Whether limits stood in the way of something new, for as long as anybody waits. */
  async #awaited(): Promise<boolean> {
    return this.#waits++ < WAITS && (await awaitLimits(this.#probing()));
  }

  /** What comes to something new, else what tells the document from others like it. */
  async #next(isOver: () => boolean): Promise<readonly Planned[]> {
    const opening = this.#streams?.wanted(this.#exploring);
    if (opening !== undefined) return [{ request: opening, made: [] }];
    return this.#searching.next(isOver);
  }

  #ended(ended: Verified["ended"]): Verified {
    return { ended, session: this.#session, shrunk: [], seconds: this.#seconds };
  }

  /** Sends requests in turn, for as long as they come to what was foreseen; whether all were. */
  async #follow(next: readonly Planned[]): Promise<boolean> {
    const known = new Map<string, string>();
    for (const { request, made, status } of next) {
      const sent = realRequest(this.#exploring.judge.world, request, known);
      if (sent === undefined) return false;
      const judgement = await this.#send(sent);
      if (judgement.is !== "as stated") return false;
      // A limit, say, may stand in the way that is free to begin a little earlier or later.
      if (status !== undefined && judgement.ran.outcome.response.status !== status) return false;
      const texts = judgement.ran.made;
      if (texts.length !== made.length && made.length > 0) return false;
      for (const [i, mark] of made.entries()) known.set(mark, texts[i] ?? mark);
    }
    return true;
  }

  async #send(request: Request): Promise<Judgement> {
    const told = this.#rivals.toldBy(request, this.#searching.isOpening);
    this.#streams?.before();
    const foreseen = (await this.#messages?.before(request)) ?? this.#streams?.foreseen(request);
    const answer = await this.#client.ask(request);
    const session = this.#session;
    const judgement = session.judged(request, answer);
    this.#sparing.note(judgement.ran, session.judge.world.rates);
    if (judgement.is === "as stated") {
      if (judgement.ran.outcome.response.status === told.status) this.#rivals.leave(told.rivals);
      this.#searching.took(request, judgement.ran, answer);
    }
    const { features, seen, taken } = this.#exploring;
    const { endpoint, outcome } = judgement.ran;
    if (endpoint !== undefined && outcome.response.status < 400) taken.set(endpoint.id, request);
    for (const feature of features(judgement.ran, request)) seen.add(feature);
    if (this.#sought?.isGoal(judgement.ran) === true) this.#sought.isMet = true;
    if (foreseen !== undefined) {
      await this.#messages?.after(foreseen);
      await this.#streams?.after(foreseen);
    }
    const isPages = judgement.ran.crossing !== undefined;
    if (judgement.is === "as stated" && request.method !== "GET" && !isPages) {
      const { before } = this.#exploring;
      before.push(request);
      if (before.length > REPEATED) before.shift();
    }
    this.#options.progress?.(session);
    if (judgement.is === "broken" && judgement.unlessOthers) await this.#lookForOthers(judgement);
    return judgement;
  }

  /** Asks again for a list that was not as expected, and for all of it: others may be in it. */
  async #lookForOthers({ ran: { endpoint } }: Judgement): Promise<void> {
    const request = this.#session.exchanges.at(-1)?.request;
    if (request === undefined || endpoint?.method !== "GET") return;
    const again = this.#session.judged(request, await this.#client.ask(request));
    if (again.is === "as stated") this.#session.withdraw(endpoint.id);
    if (again.is !== "broken" || this.#lookedAt.has(endpoint.id)) return;
    this.#lookedAt.add(endpoint.id);
    for (const query of widest(endpoint)) {
      await this.#send({ ...request, target: (request.target.split("?")[0] ?? "") + query });
    }
  }
}
