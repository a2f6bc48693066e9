/** Rule: no step breaks `Changed: never` or `Deleted: never`, and unanswered promises are noted. */
import type { ResourcePromise } from "../../plan/index.ts";
import { type Rule, type RuleContext, report } from "./context.ts";

interface Never {
  readonly changed: ReadonlyMap<string, ResourcePromise>;
  readonly deleted: ReadonlyMap<string, ResourcePromise>;
}

function nevers(c: RuleContext): Never {
  const changed = new Map<string, ResourcePromise>();
  const deleted = new Map<string, ResourcePromise>();
  for (const resource of c.service.resources) {
    for (const promise of resource.promises) {
      if (promise.kind === "changed never") changed.set(resource.name, promise);
      if (promise.kind === "deleted" && promise.rule === "never") {
        deleted.set(resource.name, promise);
      }
    }
  }
  return { changed, deleted };
}

function broken(c: RuleContext, at: string, promise: ResourcePromise, what: string): void {
  report(c, {
    code: "promise-broken",
    severity: "error",
    at,
    message: `This step ${what}, and the document promises that none does.`,
    hint: "Take the step or the promise away.",
    related: [
      { span: c.origins.get(promise.id) ?? { start: 0, end: 0 }, message: "promised here" },
    ],
  });
}

/** Reports `promise-broken`, `promise-fault`. */
export const promises: Rule = (c) => {
  const never = nevers(c);
  for (const { step, resource = "" } of c.steps) {
    if (step.kind === "set" || step.kind === "set from" || step.kind === "fire") {
      const promise = never.changed.get(resource);
      if (promise !== undefined) broken(c, step.id, promise, `changes a \`${resource}\``);
    }
    const gone =
      step.kind === "delete every" ? step.resource : step.kind === "delete" ? resource : undefined;
    const promise =
      gone === undefined ? undefined : (never.deleted.get(gone) ?? never.changed.get(gone));
    if (promise !== undefined) broken(c, step.id, promise, `deletes a \`${gone ?? ""}\``);
  }
  for (const resource of c.service.resources) {
    for (const promise of resource.promises) {
      if (promise.kind !== "always" || promise.otherwise !== undefined) continue;
      report(c, {
        code: "promise-fault",
        severity: "note",
        at: promise.id,
        message: `A request that breaks this promise of \`${resource.name}\` is a fault inside.`,
        hint: "Write `, else` and an error where a request can be to blame.",
      });
    }
  }
};
