/** Judges which version a request chooses, where the document states how that is done. */
import { type ItemId, isStated, type Plan } from "../../plan/index.ts";
import { readPairs } from "../../run/index.ts";

/** `condition`: one of the closed list; `gap`: nobody says which version this is. */
type VersionFailure =
  | { readonly is: "condition"; readonly condition: "no version" | "unknown version" }
  | { readonly is: "gap"; readonly gap: ItemId };

/** The choice of versions of a plan. Where the path chooses, the paths of the endpoints do. */
export class Versions {
  /** Name in lower case of the header that chooses, if one does. */
  readonly header: string | undefined;
  private readonly plan: Plan;
  private readonly parameter: string | undefined;

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
    const sent =
      this.header === undefined
        ? readPairs(query)?.get(this.parameter ?? "")
        : [headers.get(this.header) ?? ""];
    const [chosen = "", ...more] = sent ?? [];
    if (chosen === "" && more.length === 0) {
      return this.isIgnored(endpoint) ? undefined : { is: "condition", condition: "no version" };
    }
    const { version } = this.plan.versioning;
    if (version.is === "gap") return { is: "gap", gap: version.gap };
    const isThis = isStated(version) && more.length === 0 && chosen.trim() === version.value;
    return isThis ? undefined : { is: "condition", condition: "unknown version" };
  }

  /** Whether who names no version is served this one. */
  private isIgnored(endpoint: number): boolean {
    const { endpoints, failures } = this.plan;
    const rows = [...(endpoints[endpoint]?.failures ?? []), ...failures];
    return rows.find((row) => row.condition === "no version")?.answer.is === "ignored";
  }
}
