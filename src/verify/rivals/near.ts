/** Endpoints that have to do with a clause: those that show it, and those that bring rows about. */
import { type Endpoint, type Plan, statedOf, touchesOf } from "../../plan/index.ts";
import type { Mutant } from "./mutants.ts";

/** What shows a clause, and what makes or changes the rows that this speaks of. */
interface Near {
  readonly shows: readonly Endpoint[];
  readonly feeds: readonly Endpoint[];
  /** What speaks of rows that the first ones make or change. */
  readonly reads: readonly Endpoint[];
}

/** Members of a field that only a request which gives the field shows. */
const GIVEN = new Set(["create", "update", "type", "pattern"]);
/** Rules of what becomes of a row when another goes; all others show when the field is given. */
export const LATER = /\/rule (deleted with it|set to null|taken out|its deletion)/;

/** Looks them up in one plan. */
export class Nearness {
  readonly #plan: Plan;
  readonly #texts: ReadonlyMap<Endpoint, string>;
  readonly #touched: ReadonlyMap<Endpoint, ReadonlySet<string>>;
  readonly #known = new Map<Mutant, Near>();

  constructor(plan: Plan) {
    this.#plan = plan;
    const textOf = (text: string, known: ReadonlySet<string>): string => {
      const called = plan.routines.filter(
        ({ name }) => !known.has(name) && text.includes(`"routine":${JSON.stringify(name)}`),
      );
      const all = new Set([...known, ...called.map(({ name }) => name)]);
      return [text, ...called.map((one) => textOf(JSON.stringify(one), all))].join("\n");
    };
    this.#texts = new Map(
      plan.endpoints.map((one) => [one, textOf(JSON.stringify(one), new Set())]),
    );
    this.#touched = new Map(
      plan.endpoints.map((one) => [one, new Set(touchesOf(plan, one).keys())]),
    );
  }

  of(mutant: Mutant): Near {
    const known = this.#known.get(mutant);
    if (known !== undefined) return known;
    const shows = this.#shows(mutant);
    const found = { shows, feeds: this.#feeds(shows), reads: this.#reads(shows) };
    this.#known.set(mutant, found);
    return found;
  }

  #shows({ item, member, endpoints: own }: Mutant): readonly Endpoint[] {
    const { endpoints, resources } = this.#plan;
    if (own !== undefined) return endpoints.filter((_, at) => own.has(at));
    const [part, name = "", field] = item.split("/");
    if (part !== "resources" && part !== "states") return endpoints;
    if (GIVEN.has(member) || (item.includes("/rule ") && !LATER.test(item))) {
      const takers = endpoints.filter(({ body }) => {
        const content = statedOf(body)?.content;
        return content !== undefined && content.is !== "type" && content.resource === name;
      });
      const isOfAccess = member === "create" || member === "update";
      const givers = takers.filter((one) => isOfAccess || this.#isGivenAt(one, name, field));
      if (givers.length > 0) return givers;
      if (takers.length > 0) return takers;
    }
    const holders = resources.filter(({ fields }) => speaks(JSON.stringify(fields), name));
    const names = [name, ...holders.map((one) => one.name)];
    const found = endpoints.filter((one) => names.some((each) => this.#speaks(one, each)));
    return found.length > 0 ? found : endpoints;
  }

  /** Whether a body there may have the field of the resource. */
  #isGivenAt({ body }: Endpoint, resource: string, name: string | undefined): boolean {
    const fields = this.#plan.resources.find((one) => one.name === resource)?.fields;
    const field = fields?.find((one) => one.name === name);
    const isNew = statedOf(body)?.content.is === "new";
    return field !== undefined && (isNew ? field.create : field.update).is !== "no";
  }

  /** Endpoints that make or change rows of the resources that others speak of. */
  #feeds(shows: readonly Endpoint[]): readonly Endpoint[] {
    const names = this.#plan.resources
      .map(({ name }) => name)
      .filter((name) => shows.some((one) => this.#speaks(one, name)));
    return this.#plan.endpoints.filter((one) =>
      names.some((name) => this.#touched.get(one)?.has(name) === true),
    );
  }

  /** Endpoints that speak of the resources whose rows others make or change. */
  #reads(shows: readonly Endpoint[]): readonly Endpoint[] {
    if (shows.length === this.#plan.endpoints.length) return [];
    const names = new Set(shows.flatMap((one) => [...(this.#touched.get(one) ?? [])]));
    return this.#plan.endpoints.filter((one) => [...names].some((name) => this.#speaks(one, name)));
  }

  #speaks(endpoint: Endpoint, name: string): boolean {
    return speaks(this.#texts.get(endpoint) ?? "", name);
  }
}

const speaks = (text: string, name: string): boolean => text.includes(JSON.stringify(name));
