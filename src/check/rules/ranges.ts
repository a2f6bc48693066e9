/** Rule: values that the document itself states keep the rules of their field. */
import type { Code } from "../../expr/index.ts";
import type { Expression, Rule as FieldRule } from "../../plan/index.ts";
import { type Rule, type RuleContext, report } from "./context.ts";
import { codeRank, literalOf } from "./order.ts";

/** How a value breaks a rule; undefined where it keeps it or that is not known. */
function breach(code: Code, rule: FieldRule): string | undefined {
  const text = literalOf(code);
  if (rule.kind === "range") {
    const [value, min, max] = [code, rule.min, rule.max].map(codeRank);
    if (value === undefined) return undefined;
    if (min !== undefined && value < min) return "is below the least value";
    return max !== undefined && value > max ? "is above the greatest value" : undefined;
  }
  if (rule.kind === "characters" && typeof text === "string" && code.type.kind === "string") {
    const count = [...text].length;
    if (rule.min !== undefined && count < rule.min) return "is too short";
    return rule.max !== undefined && count > rule.max ? "is too long" : undefined;
  }
  if (rule.kind === "items" && code.op === "list") {
    if (rule.min !== undefined && code.items.length < rule.min) return "has too few items";
    return rule.max !== undefined && code.items.length > rule.max
      ? "has too many items"
      : undefined;
  }
  return rule.kind === "not empty" && text === "" ? "is empty" : undefined;
}

function judge(c: RuleContext, rules: readonly FieldRule[], value: Expression, at: string): void {
  for (const rule of rules) {
    const why = breach(value.code, rule);
    if (why === undefined) continue;
    report(c, {
      code: "out-of-range",
      severity: "error",
      at: c.places.get(value) ?? at,
      message: `\`${value.text}\` ${why} that the rules here allow.`,
      hint: "Change the value or the rule.",
      related: [{ span: c.origins.get(rule.id) ?? { start: 0, end: 0 }, message: "the rule" }],
    });
    return;
  }
}

function ownValues(c: RuleContext, rules: readonly FieldRule[]): void {
  together(c, rules);
  for (const rule of rules) {
    if (rule.kind === "starts" || rule.kind === "absent means" || rule.kind === "set") {
      judge(c, rules, rule.value, rule.id);
    }
    if (rule.kind !== "range") continue;
    const [min, max] = [codeRank(rule.min), codeRank(rule.max)];
    if (min === undefined || max === undefined || min <= max) continue;
    report(c, {
      code: "empty-range",
      severity: "error",
      at: rule.id,
      message: "No value is at least the first and at most the second of these.",
      hint: "Change the two places: the least comes first.",
    });
  }
}

type Bound = readonly [min: bigint | undefined, max: bigint | undefined];

/** The bounds that a rule sets, exact; undefined where it sets none that are known. */
function boundOf(rule: FieldRule): Bound | undefined {
  if (rule.kind === "range") return [codeRank(rule.min), codeRank(rule.max)];
  if (rule.kind !== "characters" && rule.kind !== "items") return undefined;
  const [min, max] = [rule.min, rule.max].map((one) =>
    one === undefined ? undefined : BigInt(one),
  );
  return [min, max];
}

/** Rules that each some value keeps, and that no value keeps together. */
function together(c: RuleContext, rules: readonly FieldRule[]): void {
  const seen = new Map<string, Bound>();
  for (const rule of rules) {
    const bound = boundOf(rule);
    if (bound === undefined) continue;
    const [min, max] = bound;
    const [least, most] = seen.get(rule.kind) ?? [undefined, undefined];
    const none =
      (min !== undefined && most !== undefined && min > most) ||
      (max !== undefined && least !== undefined && max < least);
    if (none) {
      report(c, {
        code: "empty-range",
        severity: "error",
        at: rule.id,
        message: "No value keeps this rule and the ones before it.",
        hint: "Change one of the two bounds.",
      });
    }
    const higher = least === undefined || (min !== undefined && min > least) ? min : least;
    const lower = most === undefined || (max !== undefined && max < most) ? max : most;
    seen.set(rule.kind, [higher, lower]);
  }
}

/** Reports `out-of-range`, `empty-range`. */
export const ranges: Rule = (c) => {
  const fields = new Map<string, readonly FieldRule[]>();
  for (const owner of [...c.service.resources, ...c.service.partTypes]) {
    for (const field of owner.fields) {
      ownValues(c, field.rules);
      fields.set(`${owner.name}.${field.name}`, field.rules);
    }
  }
  for (const endpoint of c.service.endpoints) {
    for (const input of endpoint.inputs) {
      if (input.id.startsWith(`${endpoint.id}/`)) ownValues(c, input.rules);
    }
  }
  for (const { step, resource = "" } of c.steps) {
    const values =
      step.kind === "set"
        ? [{ field: `${resource}.${step.field}`, value: step.value }]
        : step.kind !== "create"
          ? []
          : step.with.map((one) => ({ field: `${step.resource}.${one.name}`, value: one.value }));
    for (const one of values) judge(c, fields.get(one.field) ?? [], one.value, step.id);
  }
};
