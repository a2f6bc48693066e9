/** Tells whether a condition on rows of a resource can hold for one row at most. */
import { type Code, conjuncts, references, render } from "../../expr/index.ts";
import type { Resource, Rule } from "../types/index.ts";
import { lowered, readInLower } from "./lowered.ts";

/**
 * Name of the field where code is `as.field`, or `lower(as.field)`; `""` where it is `as` itself.
 */
export function fieldOfRow(code: Code, as: string): string | undefined {
  if (code.op === "name") return code.name === as ? "" : undefined;
  const inLower = readInLower(code);
  if (inLower !== undefined) {
    const field = fieldOfRow(inLower, as);
    return field === undefined ? undefined : lowered(field);
  }
  return code.op === "get" && code.of.op === "name" && code.of.name === as
    ? code.member
    : undefined;
}

const reads = (code: Code, as: string): boolean => references(code).names.has(as);

/** Fields that conditions over `as` fix to one value. */
export function pinnedFields(
  resource: Resource,
  conditions: readonly Code[],
  as: string,
): Set<string> {
  const found = new Set<string>();
  for (const code of conditions) {
    if (code.op !== "call") continue;
    const [a, b] = code.args;
    if (a === undefined || b === undefined) continue;
    if (code.fn === "==") {
      for (const [side, other] of [
        [a, b],
        [b, a],
      ] as const) {
        const field = fieldOfRow(side, as);
        if (field !== undefined && !reads(other, as)) found.add(field);
      }
    }
    const secret = code.fn === "password_matches" ? fieldOfRow(a, as) : undefined;
    const kept = resource.fields
      .find((one) => one.name === secret)
      ?.rules.some((rule) => rule.kind === "kept as" && rule.hash.kind === "sha256");
    if (secret !== undefined && kept === true && !reads(b, as)) found.add(secret);
  }
  return found;
}

/** Whether of rows that are alike in the fields no two have the same value under the rule. */
function isOwn(rule: Rule, fields: ReadonlySet<string>): boolean {
  return (
    rule.kind === "random" ||
    rule.kind === "key" ||
    (rule.kind === "unique" && rule.within.every((one) => fields.has(one))) ||
    (rule.kind === "kept as" && rule.hash.kind === "sha256") ||
    (rule.kind === "counts up" &&
      !rule.onEveryChange &&
      rule.within.every((one) => fields.has(one)))
  );
}

/** Whether the values of these fields name one row at most. */
export function namesOneRow(
  resource: Resource,
  fields: ReadonlySet<string>,
  conditions: readonly Code[],
): boolean {
  if (fields.has("") || (resource.key !== undefined && fields.has(resource.key))) return true;
  const inLower = (name: string): boolean => fields.has(lowered(name));
  const byRule = resource.fields.some(
    (field) =>
      (fields.has(field.name) || inLower(field.name)) &&
      field.rules.some(
        (rule) =>
          (rule.kind === "unique" &&
            rule.anyCase === true &&
            rule.within.every((one) => fields.has(one))) ||
          (fields.has(field.name) && isOwn(rule, fields)),
      ),
  );
  const said = () => new Set(conditions.map(render));
  return (
    byRule ||
    resource.invariants.some(
      (invariant) =>
        invariant.kind === "unique" &&
        invariant.fields.every((one) => fields.has(one)) &&
        (invariant.where === undefined ||
          conjuncts(invariant.where.code).every((one) => said().has(render(one)))),
    )
  );
}
