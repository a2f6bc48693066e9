/** Rule: a row keeps the invariants of its resource from the moment it is made. */
import type { Literal } from "../../expr/index.ts";
import {
  everyStep,
  type Field,
  isStated,
  type Resource,
  type StartRow,
  type Step,
} from "../../plan/index.ts";
import { isHiddenField, type Rule, type RuleContext, report } from "./context.ts";
import { type Known, truthWhere } from "./literals.ts";
import { literalOf } from "./order.ts";
import type { Placed } from "./places.ts";

/** What the rules of a field give it where nobody else does; undefined where that is not known. */
function startOf(c: RuleContext, resource: Resource, field: Field): Literal | undefined {
  if (isHiddenField(field)) return undefined;
  if (field.type.type.kind === "state") {
    const machine = c.machines.get(resource.name);
    return machine?.states.find((state) => state.initial)?.name;
  }
  for (const rule of field.rules) {
    if (rule.kind === "starts") return literalOf(rule.value.code);
    if (rule.kind === "set" && rule.onCreate) return literalOf(rule.value.code);
  }
  return undefined;
}

/** A JSON text of a start row as a literal of its field; undefined for what is no plain value. */
function writtenIn(text: string): Literal | undefined {
  const value: unknown = JSON.parse(text);
  if (typeof value === "number") return /^-?\d+(\.\d+)?$/.test(text) ? text : undefined;
  const isPlain = value === null || typeof value === "string" || typeof value === "boolean";
  return isPlain ? value : undefined;
}

function knownIn({ fields }: Resource, valueOf: (field: Field) => Literal | undefined): Known {
  return new Map(
    fields.flatMap((field) => {
      const value = valueOf(field);
      return value === undefined ? [] : [[`it.${field.name}`, value] as const];
    }),
  );
}

interface Made {
  readonly resource: Resource;
  /** What is known of its values when it is made. */
  readonly known: Known;
  readonly at: string;
  readonly what: string;
}

function judge(c: RuleContext, { resource, known, at, what }: Made): void {
  for (const one of resource.invariants) {
    if (one.kind !== "always" || truthWhere(one.condition.code, known) !== false) continue;
    report(c, {
      code: "invariant-start",
      severity: "error",
      at,
      message: `${what} breaks \`${one.condition.text}\`, which always holds.`,
      hint: "Change the value with which the row begins, or the invariant.",
      related: [{ span: c.origins.get(one.id) ?? { start: 0, end: 0 }, message: "the invariant" }],
    });
  }
}

function judgeRows(c: RuleContext, resource: Resource): void {
  const { startRows } = resource;
  if (!isStated(startRows) || startRows.value.is !== "block") return;
  const { rows } = startRows.value;
  rows.forEach((row: StartRow, i) => {
    const known = knownIn(resource, (field) => {
      const text = row[field.name];
      return text === undefined ? startOf(c, resource, field) : writtenIn(text);
    });
    const what = `Start row ${i + 1} of \`${resource.name}\``;
    judge(c, { resource, known, at: startRows.id, what });
  });
}

/** Steps after which a row may be another than the one that was made. */
const CHANGES: ReadonlySet<Step["kind"]> = new Set<Step["kind"]>([
  "set",
  "set from",
  "fire",
  "do",
  "call",
  "delete",
  "delete every",
  "gap",
]);

function changesRows(c: RuleContext, { owner }: Placed): boolean {
  const steps = owner.endpoint?.steps;
  if (steps !== undefined) return everyStep(steps).some((step) => CHANGES.has(step.kind));
  return c.steps.some((one) => one.owner.id === owner.id && CHANGES.has(one.step.kind));
}

function judgeStep(c: RuleContext, placed: Placed): void {
  const { step } = placed;
  if (step.kind !== "create") return;
  const resource = c.resources.get(step.resource);
  if (resource === undefined || !resource.invariants.some((one) => one.kind === "always")) return;
  // Invariants are judged when the steps end; named steps are done within others.
  if (placed.owner.kind !== "endpoint" || changesRows(c, placed)) return;
  const given = new Map(step.with.map(({ name, value }) => [name, value]));
  const known = knownIn(resource, (field) => {
    const stated = given.get(field.name);
    if (stated !== undefined) return literalOf(stated.code);
    return step.from === undefined || field.create.is === "no"
      ? startOf(c, resource, field)
      : undefined;
  });
  const what = `Each \`${resource.name}\` that this step makes`;
  judge(c, { resource, known, at: step.id, what });
}

/** Reports `invariant-start`. */
export const beginnings: Rule = (c) => {
  for (const resource of c.service.resources) judgeRows(c, resource);
  for (const placed of c.steps) judgeStep(c, placed);
};
