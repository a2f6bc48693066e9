/** Fills gaps among steps; steps that the assumptions repeat say where the others belong. */
import type { Span } from "../../base/index.ts";
import type { StepNode } from "../../spec/index.ts";
import { fillMatch } from "./fill.ts";
import {
  contradicts,
  filled,
  freshId,
  type Merge,
  type Place,
  renamed,
  same,
  unused,
} from "./merge.ts";

const WHEN = new Set(["when", "when block"]);
const OTHERWISE = new Set(["otherwise", "otherwise block"]);
const NESTED = new Set(["when block", "otherwise block", "for each", "any order"]);

function condition(node: StepNode): Span | undefined {
  const value = node.match.slots.condition;
  return value?.kind === "condition" ? value.match : undefined;
}

function sameCondition(merge: Merge, a: StepNode, b: StepNode): boolean {
  const [one, other] = [condition(a), condition(b)];
  return one !== undefined && other !== undefined && same(merge, one, other);
}

/** The steps of the document while gaps among them are filled. */
interface Filling {
  readonly merge: Merge;
  readonly place: Place;
  readonly nodes: StepNode[];
  /** Gap -> the steps that take its place. */
  readonly instead: Map<StepNode, StepNode[]>;
  /** Where the next step of the assumptions can be. */
  at: number;
}

/** The step of the document with what one of the assumptions says of it; undefined: another. */
function fillStep(f: Filling, stated: StepNode, assumed: StepNode): StepNode | undefined {
  const { merge, place } = f;
  const { form } = stated.match;
  const isWhen = form === "when gap" && WHEN.has(assumed.match.form);
  if (isWhen && sameCondition(merge, stated, assumed)) {
    filled(merge, place, assumed, stated);
    return renamed(assumed, freshId(merge, assumed.id));
  }
  const isOther = form === "otherwise gap" && OTHERWISE.has(assumed.match.form);
  // The gap belongs to the When before it, which the assumptions must have repeated.
  if (isOther && f.nodes.indexOf(stated) === f.at) {
    filled(merge, place, assumed, stated);
    return renamed(assumed, freshId(merge, assumed.id));
  }
  const outcome = fillMatch(merge, stated.match, assumed.match);
  if (outcome.is === "other") return undefined;
  if (outcome.is === "filled") filled(merge, place, outcome.span, outcome.gap);
  const match = outcome.is === "filled" ? outcome.match : stated.match;
  if (NESTED.has(form)) {
    const children = mergeSteps(merge, place, stated.children, assumed.children);
    return { ...stated, match, children };
  }
  if (form !== "by") return { ...stated, match };
  return { ...stated, match, cases: stated.cases.map((one) => fillCase(f, one, assumed)) };
}

function fillCase(
  f: Filling,
  stated: StepNode["cases"][number],
  assumed: StepNode,
): StepNode["cases"][number] {
  const values = (one: typeof stated) => one.values.map((value) => value.text).join("\n");
  const other = assumed.cases.find((one) => values(one) === values(stated));
  if (other === undefined) return stated;
  if (stated.step.match.form === "gap" && other.step.match.form !== "gap") {
    filled(f.merge, f.place, other.step, stated.step);
    return { ...stated, step: renamed(other.step, stated.step.id) };
  }
  const step = fillStep(f, stated.step, other.step);
  if (step === undefined) contradicts(f.merge, other.step, stated.step);
  return { ...stated, step: step ?? stated.step };
}

/** Looks for the step, from the last one found on; gives whether it was found. */
function takes(f: Filling, assumed: StepNode): boolean {
  for (let i = f.at; i < f.nodes.length; i++) {
    const step = fillStep(f, f.nodes[i] as StepNode, assumed);
    if (step === undefined) continue;
    f.nodes[i] = step;
    f.at = i + 1;
    return true;
  }
  return false;
}

/** The gap `Subject: not shown.` that steps at this point answer. */
function gapHere(f: Filling): StepNode | undefined {
  const gaps = f.nodes.filter((node) => node.match.form === "gap");
  const next = f.nodes[f.at];
  if (next?.match.form === "gap") return next;
  return gaps.length === 1 ? gaps[0] : undefined;
}

/** Facets to which a check belongs that every request goes through. */
const CHECKS: Readonly<Record<string, readonly string[]>> = {
  caller: ["scheme"],
  limits: ["rate limits", "size limits", "time-outs", "quotas"],
};

/** Adds a check of what the document leaves open, behind the step that was repeated before it. */
function checksOpen(f: Filling, assumed: StepNode): boolean {
  const { merge, place } = f;
  const what = assumed.match.slots.what;
  if (place.section.scope !== "every endpoint" || what?.kind !== "text") return false;
  const facets = CHECKS[what.text] ?? [];
  const isOpen = facets.some((facet) => merge.open.facets.has(facet) && merge.answers.has(facet));
  if (assumed.match.form !== "check" || !isOpen) return false;
  filled(merge, place, assumed);
  f.nodes.splice(f.at, 0, renamed(assumed, freshId(merge, assumed.id)));
  f.at++;
  return true;
}

function reject(f: Filling, assumed: StepNode): void {
  const rival = f.nodes.find(
    (node) => WHEN.has(node.match.form) && sameCondition(f.merge, node, assumed),
  );
  if (rival !== undefined) contradicts(f.merge, assumed, rival);
  else {
    unused(
      f.merge,
      assumed,
      "Repeat the step whose `else` is not shown, or the condition of a When that is not shown.",
    );
  }
}

/** The steps of the document with their gaps filled from the steps of the assumptions. */
export function mergeSteps(
  merge: Merge,
  place: Place,
  stated: readonly StepNode[],
  assumed: readonly StepNode[],
): StepNode[] {
  const f: Filling = { merge, place, nodes: [...stated], instead: new Map(), at: 0 };
  for (const step of assumed) {
    const isGap = ["gap", "when gap", "otherwise gap"].includes(step.match.form);
    if (takes(f, step) || isGap) continue;
    const gap = gapHere(f);
    if (gap === undefined) {
      if (!checksOpen(f, step)) reject(f, step);
      continue;
    }
    const steps = f.instead.get(gap) ?? [];
    if (steps.length === 0) filled(merge, place, step, gap);
    else filled(merge, place, step);
    f.instead.set(gap, [...steps, renamed(step, freshId(merge, step.id))]);
  }
  return f.nodes.flatMap((node) => f.instead.get(node) ?? [node]);
}
