/** Requests made again against the service, each time with data of their own. */
import { setTimeout } from "node:timers/promises";
import type { Judgement } from "../judge/judgement.ts";
import { commonTag, type Session, TAG_LETTERS } from "../session.ts";
import { type Client, NoAnswer, nowMicros } from "../talk/client.ts";
import { type Answer, fieldOf, type Request } from "../world/message.ts";
import { isMarked } from "../world/texts.ts";
import type { Alone, JudgesAlone } from "./alone.ts";
import { freshText } from "./fresh.ts";
import { type Named, type NamedRequest, shows } from "./named.ts";
import { filled, namesIn, textsOf } from "./names.ts";
import { Scarce } from "./scarce.ts";
import type { Sought } from "./sought.ts";

/** One request of a trial, as it went. */
export interface Tried {
  readonly named: NamedRequest;
  readonly request: Request;
  readonly answer: Answer;
  /** By who has seen the trial alone. */
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
  /** Nothing that an earlier trial has used was used again. */
  readonly isApart: boolean;
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

interface Bounded {
  readonly sought: Sought;
  readonly bounds: Bounds;
  /** Nothing that an earlier trial has used is to be used again. */
  readonly isApart?: boolean | undefined;
  /** These are taken as they were made before. */
  readonly taken?: ReadonlyMap<NamedRequest, Before> | undefined;
}

/** How the scarce requests of a trial are made. */
type Way = "as before" | "by one that was not used" | "anew";

/** How a request was answered, and the texts of names that were made anew for it. */
interface Before extends Pick<Tried, "request" | "answer"> {
  readonly fresh: ReadonlyMap<string, string>;
}

/** A request, and its answer as the session judges it. */
interface Sent extends Pick<Tried, "request" | "answer"> {
  readonly judgement?: Judgement;
}

const BASE = 36;
const MICROS_OF_MILLI = 1000;
const SECOND = 1_000_000n;
/** How much later than a limit lets requests through they are sent, in milliseconds. */
const MARGIN_MS = 150;

/** Makes trials in a session, whose model follows what they do. */
export class Trials {
  readonly #session: Session;
  readonly #client: Client;
  readonly #tag: string;
  readonly #fresh: ReadonlyMap<string, string>;
  readonly #alone: Alone;
  readonly #scarce: Scarce;
  /** How requests were answered last, by their numbers. */
  readonly #before = new Map<number, Before>();
  #count = 0;

  constructor(
    session: Session,
    client: Client,
    {
      tag,
      named: { fresh, originals },
      alone,
    }: {
      readonly tag: string;
      readonly named: Pick<Named, "fresh" | "originals">;
      readonly alone: Alone;
    },
  ) {
    this.#session = session;
    this.#client = client;
    this.#tag = tag;
    this.#fresh = fresh;
    this.#alone = alone;
    this.#scarce = new Scarce(session);
    for (const { number, request, answer } of session.exchanges) {
      this.#before.set(number, { request, answer, fresh: originals });
    }
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
  async run(all: readonly NamedRequest[], bounded: Bounded): Promise<Trial> {
    const { sought, bounds, isApart = false } = bounded;
    // How much of a limit is left hangs on all that was done with what was made before.
    const scarce = sought.isOfLimits ? new Set<NamedRequest>() : this.#scarce.among(all);
    let ways: readonly Way[] = [
      ...(scarce.size === 0 || isApart ? [] : (["as before"] as const)),
      ...(scarce.size === 0 ? [] : (["by one that was not used"] as const)),
      "anew",
    ];
    for (;;) {
      const blocked: { readonly way: Way; readonly until: bigint }[] = [];
      let trial: Trial | undefined;
      for (const way of ways) {
        const taken = way === "anew" ? undefined : this.#takenBy(way, scarce);
        if (way !== "anew" && taken === undefined) continue;
        const own = { sought, bounds, taken, isApart: way !== "as before" };
        trial = await this.runWhole(all, own);
        if (trial.isAsked) return trial;
        if (trial.blocked !== undefined) blocked.push({ way, until: trial.blocked });
      }
      const [first] = blocked.toSorted((a, b) => (a.until < b.until ? -1 : 1));
      if (trial === undefined) throw new Error("no way to make a trial");
      if (first === undefined) return trial;
      const now = this.#session.judge.timeAt(nowMicros());
      const ms = Number((first.until - now) / BigInt(MICROS_OF_MILLI)) + MARGIN_MS;
      if (!(await bounds.time.wait(Math.max(ms, MARGIN_MS)))) return trial;
      ways = first.way === "anew" ? ["anew"] : [first.way, "anew"];
    }
  }

  /** What stands for scarce requests; undefined: nothing is left that was not used. */
  #takenBy(
    way: Exclude<Way, "anew">,
    scarce: ReadonlySet<NamedRequest>,
  ): ReadonlyMap<NamedRequest, Before> | undefined {
    const found = new Map<NamedRequest, Before>();
    for (const named of scarce) {
      const other = way === "as before" ? undefined : this.#scarce.unused(named);
      const before =
        way === "as before"
          ? this.#before.get(named.number)
          : other && { ...other, fresh: new Map<string, string>() };
      if (before === undefined && way !== "as before") return undefined;
      if (before !== undefined) found.set(named, before);
    }
    return found;
  }

  /** The same, all of them but `taken` made anew. */
  runWhole(all: readonly NamedRequest[], bounded: Bounded): Promise<Trial> {
    const tag = this.#nextTag() ?? this.#tag;
    const countsToo = bounded.sought.isOfLimits;
    return this.#alone.during({ tag, countsToo }, (judges) =>
      this.#run(all, tag, { ...bounded, judges }),
    );
  }

  async #run(
    all: readonly NamedRequest[],
    tag: string,
    { sought, bounds, taken, isApart = true, judges }: Bounded & { readonly judges: JudgesAlone },
  ): Promise<Trial> {
    const tried: Tried[] = [];
    const known = new Map<string, string>([["tag", tag]]);
    for (const [name, like] of this.#fresh) known.set(name, freshText(like));
    for (const [{ request }, { fresh }] of taken ?? []) {
      for (const name of namesIn(...textsOf(request))) {
        const text = fresh.get(name);
        if (text !== undefined) known.set(name, text);
      }
    }
    const lookup = (name: string): string | undefined => {
      const text = this.#alone.shown(known.get(name) ?? "");
      return text === "" || isMarked(text) ? undefined : text;
    };
    for (const named of all) {
      if (bounds.requests <= 0 || bounds.time.isOver) break;
      const request = filled(named.request, lookup);
      if (request === undefined) break;
      const before = taken?.get(named);
      if (named.wait > 0n) await setTimeout(Number(named.wait) / MICROS_OF_MILLI);
      const notAsked = { tag, known, tried, isShown: false, isAsked: false, isApart };
      const blocked = before === undefined ? this.#blocked(named, request) : undefined;
      if (blocked !== undefined) return { ...notAsked, blocked };
      const sent: Sent | undefined =
        before ?? (await this.#send(named, request, { bounds, known }));
      if (sent === undefined) break;
      const later = before === undefined ? this.#later(named, sent.answer) : undefined;
      if (later !== undefined) return { ...notAsked, blocked: later };
      const { answer } = sent;
      const judgement = judges(sent.request, answer);
      tried.push({ named, request: sent.request, answer, judgement });
      for (const [i, text] of judgement.ran.made.entries()) known.set(`${named.number}.${i}`, text);
      this.#noteStart(known, answer);
      // A limit may have been reached by what was done before.
      const isStated = sent.judgement?.is === "as stated";
      if (isStated || !sought.isShown(judgement, answer)) continue;
      const isOthers = judgement.is === "broken" && judgement.unlessOthers === true;
      if (isOthers && !(await this.#isStill(named, { sought, request, judges, bounds, known }))) {
        continue;
      }
      return { tag, known, tried, isShown: true, isAsked: true, isApart };
    }
    const last = tried.length === all.length ? tried.at(-1) : undefined;
    // With what was made before, that of other trials may stand among what is asked for.
    const isElsewhere = last?.judgement.is === "unstated" && taken !== undefined;
    const isAsked = last !== undefined && sought.isForeseen(last.judgement.ran) && !isElsewhere;
    return { tag, known, tried, isShown: false, isAsked, isApart };
  }

  /** Whether it is broken as sought when it is asked once more: others may have come between. */
  async #isStill(
    named: NamedRequest,
    at: {
      readonly sought: Sought;
      readonly request: Request;
      readonly judges: JudgesAlone;
      readonly bounds: Bounds;
      readonly known: ReadonlyMap<string, string>;
    },
  ): Promise<boolean> {
    const { sought, request, judges } = at;
    if (request.method !== "GET") return false;
    const again = await this.#send(named, request, at);
    return again !== undefined && sought.isShown(judges(request, again.answer), again.answer);
  }

  /** What an answer shows of what was made for rows at the start. */
  #noteStart(known: Map<string, string>, answer: Answer): void {
    for (const [i, mark] of this.#session.madeAtStart.entries()) {
      const text = this.#session.judge.world.shown(mark);
      if (shows(answer, text)) known.set(`0.${i}`, text);
    }
  }

  /** When a limit lets the request through that refuses it now, and did not when it was found. */
  #blocked({ number }: NamedRequest, request: Request): bigint | undefined {
    const { judge } = this.#session;
    const { status } = judge.foresee(request, nowMicros()).outcome.response;
    const { rates } = judge.world;
    if (rates?.refusal === undefined) return undefined;
    return this.#before.get(number)?.answer.status === status ? undefined : rates.ends;
  }

  /** When it is to be made again, as an answer says that was another one when it was found. */
  #later({ number }: NamedRequest, { status, headers, received }: Answer): bigint | undefined {
    const seconds = fieldOf(headers, "Retry-After") ?? "";
    const { answer } = this.#before.get(number) ?? {};
    if (answer?.status === status || !/^\d{1,6}$/.test(seconds)) return undefined;
    return this.#session.judge.timeAt(received) + BigInt(seconds) * SECOND;
  }

  async #send(
    named: NamedRequest,
    request: Request,
    { bounds, known }: { readonly bounds: Bounds; readonly known: ReadonlyMap<string, string> },
  ): Promise<Sent | undefined> {
    try {
      bounds.requests -= 1;
      const answer = await this.#client.ask(request);
      const judgement = this.#session.judge.judge(request, answer);
      const last = this.#before.get(named.number)?.answer;
      if (judgement.is === "as stated" && (last === undefined || last.status === answer.status)) {
        const fresh = new Map([...known].filter(([name]) => name.startsWith("new")));
        this.#before.set(named.number, { request, answer, fresh });
      }
      return { request, answer, judgement };
    } catch (error) {
      if (error instanceof NoAnswer) return undefined;
      throw error;
    }
  }
}
