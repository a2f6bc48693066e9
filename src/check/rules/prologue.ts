/** Rule: `### Every endpoint` checks all that is stated, and nothing that is not. */
import { type CheckKind, isStated, statedOf } from "../../plan/index.ts";
import { type Rule, type RuleContext, report } from "./context.ts";

interface Needed {
  readonly what: CheckKind;
  /** What stands in the document that needs the check; undefined where nothing does. */
  readonly because?: string;
}

function needed(c: RuleContext): Needed[] {
  const { service } = c;
  const caller = service.endpoints.find(
    (one) => isStated(one.who) && one.who.value.some((actor) => !c.always.has(actor)),
  );
  const inputs = service.endpoints.find((one) => one.inputs.length > 0 || isStated(one.body));
  const paths = [...service.endpoints, ...service.streams].find(
    ({ bindings = [] }) => bindings.length > 0,
  );
  const key = service.endpoints.find((one) => one.idempotency !== undefined);
  const limit = service.limits.find(
    (one) => one.counts.is === "requests" || one.counts.is.endsWith("bytes"),
  );
  const at = (one: { readonly id: string } | undefined) =>
    one === undefined ? undefined : one.id.slice(one.id.indexOf("/") + 1);
  return [
    { what: "caller", because: at(caller) },
    { what: "inputs", because: at(inputs) },
    { what: "paths", because: at(paths) },
    { what: "idempotency key", because: at(key) },
    { what: "limits", because: at(limit) },
  ];
}

/** A limit per caller counts from where the caller is known. */
function judgeFirst(c: RuleContext, checks: ReadonlyMap<string, string>): void {
  const order = [...checks.keys()];
  const limits = order.indexOf("limits");
  const limit = c.service.limits.find(
    ({ counts, per }) => counts.is === "requests" && statedOf(per)?.is === "caller",
  );
  if (limit === undefined || limits < 0 || order.indexOf("caller") < limits) return;
  report(c, {
    code: "limit-first",
    severity: "warning",
    at: checks.get("limits"),
    message: `\`${limit.name}\` never counts: the limits are checked before it is known who calls.`,
    hint: "Write `Check the limits.` behind `Check the caller.`, or count per address.",
  });
}

/** Reports `second-check`, `missing-check`, `idle-check`, `limit-first`. */
export const prologue: Rule = (c) => {
  const { prologue: steps, endpoints } = c.service;
  if (endpoints.length === 0 || steps.some((step) => step.kind === "gap")) return;
  const checks = new Map<string, string>();
  for (const step of steps) {
    if (step.kind !== "check") continue;
    if (checks.has(step.what)) {
      report(c, {
        code: "second-check",
        severity: "error",
        at: step.id,
        message: `'Check the ${step.what}' stands here again.`,
        hint: "Keep one of the two.",
      });
    }
    checks.set(step.what, step.id);
  }
  if (checks.has("caller")) judgeFirst(c, checks);
  const section = c.sections.get("endpoints/every endpoint");
  for (const { what, because } of needed(c)) {
    const step = checks.get(what);
    if (because !== undefined && step === undefined) {
      report(c, {
        code: "missing-check",
        severity: "error",
        at: section?.heading ?? steps[0]?.id,
        message: `No step checks the ${what}, which \`${because}\` needs.`,
        hint: `Write a step \`Check the ${what}.\` under the heading Every endpoint.`,
      });
    }
    // Bodies, queries and paths come to every endpoint, whether it states inputs or not.
    if (because !== undefined || step === undefined || what === "inputs") continue;
    if (what === "limits" && c.service.limits.some((one) => one.counts.is === "gap")) continue;
    report(c, {
      code: "idle-check",
      severity: "warning",
      at: step,
      message: `This step has nothing to check: no ${
        what === "caller"
          ? "endpoint needs credentials"
          : `${what} ${what === "idempotency key" ? "is" : "are"} stated`
      }.`,
      hint: "Take it away, or state what it checks.",
    });
  }
};
