/** What falls due at the same instant: in which order it happens. */
import { setImmediate } from "node:timers/promises";
import { type Endpoint, itemOf, type Machine, statedOf } from "../../plan/index.ts";
import { isForeseen, isUnsendable, type Planned } from "../generate/explore.ts";
import type { Making } from "../generate/making.ts";
import { makersOf } from "../generate/many.ts";
import { requestTo } from "../generate/requests.ts";
import { mutantsOf } from "../rivals/mutants.ts";
import { Worlds } from "../rivals/worlds.ts";
import { nowMicros } from "../talk/client.ts";
import type { Request } from "../world/message.ts";
import { withTexts } from "../world/texts.ts";
import type { World } from "../world/world.ts";
import { MARGIN, MILLISECOND, type Probing, ranAt, stepped, waitUntil } from "./probing.ts";

/** How often rows that fall due together are looked for and made. */
const ROUNDS = 3;
/** Milliseconds for which they are looked for. */
const LOOKED_MS = 2_000;
const AHEAD = 16;
/** The chance that what made a row that falls due then is asked for once more. */
const ONCE_MORE = 0.7;
/** Rows that fall due together. */
const TOGETHER = 3;
/** Requests that are tried when they are made. */
const LOOKS = 300;
const SECOND = 1_000_000n;
/** The rows are to be made before: half of what is waited for, up to so much. */
const SOONEST_MOST = 2n * SECOND;

/** Probes the order of what falls due together, where clients give the time. */
export async function probeTogether(run: Probing): Promise<void> {
  if (soonestOf(run) < SECOND) return;
  for (const machine of run.session.plan.machines) {
    const { together, transitions } = machine;
    const isTimed = transitions.some(({ on }) => on.is === "time");
    if (statedOf(together) === undefined || !isTimed) continue;
    const probe = new TogetherProbe(run, machine);
    for (let i = 0; i < ROUNDS && !run.isOver && run.requestsLeft > AHEAD; i++) {
      if (await probe.probe()) break;
    }
  }
}

const NONE: ReadonlySet<string> = new Set();

interface Candidate {
  readonly request: Request;
  readonly endpoint: Endpoint;
}

function soonestOf({ patienceMs }: Probing): bigint {
  const half = (BigInt(patienceMs) * MILLISECOND) / 2n;
  return half < SOONEST_MOST ? half : SOONEST_MOST;
}

class TogetherProbe {
  readonly #run: Probing;
  readonly #machine: Machine;
  #isGiven = false;
  /** Models with another order. */
  readonly #others: readonly World[];
  /** Those that no answer has told from what is stated. */
  #untold: readonly World[];

  constructor(run: Probing, machine: Machine) {
    this.#run = run;
    this.#machine = machine;
    const { world } = run.session.judge;
    const worlds = new Worlds(world);
    const item = itemOf(machine.together);
    const own = mutantsOf(world.plan).filter((one) => one.item === item);
    this.#others = own.flatMap((one) => worlds.of(one) ?? []);
    this.#untold = this.#others;
  }

  get #world(): World {
    return this.#run.session.judge.world;
  }

  get #now(): bigint {
    return this.#run.session.judge.timeAt(nowMicros());
  }

  /** Whether the order was shown, whatever other one it might be, or cannot be. */
  async probe(): Promise<boolean> {
    if (this.#untold.length === 0) return true;
    const found = await this.#walk();
    // Where clients give no time nothing falls due just then.
    if (found === undefined) return !this.#isGiven;
    const { walk, at } = found;
    await this.#run.follow(walk);
    const telling = this.#telling(at);
    if (telling === undefined) return false;
    const { request, told } = telling;
    await waitUntil(this.#run, at + MARGIN);
    // All that was done for it is in vain without this one, however late it is.
    const { is } = await this.#run.send(request);
    if (is !== "as stated") return true;
    const { verdicts, requests } = this.#run.session;
    verdicts.held([itemOf(this.#machine.together) ?? this.#machine.id], requests);
    // Keys come in the order in which rows were made by chance: others are told apart next time.
    this.#untold = this.#untold.filter((one) => !told.includes(one));
    return this.#untold.length === 0;
  }

  /** Requests that make rows which fall due together, and when. */
  async #walk(): Promise<{ walk: readonly Planned[]; at: bigint } | undefined> {
    const until = performance.now() + LOOKED_MS;
    while (performance.now() < until && !this.#run.isOver) {
      await setImmediate();
      // Times that clients give are whole seconds.
      const at = ((this.#now + soonestOf(this.#run)) / SECOND + 1n) * SECOND;
      this.#world.begin();
      try {
        const walk = this.#ahead(at);
        if (walk !== undefined) return { walk, at };
      } finally {
        this.#world.undo();
      }
    }
    return undefined;
  }

  #ahead(at: bigint): readonly Planned[] | undefined {
    const { plan } = this.#world;
    const { resource } = this.#machine;
    const makers = makersOf(plan);
    const own = makers.filter(({ steps }) =>
      steps.some((one) => one.kind === "create" && one.resource === resource),
    );
    const groups = [own, makers, plan.endpoints].filter((one) => one.length > 0);
    const persona = new Map<string, string>();
    const walk: Planned[] = [];
    const known = new Set<string>();
    let due = this.#countAt(at);
    let last: Candidate | undefined;
    for (let i = 0; i < AHEAD; i++) {
      const making: Making = { ...this.#run.making(), soon: at, persona, again: 0 };
      const { random } = making;
      const before = random.chance(ONCE_MORE) ? last : undefined;
      const endpoint = before?.endpoint ?? random.pick<Endpoint>(random.pick(groups));
      const request = likeBefore(requestTo(making, endpoint), before);
      const step = request.method === "GET" ? undefined : stepped(this.#run, request, known);
      if (step === undefined) continue;
      walk.push(step.planned);
      const count = this.#countAt(at);
      if (count > due) {
        last = { request, endpoint };
        this.#isGiven = true;
      }
      due = count;
      if (count < TOGETHER) continue;
      if (this.#differing(at).size > 0) return walk;
      // Where they come to nothing others may come to something.
      last = undefined;
    }
    return undefined;
  }

  /** How many rows have that time in a field by which they fall due. */
  #countAt(at: bigint): number {
    const { resource, transitions } = this.#machine;
    const fields = this.#world.plan.resources.find(({ name }) => name === resource)?.fields ?? [];
    const names = transitions.flatMap(({ on }) => (on.is === "time" ? [on.field] : []));
    const places = names.map((name) => fields.findIndex((one) => one.name === name));
    const isDue = ({ values }: { readonly values: readonly unknown[] }): boolean =>
      places.some((place) => values[place] === at);
    return this.#world.rows(resource).filter(isDue).length;
  }

  /** Resources of which rows are otherwise behind the instant in another order. */
  #differing(at: bigint): ReadonlySet<string> {
    const names = this.#world.plan.resources.map(({ name }) => name);
    const own = rowsAt(this.#world, at + MARGIN, names);
    const others = this.#others.map((one) => rowsAt(one, at + MARGIN, names));
    return new Set(names.filter((_, i) => others.some((rows) => rows[i] !== own[i])));
  }

  /** A request that shows the order behind the instant, and the models that it tells apart. */
  #telling(at: bigint): { readonly request: Request; readonly told: readonly World[] } | undefined {
    const names = [...this.#differing(at)].map((one) => JSON.stringify(one));
    const endpoints = this.#world.plan.endpoints.filter((one) => {
      const text = JSON.stringify(one);
      return one.method === "GET" && names.some((name) => text.includes(name));
    });
    const now = at + MARGIN;
    for (let i = 0; i < LOOKS && endpoints.length > 0 && this.#now < at - MARGIN; i++) {
      const making = this.#run.making();
      const request = requestTo(making, making.random.pick(endpoints));
      if (isUnsendable(request, NONE)) continue;
      const own = ranAt(this.#world, request, now);
      if (own.outcome.response.status >= 400 || !isForeseen(own, request)) continue;
      const { body } = own.outcome.response;
      const isOther = (one: World): boolean =>
        ranAt(one, request, now).outcome.response.body !== body;
      const told = this.#untold.filter(isOther);
      if (told.length > 0) return { request, told };
    }
    return undefined;
  }
}

/** What rows of each resource are when all has happened that is due by then. */
function rowsAt(world: World, now: bigint, names: readonly string[]): readonly string[] {
  world.begin();
  try {
    world.fire(now);
    // What is made then has other texts each time.
    const made = new Map(world.texts.made.map((mark, i) => [mark, `made ${i}`]));
    const text = (_: string, value: unknown): unknown =>
      typeof value === "bigint" ? String(value) : value instanceof Map ? [...value] : value;
    return names.map((name) => withTexts(JSON.stringify(world.rows(name), text), made));
  } finally {
    world.undo();
  }
}

/** The same as was asked for before, under a key of its own where it has one. */
function likeBefore(request: Request, before: Candidate | undefined): Request {
  if (before === undefined) return request;
  const { target, body } = before.request;
  return { ...request, target, ...(body === undefined ? {} : { body }) };
}
