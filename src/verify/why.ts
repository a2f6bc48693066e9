/** Why no request came to an item: what of the document stands in every way to it. */
import {
  causesOf,
  type Endpoint,
  type FailureCondition,
  type ItemId,
  isStated,
  itemOf,
  nowhereCauses,
  type Plan,
  statedOf,
  waysToEnd,
} from "../plan/index.ts";
import type { Occurring } from "./evidence.ts";
import type { Told } from "./operator.ts";
import { timesIn } from "./spent.ts";

export type Why =
  /** It is a gap, or every way to it goes past this one. */
  | { readonly is: "gap"; readonly gap: ItemId }
  /** It hangs on what only the operator of the service knows, and has not told. */
  | {
      readonly is: "not told";
      readonly settings: readonly string[];
      /** Resources of which rows are given when the service starts. */
      readonly rows: readonly string[];
    }
  /** In every way to it this limit refused, which others may have used up. */
  | { readonly is: "limit"; readonly limit: ItemId }
  /** It answers a condition that nobody can bring about from outside. */
  | { readonly is: "fault"; readonly condition: FailureCondition }
  /** Every way to it asks code outside of the document what to do. */
  | { readonly is: "code"; readonly call: string }
  /** It happens by itself when time has passed. */
  | { readonly is: "time" }
  /** Nothing that an answer to a request hangs on. */
  | { readonly is: "no answer" }
  /** No request came to it, though one may. */
  | { readonly is: "not tried" };

/** What is known when a run has ended. */
export interface Known {
  readonly told: Told;
  /** Gaps that requests have met, or would have met. */
  readonly gapsMet: ReadonlySet<ItemId>;
  /** Limits that others may have used up, by the endpoints at which they let nothing through. */
  readonly limitsMet: ReadonlyMap<ItemId, ItemId>;
  /** Whether any row of a resource is known. */
  readonly hasRows: (resource: string) => boolean;
  readonly occurring: (endpoint: Endpoint) => Occurring;
}

/** Conditions that lie with the service and its machine alone. */
const FAULTS: ReadonlySet<FailureCondition> = new Set(["fault inside", "time passed", "too busy"]);

/** One way in which requests end. */
interface Way {
  /** Undefined: no endpoint is found. */
  readonly endpoint?: ItemId;
  readonly items: ReadonlySet<ItemId>;
  /** Set where it is met in a fault alone. */
  readonly fault: FailureCondition | undefined;
  /** Resources of whose rows one must be known who asks. */
  readonly callers: readonly string[];
}

/** What a request gets that says not, or wrongly, who asks. */
const UNKNOWN_CALLER: ReadonlySet<FailureCondition> = new Set([
  ...(["no credentials", "bad credentials", "bad credentials where optional"] as const),
]);

/** Tells why items were not reached. */
export class Reasons {
  readonly #known: Known;
  readonly #gaps: ReadonlySet<ItemId>;
  /** Names of what is not told, by the item that states it. */
  readonly #settings: ReadonlyMap<ItemId, string>;
  readonly #rows: ReadonlyMap<ItemId, string>;
  readonly #calls: ReadonlyMap<ItemId, string>;
  readonly #timed: readonly ItemId[];
  readonly #ways = new Map<ItemId, Way[]>();

  constructor(plan: Plan, known: Known) {
    this.#known = known;
    this.#gaps = new Set(plan.gaps.map(({ id }) => id));
    const { settings, rows } = known.told;
    const isEmpty = (name: string): boolean => !rows.has(name) && !known.hasRows(name);
    const untold = plan.about.settings.filter(({ name }) => !settings.has(name));
    this.#settings = new Map(untold.map(({ id, name }) => [id, name]));
    const given = plan.resources.filter(
      ({ name, startRows }) =>
        isStated(startRows) &&
        startRows.value.is === "given when the service starts" &&
        isEmpty(name),
    );
    this.#rows = new Map(given.map(({ startRows, name }) => [itemOf(startRows) ?? "", name]));
    this.#calls = new Map(plan.calls.map(({ id, name }) => [id, name]));
    this.#timed = timedItems(plan);
    for (const way of waysOf(plan, known.occurring)) {
      for (const item of way.items) {
        const all = this.#ways.get(item);
        if (all === undefined) this.#ways.set(item, [way]);
        else all.push(way);
      }
    }
  }

  of(item: ItemId): Why {
    if (this.#gaps.has(item)) return { is: "gap", gap: item };
    const ways = this.#waysTo(item);
    const [first] = ways;
    if (first?.fault !== undefined && ways.every(({ fault }) => fault !== undefined)) {
      return { is: "fault", condition: first.fault };
    }
    const open = ways.filter(({ fault }) => fault === undefined);
    const untold = this.#untold(open);
    if (untold !== undefined) return untold;
    const gap = this.#gapIn(open);
    if (gap !== undefined) return { is: "gap", gap };
    const limit = this.#limitIn(open);
    if (limit !== undefined) return { is: "limit", limit };
    const calls = open.map(({ items }) => [...this.#calls].find(([id]) => items.has(id))?.[1]);
    const [call] = calls;
    if (call !== undefined && !calls.includes(undefined)) return { is: "code", call };
    if (this.#timed.some((one) => item === one || item.startsWith(`${one}/`))) {
      return { is: "time" };
    }
    return ways.length === 0 ? { is: "no answer" } : { is: "not tried" };
  }

  /** The ways of the item or of the nearest around it that has some. */
  #waysTo(item: ItemId): readonly Way[] {
    for (let at = item; at.includes("/"); at = at.slice(0, at.lastIndexOf("/"))) {
      const ways = this.#ways.get(at);
      if (ways !== undefined) return ways;
    }
    return [];
  }

  /** What is not told and stands in every way. */
  #untold(ways: readonly Way[]): Why | undefined {
    if (ways.length === 0) return undefined;
    const found = ways.map(({ items, callers }) => ({
      settings: [...this.#settings].flatMap(([id, name]) => (items.has(id) ? [name] : [])),
      rows: [...this.#rows].flatMap(([id, name]) =>
        items.has(id) || callers.includes(name) ? [name] : [],
      ),
    }));
    if (found.some(({ settings, rows }) => settings.length + rows.length === 0)) return undefined;
    const [first = { settings: [], rows: [] }] = found.toSorted(
      (a, b) => a.settings.length + a.rows.length - b.settings.length - b.rows.length,
    );
    return { is: "not told", ...first };
  }

  /** A limit that was met in each of the ways, or kept those from being there who go it. */
  #limitIn(ways: readonly Way[]): ItemId | undefined {
    const { limitsMet, hasRows } = this.#known;
    const [first] = limitsMet.values();
    const each = ways.map(({ endpoint, callers }) => {
      const isNobody = callers.length > 0 && !callers.some(hasRows);
      return (endpoint && limitsMet.get(endpoint)) ?? (isNobody ? first : undefined);
    });
    return each.every((one) => one !== undefined) ? each[0] : undefined;
  }

  /** A gap that was met, of those in the ways, where there is one in each. */
  #gapIn(ways: readonly Way[]): ItemId | undefined {
    const met = [...this.#known.gapsMet];
    const each = ways.map(({ items }) => met.find((gap) => items.has(gap)));
    return each.every((gap) => gap !== undefined) ? each[0] : undefined;
  }
}

/** All ways in which requests can end that end in no gap. */
function* waysOf(plan: Plan, occurring: Known["occurring"]): Generator<Way> {
  const faults = rowsOf(plan, FAULTS);
  const strangers = rowsOf(plan, UNKNOWN_CALLER);
  for (const endpoint of plan.endpoints) {
    const asked = occurring(endpoint);
    const all = waysToEnd(plan, endpoint, asked);
    const unknown = all.findLastIndex(({ id }) => strangers.has(id));
    // Whatever is met behind the last of these is met by one who is known.
    const isKnown = (at: number): boolean => all[at]?.at !== undefined && at > unknown;
    const callers = callersOf(plan, endpoint);
    const groups = Map.groupBy(all.keys(), (at) => `${all[at]?.status} ${all[at]?.error}`);
    for (const own of groups.values()) {
      const ends = [...own];
      const { status, error = null } = all[ends[0] ?? 0] ?? {};
      if (status === undefined) continue;
      const causes = causesOf(plan, endpoint, { ...asked, status, error });
      if (causes === undefined) continue;
      const items = new Set([endpoint.id, ...causes.ends, ...causes.before, ...causes.shown]);
      const ids = ends.map((at) => all[at]?.id ?? "");
      const isFault = ids.every((id) => faults.has(id));
      yield {
        endpoint: endpoint.id,
        items,
        fault: isFault ? faults.get(ids[0] ?? "") : undefined,
        callers: ends.every(isKnown) ? callers : [],
      };
    }
  }
  for (const is of ["unknown path", "unknown method", "options"] as const) {
    const { causes } = nowhereCauses(plan, { is, endpoints: plan.endpoints.slice(0, 1) });
    const items = new Set([...causes.ends, ...causes.before, ...causes.shown]);
    yield { items, fault: undefined, callers: [] };
  }
}

/** Resources of whose rows one asks, where the endpoint lets in nobody else. */
function callersOf({ actors, schemes }: Plan, { who }: Endpoint): readonly string[] {
  const names = statedOf(who) ?? [];
  const isOpen = actors.some(({ name, holds }) => holds.is === "always" && names.includes(name));
  if (names.length === 0 || isOpen) return [];
  return schemes.flatMap(({ caller }) => statedOf(caller)?.resource ?? []);
}

/** The rows of the failure tables that answer one of the conditions. */
function rowsOf(
  plan: Plan,
  conditions: ReadonlySet<FailureCondition>,
): ReadonlyMap<ItemId, FailureCondition> {
  const rows = [...plan.failures, ...plan.endpoints.flatMap(({ failures }) => failures)];
  const found = rows.filter(({ condition }) => conditions.has(condition));
  return new Map(found.map(({ id, condition }) => [id, condition]));
}

/** What happens when time has passed, or for a stated time. */
function timedItems(plan: Plan): readonly ItemId[] {
  const answers = [
    ...plan.streams.flatMap(({ resume, ends, heartbeat }) => [resume, ends, heartbeat]),
    ...plan.webhooks.flatMap(({ attempts, afterLast }) => [attempts, afterLast]),
    plan.versioning.oldVersions,
  ];
  const byTime = new Set(["time", "every", "by itself"]);
  return [
    ...plan.machines
      .flatMap(({ transitions }) => transitions)
      .flatMap(({ id, on }) => (byTime.has(on.is) ? [id] : [])),
    ...timesIn(plan),
    ...answers.flatMap((one) => (one === undefined ? [] : (itemOf(one) ?? []))),
  ];
}
