/** Resolves the steps of `### Every endpoint`, in which the order of checks stands. */
import type { Type } from "../../../expr/index.ts";
import type { Step } from "../../../plan/index.ts";
import { silent } from "../names/asking.ts";
import type { Collected } from "../names/collect.ts";
import { commonNames, withRequest, withService } from "../names/common.ts";
import { headSpan, lineEnd, type Resolver, sectionsOf, shownGap } from "../names/resolver.ts";
import type { Flow } from "../steps/flow.ts";
import { resolveSteps } from "../steps/steps.ts";
import { inputs } from "./inputs.ts";
import type { Objects } from "./request.ts";

/** What the table of `### Every endpoint` reads of every request; bodies are of endpoints. */
export function sharedInputs(r: Resolver, names: Collected): readonly (readonly [string, Type])[] {
  const [every] = sectionsOf(r, "every endpoint");
  if (every === undefined) return [];
  const objects: Objects = {
    path: new Map(),
    query: new Map(),
    header: new Map(),
    cookie: new Map(),
    body: new Map(),
    unplaced: new Set(),
  };
  const before = r.findings.length;
  inputs({ r, names, section: every, every: undefined, id: every.id, key: "every" }, objects);
  // The endpoints read the table as well, and say what is wrong with it.
  r.findings.length = before;
  return (["query", "header", "cookie"] as const).flatMap((kind) => {
    if (objects[kind].size === 0) return [];
    const name = `${kind}:every`;
    r.objects.set(name, objects[kind]);
    return [[kind, { kind: "object", name }] as const];
  });
}

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
  const flow: Flow = {
    section: every,
    names,
    kind: "prologue",
    view: withRequest(r, withService(r, commonNames(r))),
    ended: false,
    inputs: sharedInputs(r, names),
  };
  return resolveSteps(r, every.steps, flow).steps;
}
