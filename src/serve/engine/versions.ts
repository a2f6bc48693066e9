/** Judges which version a request chooses, where the document states how that is done. */
import { type ItemId, isStated, type Plan } from "../../plan/index.ts";
import { readPairs } from "../../run/index.ts";

/** `condition`: one of the closed list; `gap`: nobody says which version this is. */
type VersionFailure =
  | { readonly is: "condition"; readonly condition: "no version" | "unknown version" }
  | { readonly is: "gap"; readonly gap: ItemId };

/** Where a version stands in a request: the name of the one or the other. */
interface Place {
  readonly header: string | undefined;
  readonly parameter: string | undefined;
}

/** The version that a request names; undefined: none; null: more than one. */
function sentIn(
  { header, parameter }: Place,
  valueOf: (header: string) => string | undefined,
  query: string,
): string | null | undefined {
  const sent =
    header === undefined ? readPairs(query)?.get(parameter ?? "") : [valueOf(header) ?? ""];
  const [chosen = "", ...more] = sent ?? [];
  if (more.length > 0) return null;
  return chosen === "" ? undefined : chosen.trim();
}

/** The same of the headers as the HTTP library gives them. */
export function chosenIn(
  place: Place,
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
  query: string,
): string | null | undefined {
  return sentIn(place, (name) => headers[name]?.toString(), query);
}

/** The choice of versions of a plan. Where the path chooses, the paths of the endpoints do. */
export class Versions {
  /** Name in lower case of the header that chooses, if one does. */
  readonly header: string | undefined;
  /** Name of the query parameter that chooses, if one does. */
  readonly parameter: string | undefined;
  private readonly plan: Plan;

  constructor(plan: Plan) {
    this.plan = plan;
    const { chosenBy } = plan.versioning;
    const { by, name } = isStated(chosenBy) ? chosenBy.value : { by: undefined, name: "" };
    this.header = by === "header" ? name.toLowerCase() : undefined;
    this.parameter = by === "query" ? name : undefined;
  }

  /** Undefined: it is this version that is asked for. A version is compared as text. */
  judge(
    endpoint: number,
    headers: ReadonlyMap<string, string>,
    query: string,
  ): VersionFailure | undefined {
    const { chosenBy } = this.plan.versioning;
    if (chosenBy.is === "gap") return { is: "gap", gap: chosenBy.gap };
    if (this.header === undefined && this.parameter === undefined) return undefined;
    const chosen = sentIn(this, (name) => headers.get(name), query);
    if (chosen === undefined) {
      return this.isIgnored(endpoint) ? undefined : { is: "condition", condition: "no version" };
    }
    const { version } = this.plan.versioning;
    if (version.is === "gap") return { is: "gap", gap: version.gap };
    const isThis = isStated(version) && chosen === version.value;
    return isThis ? undefined : { is: "condition", condition: "unknown version" };
  }

  /** Whether who names no version is served this one. */
  private isIgnored(endpoint: number): boolean {
    const { endpoints, failures } = this.plan;
    const rows = [...(endpoints[endpoint]?.failures ?? []), ...failures];
    return rows.find((row) => row.condition === "no version")?.answer.is === "ignored";
  }
}
