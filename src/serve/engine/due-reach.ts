/** Tells, from the plan alone, which requests can meet rows that something on time may change. */
import { type Endpoint, everyStep, type Plan, type Transition } from "../../plan/index.ts";

/** Parts of a plan that every endpoint depends on. */
const EVERYWHERE = ["prologue", "schemes", "actors", "limits", "failures", "errors"] as const;

/** Whether the time alone, or what happens on time, brings it about. */
function isUnasked({ on }: Transition): boolean {
  return on.is !== "step";
}

function unaskedIn({ machines }: Plan): readonly Transition[] {
  return machines.flatMap(({ transitions }) => transitions).filter(isUnasked);
}

/** All texts in a piece of a plan, names among them. */
function textsIn(piece: unknown, into: Set<string>): Set<string> {
  const open: unknown[] = [piece];
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    if (typeof one === "string") into.add(one);
    else if (Array.isArray(one)) open.push(...one.filter((each) => each !== undefined));
    else if (typeof one === "object" && one !== null) {
      for (const key of Object.keys(one)) into.add(key);
      open.push(...Object.values(one).filter((each) => each !== undefined));
    }
  }
  return into;
}

/** Texts of pieces of plans, which do not change: many endpoints lead to the same ones. */
const known = new WeakMap<object, ReadonlySet<string>>();

function textsOf(piece: unknown): ReadonlySet<string> {
  if (typeof piece !== "object" || piece === null) return textsIn(piece, new Set());
  let texts = known.get(piece);
  if (texts === undefined) {
    texts = textsIn(piece, new Set());
    known.set(piece, texts);
  }
  return texts;
}

/**
 * It is told by names: an endpoint reaches a resource when the resource's name stands in it, or in
 * whatever has a name that stands in it. That is too much rather than too little.
 */
export class DueReach {
  private readonly plan: Plan;
  /** What has a name, by that name. */
  private readonly named = new Map<string, unknown[]>();
  /** Names of resources whose rows may change on time. */
  private readonly moved: ReadonlySet<string>;
  /** Whether what happens on time emits events. */
  private readonly tells: boolean;

  constructor(plan: Plan) {
    this.plan = plan;
    for (const items of Object.values(plan) as unknown[]) {
      if (Array.isArray(items)) for (const item of items) this.take(item);
    }
    this.moved = movedIn(plan);
    this.tells = unaskedIn(plan).some(({ then }) => then.length > 0);
  }

  /** Whether all that is due must be done before a request to the endpoint is. */
  has(endpoint: Endpoint | undefined): boolean {
    if (endpoint === undefined) return true;
    const { plan } = this;
    const steps = everyStep([...plan.prologue, ...endpoint.steps]);
    if (steps.some(({ kind }) => kind === "gap")) return true;
    // What it tells others comes after what time has brought about before.
    if (this.tells && steps.some(({ kind }) => kind === "emit")) return true;
    if (plan.streams.some(({ id }) => id === endpoint.id)) return true;
    const names = new Set<string>();
    const add = (piece: unknown): void => {
      for (const text of textsOf(piece)) names.add(text);
    };
    for (const piece of [endpoint, ...EVERYWHERE.map((part) => plan[part])]) add(piece);
    // A set is gone through with what is added to it meanwhile.
    for (const name of names) for (const item of this.named.get(name) ?? []) add(item);
    return [...this.moved].some((one) => names.has(one));
  }

  private take(item: unknown): void {
    if (typeof item !== "object" || item === null) return;
    const { name, many, resource } = item as Readonly<Record<string, unknown>>;
    for (const one of [name, many, resource]) {
      if (typeof one !== "string") continue;
      this.named.set(one, [...(this.named.get(one) ?? []), item]);
    }
  }
}

/** Resources with times of their own, and those that may change with them. */
function movedIn({ resources, machines }: Plan): ReadonlySet<string> {
  const all = new Set(resources.map((one) => one.name));
  const moved = new Set<string>();
  for (const { name, invariants } of resources) {
    if (invariants.some(({ kind }) => kind === "kept for")) moved.add(name);
  }
  for (const machine of machines) {
    const unasked = machine.transitions.filter(isUnasked);
    if (unasked.length > 0) moved.add(machine.resource);
    // What steps do on time to other rows is not looked into.
    const steps = everyStep(unasked.flatMap(({ then }) => then));
    if (steps.some(({ kind }) => kind !== "emit")) return all;
    if (unasked.some(({ on }) => on.is === "transition")) return all;
  }
  const texts = new Map(resources.map((one) => [one.name, textsOf(one)]));
  // Whoever is about a row that may go, or change, may change with it.
  for (const name of moved) {
    for (const [other, inIt] of texts) if (inIt.has(name)) moved.add(other);
  }
  return moved;
}
