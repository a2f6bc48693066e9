/** Looks for requests that are answered in a way that none before them was, and for their order. */
import type { Endpoint } from "../../src/plan/index.ts";
import { compile } from "../../src/run/index.ts";
import { Random } from "../histories/random.ts";
import { durationsOf, requestFor } from "../histories/requests.ts";
import type { RawRequest } from "../histories/talk.ts";
import { follow } from "../reference/coverage.ts";
import type { Answer } from "../reference/world.ts";
import { shown } from "./coverage.ts";
import { Guide } from "./guide.ts";
import { piecesOf, timedPiecesOf } from "./pieces.ts";
import type { Session, Step } from "./play.ts";
import type { Ready } from "./static.ts";
import type { Subject } from "./subjects.ts";

const STEPS = 200;
const TRIES = 30;
/** For an endpoint that has never succeeded. */
const TRIES_MAX = 120;
/** So many tries in vain end the session. */
const VAIN_MAX = 60;

/** How often an endpoint is taken that has steps to which nothing has come. */
const AIMED = 0.4;
/** How often the clock moves. */
const MOVES = 0.1;

interface Found {
  readonly request: RawRequest;
  readonly seed: number;
  /** It comes to a piece of the plan that nothing before it came to. */
  readonly keeps?: true;
}

function objectOf(body: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(body);
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

const GOOD_MAX = 4;
/** A request that is well is tried in so many other forms, for what it has not come to. */
const FORMS = 12;

const CREDENTIALS = /^(authorization|cookie|x-.*key|x-person)$/i;

/** The request with the credentials of another. */
function as(other: RawRequest, request: RawRequest): RawRequest {
  const own = request.headers.filter(([name]) => !CREDENTIALS.test(name));
  const shown = other.headers.filter(([name]) => CREDENTIALS.test(name));
  return { ...request, headers: [...shown, ...own] };
}

/** The body with some members of another. */
function mixed(random: Random, good: string, made: string): string {
  const [old, fresh] = [good, made].map(objectOf);
  if (old === undefined || fresh === undefined) return made;
  for (const [name, value] of Object.entries(fresh)) {
    if (random.chance(0.3)) old[name] = value;
  }
  return JSON.stringify(old);
}

/** An input that takes some words alone. */
interface Worded {
  readonly place: string;
  readonly name: string;
  readonly words: readonly (string | boolean)[];
}

/** The request with other words in up to three of its inputs: what cases and conditions ask for. */
function aimed(random: Random, good: RawRequest, { inputs }: Endpoint): RawRequest {
  const worded = inputs.flatMap(({ in: place, name, type: { type } }): Worded[] => {
    if (type.kind === "one of") return [{ place, name, words: type.values }];
    return type.kind === "boolean" ? [{ place, name, words: [true, false] }] : [];
  });
  if (worded.length === 0) return good;
  const body = objectOf(good.body);
  const [path = "", asked = ""] = good.target.split("?");
  const query = new URLSearchParams(asked);
  for (let i = 1 + random.below(3); i > 0; i--) {
    const { place, name, words } = random.pick(worded);
    const word = random.pick(words);
    if (place === "query") query.set(name, String(word));
    if (place === "body" && body !== undefined) body[name] = word;
  }
  return {
    ...good,
    target: query.size === 0 ? path : `${path}?${query.toString()}`,
    body: body === undefined ? good.body : JSON.stringify(body),
  };
}

class Seeker {
  private readonly guide: Guide;
  private readonly random: Random;
  private readonly seen = new Set<string>();
  /** Pieces of the plan that requests have come to. */
  private readonly passed = new Set<object>();
  /** For each endpoint the pieces that it may come to. */
  private readonly pieces: (readonly object[])[];
  /** Pieces that time may come to. */
  private readonly timed: readonly object[];
  /** For each endpoint how often it has succeeded, and the last requests that did. */
  private readonly successes: number[];
  private readonly good = new Map<number, RawRequest[]>();
  private readonly match: ReturnType<typeof compile>["match"];

  constructor(guide: Guide, random: Random) {
    this.guide = guide;
    this.random = random;
    this.successes = guide.plan.endpoints.map(() => 0);
    this.pieces = guide.plan.endpoints.map((one) => piecesOf(guide.plan, one));
    this.timed = timedPiecesOf(guide.plan);
    this.match = compile(guide.plan).match;
  }

  /** Begins with a session that is known. */
  begin({ steps }: Session): void {
    for (const step of steps) {
      const answer = this.take(step);
      if (step.is === "move" || answer === undefined) continue;
      const { request } = step;
      const found = this.match(request.method, request.target.split("?", 1)[0] ?? "");
      if (found.is === "endpoint") this.note(found.endpoint, request, answer);
    }
  }

  private take(step: Step): Answer | undefined {
    return follow(
      (piece) => this.passed.add(piece),
      () => this.guide.take(step),
    );
  }

  /** What an answer shows. */
  private note(at: number, request: RawRequest, { status, headers, body = "" }: Answer): void {
    const all = shown(`${at}`, { status, headers, body });
    for (const one of all) this.seen.add(one);
    if (status >= 300) return;
    this.successes[at] = (this.successes[at] ?? 0) + 1;
    this.good.set(at, [...(this.good.get(at) ?? []), request].slice(-GOOD_MAX));
  }

  /** A request made anew; other methods and paths are variations, and not searched for. */
  private fresh(endpoint: Endpoint): RawRequest {
    const { guide, random } = this;
    for (;;) {
      const made = requestFor({ ...guide.around(), random, seeks: true }, endpoint);
      if (made.method === endpoint.method && !made.target.endsWith("/nowhere")) return made;
    }
  }

  /** A request made anew, or one that was well with some of it made anew. */
  private request(at: number, endpoint: Endpoint): RawRequest {
    const { random } = this;
    const fresh = this.fresh(endpoint);
    const known = [...this.good.values()].flat();
    const made = known.length > 0 && random.chance(0.5) ? as(random.pick(known), fresh) : fresh;
    const all = this.good.get(at) ?? [];
    if (all.length === 0 || random.chance(0.3)) return made;
    const good = random.pick(all);
    if (random.chance(0.4)) return aimed(random, good, endpoint);
    const target = random.chance(0.5) ? good.target : made.target;
    const headers = random.chance(0.5) ? good.headers : made.headers;
    return { ...made, target, headers, body: mixed(random, good.body, made.body) };
  }

  /** Another form of a request that would be well now: it comes to what that does not come to. */
  private other(at: number, endpoint: Endpoint, well: RawRequest): Found | undefined {
    const { guide, random, passed } = this;
    const isOpen = this.pieces[at]?.some((one) => !passed.has(one)) === true;
    for (let i = 0; isOpen && i < FORMS; i++) {
      const made = this.fresh(endpoint);
      const form = random.chance(0.3)
        ? aimed(random, well, endpoint)
        : { ...well, body: mixed(random, well.body, made.body) };
      const seed = random.below(2 ** 31);
      if (this.isNew(() => guide.tried(form, seed))) return { request: form, seed, keeps: true };
    }
    return undefined;
  }

  /** Mostly one that has succeeded least often. */
  private endpoint(): number {
    const { random, successes } = this;
    if (random.chance(AIMED)) {
      const open = this.pieces.flatMap((all, at) =>
        all.some((one) => !this.passed.has(one)) ? [at] : [],
      );
      if (open.length > 0) return random.pick(open);
    }
    if (random.chance(0.4)) return random.below(successes.length);
    const least = Math.min(...successes.map((one) => one + random.below(3)));
    const rare = successes.flatMap((one, at) => (one <= least ? [at] : []));
    return random.pick(rare);
  }

  /** Whether something comes to a piece of the plan that nothing before it came to. */
  private isNew(run: () => void): boolean {
    let isNew = false;
    follow((piece) => {
      isNew ||= !this.passed.has(piece);
    }, run);
    return isNew;
  }

  /** The first that shows something new, or one that succeeds. */
  private found(at: number): Found | undefined {
    const { guide, random, seen } = this;
    const endpoint = guide.plan.endpoints[at];
    if (endpoint === undefined) return undefined;
    let well: Found | undefined;
    const tries = this.successes[at] === 0 ? TRIES_MAX : TRIES;
    for (let i = 0; i < tries; i++) {
      const request = this.request(at, endpoint);
      const seed = random.below(2 ** 31);
      let answer: Answer | undefined;
      const isNew = this.isNew(() => {
        answer = guide.tried(request, seed);
      });
      if (isNew) return { request, seed, keeps: true };
      const { status = 500, headers = [], body = "" } = answer ?? {};
      // Wrong in one way or another is what variations are.
      const all = status < 400 ? [...shown(`${at}`, { status, headers, body })] : [];
      if (all.some((one) => !seen.has(one))) return { request, seed };
      if (status >= 300 || request.method === "GET" || well !== undefined) continue;
      well = { request, seed };
      const other = this.other(at, endpoint, request);
      if (other !== undefined) return other;
    }
    return well;
  }

  /** One step more; false: nothing new was found. */
  step(): boolean {
    const { guide, random, seen, passed } = this;
    if (random.chance(MOVES)) {
      const isOpen = this.timed.some((one) => !passed.has(one));
      const moves = isOpen ? durationsOf(guide.plan) : [];
      const found = moves.find((micros) => this.isNew(() => guide.moved(micros)));
      // Whatever happens in time by now has been seen: seldom again.
      if (found === undefined && random.chance(0.6)) return false;
      const micros = found ?? random.pick(durationsOf(guide.plan));
      this.take({ seed: random.below(2 ** 31), is: "move", micros });
      return true;
    }
    const at = this.endpoint();
    const found = this.found(at);
    if (found === undefined) return false;
    const before = seen.size + passed.size;
    const answer = this.take({ is: "request", ...found });
    if (answer !== undefined) this.note(at, found.request, answer);
    return seen.size + passed.size > before;
  }
}

interface Begun {
  readonly seed: number;
  /** What the session begins with. */
  readonly block: Session | undefined;
}

/** A session that comes to as many kinds of answers as can be found. */
export function sought(ready: Ready, subject: Subject, { seed, block }: Begun): Session {
  const guide = new Guide(ready, subject, block?.start);
  const seeker = new Seeker(guide, new Random(seed));
  if (block !== undefined) seeker.begin(block);
  const most = guide.steps.length + STEPS;
  for (let vain = 0; vain < VAIN_MAX && guide.steps.length < most; ) {
    vain = seeker.step() ? 0 : vain + 1;
  }
  return guide.session;
}
