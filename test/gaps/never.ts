/** Which transitions on time nothing refuses, and which rows no other is like. */
import type { Code, Type } from "../../src/expr/index.ts";
import {
  type Machine,
  type Plan,
  type Resource,
  type Step,
  stepsOf,
} from "../../src/plan/index.ts";
import { rowAt } from "./rows.ts";

/** Whether some step sets the field in rows of the resource. */
function isSet(plan: Plan, owner: string, fields: readonly string[]): boolean {
  return stepsOf(plan).some(
    (step) =>
      step.kind === "set" &&
      fields.includes(step.field) &&
      [owner, undefined].includes(rowAt(plan, step, step.target)),
  );
}

/** Every list of steps in a piece of the plan. */
function* listsIn(node: unknown): Generator<readonly Step[]> {
  if (typeof node !== "object" || node === null) return;
  if (Array.isArray(node)) yield node as Step[];
  for (const one of Object.values(node)) yield* listsIn(one);
}

type Unique = Extract<Resource["invariants"][number], { kind: "unique" }>;
type Create = Extract<Step, { kind: "create" }>;

/** Whether the row names another that the same steps have just made, and that it alone names. */
function namesNew(plan: Plan, step: Create, fields: readonly string[]): boolean {
  const named = step.with.flatMap(({ name, value: { code } }) =>
    fields.includes(name) && code.op === "name" ? [code.name] : [],
  );
  const { endpoints, routines, machines } = plan;
  return [...listsIn([endpoints, routines, machines])]
    .filter((all) => all.includes(step))
    .every((all) => {
      const made = all
        .slice(0, all.indexOf(step))
        .flatMap((one) =>
          one.kind === "create" && !one.unlessThere && one.as !== undefined ? [one.as] : [],
        );
      const alike = all.filter((one) => one.kind === "create" && one.resource === step.resource);
      return alike.length === 1 && named.some((one) => made.includes(one));
    });
}

/** Whether no two rows can come to share what they may not: each is made unless one is there. */
export function neverShared(plan: Plan, resource: Resource, { fields }: Unique): boolean {
  const { name, invariants, startRows, fields: all } = resource;
  const isGiven = plan.endpoints.some(({ body }) => {
    const content = body.is === "stated" ? body.value.content : undefined;
    return content !== undefined && "resource" in content && content.resource === name;
  });
  const isChanged = all.some(
    (one) =>
      fields.includes(one.name) &&
      one.rules.some(
        (rule) =>
          rule.kind === "gap" || (rule.kind === "when gone" && rule.action === "set to null"),
      ),
  );
  const uniques = [...invariants, ...all.flatMap(({ rules }) => rules)];
  const isOne = uniques.filter(({ kind }) => kind === "unique").length === 1;
  if (isGiven || isChanged || !isOne || startRows.is !== "none") return false;
  if (isSet(plan, name, fields)) return false;
  return stepsOf(plan).every(
    (step) =>
      step.kind !== "create" ||
      step.resource !== name ||
      step.unlessThere ||
      namesNew(plan, step, fields),
  );
}

/** Fields of a resource that an expression in a piece of the plan may read. */
function readIn(node: unknown, resource: string, found = new Set<string>()): ReadonlySet<string> {
  if (typeof node !== "object" || node === null) return found;
  const { op, member, of } = node as { op?: unknown; member?: unknown; of?: { type?: Type } };
  const type = of?.type;
  const isOther = type?.kind === "row" && type.resource !== resource;
  if (op === "get" && typeof member === "string" && !isOther) found.add(member);
  for (const one of Object.values(node)) readIn(one, resource, found);
  return found;
}

/** Fields of a resource that a condition on rows is about, and those that no two rows may share. */
function judgedFields({ resources, limits }: Plan, { name, invariants: own }: Resource) {
  const invariants = resources.flatMap((one) =>
    one.invariants.filter(({ kind }) => kind === "always" || kind === "unique"),
  );
  const unique = own.flatMap((one) => (one.kind === "unique" ? one.fields : []));
  return new Set([...readIn([invariants, limits], name), ...unique]);
}

/** What is judged whenever a row of the resource changes; undefined: that is not known. */
function judgedOnChange(plan: Plan, resource: Resource): ReadonlySet<string> | undefined {
  const isCounted = plan.limits.some(
    ({ counts }) =>
      counts.is === "gap" || (counts.is === "sum" && counts.resource === resource.name),
  );
  const hasGap = resource.invariants.some(({ kind }) => kind === "gap" || kind === "changed never");
  const judged = judgedFields(plan, resource);
  const isSet = resource.fields.some(
    ({ name, rules }) =>
      judged.has(name) &&
      rules.some(
        (rule) =>
          rule.kind === "gap" ||
          (rule.kind === "set" && (rule.onUpdate || rule.changes.length > 0)) ||
          (rule.kind === "counts up" && rule.onEveryChange),
      ),
  );
  return isCounted || hasGap || isSet ? undefined : judged;
}

/** Types of which every value may stand in a field without a rule. */
const WHOLE: ReadonlySet<string> = new Set(["integer", "decimal", "boolean", "timestamp"]);

/** Whether nothing refuses the value in the field. */
function isFree(plan: Plan, owner: string | undefined, field: string, code: Code): boolean {
  const resource = plan.resources.find((one) => one.name === owner);
  const found = resource?.fields.find((one) => one.name === field);
  if (resource === undefined || found === undefined) return false;
  const judged = judgedOnChange(plan, resource);
  if (judged === undefined || judged.has(field)) return false;
  const rules = found.rules.filter(({ kind }) => kind !== "starts");
  if (code.op === "literal") return code.value === null || rules.length === 0;
  return rules.length === 0 && WHOLE.has(found.type.type.kind);
}

/** Resources of the rows that names stand for. */
type Names = ReadonlyMap<string, string>;

/** Whether nothing that the steps do is refused. */
function harmless(plan: Plan, steps: readonly Step[], outer: Names): boolean {
  const names = new Map(outer);
  return steps.every((step) => {
    if (step.kind === "emit") return true;
    if (step.kind === "let") {
      const { type } = step.value.code;
      if (type.kind === "row") names.set(step.as, type.resource);
      return true;
    }
    if (step.kind === "set") {
      return isFree(plan, names.get(step.target), step.field, step.value.code);
    }
    if (step.kind !== "do") return false;
    const routine = plan.routines.find((one) => one.name === step.routine);
    const given = step.with.flatMap(({ name, value: { code } }): [string, string][] =>
      code.type.kind === "row" ? [[name, code.type.resource]] : [],
    );
    return routine !== undefined && harmless(plan, routine.steps, new Map(given));
  });
}

const OPPOSITE: Readonly<Record<string, string>> = {
  "<": ">=",
  ">=": "<",
  ">": "<=",
  "<=": ">",
  "==": "!=",
  "!=": "==",
};

type Transition = Machine["transitions"][number];

/** Whether there is always one whose condition holds: it has none, or another has its opposite. */
function someHolds(own: readonly Transition[]): boolean {
  return own.every(({ when, from }) => {
    if (when === undefined) return true;
    const { code } = when;
    return own.some(({ when: other, from: states }) => {
      const second = other?.code;
      return (
        code.op === "call" &&
        second?.op === "call" &&
        OPPOSITE[code.fn] === second.fn &&
        JSON.stringify(code.args) === JSON.stringify(second.args) &&
        from.every((state) => states.includes(state))
      );
    });
  });
}

/** Whether nothing refuses a transition on time: no invariant is about its state or what it sets. */
export function neverRefused(plan: Plan, machine: Machine, name: string): boolean {
  const resource = plan.resources.find((one) => one.name === machine.resource);
  if (resource === undefined) return false;
  const judged = judgedOnChange(plan, resource);
  if (judged === undefined || judged.has(machine.field)) return false;
  const own = machine.transitions.filter((one) => one.name === name);
  // One that another follows is refused with it.
  const isFollowed = plan.machines.some(({ transitions }) =>
    transitions.some(({ on }) => on.is === "transition" && on.transition === name),
  );
  const isKnown = own.every(({ gap, on }) => gap === undefined && on.is === "time");
  const it = new Map([["it", resource.name]]);
  return (
    own.length > 0 &&
    isKnown &&
    !isFollowed &&
    someHolds(own) &&
    own.every(({ then }) => harmless(plan, then, it))
  );
}
