/** Rule: a condition that looks for one row holds for one row at most. */
import { type Code, conjuncts, meetsGap } from "../../expr/index.ts";
import {
  bindingsIn,
  fieldOfRow,
  type ItemId,
  isStated,
  namesOneRow,
  pinnedFields,
  type Resource,
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
  const asked = new Set([...pinned, ...secrets.map((code) => fieldOfRow(code, "it") ?? "")]);
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
  const fields = pinnedFields(resource, one.conditions, "it");
  if (also !== undefined) fields.add(also);
  if (namesOneRow(resource, fields, one.conditions)) return;
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
  for (const binding of bindingsIn(c.service)) {
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
