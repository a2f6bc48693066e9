/** Reduces what has shown a broken answer to the fewest requests that still show it. */
import type { ItemId } from "../../plan/index.ts";
import { AWAITED_MS } from "../generate/scarce.ts";
import { settersBefore, takenIn } from "../judge/blame.ts";
import type { Break, Session } from "../session.ts";
import type { Client } from "../talk/client.ts";
import type { Answer } from "../world/message.ts";
import { Alone } from "./alone.ts";
import { ddmin } from "./ddmin.ts";
import { Explained } from "./explained.ts";
import { Links, madeFor, type NamedRequest, namedRequests } from "./named.ts";
import { madeBy } from "./names.ts";
import { withoutParts, withShortTexts } from "./parts.ts";
import { Rehearsal, type Start } from "./rehearsal.ts";
import { type Replay, replayOf } from "./replay.ts";
import { Sought } from "./sought.ts";
import { spoiled } from "./spoiled.ts";
import { type Bounds, Time, type Trial, Trials } from "./trials.ts";

interface ShrinkOptions extends Omit<Start, "plan"> {
  /** Requests that may be made for all breaks together. */
  readonly requestsMax: number;
  readonly secondsMax: number;
  /** Told before each break. */
  readonly progress?: ((done: number, of: number) => void) | undefined;
  /** Ends it: what was found up to then is the result. */
  readonly signal?: AbortSignal | undefined;
}

/** A break in as few requests as were found, the last of which is answered wrongly. */
export interface Shrunk {
  readonly broken: Break;
  readonly replay: Replay;
  /** The answers to its requests when they were made last. */
  readonly answers: readonly Answer[];
  /** How many requests stood before it when it was found. */
  readonly from: number;
}

/** Why a break was not made smaller. */
export interface NotShrunk {
  readonly broken: Break;
  readonly why:
    | "it did not show again"
    | "the bounds were reached"
    | "its answers hide a text"
    | "a wrong answer before it may have caused it";
}

/** The last requests before a break that are tried together with what it hangs on. */
const WINDOWS = [10, 30, 100, 300];
/** Requests for one break at least, as far as there are any. */
const REQUESTS_MIN = 150;
/** Trials of what is found, at the end. */
const CONFIRMED = 2;

/** Breaks of which each is the first of the item that it names first. */
function firstBreaks(breaks: readonly Break[]): readonly Break[] {
  const seen = new Set<string>();
  return breaks.filter(({ items }) => {
    const [item = ""] = items;
    const isNew = !seen.has(item);
    for (const one of items) seen.add(one);
    return isNew;
  });
}

/** What became of the first break of each item. */
export async function shrink(
  session: Session,
  client: Client,
  options: ShrinkOptions,
): Promise<readonly (Shrunk | NotShrunk)[]> {
  const breaks = firstBreaks(session.breaks.filter(({ race }) => race === undefined));
  if (breaks.length === 0 || options.requestsMax === 0) return [];
  const shrinker = new Shrinker(session, client, options);
  const found: (Shrunk | NotShrunk)[] = [];
  let left = options.requestsMax;
  const time = new Time(options.secondsMax * 1000, AWAITED_MS);
  for (const [i, broken] of breaks.entries()) {
    options.progress?.(i, breaks.length);
    if (options.signal?.aborted === true) break;
    const share = Math.ceil(left / (breaks.length - i));
    const requests = Math.min(left, Math.max(share, REQUESTS_MIN));
    const bounds: Bounds = { requests, time };
    found.push(await shrinker.shrink(broken, bounds));
    left -= requests - bounds.requests;
  }
  const kept: (Shrunk | NotShrunk)[] = [];
  for (const one of found) {
    kept.push(options.signal?.aborted === true ? one : await shrinker.kept(one));
  }
  return kept;
}

/** Whether it is about an item of a list, which rows that are made later may move elsewhere. */
const isOfItem = ({ replay: { differs } }: Shrunk): boolean =>
  differs.some(({ at }) => at.includes("{{"));

class Shrinker {
  readonly #session: Session;
  readonly #trials: Trials;
  readonly #rehearsal: Rehearsal;
  readonly #all: readonly NamedRequest[];
  readonly #fresh: ReadonlyMap<string, string>;
  readonly #links: Links;
  readonly #explained: Explained;
  readonly #alone: Alone;
  /** Whether what was found shows once more. */
  readonly #again = new Map<Shrunk, () => Promise<boolean>>();

  constructor(session: Session, client: Client, options: ShrinkOptions) {
    this.#session = session;
    const { tag } = options;
    const named = namedRequests(session, tag);
    const { fresh } = named;
    this.#all = named.requests;
    this.#fresh = fresh;
    this.#links = new Links(named);
    const start = { ...options, plan: session.plan };
    this.#alone = new Alone(session, start);
    this.#trials = new Trials(session, client, { tag, named, alone: this.#alone });
    this.#rehearsal = new Rehearsal(start, fresh);
    this.#explained = new Explained(session, start);
  }

  async shrink(broken: Break, bounds: Bounds): Promise<Shrunk | NotShrunk> {
    const { number } = broken;
    const exchange = this.#session.exchanges.find((one) => one.number === number);
    const target = this.#all.find((one) => one.number === number);
    // A session may keep the last exchanges alone.
    if (exchange === undefined || target === undefined) {
      return { broken, why: "it did not show again" };
    }
    if (spoiled(this.#session, this.#all, target)) {
      return { broken, why: "a wrong answer before it may have caused it" };
    }
    const sought = new Sought(this.#session.plan, broken, exchange);
    const search = new Search(this.#trials, this.#rehearsal, { sought, bounds });
    for (const candidate of await this.#candidates(broken, target, search)) {
      const shown = await search.shown(candidate);
      if (shown === undefined) continue;
      const few = await search.fewer(shown);
      const small = search.isScant ? few : await search.smaller(few);
      const first = small === few ? [] : await search.confirmed(small);
      const isSmall = first.length > 0;
      const trials = isSmall ? first : await search.confirmed(few, true);
      const last = trials.at(-1);
      if (last === undefined) continue;
      const answers = last.tried.map(({ answer }) => answer);
      const replay = replayOf(trials, {
        shown: (text) => this.#alone.shown(text),
        fresh: this.#fresh,
      });
      if (replay === undefined) return { broken, why: "its answers hide a text" };
      const explained = this.#explained.by(last.tried, bounds.time.until);
      const items = explained.length > 0 ? explained : this.#setBefore(broken, last);
      const named = this.#session.named(broken, items);
      const shrunk: Shrunk = { broken: named, replay, answers, from: target.number };
      const kept = isSmall ? small : few;
      this.#again.set(shrunk, async () => (await search.confirmed(kept, !isSmall)).length > 0);
      return shrunk;
    }
    const isOver = bounds.requests <= 0 || bounds.time.isOver;
    return { broken, why: isOver ? "the bounds were reached" : "it did not show again" };
  }

  /** The same, if it shows among all that was made to find others. */
  async kept(one: Shrunk | NotShrunk): Promise<Shrunk | NotShrunk> {
    if ("why" in one || !isOfItem(one) || (await this.#again.get(one)?.()) !== false) return one;
    return { broken: one.broken, why: "it did not show again" };
  }

  /** With what was named: what requests before may have set that is shown otherwise. */
  #setBefore({ items, differences }: Break, { tried }: Trial): readonly ItemId[] {
    const last = tried.at(-1)?.judgement;
    if (last?.is !== "broken") return [];
    const isOther = differences.some((one) => one.in === "status");
    const before = tried.slice(0, -1).map(({ judgement }) => judgement.ran);
    const { plan } = this.#session.judge.world;
    const set = { ran: last.ran, differences: last.differences };
    const found = isOther ? takenIn(before) : settersBefore(plan, set, before);
    return found.length === 0 ? [] : [...items, ...found];
  }

  /** Ever more of the requests up to the target, of which the model says that they may show it. */
  async #candidates(
    broken: Break,
    target: NamedRequest,
    search: Search,
  ): Promise<readonly (readonly NamedRequest[])[]> {
    const { number } = target;
    const before = this.#all.filter((one) => one.number < number);
    const chosen = (numbers: ReadonlySet<number>): readonly NamedRequest[] => [
      ...before.filter((one) => numbers.has(one.number)),
      target,
    ];
    const makers = this.#links.makers([number]);
    const related = this.#links.related(number);
    const windows = WINDOWS.filter((size) => size < before.length).map((size) => {
      const last = before.slice(-size).map((one) => one.number);
      return new Set([...last, ...related, ...this.#links.makers(last)]);
    });
    const sets = [...[makers, related, ...windows].map(chosen), [...before, target]];
    const all = sets
      .map((one) => this.#rehearsal.fillable(one))
      .filter((one) => one.at(-1) === target && search.isForeseen(one));
    const [first] = all;
    if (first === undefined) return [];
    const fewest = await search.fewest(first);
    const isSame = (one: readonly NamedRequest[]): boolean =>
      one.length === fewest.length && one.every((each) => fewest.includes(each));
    const about = (numbers: Iterable<number>): readonly NamedRequest[] => {
      const those = [...numbers];
      const own = chosen(new Set([...those, ...this.#links.makers([number, ...those])]));
      return this.#rehearsal.fillable(own);
    };
    const named = this.#madeIn(broken);
    const odd = this.#links.changers(named.odd);
    // What is sought may stand beside something else alone.
    const beside = [...named.all].filter((one) => !named.odd.has(one)).map((one) => [makerOf(one)]);
    const narrow = odd.size === 0 ? [] : [[], ...beside].map((one) => about([...odd, ...one]));
    const told = this.#links.changers(named.all);
    const own = [
      narrow.find((one) => search.isForeseen(one)) ?? [],
      told.size > 0 ? about(told) : [],
    ].filter((one) => one.at(-1) === target && !isSame(one) && search.isForeseen(one));
    return [fewest, ...own, ...all.filter((one) => one.length > fewest.length)];
  }

  /**
   * Names of texts that were made and stand in what an answer has otherwise. `odd`: in what it has
   * or in what is expected, not in both, as what moved in a list does.
   */
  #madeIn({ number: last, differences }: Break): {
    readonly all: ReadonlySet<string>;
    readonly odd: ReadonlySet<string>;
  } {
    const seen = differences.map(({ observed = "" }) => observed).join("\n");
    const wanted = differences.map(({ expected = "" }) => expected).join("\n");
    const all = new Set<string>();
    const odd = new Set<string>();
    for (const exchange of this.#session.exchanges.filter(({ number }) => number < last)) {
      for (const [i, text] of madeFor(this.#session, exchange).entries()) {
        const [isSeen, isWanted] = [seen.includes(text), wanted.includes(text)];
        if (isSeen || isWanted) all.add(`${exchange.number}.${i}`);
        if (isSeen !== isWanted) odd.add(`${exchange.number}.${i}`);
      }
    }
    return { all, odd };
  }
}

/** The request that made what a name stands for. */
const makerOf = (name: string): number => Number(madeBy(name)?.[0] ?? 0);

type Requests = readonly NamedRequest[];

/** The search for one break. */
class Search {
  readonly #trials: Trials;
  readonly #rehearsal: Rehearsal;
  readonly #sought: Sought;
  readonly #bounds: Bounds;
  /** It is shown alone with what no other trial has used. */
  #isApart = false;
  /** It was shown with what others have made before: of that there is little. */
  #isScant = false;

  constructor(
    trials: Trials,
    rehearsal: Rehearsal,
    { sought, bounds }: { readonly sought: Sought; readonly bounds: Bounds },
  ) {
    this.#trials = trials;
    this.#rehearsal = rehearsal;
    this.#sought = sought;
    this.#bounds = bounds;
  }

  get isScant(): boolean {
    return this.#isScant;
  }

  #run(all: Requests, bounds = this.#bounds): Promise<Trial> {
    return this.#trials.run(all, { sought: this.#sought, bounds, isApart: this.#isApart });
  }

  /** Whether the last request comes to what it came to when it was answered wrongly. */
  isForeseen(all: Requests): boolean {
    const ran = this.#rehearsal.last(all);
    return ran !== undefined && this.#sought.isForeseen(ran);
  }

  /** The fewest of which the model says that they may show it. */
  async fewest(all: Requests): Promise<Requests> {
    const target = all.slice(-1);
    const test = (some: Requests): boolean =>
      !this.#bounds.time.isOver && this.isForeseen([...some, ...target]);
    return [...(await ddmin(all.slice(0, -1), test)), ...target];
  }

  /** Those of the requests that were sent until it showed; undefined: it did not. */
  async shown(all: Requests): Promise<Requests | undefined> {
    const trial = await this.#run(all);
    if (!trial.isShown) return undefined;
    const { way } = trial;
    const isNew = way === "by ones that were not used" || way === "anew";
    this.#isApart = isNew && this.#trials.hasScarce(all);
    this.#isScant = this.#isApart || way === "by others";
    return trial.tried.map(({ named }) => named);
  }

  async #isShown(all: Requests): Promise<boolean> {
    if (!this.isForeseen(all)) return false;
    const trial = await this.#run(all);
    return trial.tried.length === all.length && trial.isShown;
  }

  /** None of them can be left out. */
  async fewer(all: Requests): Promise<Requests> {
    const target = all.slice(-1);
    const test = (some: Requests) => this.#isShown([...some, ...target]);
    return [...(await ddmin(all.slice(0, -1), test)), ...target];
  }

  /** The same requests without pauses, members, headers and letters that can be left out. */
  async smaller(all: Requests): Promise<Requests> {
    const test = (some: Requests) => this.#isShown(some);
    return withShortTexts(await withoutParts(await withoutPauses(all, test), test), test);
  }

  /**
   * Trials that show it, some of them; empty: one of them did not. `isAsMade`: the requests are as
   * they were made when it was found, so that those which a limit refuses now would show it.
   */
  async confirmed(all: Requests, isAsMade = false): Promise<readonly Trial[]> {
    // What was found is confirmed, even when the search has used up its requests and seconds.
    const time = new Time(Number.POSITIVE_INFINITY, this.#bounds.time.waitMs);
    const bounds: Bounds = { requests: all.length * 2 * CONFIRMED, time };
    try {
      return await this.#confirmed(all, isAsMade, bounds);
    } finally {
      this.#bounds.time.waitMs = time.waitMs;
    }
  }

  async #confirmed(all: Requests, isAsMade: boolean, bounds: Bounds): Promise<readonly Trial[]> {
    const found: Trial[] = [];
    const isRight = (trial: Trial): boolean => trial.tried.length === all.length && trial.isShown;
    if (this.#trials.hasScarce(all) && !this.#isApart) {
      const trial = await this.#trials.runWhole(all, { sought: this.#sought, bounds });
      if (isRight(trial)) found.push(trial);
      else if (!isAsMade || trial.blocked === undefined) return [];
    }
    while (found.length < CONFIRMED) {
      const trial = await this.#run(all, bounds);
      // It was shown in the search, and once more.
      if (trial.blocked !== undefined && found.length > 0) return found;
      if (!isRight(trial)) return [];
      found.unshift(trial);
    }
    return found;
  }
}

async function withoutPauses(
  all: Requests,
  test: (some: Requests) => Promise<boolean>,
): Promise<Requests> {
  const long = all.filter(({ wait }) => wait > 0n);
  if (long.length === 0) return all;
  const only = (some: Requests): Requests =>
    all.map((one) => (some.includes(one) ? one : { ...one, wait: 0n }));
  return only(await ddmin(long, (some) => test(only(some))));
}
