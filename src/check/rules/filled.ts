/** Rule: every field of a row that is made gets a value from somebody. */
import { type Field, isStated, type Resource, ruleFills } from "../../plan/index.ts";
import { type Rule, type RuleContext, report } from "./context.ts";
import type { Placed } from "./places.ts";

/** Whether the service itself gives the field a value when a row is made, or need give none. */
function filledBySelf(c: RuleContext, resource: Resource, field: Field): boolean {
  if (field.type.orAbsent || field.gap !== undefined) return true;
  if (field.type.type.kind === "id") return true;
  if (field.type.type.kind === "state" && c.machines.has(resource.name)) return true;
  return (
    field.rules.some((rule) => rule.kind === "gap" || ruleFills(rule)) ||
    c.gaps.has(`${field.id}/gap starts`) ||
    c.gaps.has(`${field.id}/starts`)
  );
}

function filledBy(placed: Placed, field: Field, later: ReadonlySet<string>): boolean {
  const { step } = placed;
  if (step.kind !== "create") return true;
  return (
    step.with.some((one) => one.name === field.name) ||
    (step.from !== undefined && field.create.is !== "no") ||
    (step.as !== undefined && later.has(`${placed.owner.id} ${step.as}.${field.name}`))
  );
}

/** `OWNER name.field` of every Set step. */
function setLater(c: RuleContext): Set<string> {
  const found = new Set<string>();
  for (const { step, owner } of c.steps) {
    if (step.kind === "set") found.add(`${owner.id} ${step.target}.${step.field}`);
  }
  return found;
}

function judgeField(c: RuleContext, resource: Resource, field: Field, later: ReadonlySet<string>) {
  if (filledBySelf(c, resource, field)) return;
  const creates = c.writes.creates.get(resource.name) ?? [];
  const lacking = creates.filter((placed) => !filledBy(placed, field, later));
  const name = `\`${resource.name}.${field.name}\``;
  if (
    lacking.length === creates.length &&
    !isStated(resource.startRows) &&
    !c.writes.sets.has(`${resource.name}.${field.name}`)
  ) {
    report(c, {
      code: "never-set",
      severity: "error",
      at: field.id,
      message: `Nobody ever sets ${name}.`,
      hint:
        "Let a client give it (Create), let a rule set it (`starts`, `set to`, `counts up`), " +
        "give it in a Create step (`with`), or write `starts: not shown` under Rules.",
    });
    return;
  }
  for (const placed of lacking) {
    report(c, {
      code: "not-filled",
      severity: "error",
      at: placed.step.id,
      message: `The row made here gets no value for ${name}.`,
      hint: `Write \`with\` \`${field.name}\` = and its value, or a rule \`starts\` at the field.`,
    });
  }
}

/** Reports `never-set`, `not-filled`. */
export const filled: Rule = (c) => {
  if (c.service.endpoints.length === 0) return;
  const later = setLater(c);
  for (const resource of c.service.resources) {
    if (resource.fixed || !c.writes.creates.has(resource.name)) continue;
    for (const field of resource.fields) judgeField(c, resource, field, later);
  }
};
