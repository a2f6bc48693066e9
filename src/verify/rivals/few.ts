/** Requests of which a service takes few: some are for clauses that no other request shows. */
import type { Endpoint, ItemId } from "../../plan/index.ts";
import { type Exploring, foreseen, makingOf } from "../generate/explore.ts";
import { requestTo } from "../generate/requests.ts";
import { scarceLimits } from "../generate/scarce.ts";
import { amountOf } from "../world/edge.ts";
import type { Request } from "../world/message.ts";
import type { Ran, World } from "../world/world.ts";
import type { Mutant } from "./mutants.ts";
import type { Nearness } from "./near.ts";

/** The share of what a limit lets through that is for them. */
const SHARE = 4n;
/** Requests that are tried in one turn for the one that tells most. */
const TRIED = 30;
/** Turns in vain after which an endpoint is left alone. */
const VAIN_MAX = 5;

/** A request, and what it came to in the model. */
interface Scarcely {
  readonly request: Request;
  readonly ran: Ran;
}

/** How many clauses a request tells from others. */
type Tells = (one: Scarcely, mutants: readonly Mutant[]) => number;

export class Few {
  readonly #exploring: Exploring;
  readonly #nearness: Nearness;
  /** Endpoints, how many requests to them are left, and how many turns were in vain. */
  readonly #open: { readonly endpoint: Endpoint; left: bigint; vain: number }[];

  constructor(exploring: Exploring, nearness: Nearness) {
    this.#exploring = exploring;
    this.#nearness = nearness;
    const { world } = exploring.judge;
    this.#open = world.plan.endpoints
      .map((endpoint) => ({ endpoint, left: leftOf(world, endpoint), vain: 0 }))
      .filter(({ left }) => left > 0n);
  }

  /** Undefined: none of those that were tried tells anything. */
  next(mutants: readonly Mutant[], tells: Tells): Request | undefined {
    const { random, taken } = this.#exploring;
    const open = this.#open.filter(
      ({ endpoint: { id }, left, vain }) => left > 0n && vain < VAIN_MAX && taken.has(id),
    );
    if (open.length === 0) return undefined;
    const one = random.pick(open);
    const own = mutants.filter((mutant) => this.#isShownBy(mutant, one.endpoint.id));
    let best: { readonly request: Request; readonly count: number } | undefined;
    for (let i = 0; i < TRIED && own.length > 0; i++) {
      const { hints } = random.pick(own);
      const making = { ...makingOf(this.#exploring), wrong: 0, again: 0, hints };
      const request = requestTo(making, one.endpoint);
      const ran = foreseen(this.#exploring, request);
      const count = ran?.endpoint === one.endpoint ? tells({ request, ran }, own) : 0;
      if (count > (best?.count ?? 0)) best = { request, count };
    }
    if (best === undefined) one.vain += 1;
    else one.left -= 1n;
    return best?.request;
  }

  /** Whether requests to that endpoint show it, and no others. */
  #isShownBy(mutant: Mutant, id: ItemId): boolean {
    const { shows } = this.#nearness.of(mutant);
    return shows.length === 1 && shows[0]?.id === id;
  }
}

/** How many of the requests that the limits of an endpoint let through are for them. */
function leftOf({ plan, settings }: Pick<World, "plan" | "settings">, endpoint: Endpoint): bigint {
  const shares = scarceLimits(plan, endpoint).map((limit) => {
    const amount = amountOf(limit, settings) ?? 0n;
    return amount > 0n && amount < SHARE ? 1n : amount / SHARE;
  });
  return shares.reduce((least, one) => (one < least ? one : least), shares[0] ?? 0n);
}
