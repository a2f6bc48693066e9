/** Requests of which a service takes few from one address, such as those that open an account. */
import { type ItemId, type Limit, type Plan, pathText, statedOf } from "../../plan/index.ts";
import type { RatesJudged } from "../world/rates.ts";
import type { Ran } from "../world/world.ts";

/** The endpoint that a limit is of, where it counts for all callers, or for an address. */
function ownEndpoint({ counts, per }: Limit): string | undefined {
  const whose = statedOf(per)?.is;
  const isShared = whose === "address" || whose === "everyone";
  return isShared && counts.is === "requests" ? counts.endpoint : undefined;
}

/** Ids of the endpoints that have a limit of their own for all callers, or for an address. */
export function scarceEndpoints({ limits, endpoints }: Plan): ReadonlySet<string> {
  const names = limits.map(ownEndpoint);
  const scarce = endpoints.filter(({ method, path }) =>
    names.includes(`${method} ${pathText(path)}`),
  );
  return new Set(scarce.map(({ id }) => id));
}

/** Of so many requests of a caller, or more, a few are kept for what is sought at the end. */
const MANY = 20;
const FEW = 3n;

/**
 * Whether few more requests of the caller are let through. `isOfLimits`: it is a limit that is
 * sought, which every second caller may use up.
 */
export function isNearlyUsedUp(rates: RatesJudged | undefined, isOfLimits: boolean): boolean {
  return (rates?.passed ?? []).some(({ limit: { per, amount }, group, left }) => {
    const { code } = statedOf(amount)?.value ?? {};
    const isMany = code?.op === "literal" && Number(code.value) >= MANY;
    const isKept = statedOf(per)?.is === "caller" && isMany && left < FEW;
    return isKept && (!isOfLimits || group % 2 === 0);
  });
}

/** So many requests are kept for showing again what was found to be broken. */
const KEPT = 8n;

/** Keeps what is left of limits on scarce endpoints once something is found to be broken. */
export class Sparing {
  readonly #isBroken: () => boolean;
  readonly #few = new Set<ItemId>();

  constructor(isBroken: () => boolean) {
    this.#isBroken = isBroken;
  }

  /** Takes up a request that was sent, and what the limits say of it. */
  note({ endpoint }: Ran, rates: RatesJudged | undefined): void {
    const own = rates?.passed.filter(({ limit }) => ownEndpoint(limit) !== undefined) ?? [];
    if (endpoint !== undefined && own.some(({ left }) => left < KEPT)) this.#few.add(endpoint.id);
  }

  /** Whether no more such requests are to be made. */
  isSpared({ endpoint }: Pick<Ran, "endpoint">): boolean {
    return endpoint !== undefined && this.#few.has(endpoint.id) && this.#isBroken();
  }
}
