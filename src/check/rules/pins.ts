/** Rule: a condition that looks for one row holds for one row at most. */
import { type Code, meetsGap, references } from "../../expr/index.ts";
import { type ItemId, isStated, type Resource } from "../../plan/index.ts";
import { isHiddenField, type Rule, type RuleContext, report } from "./context.ts";

/** The parts of a condition joined by `&&`. */
export function conjuncts(code: Code): Code[] {
  const found: Code[] = [];
  const open = [code];
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    if (one.op === "call" && one.fn === "&&") open.push(...one.args);
    else found.push(one);
  }
  return found;
}

/** Name of the field where code is `it.field`; `""` where it is `it` itself. */
function fieldOf(code: Code): string | undefined {
  if (code.op === "name") return code.name === "it" ? "" : undefined;
  return code.op === "get" && code.of.op === "name" && code.of.name === "it"
    ? code.member
    : undefined;
}

function readsIt(code: Code): boolean {
  return references(code).names.has("it");
}

/** Fields that a condition fixes to one value. */
function pinned(resource: Resource, conditions: readonly Code[]): Set<string> {
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
        const field = fieldOf(side);
        if (field !== undefined && !readsIt(other)) found.add(field);
      }
    }
    const secret = code.fn === "password_matches" ? fieldOf(a) : undefined;
    const kept = resource.fields
      .find((one) => one.name === secret)
      ?.rules.some((rule) => rule.kind === "kept as" && rule.hash.kind === "sha256");
    if (secret !== undefined && kept === true && !readsIt(b)) found.add(secret);
  }
  return found;
}

/** Whether the values of these fields name one row at most. */
function namesOne(
  resource: Resource,
  fields: ReadonlySet<string>,
  conditions: readonly Code[],
): boolean {
  if (fields.has("") || (resource.key !== undefined && fields.has(resource.key))) return true;
  const byRule = resource.fields.some(
    (field) =>
      fields.has(field.name) &&
      field.rules.some(
        (rule) =>
          rule.kind === "random" ||
          rule.kind === "key" ||
          (rule.kind === "unique" && rule.within.every((one) => fields.has(one))) ||
          (rule.kind === "kept as" && rule.hash.kind === "sha256") ||
          (rule.kind === "counts up" &&
            !rule.onEveryChange &&
            rule.within.every((one) => fields.has(one))),
      ),
  );
  const said = () => new Set(conditions.map((code) => JSON.stringify(code)));
  return (
    byRule ||
    resource.invariants.some(
      (invariant) =>
        invariant.kind === "unique" &&
        invariant.fields.every((one) => fields.has(one)) &&
        (invariant.where === undefined ||
          conjuncts(invariant.where.code).every((one) => said().has(JSON.stringify(one)))),
    )
  );
}

/** Whether a gap hides what would make these fields name one row. */
function isHidden(
  { fields, invariants }: Resource,
  pinned: ReadonlySet<string>,
  conditions: readonly Code[],
): boolean {
  if (conditions.some(meetsGap) || invariants.some((one) => one.kind === "gap")) return true;
  const secrets = conditions.flatMap((code) =>
    code.op === "call" && code.fn === "password_matches" ? (code.args[0] ?? []) : [],
  );
  const asked = new Set([...pinned, ...secrets.map((code) => fieldOf(code) ?? "")]);
  return fields.some((field) => {
    const isKept = field.rules.some((rule) => rule.kind === "kept as");
    const unkept = field.type.type.kind === "secret" && !isKept;
    return asked.has(field.name) && (unkept || isHiddenField(field));
  });
}

interface Looked {
  readonly resource: string;
  readonly conditions: readonly Code[];
  readonly also?: string;
  readonly at: ItemId;
}

function judge(c: RuleContext, one: Looked): void {
  const resource = c.resources.get(one.resource);
  if (resource === undefined) return;
  const { also } = one;
  const known = also === undefined || resource.fields.some((field) => field.name === also);
  // What has an error of its own is not judged a second time.
  if (!known || one.conditions.some((code) => code.type.kind === "unknown")) return;
  const fields = pinned(resource, one.conditions);
  if (also !== undefined) fields.add(also);
  if (namesOne(resource, fields, one.conditions)) return;
  if (isHidden(resource, fields, one.conditions)) return;
  report(c, {
    code: "not-one",
    severity: "error",
    at: one.at,
    message: `This can hold for several rows of \`${resource.name}\`.`,
    hint:
      "Compare its key, a unique field, or all fields of a Unique invariant with `==`, " +
      "joined by `&&`; or write `be every`.",
  });
}

/** Reports `not-one`. */
export const pins: Rule = (c) => {
  for (const { step } of c.steps) {
    if (step.kind !== "let one") continue;
    judge(c, { resource: step.resource, conditions: conjuncts(step.where.code), at: step.id });
  }
  for (const binding of c.service.endpoints.flatMap((endpoint) => endpoint.bindings)) {
    judge(c, {
      resource: binding.resource,
      also: binding.by,
      at: binding.id,
      conditions: binding.where === undefined ? [] : conjuncts(binding.where.code),
    });
  }
  for (const scheme of c.service.schemes) {
    if (!isStated(scheme.caller)) continue;
    judge(c, {
      resource: scheme.caller.value.resource,
      at: scheme.caller.id,
      conditions: conjuncts(scheme.caller.value.where.code),
    });
  }
};
