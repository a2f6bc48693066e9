/** Rule: a condition that looks for one row holds for one row at most. */
import { type Code, conjuncts, meetsGap } from "../../expr/index.ts";
import {
  ANY_CASE,
  bindingsIn,
  type Field,
  fieldOfRow,
  type ItemId,
  isStated,
  lowered,
  namesOneRow,
  pinnedFields,
  type Resource,
  unlowered,
} from "../../plan/index.ts";
import { isHiddenField, type Rule, type RuleContext, report } from "./context.ts";

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
  const names = [...pinned].map((name) => unlowered(name) ?? name);
  const asked = new Set([...names, ...secrets.map((code) => fieldOfRow(code, "it") ?? "")]);
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
  readonly anyCase?: true | undefined;
  readonly at: ItemId;
}

/** Whether values of the field's type have no case; reports it. */
function isOther(c: RuleContext, { name, type }: Field, at: ItemId): boolean {
  const { kind } = type.type;
  if (ANY_CASE.includes(kind)) return false;
  report(c, {
    code: "wrong-type",
    severity: "error",
    at,
    message: `\`${name}\` has the type ${kind}: \`in any case\` is not for it.`,
    hint: `It is for: ${ANY_CASE.join(", ")}.`,
  });
  return true;
}

function judge(c: RuleContext, one: Looked): void {
  const resource = c.resources.get(one.resource);
  if (resource === undefined) return;
  const { also, anyCase } = one;
  const field = resource.fields.find(({ name }) => name === also);
  const known = also === undefined || field !== undefined;
  // What has an error of its own is not judged a second time.
  if (!known || one.conditions.some((code) => code.type.kind === "unknown")) return;
  if (anyCase && field !== undefined && field.gap === undefined && isOther(c, field, one.at))
    return;
  const fields = pinnedFields(resource, one.conditions, "it");
  if (also !== undefined) fields.add(anyCase ? lowered(also) : also);
  if (namesOneRow(resource, fields, one.conditions)) return;
  if (isHidden(resource, fields, one.conditions)) return;
  report(c, {
    code: "not-one",
    severity: "error",
    at: one.at,
    message: `This can hold for several rows of \`${resource.name}\`.`,
    hint: anyCase
      ? `Write \`unique in any case\` at \`${also}\`, or leave \`in any case\` out here.`
      : "Compare its key, a unique field, or all fields of a Unique invariant with `==`, " +
        "joined by `&&`; or write `be every`.",
  });
}

/** Reports `not-one`. */
export const pins: Rule = (c) => {
  for (const { step } of c.steps) {
    if (step.kind !== "let one") continue;
    judge(c, { resource: step.resource, conditions: conjuncts(step.where.code), at: step.id });
  }
  for (const binding of bindingsIn(c.service)) {
    judge(c, {
      resource: binding.resource,
      also: binding.by,
      anyCase: binding.anyCase,
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
