/** Endpoints that have to do with a clause: those that show it, and those that bring rows about. */
import { type Endpoint, type Plan, statedOf } from "../../plan/index.ts";
import { Feeding, speaks } from "../generate/feeding.ts";
import type { Mutant } from "./mutants.ts";

/** What shows a clause, and what makes or changes the rows that this speaks of. */
interface Near {
  readonly shows: readonly Endpoint[];
  readonly feeds: readonly Endpoint[];
}

/** Members of a field that only a request which gives the field shows. */
const GIVEN = new Set(["create", "update", "type", "pattern"]);
/** Rules of what becomes of a row when another goes; all others show when the field is given. */
export const LATER = /\/rule (deleted with it|set to null|taken out|its deletion)/;

/** Looks them up in one plan. */
export class Nearness {
  readonly #plan: Plan;
  readonly #feeding: Feeding;
  readonly #emitters: ReadonlySet<string>;
  readonly #known = new Map<Mutant, Near>();

  constructor(plan: Plan) {
    this.#plan = plan;
    this.#feeding = new Feeding(plan);
    this.#emitters = emittersOf(plan);
  }

  of(mutant: Mutant): Near {
    const known = this.#known.get(mutant);
    if (known !== undefined) return known;
    const shows = this.#shows(mutant);
    const found = { shows, feeds: this.#feeding.of(shows, this.#receivers(mutant)) };
    this.#known.set(mutant, found);
    return found;
  }

  #shows({ item, member, endpoints: own }: Mutant): readonly Endpoint[] {
    const { endpoints, resources } = this.#plan;
    if (own !== undefined) return endpoints.filter((_, at) => own.has(at));
    const [part, name = ""] = item.split("/");
    if (part !== "resources" && part !== "states") return endpoints;
    if (GIVEN.has(member) || (item.includes("/rule ") && !LATER.test(item))) {
      const takers = endpoints.filter(({ body }) => {
        const content = statedOf(body)?.content;
        return content !== undefined && content.is !== "type" && content.resource === name;
      });
      if (takers.length > 0) return takers;
    }
    const holders = resources.filter(({ fields }) => speaks(JSON.stringify(fields), name));
    const names = [name, ...holders.map((one) => one.name)];
    const found = endpoints.filter((one) => names.some((each) => this.#feeding.speaks(one, each)));
    return found.length > 0 ? found : endpoints;
  }

  /** Resources of receivers, where the clause emits something: without one nothing is sent. */
  #receivers({ item }: Mutant): readonly string[] {
    if (!this.#emitters.has(item)) return [];
    return this.#plan.webhooks.flatMap(({ receivers }) => statedOf(receivers)?.resource ?? []);
  }
}

/** Items that emit an event, or are said of a step that does. */
function emittersOf(plan: Plan): ReadonlySet<string> {
  const found = new Set<string>();
  const visit = (node: unknown, within: readonly string[]): void => {
    if (typeof node !== "object" || node === null) return;
    const { id, kind } = node as { readonly id?: unknown; readonly kind?: unknown };
    const own = typeof id === "string" ? [...within, id] : within;
    if (kind === "emit") for (const one of own.slice(-2)) found.add(one);
    for (const each of Object.values(node)) visit(each, own);
  };
  visit([plan.endpoints, plan.machines], []);
  return found;
}
