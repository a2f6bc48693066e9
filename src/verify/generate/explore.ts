/** Chooses the next requests in the model: those that come to what nothing has come to yet. */
import { setImmediate } from "node:timers/promises";
import type { Endpoint, ItemId } from "../../plan/index.ts";
import { parseJson } from "../../run/index.ts";
import type { Judge } from "../judge/judge.ts";
import type { Request } from "../world/message.ts";
import { PAST } from "../world/past.ts";
import type { RatesJudged } from "../world/rates.ts";
import { marksIn } from "../world/texts.ts";
import type { Ran, World } from "../world/world.ts";
import { mayLockOut } from "./lockout.ts";
import type { Addresses, Making } from "./making.ts";
import { MANY_TRIES, makersOf, sizesIn } from "./many.ts";
import { mended, type Tried, varied } from "./mending.ts";
import type { Random } from "./random.ts";
import { requestTo } from "./requests.ts";
import type { Purpose } from "./scarce.ts";

/** Conditions of names that no line states: there is no end of them. */
const UNKNOWN: ReadonlySet<string> = new Set(["unknown member", "unknown query parameter"]);

/**
 * What a request comes to, one text for each thing that is worth to be seen once. `gone`: why the
 * row of its path is not there.
 */
export function featuresOf(
  ran: Ran,
  { gone, method }: { readonly gone: readonly ItemId[]; readonly method: string },
): readonly string[] {
  const { endpoint, outcome, trace, failures, filled } = ran;
  const at = endpoint?.id ?? "nowhere";
  // Without content little is shown: what GET comes to is to be seen all the same.
  if (method === "HEAD") return [`${at} HEAD ${outcome.response.status}`];
  const found = new Set<string>();
  found.add(`${at} ${outcome.response.status} ${outcome.error ?? ""}`);
  for (const [item, came] of trace) {
    found.add(`${item} ${came}`);
    // A rule, an actor or an error is another thing at each endpoint.
    if (came === "failed" || came.startsWith("in ")) found.add(`${at} ${item} ${came}`);
  }
  const taken = trace.filter(([, came]) => came === "taken").map(([item]) => item);
  for (const [i, item] of taken.entries()) found.add(`${taken[i - 1] ?? ""} then ${item}`);
  // A row that went with another is another thing than one that never was.
  for (const item of gone) found.add(`${at} ${item} gone`);
  for (const condition of outcome.conditions ?? []) found.add(`${at} ${condition}`);
  for (const one of outcome.commit ? filled : []) found.add(`${at} ${one}`);
  // Each input has bounds of its own.
  for (const { condition, in: place, field } of failures) {
    if (UNKNOWN.has(condition)) continue;
    found.add(`${at} ${place} ${field?.replace(/\d+/g, "") ?? ""} ${condition}`);
  }
  if (endpoint?.method === "GET") for (const one of listsIn(ran)) found.add(`${at} ${one}`);
  return [...found];
}

/** Lists that are answered: with nothing in it, one item or several, which have an order. */
function listsIn({ outcome: { response } }: Ran): readonly string[] {
  const { body = "" } = response;
  const parsed = body.includes("[") ? parseJson(body) : undefined;
  if (parsed?.ok !== true) return [];
  const members = parsed.value instanceof Map ? [...parsed.value] : [["", parsed.value] as const];
  return members.flatMap(([name, list]) =>
    Array.isArray(list) ? [`${name} of ${Math.min(list.length, 2)}`] : [],
  );
}

export interface Exploring {
  readonly judge: Judge;
  readonly random: Random;
  readonly tag: string;
  /** Texts of what has been seen. */
  readonly seen: Set<string>;
  readonly clock: () => bigint;
  /** The last requests that were answered as stated. */
  readonly before: Request[];
  /** The last request to each endpoint that was answered as it asked. */
  readonly taken: Map<ItemId, Request>;
  /** Takes the gaps that keep requests from being sent. */
  readonly gapsMet: Set<ItemId>;
  /** Addresses at which messages are received. */
  readonly addresses?: Addresses | undefined;
  /** What a request comes to that is worth to be seen once. */
  readonly features: (ran: Ran, request: Request) => readonly string[];
  /** Whether no more requests like it are to be made; `rates`: what the limits say of it. */
  readonly isSpared?: (ran: Ran, rates?: RatesJudged, purpose?: Purpose) => boolean;
}

/** Requests that are tried in the model for one that is sent. */
const CANDIDATES = 60;
/** How much longer is looked for something better than it took to find the first. */
const PATIENCE = 3;
/** How many requests ahead something new is looked for. */
const AHEAD = 10;
/** The chance that many rows of a kind are made first. */
const MANY = 0.15;
/** The chance that a request is like the last one to its endpoint that was answered as asked. */
const LIKE_BEFORE = 0.3;
/** The chance that a walk leads to an endpoint that has answered no request as asked. */
const FIRST = 0.5;
/** Walks in vain after which nothing new is looked for any more. */
export const WALKS = 120;
const NONE: ReadonlySet<string> = new Set();

/** A request that was tried in the model, and the texts that the service would make for it. */
export interface Planned {
  readonly request: Request;
  readonly made: readonly string[];
  /** The status of its answer; undefined: any will do. */
  readonly status?: number;
}

/**
 * The next requests, the last of which comes to something new; empty: nothing was found. Lets
 * others work meanwhile, who may end it.
 */
export async function nextRequests(
  exploring: Exploring,
  isStopped: () => boolean,
): Promise<readonly Planned[]> {
  const one = newRequest(exploring, CANDIDATES);
  if (one !== undefined) return [{ request: one, made: [] }];
  for (let i = 0; i < WALKS && !isStopped(); i++) {
    const walk = await walkToNew(exploring);
    if (walk.length > 0) return walk;
  }
  return [];
}

/** A request that comes to something new at once; undefined: none of so many does. */
export function newRequest(exploring: Exploring, count: number): Request | undefined {
  const { world } = exploring.judge;
  if (world.plan.endpoints.length === 0) return undefined;
  return best(exploring, count);
}

/** A few requests that come to something new; empty: those that were tried do not. */
export async function walkToNew(exploring: Exploring): Promise<readonly Planned[]> {
  await setImmediate();
  return exploring.judge.world.plan.endpoints.length === 0 ? [] : walkAhead(exploring);
}

/** What requests are made of now. */
export function makingOf(exploring: Exploring): Making {
  const { judge, random, tag, clock, before, addresses } = exploring;
  const { world } = judge;
  const wrong = random.pick([0, 0, 0, 0.05, 0.2]);
  const now = judge.timeAt(clock());
  return { plan: world.plan, world, random, tag, wrong, before, now, addresses };
}

/** Whether sending it leads on: nothing is known of what comes behind a gap. */
export function isForeseen(ran: Ran, { method }: Request): boolean {
  const { gap, unsupported, asking } = ran.outcome.effects;
  if (unsupported !== undefined || asking !== undefined) return false;
  if (gap === undefined) return true;
  const isGet = ran.endpoint?.method === "GET" && (method === "GET" || method === "HEAD");
  // Of what is not known here the document says what it does: nothing is changed.
  return isGet || (gap.id === PAST && ran.isReading);
}

/** Whether sending it leads on, and keeps nobody out, whatever a service makes of it. */
export function isSendable(world: World, request: Request, ran: Ran): boolean {
  return isForeseen(ran, request) && !mayLockOut(world, request, ran);
}

/** Whether it holds a text that the service has made, and nobody has seen. */
export function isUnsendable(request: Request, known: ReadonlySet<string>): boolean {
  const { target, headers, body = "" } = request;
  const texts = [target, body, ...headers.map(([, value]) => value)];
  return texts.some((text) => marksIn(text).some((mark) => !known.has(mark)));
}

/**
 * What a request would come to; undefined: it cannot be sent, or does not lead on. `known`: marks
 * of texts that will be seen before it is sent.
 */
export function foreseen(
  { judge, clock, gapsMet, isSpared }: Exploring,
  request: Request,
  known: ReadonlySet<string> = NONE,
): Ran | undefined {
  if (isUnsendable(request, known)) return undefined;
  const ran = judge.foresee(request, clock());
  const { gap } = ran.outcome.effects;
  if (gap !== undefined) gapsMet.add(gap.id);
  const isLeftOut = isSpared?.(ran, judge.world.rates) === true;
  return isLeftOut || !isSendable(judge.world, request, ran) ? undefined : ran;
}

/** `known`: marks of texts that will be seen before it is sent. */
function best(
  exploring: Exploring,
  count: number,
  known: ReadonlySet<string> = NONE,
): Request | undefined {
  const { judge, random, seen } = exploring;
  let found: { request: Request; score: number; after: number } | undefined;
  // Where much is new the first that is will do; the rarer it is, the longer is looked on.
  const isLeft = (tried: number): boolean =>
    tried < count && (found === undefined || tried < PATIENCE * (found.after + 1));
  for (let i = 0; isLeft(i); i++) {
    const endpoint = random.pick<Endpoint>(judge.world.plan.endpoints);
    const request = requestTo(makingOf(exploring), endpoint);
    const ran = foreseen(exploring, request, known);
    if (ran === undefined) continue;
    const score = exploring.features(ran, request).filter((one) => !seen.has(one)).length;
    if (score > (found?.score ?? 0)) found = { request, score, after: found?.after ?? i };
  }
  return found?.request;
}

/** Marks of texts that the answer shows. */
export function shownMarks({ outcome: { response } }: Ran): readonly string[] {
  const { headers, body = "" } = response;
  return [body, ...headers.map(([, value]) => value)].flatMap(marksIn);
}

/** An endpoint, what a request to it is made of, and marks that will be seen before it is sent. */
interface Wanted {
  readonly endpoint: Endpoint;
  readonly making: Making;
  readonly known: ReadonlySet<string>;
}

/** Endpoints of which no request has been answered as it asked. */
export function untakenOf({
  judge,
  taken,
}: Pick<Exploring, "judge" | "taken">): readonly Endpoint[] {
  return judge.world.plan.endpoints.filter(({ id }) => !taken.has(id));
}

/**
 * A request to the endpoint, mended until the model takes it, or as far as it comes; undefined: it
 * is not to be sent, or nothing is known of what comes behind it.
 */
export function taken(
  exploring: Exploring,
  { endpoint, making, known }: Wanted,
): Tried | undefined {
  const { world } = exploring.judge;
  const { now } = making;
  const run = (request: Request): Tried | undefined => {
    if (isUnsendable(request, known)) return undefined;
    world.begin();
    try {
      const ran = world.run(request, { now });
      return { request, ran, wrong: world.wrong };
    } finally {
      world.undo();
    }
  };
  const before = making.random.chance(LIKE_BEFORE) ? exploring.taken.get(endpoint.id) : undefined;
  const first =
    before === undefined ? requestTo(making, endpoint) : varied(making, endpoint, before);
  const found = mended(making, { endpoint, first }, run);
  if (found === undefined || exploring.isSpared?.(found.ran) === true) return undefined;
  return isForeseen(found.ran, found.request) ? found : undefined;
}

/** One that changes the model, done in the work that is begun; undefined: none was found. */
function changing(
  exploring: Exploring,
  wanted: Wanted,
): Pick<Tried, "request" | "ran"> | undefined {
  const { judge, clock } = exploring;
  const request = taken(exploring, wanted)?.request;
  if (request === undefined) return undefined;
  const { world } = judge;
  world.begin();
  const ran = world.run(request, { now: judge.timeAt(clock()) });
  const { commit, effects } = ran.outcome;
  const isSpared = exploring.isSpared?.(ran, world.rates) === true;
  if (commit && effects.gap === undefined && !isSpared) {
    world.keep();
    return { request, ran };
  }
  world.undo();
  return undefined;
}

/** One that is answered as asked, to an endpoint that has not answered so yet. */
function firstTaken(exploring: Exploring, endpoint: Endpoint, known: ReadonlySet<string>) {
  const making = { ...makingOf(exploring), wrong: 0, again: 0 };
  const tried = taken(exploring, { endpoint, making, known });
  return tried !== undefined && tried.ran.outcome.response.status < 400 ? tried.request : undefined;
}

/** A few requests that change the model, until one comes to something new. */
function walkAhead(exploring: Exploring): readonly Planned[] {
  const { judge, random } = exploring;
  const { world } = judge;
  const walk: Planned[] = [];
  const known = new Set<string>();
  world.begin();
  try {
    const makers = random.chance(MANY) ? makersOf(world.plan) : [];
    const maker = makers.length === 0 ? undefined : random.pick(makers);
    const many = maker === undefined ? 0 : random.pick(sizesIn(world.plan));
    const persona = new Map<string, string>();
    const untaken = untakenOf(exploring);
    const goal = untaken.length > 0 && random.chance(FIRST) ? random.pick(untaken) : undefined;
    let left = many;
    for (let i = 0, ahead = 0; i < MANY_TRIES * many + AHEAD && ahead < AHEAD; i++) {
      const isOneOfMany = maker !== undefined && left > 0;
      if (!isOneOfMany) ahead += 1;
      const endpoint = isOneOfMany ? maker : random.pick<Endpoint>(world.plan.endpoints);
      const own = isOneOfMany ? { persona, isOneCaller: true, again: 0 } : {};
      const making = { ...makingOf(exploring), ...own, wrong: 0 };
      const tried = changing(exploring, { endpoint, making, known });
      // Another caller may do it.
      if (tried === undefined && walk.length === 0) persona.clear();
      if (tried === undefined) continue;
      const { request, ran } = tried;
      const marks = shownMarks(ran).filter((mark) => !known.has(mark));
      for (const mark of marks) known.add(mark);
      // What only reads leads nowhere else, unless it shows what nobody has seen.
      if (endpoint.method === "GET" && marks.length === 0) continue;
      walk.push({ request, made: ran.made });
      if (isOneOfMany && --left > 0) continue;
      const last =
        goal === undefined
          ? best(exploring, CANDIDATES / 4, known)
          : firstTaken(exploring, goal, known);
      if (last !== undefined) return [...walk, { request: last, made: [] }];
    }
  } finally {
    world.undo();
  }
  return [];
}
