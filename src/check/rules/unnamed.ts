/** Rule: what clients get to see of a row has a name: rows their key, callers their token. */
import { type ItemId, isStated, statedOf, type ValueType } from "../../plan/index.ts";
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

/** Reports `no-key`, `no-token`. */
export const unnamed: Rule = (c) => {
  judgeKeys(c);
  judgeTokens(c);
};
