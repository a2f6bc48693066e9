/**
 * Rule: nothing breaks `Changed: never` or `Deleted: never`, or touches rows that are `fixed`;
 * unanswered invariants are noted.
 */
import { type Field, heldReference, type ItemId, type Resource } from "../../plan/index.ts";
import { type Rule, type RuleContext, report } from "./context.ts";

/** What states that nothing is done to rows of a resource, by the name of the resource. */
interface Never {
  readonly made: ReadonlyMap<string, ItemId>;
  readonly changed: ReadonlyMap<string, ItemId>;
  readonly deleted: ReadonlyMap<string, ItemId>;
}

function nevers(c: RuleContext): Never {
  const { resources } = c.service;
  const fixed = resources.filter((one) => one.fixed).map(({ name, id }) => [name, id] as const);
  const [changed, deleted] = [new Map(fixed), new Map(fixed)];
  for (const { name, invariants: stated } of resources) {
    for (const one of stated) {
      if (one.kind === "changed never") changed.set(name, one.id);
      if (one.kind === "deleted never") deleted.set(name, one.id);
    }
  }
  return { made: new Map(fixed), changed, deleted };
}

interface Break {
  readonly by: "step" | "rule" | "transition";
  readonly what: string;
}

function broken(c: RuleContext, at: ItemId, stated: ItemId, how: Break): void {
  const { by, what } = how;
  report(c, {
    code: "invariant-broken",
    severity: "error",
    at,
    message: `This ${by} ${what}, and the document states that nothing does.`,
    hint: `Take the ${by} away, or what states that.`,
    related: [{ span: c.origins.get(stated) ?? { start: 0, end: 0 }, message: "stated here" }],
  });
}

/** Whether steps delete rows of the resource that a field names. */
function canGo(c: RuleContext, { type }: Field): boolean {
  const named = heldReference(type)?.resource;
  return c.steps.some(
    ({ step, resource }) =>
      (step.kind === "delete" && resource === named) ||
      (step.kind === "delete every" && step.resource === named),
  );
}

/** Rows that are deleted with others, though it is stated that nothing deletes them. */
function withOthers(c: RuleContext, never: Never, { name, fields }: Resource): void {
  for (const field of fields) {
    for (const rule of field.rules) {
      if (rule.kind !== "when gone" || rule.action === "refused" || !canGo(c, field)) continue;
      const isGone = rule.action === "deleted with it";
      // `Changed: never` speaks of steps; rows that are fixed are changed by nothing.
      const stated = (isGone ? never.deleted : never.made).get(name);
      if (stated === undefined) continue;
      const what = `${isGone ? "deletes" : "changes"} a \`${name}\``;
      broken(c, rule.id, stated, { by: "rule", what });
    }
  }
}

/** Steps that make, change or delete rows of which the document states that nothing does. */
function inSteps(c: RuleContext, never: Never): void {
  for (const { step, resource = "" } of c.steps) {
    const told = (stated: ItemId | undefined, what: string): void => {
      if (stated !== undefined) broken(c, step.id, stated, { by: "step", what });
    };
    if (step.kind === "create") {
      told(never.made.get(step.resource), `makes a \`${step.resource}\``);
    }
    if (step.kind === "set" || step.kind === "set from" || step.kind === "fire") {
      told(never.changed.get(resource), `changes a \`${resource}\``);
    }
    const gone =
      step.kind === "delete every" ? step.resource : step.kind === "delete" ? resource : "";
    told(never.deleted.get(gone) ?? never.changed.get(gone), `deletes a \`${gone}\``);
  }
}

/** Transitions that no step fires, of rows that are fixed. */
function inMachines(c: RuleContext, never: Never): void {
  for (const { resource, transitions } of c.service.machines) {
    const stated = never.made.get(resource);
    if (stated === undefined) continue;
    for (const { id, on } of transitions) {
      if (on.is === "step") continue;
      broken(c, id, stated, { by: "transition", what: `changes a \`${resource}\`` });
    }
  }
}

/** Reports `invariant-broken`, `invariant-fault`. */
export const invariants: Rule = (c) => {
  const never = nevers(c);
  inSteps(c, never);
  inMachines(c, never);
  for (const resource of c.service.resources) {
    withOthers(c, never, resource);
    for (const invariant of resource.invariants) {
      if (invariant.kind !== "always" || invariant.otherwise !== undefined) continue;
      report(c, {
        code: "invariant-fault",
        severity: "note",
        at: invariant.id,
        message: `A request that breaks this invariant of \`${resource.name}\` is a fault inside.`,
        hint: "Write `, else` and an error where a request can be to blame.",
      });
    }
  }
};
