/** Rows that have to do with each other: one refers to the other, or both to the same row. */
import type { Plan } from "../../plan/index.ts";
import type { Row } from "../../run/index.ts";

/** What a row refers to, by resource and hidden key, itself among it. */
function referred({ resources }: Plan, { resource, key, values }: Row): readonly string[] {
  const fields = resources.find((one) => one.name === resource)?.fields ?? [];
  const others = fields.flatMap(({ type: { type } }, place) => {
    const value: unknown = values[place];
    const isRow =
      type.kind === "reference" && (typeof value === "number" || typeof value === "bigint");
    return isRow ? [`${type.resource} ${value}`] : [];
  });
  return [`${resource} ${key}`, ...others];
}

/** Whether they have a row in common that one of them is, or that both refer to. */
export function isKin(plan: Plan, one: Row, other: Row): boolean {
  const known = referred(plan, other);
  return referred(plan, one).some((each) => known.includes(each));
}
