/** Requests made again against the service, each time with data of their own. */
import { setTimeout } from "node:timers/promises";
import type { Judgement } from "../judge/judgement.ts";
import { commonTag, type Session, TAG_LETTERS } from "../session.ts";
import type { Client } from "../talk/client.ts";
import { NoAnswer } from "../talk/client.ts";
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
}

export interface Bounds {
  requests: number;
  /** An instant of `performance.now()`. */
  readonly until: number;
}

const BASE = 36;
const MICROS_OF_MILLI = 1000;

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
   * as they were made before, unless that leads elsewhere.
   */
  async run(all: readonly NamedRequest[], sought: Sought, bounds: Bounds): Promise<Trial> {
    const scarce = this.#scarce.among(all);
    const trial = await this.runWhole(all, { sought, bounds, scarce });
    return trial.isAsked || scarce.size === 0 ? trial : this.runWhole(all, { sought, bounds });
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
      readonly scarce?: ReadonlySet<NamedRequest>;
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
      if (bounds.requests <= 0 || performance.now() > bounds.until) break;
      const request = filled(named.request, lookup);
      if (request === undefined) break;
      const before = scarce?.has(named) === true ? this.#before.get(named.number) : undefined;
      if (named.wait > 0n) await setTimeout(Number(named.wait) / MICROS_OF_MILLI);
      const sent = before ?? (await this.#send(request, bounds));
      if (sent === undefined) break;
      const { judgement, answer } = sent;
      tried.push({ named, request, answer, judgement });
      if (judgement.is === "as stated") this.#before.set(named.number, { request, ...sent });
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
