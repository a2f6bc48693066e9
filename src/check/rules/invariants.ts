/** Rule: nothing breaks `Changed: never` or `Deleted: never`; unanswered invariants are noted. */
import {
  type Field,
  heldReference,
  type Resource,
  type ResourceInvariant,
} from "../../plan/index.ts";
import { type Rule, type RuleContext, report } from "./context.ts";

interface Never {
  readonly changed: ReadonlyMap<string, ResourceInvariant>;
  readonly deleted: ReadonlyMap<string, ResourceInvariant>;
}

function nevers(c: RuleContext): Never {
  const changed = new Map<string, ResourceInvariant>();
  const deleted = new Map<string, ResourceInvariant>();
  for (const resource of c.service.resources) {
    for (const invariant of resource.invariants) {
      if (invariant.kind === "changed never") changed.set(resource.name, invariant);
      if (invariant.kind === "deleted" && invariant.rule === "never") {
        deleted.set(resource.name, invariant);
      }
    }
  }
  return { changed, deleted };
}

interface Break {
  readonly by: "step" | "rule";
  readonly what: string;
}

function broken(c: RuleContext, at: string, invariant: ResourceInvariant, how: Break): void {
  const { by, what } = how;
  report(c, {
    code: "invariant-broken",
    severity: "error",
    at,
    message: `This ${by} ${what}, and the document states that nothing does.`,
    hint: `Take the ${by} or the invariant away.`,
    related: [
      { span: c.origins.get(invariant.id) ?? { start: 0, end: 0 }, message: "stated here" },
    ],
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
  const stated = never.deleted.get(name);
  if (stated === undefined) return;
  for (const field of fields) {
    for (const rule of field.rules) {
      if (rule.kind !== "when gone" || rule.action !== "deleted with it") continue;
      if (canGo(c, field)) {
        broken(c, rule.id, stated, { by: "rule", what: `deletes a \`${name}\`` });
      }
    }
  }
}

/** Reports `invariant-broken`, `invariant-fault`. */
export const invariants: Rule = (c) => {
  const never = nevers(c);
  for (const { step, resource = "" } of c.steps) {
    if (step.kind === "set" || step.kind === "set from" || step.kind === "fire") {
      const invariant = never.changed.get(resource);
      if (invariant !== undefined) {
        broken(c, step.id, invariant, { by: "step", what: `changes a \`${resource}\`` });
      }
    }
    const gone =
      step.kind === "delete every" ? step.resource : step.kind === "delete" ? resource : undefined;
    const invariant =
      gone === undefined ? undefined : (never.deleted.get(gone) ?? never.changed.get(gone));
    if (invariant !== undefined) {
      broken(c, step.id, invariant, { by: "step", what: `deletes a \`${gone ?? ""}\`` });
    }
  }
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
