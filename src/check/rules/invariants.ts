/** Rule: no step breaks `Changed: never` or `Deleted: never`; unanswered invariants are noted. */
import type { ResourceInvariant } from "../../plan/index.ts";
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

function broken(c: RuleContext, at: string, invariant: ResourceInvariant, what: string): void {
  report(c, {
    code: "invariant-broken",
    severity: "error",
    at,
    message: `This step ${what}, and the document states that none does.`,
    hint: "Take the step or the invariant away.",
    related: [
      { span: c.origins.get(invariant.id) ?? { start: 0, end: 0 }, message: "stated here" },
    ],
  });
}

/** Reports `invariant-broken`, `invariant-fault`. */
export const invariants: Rule = (c) => {
  const never = nevers(c);
  for (const { step, resource = "" } of c.steps) {
    if (step.kind === "set" || step.kind === "set from" || step.kind === "fire") {
      const invariant = never.changed.get(resource);
      if (invariant !== undefined) broken(c, step.id, invariant, `changes a \`${resource}\``);
    }
    const gone =
      step.kind === "delete every" ? step.resource : step.kind === "delete" ? resource : undefined;
    const invariant =
      gone === undefined ? undefined : (never.deleted.get(gone) ?? never.changed.get(gone));
    if (invariant !== undefined) broken(c, step.id, invariant, `deletes a \`${gone ?? ""}\``);
  }
  for (const resource of c.service.resources) {
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
