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
import { rehearsed } from "./rehearsal.ts";
import { type Before, type Fitting, loosened, Scarce, type StandIns } from "./scarce.ts";
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
  readonly way: Way;
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
  readonly taken?: StandIns["taken"] | undefined;
  readonly way?: Way;
}

/** How the scarce requests of a trial are made. */
type Way = "as before" | "by ones that were not used" | "by others" | "anew";

/** A request, and its answer as the session judges it. */
interface Sent extends Pick<Tried, "request" | "answer"> {
  readonly judgement?: Judgement;
}

const BASE = 36;
const MICROS_OF_MILLI = 1000;
/** Trials do not come to it. */
const LAST_TAG = "z".repeat(TAG_LETTERS);
const SECOND = 1_000_000n;
/** How long it is waited where a limit lets the next request through, and others not. */
const LONGER_MS = [2_000, 5_000, 10_000, 20_000, 40_000, 61_000];
/** Nothing that was made before is used. */
const ANEW: StandIns = { taken: new Map(), known: new Map() };
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
      named,
      alone,
    }: {
      readonly tag: string;
      readonly named: Named;
      readonly alone: Alone;
    },
  ) {
    this.#session = session;
    this.#client = client;
    this.#tag = tag;
    this.#fresh = named.fresh;
    this.#alone = alone;
    this.#scarce = new Scarce(session, named, tag);
    for (const { number, request, answer, judgement } of session.exchanges) {
      const { made } = judgement.ran;
      this.#before.set(number, { request, answer, fresh: named.originals, made });
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
   * Sends them in turn; ends where the answer is broken as sought. What those that are scarce have
   * made is used again where the model says that it does, and they are made anew where no limit
   * stands in the way. It is waited for a limit where nothing else is left.
   */
  async run(all: readonly NamedRequest[], bounded: Bounded): Promise<Trial> {
    const { sought, bounds, isApart = false } = bounded;
    // How much of a limit is left hangs on all that was done with what was made before.
    const scarce = sought.isOfLimits ? new Set<NamedRequest>() : this.#scarce.among(all);
    const fitting: Fitting = (one) =>
      [one, loosened(one)].find((each) => this.#isForeseen(all, each, { sought }));
    const before = this.#scarce.asBefore(scarce, this.#before);
    const fits = before && fitting(before);
    const isBefore = fits !== undefined;
    const again: readonly Way[] = isApart ? [] : ["as before"];
    let ways: readonly Way[] = [
      ...(isBefore ? again : []),
      "by ones that were not used",
      ...(isApart ? [] : (["by others"] as const)),
      "anew",
      // The model may be in doubt after what was found.
      ...(isBefore ? [] : again),
    ];
    if (scarce.size === 0) ways = ["anew"];
    for (;;) {
      const blocked: { readonly way: Way; readonly until: bigint }[] = [];
      let trial: Trial | undefined;
      for (const way of ways) {
        const taken = this.#takenBy(way, all, { asBefore: fits ?? before, fitting });
        if (way !== "anew" && taken === undefined) continue;
        trial = await this.runWhole(all, { sought, bounds, taken, way });
        if (trial.isAsked) return trial;
        if (trial.blocked !== undefined) blocked.push({ way, until: trial.blocked });
      }
      const [first] = blocked.toSorted((a, b) => (a.until < b.until ? -1 : 1));
      if (trial === undefined) throw new Error("no way to make a trial");
      if (first === undefined) return trial;
      const now = this.#session.judge.timeAt(nowMicros());
      const least = Number((first.until - now) / BigInt(MICROS_OF_MILLI)) + MARGIN_MS;
      const wait = Math.max(least, MARGIN_MS);
      // The next one may be let through, and one behind it not.
      const again = first.way === "anew" ? ANEW : before && (fits ?? before);
      const ms = [wait, ...LONGER_MS.filter((one) => one > wait)].find(
        (one) => again !== undefined && this.#isForeseen(all, again, { sought, ms: one }),
      );
      if (!(await bounds.time.wait(ms ?? wait))) return trial;
      ways = first.way === "anew" ? ["anew"] : [first.way, "anew"];
    }
  }

  /** What stands for scarce requests; undefined: nothing of that kind is left. */
  #takenBy(
    way: Way,
    all: readonly NamedRequest[],
    of: { readonly asBefore: StandIns | undefined; readonly fitting: Fitting },
  ): StandIns["taken"] | undefined {
    if (way === "anew") return undefined;
    if (way === "as before") return of.asBefore?.taken;
    const isApart = way === "by ones that were not used";
    return this.#scarce.standIns(all, { isApart, fitting: of.fitting })?.taken;
  }

  /** Whether the last one comes to what is sought, as the model of the session says. */
  #isForeseen(
    all: readonly NamedRequest[],
    { taken, known }: StandIns,
    { sought, ms = 0 }: { readonly sought: Sought; readonly ms?: number },
  ): boolean {
    const { judge, madeAtStart } = this.#session;
    const { world } = judge;
    const unseen = new Map(madeAtStart.map((mark, i) => [`0.${i}`, world.shown(mark)]));
    const left = all.filter((one) => !taken.has(one));
    const { sent, ran } = rehearsed(left, {
      ...{ world, unseen, now: judge.timeAt(nowMicros()) + BigInt(ms * MICROS_OF_MILLI) },
      known: new Map([...this.#freshNames(commonTag(this.#tag) + LAST_TAG), ...known]),
    });
    return sent.length === left.length && ran !== undefined && sought.isForeseen(ran);
  }

  /** Names of what differs each time, with new texts. */
  #freshNames(tag: string): Map<string, string> {
    const known = new Map([["tag", tag]]);
    for (const [name, like] of this.#fresh) known.set(name, freshText(like));
    return known;
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
    { sought, bounds, taken, way = "anew", judges }: Bounded & { readonly judges: JudgesAlone },
  ): Promise<Trial> {
    const tried: Tried[] = [];
    let isStated = false;
    const known = this.#freshNames(tag);
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
      const notAsked = { tag, known, tried, isShown: false, isAsked: false, way };
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
      isStated = sent.judgement?.is === "as stated";
      if (isStated || !sought.isShown(judgement, answer)) continue;
      const isOthers = judgement.is === "broken" && judgement.unlessOthers === true;
      if (isOthers && !(await this.#isStill(named, { sought, request, judges, bounds, known }))) {
        continue;
      }
      return { tag, known, tried, isShown: true, isAsked: true, way };
    }
    const last = tried.length === all.length ? tried.at(-1) : undefined;
    // With what was made before, that of other trials may stand among what is asked for.
    const isHanging = last?.judgement.is === "unstated";
    const isOther = last?.judgement.is === "broken" && isStated;
    const isElsewhere = taken !== undefined && (isHanging || isOther);
    const isAsked = last !== undefined && sought.isForeseen(last.judgement.ran) && !isElsewhere;
    return { tag, known, tried, isShown: false, isAsked, way };
  }

  /**
   * Whether it is broken as sought when it is asked once more: others may have come between. What
   * changes something cannot be asked so; others are looked for in what is read alone.
   */
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
    if (request.method !== "GET") return true;
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
        this.#before.set(named.number, { request, answer, fresh, made: judgement.ran.made });
      }
      return { request, answer, judgement };
    } catch (error) {
      if (error instanceof NoAnswer) return undefined;
      throw error;
    }
  }
}
