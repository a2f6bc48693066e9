/** Resolves steps in order, following what each makes known to the next. */
import type { Span } from "../../../base/index.ts";
import type { Type } from "../../../expr/index.ts";
import type { Step } from "../../../plan/index.ts";
import type { StepNode } from "../../../spec/index.ts";
import { resolve } from "../names/expression.ts";
import { Names } from "../names/names.ts";
import { origin, type Resolver, report, shownGap, textOf } from "../names/resolver.ts";
import { resolveCases, resolveCaseTable } from "./cases.ts";
import { conditionIn, everyCondition } from "./conditions.ts";
import {
  ended,
  type Flow,
  hiddenBehind,
  innerStep,
  learned,
  named,
  rowsChanged,
  type Stepped,
} from "./flow.ts";
import { simpleStep } from "./sentences.ts";

const OTHERWISE = new Set(["otherwise", "otherwise block", "otherwise gap"]);
const WHEN = new Set(["when", "when block", "when gap"]);

interface Nodes {
  readonly nodes: readonly StepNode[];
  at: number;
}

function gapStep(r: Resolver, flow: Flow, node: StepNode, subject: string) {
  const id = origin(r, node.id, node);
  const gap = shownGap(r, flow.section, { ...node, id: `${id}/gap` }, subject);
  r.hiddenStep ??= gap;
  const step: Step = { id, kind: "gap", gap };
  return { step, flow: hiddenBehind(flow, gap) };
}

function branch(r: Resolver, flow: Flow, node: StepNode): { steps: Step[]; flow: Flow } {
  const { match } = node;
  if (match.form === "when gap" || match.form === "otherwise gap") {
    const text = r.spec.text.slice(match.start, match.end);
    const what = match.form === "when gap" ? text.slice(0, text.lastIndexOf(",")) : "otherwise";
    const subject = `what happens ${what.charAt(0).toLowerCase()}${what.slice(1)}`;
    const made = gapStep(r, flow, node, subject);
    return { steps: [made.step], flow: made.flow };
  }
  const then = match.slots.then;
  const nodes = then?.kind === "step" ? [innerStep(then.match, `${node.id}/then`)] : node.children;
  return resolveSteps(r, nodes, flow);
}

/** The flow behind two branches: names of before; ended where both are. */
function joined(before: Flow, yes: Flow, no: Flow): Flow {
  const open = yes.view.open ?? no.view.open;
  if (yes.ended && no.ended) {
    return open === undefined ? ended(before) : hiddenBehind(before, open);
  }
  if (yes.ended) return learned(before, no.view.facts);
  if (no.ended) return learned(before, yes.view.facts);
  return rowsChanged(before);
}

function whenStep(r: Resolver, flow: Flow, cursor: Nodes): Stepped {
  const node = cursor.nodes[cursor.at] as StepNode;
  const condition = conditionIn(r, node.match.slots.condition, flow.view);
  const id = origin(r, node.id, node);
  const then = branch(r, learned(flow, condition.whenTrue), node);
  const next = cursor.nodes[cursor.at + 1];
  const hasOther = next !== undefined && OTHERWISE.has(next.match.form);
  const no = learned(flow, condition.whenFalse);
  const other = hasOther ? branch(r, no, next) : undefined;
  if (hasOther) {
    cursor.at++;
    origin(r, next.id, next);
  }
  return {
    step: {
      id,
      kind: "when",
      condition: condition.expression,
      then: then.steps,
      ...(other === undefined ? {} : { otherwise: other.steps }),
    },
    flow: joined(flow, then.flow, other?.flow ?? no),
  };
}

function forEach(r: Resolver, flow: Flow, node: StepNode): Stepped {
  const { match } = node;
  const text = (slot: string) => {
    const value = match.slots[slot];
    return value?.kind === "text" ? value : undefined;
  };
  const as = text("as");
  const list = text("in");
  if (as === undefined || list === undefined) return { flow };
  const { expression, type } = resolve(r, list, flow.view);
  if (type.kind !== "list" && type.kind !== "unknown") {
    report(r, "wrong-type", list, {
      message: "This is no list.",
      hint: "`For each` goes through a list.",
    });
  }
  const element: Type = type.kind === "list" ? type.of : { kind: "unknown" };
  const body = resolveSteps(r, node.children, named(flow, as.text, element));
  const into = text("into");
  const id = origin(r, node.id, node);
  const step: Step = {
    id,
    kind: "for each",
    as: as.text,
    in: expression,
    steps: body.steps,
    own: match.slots.own !== undefined,
    ...(into === undefined ? {} : { into: into.text }),
  };
  const after = rowsChanged(flow);
  if (into === undefined) return { step, flow: after };
  const outcome = `outcome:${node.id}`;
  r.objects.set(
    outcome,
    new Map([
      ["element", { type: element, absent: false }],
      ["done", { type: { kind: "boolean" as const }, absent: false }],
      [
        "error",
        { type: { kind: "nullable" as const, of: { kind: "string" as const } }, absent: false },
      ],
    ]),
  );
  const results: Type = { kind: "list", of: { kind: "object", name: outcome } };
  return { step, flow: named(after, into.text, results) };
}

/** A text that the refusals of two checks share where they are surely alike. */
function refusalOf(step: Step): string {
  if (step.kind !== "require" && step.kind !== "may fire") return "";
  const { otherwise } = step;
  if (otherwise === undefined) return step.kind === "may fire" ? `the states of ${step.on}` : "";
  if (otherwise.is === "gap") return otherwise.gap;
  const values = otherwise.with.map(({ name, value }) => `${name} = ${value.text}`);
  return JSON.stringify([otherwise.error, otherwise.on, values]);
}

function anyOrder(r: Resolver, flow: Flow, node: StepNode): Stepped {
  const body = resolveSteps(r, node.children, flow);
  for (const child of node.children) {
    if (child.match.form !== "require" && child.match.form !== "may fire") {
      report(r, "not-in-any-order", child, {
        message: "Only Require steps may stand in any order.",
      });
    }
  }
  const id = origin(r, node.id, node);
  const step = { id, kind: "any order", steps: body.steps } as const;
  if (new Set(body.steps.map(refusalOf)).size < 2) return { step, flow: body.flow };
  const { start, end } = node.match;
  const subject = "which error a request gets that fails two of these checks";
  const gap = shownGap(r, flow.section, { id: `${id}/order`, start, end }, subject);
  return { step: { ...step, gap }, flow: body.flow };
}

function letEveryAll(r: Resolver, flow: Flow, node: StepNode): Stepped {
  const as = node.match.slots.as;
  const resource = node.match.slots.resource;
  if (as?.kind !== "text" || resource?.kind !== "text") return { flow };
  const row: Type = { kind: "row", resource: resource.text };
  const names = Names.of(flow.view.names).over([["it", row]]);
  const where = everyCondition(r, node.conditions, { ...flow.view, names });
  const id = origin(r, node.id, node);
  return {
    step: { id, kind: "let every", as: as.text, resource: resource.text, where },
    flow: named(flow, as.text, { kind: "list", of: row }),
  };
}

function oneStep(r: Resolver, flow: Flow, cursor: Nodes): Stepped {
  const node = cursor.nodes[cursor.at] as StepNode;
  const { form } = node.match;
  if (WHEN.has(form)) return whenStep(r, flow, cursor);
  if (OTHERWISE.has(form)) {
    if (flow.view.open !== undefined) return { flow };
    report(r, "otherwise-alone", node, { message: "This Otherwise stands behind no When." });
    return { flow };
  }
  switch (form) {
    case "by":
      return resolveCases(r, flow, node, resolveSteps);
    case "by table":
      return resolveCaseTable(r, flow, node, resolveSteps);
    case "for each":
      return forEach(r, flow, node);
    case "any order":
      return anyOrder(r, flow, node);
    case "let every all":
      return letEveryAll(r, flow, node);
    case "nothing":
      return { flow };
    case "gap":
      return gapStep(r, flow, node, textOf(node.match, "subject"));
    default:
      return simpleStep(r, flow, node);
  }
}

/** Resolves steps; gives them with the flow behind them. */
export function resolveSteps(
  r: Resolver,
  nodes: readonly StepNode[],
  start: Flow,
): { steps: Step[]; flow: Flow } {
  const cursor: Nodes = { nodes, at: 0 };
  const steps: Step[] = [];
  let flow = start;
  let reported = false;
  for (; cursor.at < nodes.length; cursor.at++) {
    const node = nodes[cursor.at] as StepNode;
    if (flow.ended && flow.view.open === undefined && !reported) {
      reported = true;
      unreachable(r, node);
    }
    const stepped = oneStep(r, flow, cursor);
    if (stepped.step !== undefined) steps.push(stepped.step);
    flow = flow.ended ? ended(stepped.flow) : stepped.flow;
  }
  return { steps, flow };
}

function unreachable(r: Resolver, node: Span): void {
  report(r, "unreachable-step", node, {
    message: "No request comes to this step: every path before it ended.",
    hint: "Take it away, or put it before the Respond or Refuse.",
  });
}
