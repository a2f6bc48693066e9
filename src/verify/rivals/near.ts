/** Endpoints that have to do with a clause: those that show it, and those that bring rows about. */
import {
  type Endpoint,
  everyStep,
  type ItemId,
  type Limit,
  type Plan,
  type Resource,
  statedOf,
  type Transition,
  touchesOf,
  writtenBySteps,
} from "../../plan/index.ts";
import { MANY_MAX } from "../generate/many.ts";
import { textOfAll } from "../world/does.ts";
import { machineOf, statesBefore } from "./leading.ts";
import { isOfStep, type Mutant } from "./mutants.ts";

/** What shows a clause, and what makes or changes the rows that this speaks of. */
interface Near {
  readonly shows: readonly Endpoint[];
  /** What leads to it first: other transitions of its row, where it is one. */
  readonly leads: readonly Endpoint[];
  readonly feeds: readonly Endpoint[];
  /** What speaks of rows that the first ones make or change. */
  readonly reads: readonly Endpoint[];
  /** Numbers of rows of which one more shows it. */
  readonly sizes: readonly number[];
  /** Resources of whose rows a step reads fields, and what changes these. */
  readonly fed: readonly Fed[];
}

/** What changes fields of a row that a path names, by their names. */
export interface Fed {
  readonly resource: string;
  readonly changes: ReadonlyMap<string, readonly Endpoint[]>;
}

/** Members of a field that only a request which gives the field shows. */
const GIVEN = new Set(["create", "update", "type", "pattern"]);
/** Rules of what becomes of a row when another goes; all others show when the field is given. */
export const LATER = /\/rule (deleted with it|set to null|taken out|its deletion)/;

type RowsKept = Extract<Limit["counts"], { readonly is: "rows kept" }>;

/** The transition that an item is, or is a part of. */
export function transitionOf({ machines }: Plan, item: ItemId): Transition | undefined {
  return machines
    .flatMap(({ transitions }) => transitions)
    .find(({ id }) => item === id || item.startsWith(`${id}/`));
}

/** Looks them up in one plan. */
export class Nearness {
  readonly #plan: Plan;
  readonly #texts: ReadonlyMap<Endpoint, string>;
  readonly #touched: ReadonlyMap<Endpoint, ReadonlySet<string>>;
  readonly #written: ReturnType<typeof writtenBySteps>;
  readonly #known = new Map<Mutant, Near>();

  constructor(plan: Plan) {
    this.#plan = plan;
    this.#texts = new Map(plan.endpoints.map((one) => [one, textOfAll(plan, one)]));
    this.#written = writtenBySteps(plan);
    this.#touched = new Map(
      plan.endpoints.map((one) => [one, new Set(touchesOf(plan, one).keys())]),
    );
  }

  of(mutant: Mutant): Near {
    const known = this.#known.get(mutant);
    if (known !== undefined) return known;
    const shows = this.#shows(mutant);
    const sizes = this.#keptBy(mutant).flatMap(({ amount }) => {
      const code = statedOf(amount)?.value.code;
      const most = code?.op === "literal" ? Number(code.value) : MANY_MAX + 1;
      return most <= MANY_MAX ? [most] : [];
    });
    const taken = transitionOf(this.#plan, mutant.item);
    const leads = taken === undefined ? shows : this.#leadingTo(taken);
    const found = {
      shows,
      leads,
      feeds: this.#feeds(shows, mutant),
      reads: this.#reading(shows),
      sizes,
      fed: isOfStep(mutant.item) ? this.#fed(shows, mutant) : [],
    };
    this.#known.set(mutant, found);
    return found;
  }

  #shows(mutant: Mutant): readonly Endpoint[] {
    const { item, member, endpoints: own } = mutant;
    const { endpoints, resources } = this.#plan;
    if (own !== undefined) return endpoints.filter((_, at) => own.has(at));
    const [part, name = "", field] = item.split("/");
    if (part === "errors") return this.#refusingWith(mutant);
    if (part !== "resources" && part !== "states") return endpoints;
    const taken = transitionOf(this.#plan, item);
    const firing = taken === undefined ? [] : this.firing(taken);
    if (firing.length > 0) return firing;
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

  /** Endpoints that refuse with the error in a step, or by a limit on rows; all: none does. */
  #refusingWith(mutant: Mutant): readonly Endpoint[] {
    const { endpoints } = this.#plan;
    const [, name = ""] = mutant.item.split("/");
    const kept = new Set(this.#keptBy(mutant).map(({ counts }) => counts.resource));
    const found = endpoints.filter(
      (one) =>
        this.#speaks(one, name) || [...kept].some((each) => this.#touched.get(one)?.has(each)),
    );
    return found.length > 0 ? found : endpoints;
  }

  /** Limits on rows that refuse with the error that it is about. */
  #keptBy({ item }: Mutant): readonly (Limit & { readonly counts: RowsKept })[] {
    const [part, name] = item.split("/");
    return this.#plan.limits.flatMap((one) => {
      const { counts } = one;
      const passed = statedOf(one.whenPassed);
      const isIts = part === "errors" && passed?.is === "error" && passed.error === name;
      return isIts && counts.is === "rows kept" ? [{ ...one, counts }] : [];
    });
  }

  /** Whether a body there may have the field of the resource. */
  #isGivenAt({ body }: Endpoint, resource: string, name: string | undefined): boolean {
    const fields = this.#plan.resources.find((one) => one.name === resource)?.fields;
    const field = fields?.find((one) => one.name === name);
    const isNew = statedOf(body)?.content.is === "new";
    return field !== undefined && (isNew ? field.create : field.update).is !== "no";
  }

  /** Endpoints that change rows which others speak of, or to which a clause comes by fields. */
  #feeds(shows: readonly Endpoint[], { hints }: Mutant): readonly Endpoint[] {
    const { resources } = this.#plan;
    const spoken = ({ name }: Resource): boolean => shows.some((one) => this.#speaks(one, name));
    const names = new Set(resources.filter(spoken).map(({ name }) => name));
    // Names that are added on the way are looked at, too.
    for (const name of names) {
      const fields = resources.find((one) => one.name === name)?.fields ?? [];
      for (const field of fields) {
        const { type } = field.type;
        if (hints.names.has(field.name) && type.kind === "reference") names.add(type.resource);
      }
    }
    return this.#changing([...names]);
  }

  /** What changes the fields of rows that steps read, where one of them is in the clause. */
  #fed(shows: readonly Endpoint[], { hints }: Mutant): readonly Fed[] {
    const { endpoints, resources } = this.#plan;
    return resources.flatMap(({ name: resource, fields }): Fed | [] => {
      const read = fields.filter(({ name }) => shows.some((one) => this.#reads(one, name)));
      const named = endpoints.filter(
        (one) =>
          one.bindings.some((each) => each.resource === resource) &&
          this.#touched.get(one)?.has(resource) === true,
      );
      const changes = new Map(
        read.flatMap(({ name }) => {
          const all = named.filter((one) => this.#isChangedAt(one, resource, name));
          return all.length === 0 ? [] : [[name, all] as const];
        }),
      );
      const isNear = [...changes.keys()].some((field) => hints.names.has(field));
      return isNear ? { resource, changes } : [];
    });
  }

  /** Whether a request there may change the field of a row. */
  #isChangedAt(endpoint: Endpoint, resource: string, field: string): boolean {
    const content = statedOf(endpoint.body)?.content;
    const isOf = content !== undefined && content.is !== "type" && content.resource === resource;
    if (isOf) return this.#isGivenAt(endpoint, resource, field);
    return everyStep(endpoint.steps).some(({ id }) => {
      const written = this.#written.get(id);
      return written?.resource === resource && written.fields?.has(field) === true;
    });
  }

  /** Endpoints that make or change rows, but none that takes them away from the transition. */
  #leadingTo(taken: Transition): readonly Endpoint[] {
    const { transitions = [], resource = "" } = machineOf(this.#plan, taken) ?? {};
    const before = statesBefore(taken, transitions);
    const all = this.#changing([resource]);
    const found = all.filter((one) => {
      const fired = transitions.filter(({ name }) => this.#speaks(one, name));
      return fired.length === 0 || fired.some(({ to }) => before.has(to));
    });
    return found.length > 0 ? found : all;
  }

  /** Endpoints of which a step fires a transition. */
  firing({ name }: Transition): readonly Endpoint[] {
    return this.#plan.endpoints.filter((one) => this.#speaks(one, name));
  }

  #changing(names: readonly string[]): readonly Endpoint[] {
    return this.#plan.endpoints.filter((one) =>
      names.some((name) => this.#touched.get(one)?.has(name) === true),
    );
  }

  /** Endpoints that speak of the resources whose rows others make or change. */
  #reading(shows: readonly Endpoint[]): readonly Endpoint[] {
    if (shows.length === this.#plan.endpoints.length) return [];
    const names = new Set(shows.flatMap((one) => [...(this.#touched.get(one) ?? [])]));
    return this.#plan.endpoints.filter((one) => [...names].some((name) => this.#speaks(one, name)));
  }

  /** Whether code there reads a member of that name. */
  #reads(endpoint: Endpoint, name: string): boolean {
    return (this.#texts.get(endpoint) ?? "").includes(`"member":${JSON.stringify(name)}`);
  }

  #speaks(endpoint: Endpoint, name: string): boolean {
    return speaks(this.#texts.get(endpoint) ?? "", name);
  }
}

const speaks = (text: string, name: string): boolean => text.includes(JSON.stringify(name));
