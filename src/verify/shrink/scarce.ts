/**
 * Requests of which the service takes few from one address, such as those that open an account:
 * what they have made is used again, so that trials do not run into the limit.
 */
import { touchesOf } from "../../plan/index.ts";
import { Random } from "../generate/random.ts";
import { scarceEndpoints } from "../generate/scarce.ts";
import type { Exchange, Session } from "../session.ts";
import type { Answer, Request } from "../world/message.ts";
import { linksOf, madeFor, type Named, type NamedRequest } from "./named.ts";
import { madeBy, namesIn, textsOf } from "./names.ts";

/** How a request was answered. */
export interface Before {
  readonly request: Request;
  readonly answer: Answer;
  /** Texts of names that were made anew for it. */
  readonly fresh: ReadonlyMap<string, string>;
  /** Marks of texts that the service made for it, in the model of the session. */
  readonly made: readonly string[];
}

/** Stand-ins of which the model says that they do, perhaps with changes; undefined: they do not. */
export type Fitting = (one: StandIns) => StandIns | undefined;

/** What stands for scarce requests of a trial. */
export interface StandIns {
  readonly taken: ReadonlyMap<NamedRequest, Before>;
  /** Texts in the place of names that they make, or that stand in them. */
  readonly known: ReadonlyMap<string, string>;
}

/** The same, where texts that stand in them are made anew for all others. */
export function loosened({ taken, known }: StandIns): StandIns {
  const apart = [...taken].map(([named, before]) => [named, { ...before, fresh: NONE }] as const);
  const made = [...known].filter(([name]) => !name.startsWith("new"));
  return { taken: new Map(apart), known: new Map(made) };
}

const NONE: ReadonlyMap<string, string> = new Map();

/** An exchange that may stand for another. */
interface Candidate {
  readonly exchange: Exchange;
  readonly named: NamedRequest;
  /** Rows that refer to what was made for it. */
  readonly referring: number;
  readonly isUsed: boolean;
}

/** Choices of stand-ins that are tried in the model, at most. */
const CHOICES = 40;
/** Pairs that are compared for all choices of one trial: others are not looked through. */
const COMPARED_MAX = 10_000;

/** What choices are made from; `left`: pairs that may still be compared. */
interface Search {
  readonly order: readonly Candidate[];
  readonly bound: ReadonlySet<string>;
  readonly compared: { left: number };
}

/** A name or text that binds requests, and what it becomes where others stand for them. */
type Becomes = Map<string, string>;

/** Tells which requests of a session are better not made again. */
export class Scarce {
  readonly #session: Session;
  readonly #tag: string;
  readonly #originals: ReadonlyMap<string, string>;
  readonly #scarce: readonly { readonly exchange: Exchange; readonly named: NamedRequest }[];
  readonly #numbers: ReadonlySet<number>;
  /** Resources whose rows such requests make. */
  readonly #resources: ReadonlySet<string>;
  /** Numbers of those whose results trials have used. */
  readonly #used = new Set<number>();
  readonly #random = new Random(1);

  constructor(session: Session, { requests, originals }: Named, tag: string) {
    const { plan, exchanges } = session;
    this.#session = session;
    this.#tag = tag;
    this.#originals = originals;
    const ids = scarceEndpoints(plan);
    const endpoints = plan.endpoints.filter((one) => ids.has(one.id));
    const touched = endpoints.flatMap((one) => [...touchesOf(plan, one)]);
    this.#resources = new Set(touched.flatMap(([name, { made }]) => (made ? [name] : [])));
    const named = new Map(requests.map((one) => [one.number, one]));
    this.#scarce = exchanges.flatMap((exchange) => {
      const own = named.get(exchange.number);
      const isScarce = ids.has(exchange.judgement.ran.endpoint?.id ?? "");
      return isScarce && own !== undefined ? [{ exchange, named: own }] : [];
    });
    this.#numbers = new Set(this.#scarce.map((one) => one.named.number));
  }

  /**
   * Those of which only what the service made for them is used behind them, or a text that has a
   * name: not others of their own, which differ in each trial. The last request is never one.
   */
  among(all: readonly NamedRequest[]): ReadonlySet<NamedRequest> {
    let found = new Set(all.slice(0, -1).filter(({ number }) => this.#numbers.has(number)));
    for (;;) {
      const sent = all.filter((one) => !found.has(one)).flatMap(linksOf);
      const own = new Set(sent.filter((link) => !/^(?:\d+\.\d+|new\d+)$/.test(link)));
      const left = [...found].filter((one) => linksOf(one).every((link) => !own.has(link)));
      if (left.length === found.size) return found;
      found = new Set(left);
    }
  }

  /** The same, as they were answered last. */
  asBefore(
    scarce: ReadonlySet<NamedRequest>,
    before: ReadonlyMap<number, Before>,
  ): StandIns | undefined {
    const taken = new Map<NamedRequest, Before>();
    const known = new Map<string, string>();
    for (const named of scarce) {
      const own = before.get(named.number);
      if (own === undefined) return undefined;
      taken.set(named, own);
      for (const name of namesIn(...textsOf(named.request))) {
        const text = own.fresh.get(name);
        if (text !== undefined) known.set(name, text);
      }
      this.#noteMade(known, named, own);
    }
    return { taken, known };
  }

  /**
   * Others that came to the same and hang together in the same way, as `fitting` has them: those
   * first to which the fewest rows refer, and of these the last. `isApart`: no trial has used them,
   * and no row refers to them.
   */
  standIns(
    all: readonly NamedRequest[],
    { isApart, fitting }: { readonly isApart: boolean; readonly fitting: Fitting },
  ): StandIns | undefined {
    const scarce = this.among(all);
    const bound = boundIn(all, scarce);
    const candidates = this.#candidates().filter(
      ({ isUsed, referring }) => !isApart || (!isUsed && referring === 0),
    );
    const rank = ({ isUsed, referring }: Candidate): number => referring * 2 + (isUsed ? 1 : 0);
    const compared = { left: COMPARED_MAX };
    let order: readonly Candidate[] = candidates.toReversed().toSorted((a, b) => rank(a) - rank(b));
    for (let i = 0; i < CHOICES; i++) {
      const chosen = this.#chosen([...scarce], { order, bound, compared });
      if (chosen === undefined) return undefined;
      const found = fitting(this.#standing(chosen));
      if (found !== undefined) {
        for (const { exchange } of chosen.values()) this.#used.add(exchange.number);
        return found;
      }
      order = this.#shuffled(order);
    }
    return undefined;
  }

  /** Which stands for which: the first of each that hangs together with those before. */
  #chosen(
    scarce: readonly NamedRequest[],
    among: Search,
    before: ReadonlyMap<NamedRequest, Candidate> = new Map(),
    becomes: Becomes = new Map(),
  ): ReadonlyMap<NamedRequest, Candidate> | undefined {
    const [first, ...rest] = scarce;
    if (first === undefined) return before;
    const own = this.#scarce.find(({ named }) => named === first)?.exchange;
    const taken = new Set([...before.values()].map(({ exchange }) => exchange));
    for (const candidate of among.order) {
      const { exchange, named } = candidate;
      if (own === undefined || taken.has(exchange) || !isAlike(own, exchange)) continue;
      if (among.compared.left-- <= 0) return undefined;
      const next = boundAlike(first, named, { becomes, bound: among.bound });
      if (next === undefined) continue;
      const found = this.#chosen(rest, among, new Map([...before, [first, candidate]]), next);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #standing(chosen: ReadonlyMap<NamedRequest, Candidate>): StandIns {
    const taken = new Map<NamedRequest, Before>();
    const known = new Map<string, string>();
    for (const [named, { exchange, named: other }] of chosen) {
      const [, mine] = sortedLinks(named);
      const [, theirs] = sortedLinks(other);
      const fresh = new Map<string, string>();
      for (const [i, link] of mine.length === theirs.length ? mine.entries() : []) {
        if (!link.startsWith("new")) continue;
        const text = theirs[i] ?? "";
        fresh.set(link, this.#originals.get(text) ?? text.replace("{{tag}}", this.#tag));
      }
      const { request, answer, judgement } = exchange;
      const own: Before = { request, answer, fresh, made: judgement.ran.made };
      taken.set(named, own);
      for (const [name, text] of fresh) known.set(name, text);
      this.#noteMade(known, named, own);
    }
    return { taken, known };
  }

  #noteMade(known: Map<string, string>, { number }: NamedRequest, { made }: Before): void {
    const { world } = this.#session.judge;
    for (const [i, mark] of made.entries()) known.set(`${number}.${i}`, world.shown(mark));
  }

  /** Those that were answered as stated, with how many rows refer to what they have made. */
  #candidates(): readonly Candidate[] {
    const { world } = this.#session.judge;
    const made = new Map(
      this.#scarce.flatMap(({ exchange }) =>
        madeFor(this.#session, exchange).map((text) => [text, exchange.number] as const),
      ),
    );
    // An id may have a prefix, such as `todo_`.
    const makerOf = (value: unknown): number | undefined => {
      if (typeof value !== "string") return undefined;
      const text = world.shown(value);
      return made.get(text) ?? made.get(text.slice(text.lastIndexOf("_") + 1));
    };
    const resources = world.plan.resources.map(({ name, fields }) => {
      const isReference = fields.map(({ type: { type } }) => type.kind === "reference");
      return { name, isReference, rows: world.rows(name) };
    });
    const makers = new Map<unknown, number>();
    for (const { rows, isReference } of resources) {
      for (const { key, values } of rows) {
        const own = values.filter((_, place) => !isReference[place]);
        const maker = own.map(makerOf).find((one) => one !== undefined);
        if (maker !== undefined) makers.set(key, maker);
      }
    }
    const referring = new Map<number, number>();
    for (const { name, rows, isReference } of resources) {
      if (this.#resources.has(name)) continue;
      for (const value of rows.flatMap((row) => row.values.filter((_, at) => isReference[at]))) {
        const maker = makers.get(value);
        if (maker !== undefined) referring.set(maker, (referring.get(maker) ?? 0) + 1);
      }
    }
    return this.#scarce.flatMap(({ exchange, named }) => {
      const { number, judgement } = exchange;
      if (judgement.is !== "as stated") return [];
      const isUsed = this.#used.has(number);
      return [{ exchange, named, referring: referring.get(number) ?? 0, isUsed }];
    });
  }

  #shuffled<T>(items: readonly T[]): readonly T[] {
    const keyed = items.map((one) => [this.#random.next(), one] as const);
    return keyed.toSorted(([a], [b]) => a - b).map(([, one]) => one);
  }
}

/** Whether they came to the same. */
function isAlike(own: Exchange, other: Exchange): boolean {
  const [a, b] = [own.judgement.ran, other.judgement.ran];
  return (
    a.endpoint === b.endpoint &&
    own.answer.status === other.answer.status &&
    a.made.length === b.made.length
  );
}

/** Texts of their own that others hold as well: those that bind requests. */
function boundIn(
  all: readonly NamedRequest[],
  scarce: ReadonlySet<NamedRequest>,
): ReadonlySet<string> {
  const count = new Map<string, number>();
  for (const link of all.flatMap(linksOf)) count.set(link, (count.get(link) ?? 0) + 1);
  const own = [...scarce].flatMap(linksOf);
  return new Set(own.filter((link) => (count.get(link) ?? 0) > 1));
}

type Links = readonly [made: readonly string[], own: readonly string[]];

const known = new WeakMap<NamedRequest, Links>();

/** Its links: those that were made for requests, and texts of its own. */
function sortedLinks(one: NamedRequest): Links {
  const before = known.get(one);
  if (before !== undefined) return before;
  const links = linksOf(one);
  const isMade = (link: string): boolean => madeBy(link) !== undefined;
  const sorted: Links = [links.filter(isMade), links.filter((link) => !isMade(link))];
  known.set(one, sorted);
  return sorted;
}

/**
 * What names become where the other request stands for it; undefined: it hangs on others. `bound`:
 * texts of their own that bind requests.
 */
function boundAlike(
  mine: NamedRequest,
  theirs: NamedRequest,
  { becomes: before, bound }: { readonly becomes: Becomes; readonly bound: ReadonlySet<string> },
): Becomes | undefined {
  const [made, own] = sortedLinks(mine);
  const [otherMade, otherOwn] = sortedLinks(theirs);
  const isFree = own.every((link) => !bound.has(link));
  if (made.length !== otherMade.length) return undefined;
  if (!isFree && own.length !== otherOwn.length) return undefined;
  const becomes = new Map(before);
  const taken = new Set(before.values());
  const isBound = (from: string, to: string): boolean => {
    const known = becomes.get(from);
    if (known !== undefined) return known === to;
    if (taken.has(to)) return false;
    becomes.set(from, to);
    taken.add(to);
    return true;
  };
  const isMadeAlike = made.every((link, i) => {
    const [maker = "", place] = madeBy(link) ?? [];
    const [otherMaker = "", otherPlace] = madeBy(otherMade[i] ?? "") ?? [];
    if (place !== otherPlace) return false;
    // What stands in rows at the start is the same for all.
    const isAtStart = maker === "0" || otherMaker === "0";
    return isAtStart ? maker === otherMaker : isBound(`${maker}.`, `${otherMaker}.`);
  });
  if (!isMadeAlike || !isBound(`${mine.number}.`, `${theirs.number}.`)) return undefined;
  if (!isFree && !own.every((link, i) => isBound(link, otherOwn[i] ?? ""))) return undefined;
  return becomes;
}
