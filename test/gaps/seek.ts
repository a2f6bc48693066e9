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
import type { Session, Step } from "./play.ts";
import type { Ready } from "./static.ts";
import type { Subject } from "./subjects.ts";

const STEPS = 300;
const TRIES = 30;
/** For an endpoint that has never succeeded. */
const TRIES_MAX = 120;
/** So many tries in vain end the session. */
const VAIN_MAX = 60;

/** How often an endpoint is taken that has steps to which nothing has come. */
const AIMED = 0.4;

interface Found {
  readonly request: RawRequest;
  readonly seed: number;
  /** It comes to a piece of the plan that nothing before it came to. */
  readonly keeps?: true;
}

/** Steps, cases, and what refuses, in a piece of the plan. */
function* piecesOf(node: unknown): Generator<object> {
  if (Array.isArray(node)) for (const one of node) yield* piecesOf(one);
  else if (typeof node === "object" && node !== null) {
    const { id, kind, is, error, values, steps } = node as Record<string, unknown>;
    const isRefusal = is === "error" && error !== undefined;
    const isCase = Array.isArray(values) && Array.isArray(steps);
    const isStep = typeof kind === "string" && typeof id === "string";
    if (isRefusal || isCase || isStep) yield node;
    for (const one of Object.values(node)) yield* piecesOf(one);
  }
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
  /** For each endpoint the pieces of its steps. */
  private readonly pieces: (readonly object[])[];
  /** For each endpoint how often it has succeeded, and the last requests that did. */
  private readonly successes: number[];
  private readonly good = new Map<number, RawRequest[]>();
  private readonly match: ReturnType<typeof compile>["match"];

  constructor(guide: Guide, random: Random) {
    this.guide = guide;
    this.random = random;
    this.successes = guide.plan.endpoints.map(() => 0);
    this.pieces = guide.plan.endpoints.map(({ steps }) => [...piecesOf(steps)]);
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
    const all = shown(`${at} ${request.method}`, { status, headers, body });
    for (const one of all) this.seen.add(one);
    if (status >= 300) return;
    this.successes[at] = (this.successes[at] ?? 0) + 1;
    this.good.set(at, [...(this.good.get(at) ?? []), request].slice(-GOOD_MAX));
  }

  /** A request made anew, or one that was well with some of it made anew. */
  private request(at: number, endpoint: Endpoint): RawRequest {
    const { guide, random } = this;
    const made = requestFor({ ...guide.around(), random, seeks: true }, endpoint);
    const all = this.good.get(at) ?? [];
    if (all.length === 0 || random.chance(0.3)) return made;
    const good = random.pick(all);
    if (random.chance(0.4)) return aimed(random, good, endpoint);
    const target = random.chance(0.5) ? good.target : made.target;
    const headers = random.chance(0.5) ? good.headers : made.headers;
    const [old, fresh] = [good.body, made.body].map(objectOf);
    if (old === undefined || fresh === undefined) return { ...made, target, headers };
    for (const [name, value] of Object.entries(fresh)) {
      if (random.chance(0.3)) old[name] = value;
    }
    return { ...made, target, headers, body: JSON.stringify(old) };
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
      let isNew = false;
      const {
        status,
        headers,
        body = "",
      } = follow(
        (piece) => {
          isNew ||= !this.passed.has(piece);
        },
        () => guide.tried(request, seed),
      );
      if (isNew) return { request, seed, keeps: true };
      const all = [...shown(`${at} ${request.method}`, { status, headers, body })];
      if (all.some((one) => !seen.has(one))) return { request, seed };
      if (status < 300 && request.method !== "GET") well ??= { request, seed };
    }
    return well;
  }

  /** One step more; false: nothing new was found. */
  step(): boolean {
    const { guide, random, seen, passed } = this;
    if (random.chance(0.1)) {
      const micros = random.pick(durationsOf(guide.plan));
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
