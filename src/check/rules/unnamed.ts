/** Rule: what clients get to see of a row has a name: rows their key, callers their token. */
import {
  type Field,
  type ItemId,
  isStated,
  type Resource,
  statedOf,
  type ValueType,
} from "../../plan/index.ts";
import { isHiddenField, type Rule, type RuleContext, report } from "./context.ts";

/** The resource whose rows stand in values of the type by their key, and that has none. */
function keyless(c: RuleContext, { type }: ValueType): string | undefined {
  if (type.kind === "list" || type.kind === "map") return keyless(c, type.of);
  if (type.kind !== "reference" || type.view !== undefined) return undefined;
  const resource = c.resources.get(type.resource);
  if (resource === undefined || resource.key !== undefined) return undefined;
  return resource.fields.some(isHiddenField) ? undefined : resource.name;
}

function judge(c: RuleContext, at: ItemId, type: ValueType): void {
  const name = keyless(c, type);
  if (name === undefined) return;
  report(c, {
    code: "no-key",
    severity: "error",
    at,
    message: `Clients give or get a \`${name}\` here, and its rows have no name.`,
    hint: `Give \`${name}\` a field of type \`id\` or one with the rule \`key\`, or show a view.`,
  });
}

function judgeKeys(c: RuleContext): void {
  const { resources, partTypes, shapes, endpoints } = c.service;
  for (const { fields } of [...resources, ...partTypes]) {
    for (const { id, type, create, update, read } of fields) {
      if (create.is !== "no" || update.is !== "no" || read.is !== "no") judge(c, id, type);
    }
  }
  for (const { fields } of shapes) for (const { id, type } of fields) judge(c, id, type);
  for (const { inputs, body } of endpoints) {
    for (const { id, type } of inputs) judge(c, id, type);
    if (!isStated(body) || body.value.content.is !== "type") continue;
    judge(c, body.value.id, body.value.content.type);
  }
}

/** Whether the service itself gives each row another number, or a gap may say so. */
function isCounted(c: RuleContext, resource: Resource, { name, create, update, rules }: Field) {
  const written = `${resource.name}.${name}`;
  const isGiven = [create, update].some(({ is }) => is !== "no" && is !== "gap");
  if (isGiven || c.writes.sets.has(written) || c.writes.withs.has(written)) return false;
  return rules.some((one) => one.kind === "counts up" && one.within.length === 0);
}

/** Whether no two rows can have the same value in a field, or a gap may say so. */
function isUnique(c: RuleContext, resource: Resource, field: Field): boolean {
  if (isHiddenField(field) || isCounted(c, resource, field)) return true;
  const byRule = field.rules.some(
    (one) => one.kind === "random" || (one.kind === "unique" && one.within.length === 0),
  );
  const byBullet = resource.invariants.some(
    (one) =>
      (one.kind === "gap" && one.of === "unique") ||
      (one.kind === "unique" &&
        one.where === undefined &&
        one.fields.every((name) => name === field.name)),
  );
  return byRule || byBullet;
}

/** Keys that two rows may have: a reference by it, and a path, would then name either. */
function judgeTwice(c: RuleContext): void {
  for (const resource of c.resources.values()) {
    const { name, fixed, fields } = resource;
    const field = fields.find(({ rules }) => rules.some(({ kind }) => kind === "key"));
    if (field === undefined || fixed || isUnique(c, resource, field)) continue;
    if (!c.writes.creates.has(name) && !c.writes.sets.has(`${name}.${field.name}`)) continue;
    report(c, {
      code: "key-twice",
      severity: "error",
      at: field.id,
      message: `\`${field.name}\` names a \`${name}\`, and two of them may have the same.`,
      hint: "Write `unique, else ...` behind `key`.",
    });
  }
}

/** Whether some expression inside calls a function. */
function calls(value: unknown, fn: string): boolean {
  if (typeof value !== "object" || value === null) return false;
  if ((value as { fn?: unknown }).fn === fn) return true;
  return Object.values(value).some((each) => calls(each, fn));
}

function judgeTokens(c: RuleContext): void {
  const issuer = c.service.schemes.find(
    ({ credential }) => credential.is === "gap" || statedOf(credential)?.is === "jwt",
  );
  const stated = isStated(issuer?.credential) ? issuer.credential.value : undefined;
  if (issuer !== undefined && (stated?.is !== "jwt" || stated.key !== "jwks")) return;
  const places = [
    ...c.steps
      .filter(({ step }) => !("steps" in step) && !("then" in step) && calls(step, "token"))
      .map(({ step }) => step.id),
    ...c.service.shapes
      .flatMap((shape) => shape.fields)
      .filter((field) => calls(field.value, "token"))
      .map((field) => field.id),
  ];
  for (const at of places) {
    report(c, {
      code: "no-token",
      severity: "error",
      at,
      message:
        issuer === undefined
          ? "A token is made here, and no scheme has tokens."
          : `A token is made here, and the keys of \`${issuer.name}\` are kept elsewhere.`,
      hint: "State a scheme whose credential is a JWT with a key of the service's own.",
    });
  }
}

/** Reports `no-key`, `key-twice`, `no-token`. */
export const unnamed: Rule = (c) => {
  judgeKeys(c);
  judgeTwice(c);
  judgeTokens(c);
};
