/** What probes share: requests are found in the model, sent, and judged as all others are. */
import { setImmediate, setTimeout } from "node:timers/promises";
import { type Endpoint, type Plan, statedOf } from "../../plan/index.ts";
import {
  isForeseen,
  isSendable,
  isUnsendable,
  type Planned,
  shownMarks,
} from "../generate/explore.ts";
import type { Making } from "../generate/making.ts";
import { requestTo } from "../generate/requests.ts";
import type { Judgement } from "../judge/judgement.ts";
import type { Session } from "../session.ts";
import { nowMicros } from "../talk/client.ts";
import type { Request } from "../world/message.ts";
import type { Ran, World } from "../world/world.ts";

/** A run that requests are sent for. */
export interface Probing {
  readonly session: Session;
  /** Milliseconds that are waited for what is to happen by itself. */
  readonly patienceMs: number;
  /** Nothing more is to be begun. */
  readonly isOver: boolean;
  /** So many requests may be made still. */
  readonly requestsLeft: number;
  /** What requests are made of now: nothing that is wrong on purpose. */
  making(): Making;
  send(request: Request): Promise<Judgement>;
  /** Sends requests in turn, as long as they come to what was foreseen. */
  follow(planned: readonly Planned[]): Promise<unknown>;
}

/** A request, and what it would come to now. */
interface Candidate {
  readonly request: Request;
  readonly ran: Ran;
}

interface Sought {
  readonly endpoints?: readonly Endpoint[];
  readonly tries: number;
  readonly fits: (ran: Ran, request: Request) => boolean;
}

export const MILLISECOND = 1_000n;
/** How long before and behind an instant requests are sent: clocks and ways take their time. */
export const MARGIN = 150n * MILLISECOND;

const NONE: ReadonlySet<string> = new Set();

/** What the request would come to now; undefined: the document does not say it. */
export function foreseen({ session }: Probing, request: Request): Ran | undefined {
  const ran = session.judge.foresee(request, nowMicros());
  return isSendable(session.judge.world, request, ran) ? ran : undefined;
}

/** A request to one of the endpoints, of all where none are named, that comes to what is sought. */
export function find(run: Probing, { endpoints, tries, fits }: Sought): Candidate | undefined {
  const { world } = run.session.judge;
  const all = endpoints ?? world.plan.endpoints;
  if (all.length === 0) return undefined;
  for (let i = 0; i < tries; i++) {
    const making = run.making();
    const request = requestTo(making, making.random.pick(all));
    if (isUnsendable(request, NONE)) continue;
    const ran = foreseen(run, request);
    if (ran !== undefined && fits(ran, request)) return { request, ran };
  }
  return undefined;
}

/** Walks that are tried for requests that are to be made first, their length, and their time. */
const WALKS = 300;
const AHEAD = 6;
const LOOKED_MS = 2_000;
/** Requests that are tried behind each step of a walk. */
const TRIES_BEHIND = 12;

/** The same as `find`; where there is none, requests are sought and made that lead to one. */
export async function findAhead(run: Probing, sought: Sought): Promise<Candidate | undefined> {
  const found = find(run, sought);
  const until = performance.now() + LOOKED_MS;
  for (let i = 0; found === undefined && i < WALKS && performance.now() < until; i++) {
    await setImmediate();
    const walk = walkTo(run, sought);
    if (walk.length === 0 || walk.length > run.requestsLeft) continue;
    await run.follow(walk);
    return find(run, sought);
  }
  return found;
}

/** A request that was done in a work that is begun, and marks of texts that only it shows. */
interface Stepped {
  readonly planned: Planned;
  readonly marks: readonly string[];
}

/**
 * Does a request of a walk in the work that is begun; undefined: it leads nowhere. `known`: marks
 * of texts that were seen before, to which those are added that it shows.
 */
export function stepped(
  { session: { judge } }: Probing,
  request: Request,
  known: Set<string>,
): Stepped | undefined {
  if (isUnsendable(request, known)) return undefined;
  const { world } = judge;
  world.begin();
  const ran = world.run(request, { now: judge.timeAt(nowMicros()) });
  if (!ran.outcome.commit || !isForeseen(ran, request)) {
    world.undo();
    return undefined;
  }
  world.keep();
  const marks = shownMarks(ran).filter((mark) => !known.has(mark));
  for (const mark of marks) known.add(mark);
  return { planned: { request, made: ran.made }, marks };
}

/** What a request comes to in a model at that time; nothing is changed. */
export function ranAt(world: World, request: Request, now: bigint): Ran {
  world.begin();
  try {
    return world.run(request, { now });
  } finally {
    world.undo();
  }
}

/** Requests that change the model until one is found that fits; empty: none was. */
function walkTo(run: Probing, { endpoints, fits }: Sought): readonly Planned[] {
  const { judge } = run.session;
  const { world } = judge;
  const all = world.plan.endpoints;
  const walk: Planned[] = [];
  const known = new Set<string>();
  world.begin();
  try {
    for (let i = 0; i < AHEAD; i++) {
      const making = run.making();
      const request = requestTo(making, making.random.pick(all));
      const step = stepped(run, request, known);
      if (step === undefined) continue;
      walk.push(step.planned);
      for (let n = 0; n < TRIES_BEHIND; n++) {
        const last = requestTo(run.making(), making.random.pick(endpoints ?? all));
        const came = isUnsendable(last, known) ? undefined : foreseen(run, last);
        if (came !== undefined && fits(came, last)) return walk;
      }
    }
  } finally {
    world.undo();
  }
  return [];
}

/** Requests that are looked at to see whether limits stand in the way. */
const LOOKS = 24;

/**
 * Waits until a limit lets requests through again, where one stands in the way of most; false:
 * none does that is awaited.
 */
export async function awaitLimits(run: Probing): Promise<boolean> {
  const { judge, plan } = run.session;
  const { world } = judge;
  const latest = judge.timeAt(nowMicros()) + BigInt(run.patienceMs) * MILLISECOND;
  if (plan.limits.every(({ counts }) => counts.is !== "requests")) return false;
  const ends = Array.from({ length: LOOKS }, () => {
    const making = run.making();
    const request = requestTo(making, making.random.pick(plan.endpoints));
    judge.foresee(request, nowMicros());
    const end = world.rates?.ends;
    return end !== undefined && end <= latest ? [end] : [];
  }).flat();
  if (ends.length < LOOKS / 4) return false;
  await waitUntil(run, ends.reduce((last, one) => (one > last ? one : last)) + MARGIN);
  return true;
}

/** The same as `find`; where limits stand in the way, tried once more behind them. */
export async function findLater(run: Probing, sought: Sought): Promise<Candidate | undefined> {
  const found = find(run, sought);
  if (found !== undefined || !(await awaitLimits(run))) return found;
  return find(run, sought);
}

/** Waits until the service's clock is there, as far as it is known. */
export async function waitUntil({ session }: Probing, at: bigint): Promise<void> {
  const left = at - session.judge.timeAt(nowMicros());
  if (left > 0n) await setTimeout(Math.ceil(Number(left) / 1_000));
}

/** Sends it, as long as requests may be made; whether the answer was as stated. */
export async function isRight(run: Probing, request: Request): Promise<boolean> {
  if (run.isOver || run.requestsLeft <= 0) return false;
  return (await run.send(request)).is === "as stated";
}

/** What a request says of who asks. */
export function whoAsks({ schemes }: Plan, { headers, target }: Request): string {
  const places = schemes.flatMap(({ sent }) => statedOf(sent) ?? []);
  const found = places.map((place) => {
    if (place.in === "query") {
      const [, query = ""] = target.split("?");
      return query.split("&").filter((one) => one.startsWith(`${place.name}=`));
    }
    const name = { basic: "authorization", cookie: "cookie", header: "" }[place.in];
    const wanted = name || ("name" in place ? place.name.toLowerCase() : "");
    return headers.filter(([one]) => one.toLowerCase() === wanted);
  });
  return JSON.stringify(found);
}
