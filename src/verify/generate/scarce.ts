/** Requests of which a service takes few from one address, such as those that open an account. */
import {
  durationOf,
  type Endpoint,
  type ItemId,
  type Limit,
  type Plan,
  pathText,
  statedOf,
  touchesOf,
} from "../../plan/index.ts";
import type { RatesJudged } from "../world/rates.ts";
import type { Ran } from "../world/world.ts";
import { membersIn } from "./credentials.ts";

/** The endpoint that a limit is of, where it counts for all callers, or for an address. */
function ownEndpoint({ counts, per }: Limit): string | undefined {
  const whose = statedOf(per)?.is;
  const isShared = whose === "address" || whose === "everyone";
  return isShared && counts.is === "requests" ? counts.endpoint : undefined;
}

/** The limits of its own that an endpoint has for all callers, or for an address. */
export function scarceLimits({ limits }: Plan, { method, path }: Endpoint): readonly Limit[] {
  return limits.filter((one) => ownEndpoint(one) === `${method} ${pathText(path)}`);
}

/** Ids of the endpoints that have such a limit. */
export function scarceEndpoints(plan: Plan): ReadonlySet<string> {
  const scarce = plan.endpoints.filter((one) => scarceLimits(plan, one).length > 0);
  return new Set(scarce.map(({ id }) => id));
}

/** Endpoints that let callers in, and are scarce, and those that end what these do. */
interface Doors {
  readonly opening: readonly Endpoint[];
  readonly ending: readonly Endpoint[];
}

/** A login and a logout, say, where one may log in a few times in a minute. */
export function doorsOf(plan: Plan): Doors {
  const scarce = scarceEndpoints(plan);
  const read = plan.schemes.flatMap(({ caller }) => {
    const code = statedOf(caller)?.where.code;
    return code === undefined ? [] : [...membersIn(code)];
  });
  const touching = (isDoor: (of: { made: boolean; isChanged: boolean }) => boolean) =>
    plan.endpoints.filter((one) =>
      read.some(([resource, names]) => {
        const { made = false, gone = false, fields } = touchesOf(plan, one).get(resource) ?? {};
        const isChanged = gone || [...names].some((name) => fields?.has(name) === true);
        return isDoor({ made, isChanged });
      }),
    );
  const changing = touching(({ made, isChanged }) => isChanged && !made);
  const opening = changing.filter(({ id }) => scarce.has(id));
  const ending = changing.filter(({ id }) => !scarce.has(id));
  return opening.length === 0 ? { opening, ending: [] } : { opening, ending };
}

/** What a request is made for. */
export type Purpose = "what is new" | "a clause" | "a limit";

/** Its amount where that is a number; 0: it is not. */
function amountOf({ amount }: Limit): number {
  const { code } = statedOf(amount)?.value ?? {};
  return code?.op === "literal" ? Number(code.value) : 0;
}

/** Of so many requests of a caller, or more, a few are kept for what is sought at the end. */
const MANY = 20;
const FEW = 3;
/** A caller may be the only one of a kind: a third of its requests are for single clauses. */
const SHARE = 1 / 3;

/**
 * Whether few more requests of the caller are let through, of which some are kept for another
 * purpose. `hasEnd`: something is sought at the end. A limit that is sought may be used up by each
 * second caller.
 */
export function isNearlyUsedUp(
  rates: RatesJudged | undefined,
  { purpose, hasEnd }: { readonly purpose: Purpose; readonly hasEnd: boolean },
): boolean {
  return (rates?.passed ?? []).some(({ limit, group, left }) => {
    const { per } = limit;
    const all = amountOf(limit);
    if (statedOf(per)?.is !== "caller" || all < MANY) return false;
    if (purpose === "a limit" && group % 2 !== 0) return false;
    const kept = purpose === "what is new" ? Math.floor(all * SHARE) : 0;
    return left < Math.max(kept, hasEnd ? FEW : 0);
  });
}

/** So many requests are kept for showing again what was found to be broken. */
const KEPT = 8n;
/** So many are kept for it before anything is. */
const KEPT_SHARE = 1 / 4;

/** How long showing something again waits for limits in all: a window of a minute, and its end. */
export const AWAITED_MS = 75_000;

function isLong({ window }: Limit): boolean {
  const stated = statedOf(window);
  return (
    stated?.is === "day" || durationOf(stated?.durationText ?? "0s") > BigInt(AWAITED_MS) * 1000n
  );
}

/** Keeps what is left of limits on scarce endpoints for showing again what is broken. */
export class Sparing {
  readonly #isBroken: () => boolean;
  readonly #few = new Set<ItemId>();
  readonly #last = new Set<ItemId>();

  constructor(isBroken: () => boolean) {
    this.#isBroken = isBroken;
  }

  /** Takes up a request that was sent, and what the limits say of it. */
  note({ endpoint }: Ran, rates: RatesJudged | undefined): void {
    const all = rates?.passed ?? [];
    const own = all.filter(({ limit }) => ownEndpoint(limit) !== undefined && isLong(limit));
    if (endpoint === undefined) return;
    if (own.some(({ left }) => left < KEPT)) this.#few.add(endpoint.id);
    const isLast = own.some(({ limit, left }) => left <= Math.floor(amountOf(limit) * KEPT_SHARE));
    if (isLast) this.#last.add(endpoint.id);
  }

  /** Whether no more such requests are to be made. */
  isSpared({ endpoint }: Pick<Ran, "endpoint">, purpose: Purpose): boolean {
    if (endpoint === undefined) return false;
    if (this.#last.has(endpoint.id) && purpose !== "a limit") return true;
    return this.#few.has(endpoint.id) && this.#isBroken();
  }
}
