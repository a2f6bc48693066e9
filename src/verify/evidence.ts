/** Which items of a document the answer of a request shows to be held. */
import {
  type Conditions,
  causesOf,
  type Endpoint,
  type ItemId,
  isStated,
  itemOf,
  type Plan,
} from "../plan/index.ts";
import { countsIn, timesIn } from "./spent.ts";
import type { Ran } from "./world/world.ts";

/** Of which failures an endpoint can have; see `causesOf`. */
export interface Occurring {
  readonly occurs: Conditions;
  readonly unread?: Conditions;
  readonly isSeveral?: boolean;
}

/** Kinds of rules that tell when they have judged a value. */
const JUDGED = new Set([
  ...["characters", "items", "range", "matches", "scheme", "different items", "not empty"],
  ...["at least one member", "holds", "unique"],
]);

/** Items that tell when a work has come to them. */
function tellingItems(plan: Plan): ReadonlySet<ItemId> {
  const found = new Set<ItemId>();
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) for (const one of node) visit(one);
    if (typeof node !== "object" || node === null || Array.isArray(node)) return;
    const { id, kind } = node as { readonly id?: unknown; readonly kind?: unknown };
    const isTold = typeof kind === "string" && (id as string)?.includes("/step ");
    if (typeof id === "string" && (isTold || JUDGED.has(String(kind)))) found.add(id);
    for (const one of Object.values(node)) visit(one);
  };
  visit(plan);
  const { resources, shapes, machines, actors, schemes, errors, failures, limits, endpoints } =
    plan;
  const all: readonly { readonly id: ItemId }[] = [
    ...resources.flatMap(({ fields }) => fields),
    ...resources.flatMap(({ invariants }) => invariants.filter(({ kind }) => kind === "always")),
    ...shapes.flatMap(({ fields }) => fields),
    ...machines.flatMap(({ transitions }) => transitions),
    ...actors.filter(({ holds }) => holds.is !== "always" && isStated(holds)),
    ...[...schemes, ...errors, ...failures, ...limits],
    ...endpoints.flatMap((one) => [...one.failures, ...one.bindings]),
    ...endpoints.flatMap(({ idempotency }) => (idempotency === undefined ? [] : [idempotency])),
  ];
  for (const { id } of all) found.add(id);
  // What pages may do is told by answers to them alone.
  const { crossOrigin } = plan.about;
  const line = crossOrigin.is === "none" ? undefined : itemOf(crossOrigin);
  if (line !== undefined) found.add(line);
  return found;
}

/** Of a limit, what is shown when it refuses a request. */
const CELLS = ["counts", "per", "amount", "when passed"];

/** Tells what requests show. */
export class Evidence {
  readonly #plan: Plan;
  readonly #occurring: (endpoint: Endpoint) => Occurring;
  readonly #telling: ReadonlySet<ItemId>;
  readonly #causes = new Map<string, readonly ItemId[]>();
  /** Items that one answer shows nothing of. */
  readonly #unseen: ReadonlySet<ItemId>;
  readonly #limits: readonly ItemId[];

  constructor(plan: Plan, occurring: (endpoint: Endpoint) => Occurring) {
    this.#plan = plan;
    this.#occurring = occurring;
    this.#telling = tellingItems(plan);
    this.#unseen = new Set([
      ...plan.events.map(({ id }) => id),
      ...timesIn(plan),
      ...countsIn(plan),
    ]);
    this.#limits = plan.limits.map(({ id }) => id);
  }

  /** Items that determine the answer, as far as the work has come to them. */
  of({ endpoint, outcome, trace }: Ran): ReadonlySet<ItemId> {
    const come = new Set(trace.map(([item]) => item));
    // That a limit lets a request through shows nothing of it: it may be any other.
    const refusing = this.#limits.filter((one) =>
      trace.some(([item, came]) => item === one && came === "failed"),
    );
    for (const one of this.#limits) if (!refusing.includes(one)) come.delete(one);
    const refused = new Set(
      trace.filter(([, came]) => came === "ended" || came === "failed").map(([item]) => item),
    );
    const found = new Set(come);
    if (endpoint === undefined) return this.#seen(found);
    found.add(endpoint.id);
    for (const one of refusing) for (const cell of CELLS) found.add(`${one}/${cell}`);
    for (const item of this.#causesAt(endpoint, outcome)) {
      const teller = this.#teller(item);
      if (teller === undefined || teller === item) {
        if (teller === undefined) found.add(item);
      } else if (come.has(teller) && (!item.endsWith("/else") || refused.has(teller))) {
        found.add(item);
      }
    }
    return this.#seen(found);
  }

  /** An answer shows nothing of events: their messages do. Nor does one show how long a time is. */
  #seen(found: Set<ItemId>): ReadonlySet<ItemId> {
    for (const one of this.#unseen) found.delete(one);
    return found;
  }

  #causesAt(endpoint: Endpoint, { response, error }: Ran["outcome"]): readonly ItemId[] {
    const name = `${endpoint.id} ${response.status} ${error ?? ""}`;
    const known = this.#causes.get(name);
    if (known !== undefined) return known;
    const about = { ...this.#occurring(endpoint), status: response.status, error: error ?? null };
    const causes = causesOf(this.#plan, endpoint, about);
    const all = causes === undefined ? [] : [...causes.ends, ...causes.before, ...causes.shown];
    this.#causes.set(name, all);
    return all;
  }

  /** The item itself or the nearest around it that tells when a work comes to it. */
  #teller(item: ItemId): ItemId | undefined {
    for (let at: string = item; at !== ""; at = at.slice(0, Math.max(0, at.lastIndexOf("/")))) {
      if (this.#telling.has(at)) return at;
    }
    return undefined;
  }
}
