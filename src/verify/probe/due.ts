/** What becomes otherwise by itself: asked for just before its time, and just behind. */
import { setImmediate } from "node:timers/promises";
import type { Endpoint } from "../../plan/index.ts";
import { isForeseen, isUnsendable, type Planned } from "../generate/explore.ts";
import type { Making } from "../generate/making.ts";
import { requestTo } from "../generate/requests.ts";
import { nowMicros } from "../talk/client.ts";
import type { Request } from "../world/message.ts";
import { type Instant, instantsIn } from "../world/moments.ts";
import type { Ran, World } from "../world/world.ts";
import { hasTimes } from "./instants.ts";
import {
  isRight,
  MARGIN,
  MILLISECOND,
  type Probing,
  ranAt,
  stepped,
  waitUntil,
} from "./probing.ts";

/** Instants that are awaited. */
const ROUNDS = 10;
const WALKS = 60;
const AHEAD = 8;
/** Requests that are tried for one instant: in a walk, and when it was made. */
const GLANCES = 12;
const LOOKS = 300;
const SECOND = 1_000_000n;
/** Milliseconds for which it is looked for something to be awaited. */
const LOOKED_MS = 1_500;
/** What is awaited is at least so far off: requests are to be made and found before. */
const SOONEST = 600n * MILLISECOND;

/** A request that tells whether an instant has passed. */
interface Telling {
  readonly request: Request;
  readonly endpoint: Endpoint | undefined;
  /** What it tells of. */
  readonly of: readonly string[];
}

/** Where it is looked for a request that tells. */
interface Sought {
  readonly tries: number;
  /** Marks of texts that will be seen before. */
  readonly known: ReadonlySet<string>;
  /** Requests that are tried first. */
  readonly first: readonly Request[];
  /** Requests to it are tried more often. */
  readonly endpoint?: Endpoint | undefined;
}

/** Requests after which an instant can be awaited, and what tells it. */
interface Walk {
  readonly planned: readonly Planned[];
  readonly telling: Telling;
}

/** How often it is tried to tell one thing. */
const ATTEMPTS = 3;

const NONE: ReadonlySet<string> = new Set();

/** Probes all that can be awaited. */
export async function probeDue(run: Probing): Promise<void> {
  const patience = BigInt(run.patienceMs) * MILLISECOND;
  if (!hasTimes(run.session.plan, patience)) return;
  const probe = new DueProbe(run, patience);
  for (let i = 0; i < ROUNDS && !run.isOver && run.requestsLeft > AHEAD; i++) {
    if (!(await probe.next())) return;
  }
}

class DueProbe {
  readonly #run: Probing;
  readonly #patience: bigint;
  readonly #told = new Set<string>();
  readonly #tried = new Map<string, number>();

  constructor(run: Probing, patience: bigint) {
    this.#run = run;
    this.#patience = patience;
  }

  get #world(): World {
    return this.#run.session.judge.world;
  }

  get #now(): bigint {
    return this.#run.session.judge.timeAt(nowMicros());
  }

  /** Brings something about that will become otherwise, and awaits it; false: nothing is new. */
  async next(): Promise<boolean> {
    const walk = await this.#walk();
    if (walk === undefined) return false;
    const { planned, telling } = walk;
    for (const one of telling.of) this.#tried.set(one, (this.#tried.get(one) ?? 0) + 1);
    await this.#run.follow(planned);
    const from = this.#now + 2n * MARGIN;
    for (const instant of instantsIn(this.#world, from, from + this.#patience)) {
      const first = planned.map(({ request }) => request);
      const sought = { tries: LOOKS, known: NONE, first, endpoint: telling.endpoint };
      const found = this.#telling(instant, sought);
      if (found === undefined) continue;
      if (await this.#await(instant, found)) for (const one of found.of) this.#told.add(one);
      break;
    }
    return true;
  }

  /** Whether it was asked before and behind the instant. */
  async #await({ at, items }: Instant, { request }: Telling): Promise<boolean> {
    await waitUntil(this.#run, at - MARGIN);
    if (this.#now > at - MARGIN / 2n || !(await isRight(this.#run, request))) return false;
    // What was asked before may have changed what there is.
    if (isSame(ranAt(this.#world, request, this.#now), ranAt(this.#world, request, at + MARGIN)))
      return false;
    await waitUntil(this.#run, at + MARGIN);
    if (!(await isRight(this.#run, request))) return false;
    this.#run.session.verdicts.held(items, this.#run.session.requests);
    return true;
  }

  /** What is otherwise behind an instant by what the request gets. */
  #toldBy(request: Request, at: bigint): readonly string[] {
    const [before, behind] = [at - MARGIN, at + MARGIN].map((one) =>
      ranAt(this.#world, request, one),
    );
    if (before === undefined || behind === undefined || isSame(before, behind)) return [];
    if (
      ![before, behind].every((one) => isForeseen(one, request) && !isLimited(this.#world, one))
    ) {
      return [];
    }
    // What is otherwise at each moment tells nothing of this one.
    return isSame(ranAt(this.#world, request, at - 2n * MARGIN), before)
      ? toldBy(before, behind)
      : [];
  }

  /** A request that is answered otherwise behind the instant than before it, in a new way. */
  #telling({ at, items }: Instant, sought: Sought): Telling | undefined {
    const { random } = this.#run.making();
    const { endpoints } = this.#world.plan;
    const reading = endpoints.filter(({ method }) => method === "GET");
    const likely = sought.endpoint === undefined ? reading : [sought.endpoint];
    for (let i = 0; i < sought.tries && this.#now < at - 2n * MARGIN; i++) {
      const some = likely.length > 0 && random.chance(0.7) ? likely : endpoints;
      const endpoint = random.pick(some);
      const request = sought.first[i] ?? requestTo(this.#run.making(), endpoint);
      if (isUnsendable(request, sought.known)) continue;
      const of = this.#toldBy(request, at);
      const what = of.length > 0 ? [...items, ...of] : of;
      const isNew = (one: string): boolean =>
        !this.#told.has(one) && (this.#tried.get(one) ?? 0) < ATTEMPTS;
      if (what.some(isNew)) {
        return { request, of: what, endpoint: i < sought.first.length ? undefined : endpoint };
      }
    }
    return undefined;
  }

  /** What tells one of the first instants that are not known in a new way. */
  #tellingIn(
    before: ReadonlySet<bigint>,
    walk: readonly Planned[],
    known: ReadonlySet<string>,
  ): Telling | undefined {
    const from = this.#now + SOONEST;
    const first = walk.map(({ request }) => request).toReversed();
    const all = instantsIn(this.#world, from, from + this.#patience - SOONEST);
    const fresh = all.filter(({ at }) => !before.has(at)).slice(0, 3);
    for (const one of fresh) {
      const found = this.#telling(one, { tries: GLANCES, known, first });
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** Requests after which an instant can be awaited; undefined: none were found. */
  async #walk(): Promise<Walk | undefined> {
    const telling = this.#tellingIn(new Set(), [], NONE);
    if (telling !== undefined) return { planned: [], telling };
    const until = performance.now() + LOOKED_MS;
    for (let i = 0; i < WALKS && performance.now() < until && !this.#run.isOver; i++) {
      await setImmediate();
      this.#world.begin();
      try {
        const walk = this.#ahead();
        if (walk !== undefined) return walk;
      } finally {
        this.#world.undo();
      }
    }
    return undefined;
  }

  #ahead(): Walk | undefined {
    const world = this.#world;
    const now = this.#now;
    const before = new Set(instantsIn(world, now, now + 2n * this.#patience).map(({ at }) => at));
    const walk: Planned[] = [];
    const known = new Set<string>();
    for (let i = 0; i < AHEAD; i++) {
      const making = this.#making();
      const request = requestTo(making, making.random.pick(world.plan.endpoints));
      const step = stepped(this.#run, request, known);
      if (step === undefined) continue;
      if (request.method === "GET" && step.marks.length === 0) continue;
      walk.push(step.planned);
      const telling = this.#tellingIn(before, walk, known);
      if (telling !== undefined) return { planned: walk, telling };
    }
    return undefined;
  }

  /** Times that clients give come soon, and are whole seconds. */
  #making(): Making {
    const soon = ((this.#now + SOONEST * 2n) / SECOND + 1n) * SECOND;
    return { ...this.#run.making(), soon };
  }
}

function isSame({ outcome: { response: a } }: Ran, { outcome: { response: b } }: Ran): boolean {
  return a.status === b.status && a.body === b.body;
}

/** Whether a limit on requests refuses it: these are probed by themselves. */
function isLimited({ plan }: World, { trace }: Ran): boolean {
  return plan.limits.some(({ id }) =>
    trace.some(([item, came]) => item === id && came === "failed"),
  );
}

/** What is otherwise: what has happened by itself, else the answers of the endpoint. */
function toldBy(before: Ran, behind: Ran): readonly string[] {
  const known = new Set(before.trace.map(([item]) => item));
  const taken = behind.trace.filter(([item, came]) => came === "taken" && !known.has(item));
  const statuses = [before.outcome.response.status, behind.outcome.response.status];
  if (taken.length > 0) return taken.map(([item]) => item);
  return [`${behind.endpoint?.id} ${statuses.join(" ")}`];
}
