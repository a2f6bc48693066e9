/** Requests made again against the service, each time with data of their own. */
import { setTimeout } from "node:timers/promises";
import type { Judgement } from "../judge/judgement.ts";
import { commonTag, type Session, TAG_LETTERS } from "../session.ts";
import { type Client, NoAnswer, nowMicros } from "../talk/client.ts";
import type { Answer, Request } from "../world/message.ts";
import { isMarked } from "../world/texts.ts";
import { freshText } from "./fresh.ts";
import { type NamedRequest, shows } from "./named.ts";
import { filled } from "./names.ts";
import { Scarce } from "./scarce.ts";
import type { Sought } from "./sought.ts";

/** One request of a trial, as it went. */
export interface Tried {
  readonly named: NamedRequest;
  readonly request: Request;
  readonly answer: Answer;
  readonly judgement: Judgement;
}

export interface Trial {
  readonly tag: string;
  /** What stood in the place of names. */
  readonly known: ReadonlyMap<string, string>;
  /** What was sent, up to the answer that is broken as sought. */
  readonly tried: readonly Tried[];
  readonly isShown: boolean;
  /** The last request came to what it came to when its answer was found wrong. */
  readonly isAsked: boolean;
  /** When a limit lets the next request through that it would refuse now, in microseconds. */
  readonly blocked?: bigint;
}

/** What may be spent, by one search behind the other. */
export class Time {
  /** Ends then, by `performance.now()`; waiting for limits does not count. */
  until: number;
  /** How long it is waited for limits still. */
  waitMs: number;

  constructor(ms: number, waitMs: number) {
    this.until = performance.now() + ms;
    this.waitMs = waitMs;
  }

  get isOver(): boolean {
    return performance.now() > this.until;
  }

  /** Whether it was waited so long. */
  async wait(ms: number): Promise<boolean> {
    if (ms > this.waitMs) return false;
    this.waitMs -= ms;
    this.until += ms;
    await setTimeout(ms);
    return true;
  }
}

export interface Bounds {
  requests: number;
  readonly time: Time;
}

const BASE = 36;
const MICROS_OF_MILLI = 1000;
/** How much later than a limit lets requests through they are sent, in milliseconds. */
const MARGIN_MS = 150;

/** Makes trials in a session, whose model follows what they do. */
export class Trials {
  readonly #session: Session;
  readonly #client: Client;
  readonly #tag: string;
  readonly #fresh: ReadonlyMap<string, string>;
  readonly #scarce: Scarce;
  /** How requests were answered last, by their numbers. */
  readonly #before = new Map<number, Omit<Tried, "named">>();
  #count = 0;

  constructor(
    session: Session,
    client: Client,
    { tag, fresh }: { readonly tag: string; readonly fresh: ReadonlyMap<string, string> },
  ) {
    this.#session = session;
    this.#client = client;
    this.#tag = tag;
    this.#fresh = fresh;
    this.#scarce = new Scarce(session);
    for (const exchange of session.exchanges) this.#before.set(exchange.number, exchange);
  }

  /** The tag of the next trial; undefined: there are no more. */
  #nextTag(): string | undefined {
    const common = commonTag(this.#tag);
    for (;;) {
      const own = (this.#count++).toString(BASE).padStart(TAG_LETTERS, "0");
      if (own.length > TAG_LETTERS) return undefined;
      if (common + own !== this.#tag) return common + own;
    }
  }

  /** Whether some of them are better not made again. */
  hasScarce(all: readonly NamedRequest[]): boolean {
    return this.#scarce.among(all).size > 0;
  }

  /**
   * Sends them in turn; ends where the answer is broken as sought. Those that are scarce are taken
   * as they were made before, unless that leads elsewhere or a limit stands in the way. It is
   * waited for a limit where nothing else is left.
   */
  async run(all: readonly NamedRequest[], sought: Sought, bounds: Bounds): Promise<Trial> {
    const scarce = this.#scarce.among(all);
    let ways = scarce.size === 0 ? [undefined] : [scarce, undefined];
    for (;;) {
      const blocked: { readonly way: typeof scarce | undefined; readonly until: bigint }[] = [];
      let trial: Trial | undefined;
      for (const way of ways) {
        trial = await this.runWhole(all, { sought, bounds, scarce: way });
        if (trial.isAsked) return trial;
        if (trial.blocked !== undefined) blocked.push({ way, until: trial.blocked });
      }
      const [first] = blocked.toSorted((a, b) => (a.until < b.until ? -1 : 1));
      if (trial === undefined) throw new Error("no way to make a trial");
      if (first === undefined) return trial;
      const now = this.#session.judge.timeAt(nowMicros());
      const ms = Number((first.until - now) / BigInt(MICROS_OF_MILLI)) + MARGIN_MS;
      if (!(await bounds.time.wait(Math.max(ms, MARGIN_MS)))) return trial;
      ways = [first.way];
    }
  }

  /** The same, all of them but `scarce` made anew. */
  async runWhole(
    all: readonly NamedRequest[],
    {
      sought,
      bounds,
      scarce,
    }: {
      readonly sought: Sought;
      readonly bounds: Bounds;
      readonly scarce?: ReadonlySet<NamedRequest> | undefined;
    },
  ): Promise<Trial> {
    const tag = this.#nextTag() ?? this.#tag;
    const tried: Tried[] = [];
    const known = new Map<string, string>([["tag", tag]]);
    for (const [name, like] of this.#fresh) known.set(name, freshText(like));
    const { world } = this.#session.judge;
    const lookup = (name: string): string | undefined => {
      const text = world.shown(known.get(name) ?? "");
      return text === "" || isMarked(text) ? undefined : text;
    };
    for (const named of all) {
      if (bounds.requests <= 0 || bounds.time.isOver) break;
      const request = filled(named.request, lookup);
      if (request === undefined) break;
      const before = scarce?.has(named) === true ? this.#before.get(named.number) : undefined;
      if (named.wait > 0n) await setTimeout(Number(named.wait) / MICROS_OF_MILLI);
      const blocked = before === undefined ? this.#blocked(named, request) : undefined;
      if (blocked !== undefined)
        return { tag, known, tried, isShown: false, isAsked: false, blocked };
      const sent = before ?? (await this.#send(request, bounds));
      if (sent === undefined) break;
      const { judgement, answer } = sent;
      tried.push({ named, request, answer, judgement });
      if (judgement.is === "as stated" && before === undefined) {
        const { answer: last } = this.#before.get(named.number) ?? {};
        if (last === undefined || last.status === answer.status) {
          this.#before.set(named.number, { request, ...sent });
        }
      }
      const { made } = judgement.ran;
      for (const [i, text] of made.entries()) known.set(`${named.number}.${i}`, text);
      for (const [i, mark] of this.#session.madeAtStart.entries()) {
        if (shows(answer, world.shown(mark))) known.set(`0.${i}`, mark);
      }
      if (sought.isShown(judgement, answer)) {
        return { tag, known, tried, isShown: true, isAsked: true };
      }
    }
    const last = tried.length === all.length ? tried.at(-1) : undefined;
    const isAsked = last !== undefined && sought.isForeseen(last.judgement.ran);
    return { tag, known, tried, isShown: false, isAsked };
  }

  /** When a limit lets the request through that refuses it now, and did not when it was found. */
  #blocked({ number }: NamedRequest, request: Request): bigint | undefined {
    const { judge } = this.#session;
    const { status } = judge.foresee(request, nowMicros()).outcome.response;
    const ends = judge.world.rates?.ends;
    return this.#before.get(number)?.answer.status === status ? undefined : ends;
  }

  async #send(
    request: Request,
    bounds: Bounds,
  ): Promise<{ readonly answer: Answer; readonly judgement: Judgement } | undefined> {
    try {
      bounds.requests -= 1;
      const answer = await this.#client.ask(request);
      return { answer, judgement: this.#session.judge.judge(request, answer) };
    } catch (error) {
      if (error instanceof NoAnswer) return undefined;
      throw error;
    }
  }
}
