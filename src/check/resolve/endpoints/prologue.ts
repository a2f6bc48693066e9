/** Resolves the steps of `### Every endpoint`, in which the order of checks stands. */
import type { Step } from "../../../plan/index.ts";
import { silent } from "../names/asking.ts";
import type { Collected } from "../names/collect.ts";
import { commonNames } from "../names/common.ts";
import { headSpan, lineEnd, type Resolver, sectionsOf, shownGap } from "../names/resolver.ts";
import type { Flow } from "../steps/flow.ts";
import { resolveSteps } from "../steps/steps.ts";

/** The steps done before those of each endpoint; a gap where the order of checks is not stated. */
export function resolvePrologue(r: Resolver, names: Collected): Step[] {
  const [every] = sectionsOf(r, "every endpoint");
  const [first] = sectionsOf(r, "endpoint");
  const [top] = sectionsOf(r, "endpoints");
  if (every === undefined || every.steps.length === 0) {
    const section = every ?? top;
    if (first === undefined || section === undefined) return [];
    const said = every?.sentences.find(
      (one) => one.subject.text.toLowerCase() === "order of checks",
    );
    const id = "endpoints/order of checks";
    if (said !== undefined) {
      return [{ id, kind: "gap", gap: shownGap(r, section, said, "order of checks") }];
    }
    const at = lineEnd(r, headSpan(r, section).end);
    const lead = every === undefined ? "\n\n### Every endpoint" : "";
    const gap = silent(r, {
      question: "order of checks",
      section,
      id,
      fix: { at, insert: `${lead}\n\nOrder of checks: not shown.` },
    });
    return [{ id, kind: "gap", gap }];
  }
  for (const kind of ["path", "query", "header", "cookie", "body"] as const) {
    r.objects.set(`${kind}:every`, new Map());
  }
  const flow: Flow = {
    section: every,
    names,
    kind: "prologue",
    view: commonNames(r),
    ended: false,
  };
  return resolveSteps(r, every.steps, flow).steps;
}
