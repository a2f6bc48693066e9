/** What walks lead to: endpoints that have answered none as asked, steps nothing has come to. */
import type { Endpoint, ItemId, Plan } from "../../plan/index.ts";
import type { Ran } from "../world/world.ts";
import { Feeding } from "./feeding.ts";

/** An endpoint, what is wanted of a request to it, and endpoints that may lead there. */
export interface Goal {
  readonly endpoint: Endpoint;
  readonly feeds: readonly Endpoint[];
  isMet(ran: Ran): boolean;
}

/** Items of the steps of each endpoint: what is done, each case of it, and each refusal. */
function stepItems({ endpoints }: Plan): ReadonlyMap<Endpoint, readonly ItemId[]> {
  return new Map(
    endpoints.map((one) => {
      const found = new Set<ItemId>();
      const visit = (node: unknown): void => {
        if (typeof node !== "object" || node === null) return;
        const id = (node as { readonly id?: unknown }).id;
        if (typeof id === "string" && id.startsWith(`${one.id}/step `)) found.add(id as ItemId);
        for (const each of Object.values(node)) visit(each);
      };
      visit(one.steps);
      return [one, [...found]];
    }),
  );
}

/** The goals of one plan. */
export class Goals {
  readonly #plan: Plan;
  readonly #items: ReadonlyMap<Endpoint, readonly ItemId[]>;
  readonly #feeding: Feeding;
  readonly #feeds = new Map<Endpoint, readonly Endpoint[]>();
  /** Items that answers have come to. */
  readonly #come = new Set<ItemId>();

  constructor(plan: Plan) {
    this.#plan = plan;
    this.#items = stepItems(plan);
    this.#feeding = new Feeding(plan);
  }

  /** Takes up what a request has come to. */
  took({ trace }: Ran): void {
    for (const [item] of trace) this.#come.add(item);
  }

  /** A request that is answered as it asks. */
  taken(endpoint: Endpoint): Goal {
    const feeds = this.#feedsOf(endpoint);
    return { endpoint, feeds, isMet: ({ outcome }) => outcome.response.status < 400 };
  }

  /** Requests that come to a step that none has come to. */
  get unmet(): readonly Goal[] {
    return this.#plan.endpoints.flatMap((endpoint) => {
      const left = (this.#items.get(endpoint) ?? []).filter((one) => !this.#come.has(one));
      if (left.length === 0) return [];
      const isMet = ({ trace }: Ran): boolean => trace.some(([item]) => left.includes(item));
      return [{ endpoint, feeds: this.#feedsOf(endpoint), isMet }];
    });
  }

  #feedsOf(endpoint: Endpoint): readonly Endpoint[] {
    const known = this.#feeds.get(endpoint) ?? this.#feeding.of([endpoint]);
    this.#feeds.set(endpoint, known);
    return known;
  }
}
