/** What a place among steps knows: names, facts, and whether every path to it has ended. */
import { type Facts, factsThat, namesIn, type Type, withoutName } from "../../../expr/index.ts";
import type { ItemId, Step } from "../../../plan/index.ts";
import type { Match, SectionNode, StepNode } from "../../../spec/index.ts";
import type { Collected } from "../names/collect.ts";
import { contentIds } from "../names/common.ts";
import type { View } from "../names/expression.ts";
import { Names } from "../names/names.ts";
import type { Resolver } from "../names/resolver.ts";

/** Where steps stand. */
type StepKind = "prologue" | "endpoint" | "routine" | "effect";

export interface Flow {
  readonly section: SectionNode;
  readonly names: Collected;
  readonly kind: StepKind;
  /** Names and facts at this point. */
  readonly view: View;
  /** Whether every path to this point has ended. */
  readonly ended: boolean;
  /** Whether it stands in a case table, which may not take a row of itself. */
  readonly inTable?: boolean;
  /** Under `### Every endpoint`: what steps behind `Check the inputs` see of every request. */
  readonly inputs?: readonly (readonly [name: string, type: Type])[];
}

/** The outcome of one step: what was made of it, and the flow behind it. */
export interface Stepped {
  readonly step?: Step;
  readonly flow: Flow;
}

/** The flow in which `name` is a value of `type`, of which nothing is known yet. */
export function named(flow: Flow, name: string, type: Type): Flow {
  const names = Names.of(flow.view.names).with(name, type);
  return { ...flow, view: { ...flow.view, names, facts: withoutName(flow.view.facts, name) } };
}

/** The flow in which these facts hold. */
export function learned(flow: Flow, facts: Facts): Flow {
  return { ...flow, view: { ...flow.view, facts } };
}

/** Rows may have changed: what was known of their members is no longer known. */
export function rowsChanged(flow: Flow): Flow {
  const { names, facts } = flow.view;
  const stays = (fact: string): boolean =>
    namesIn(fact).every((name) => {
      const type = names.get(name);
      // A name that is none here is a collection: its rows may be others now.
      if (type === undefined) return false;
      // What a name stands for stays, and how long a list is, whatever becomes of the rows.
      return fact === name || !holdsRows(type) || (type.kind === "list" && isLength(fact, name));
    });
  return learned(flow, factsThat(facts, stays));
}

function holdsRows(type: Type): boolean {
  if (type.kind === "list" || type.kind === "map" || type.kind === "nullable") {
    return holdsRows(type.of);
  }
  return type.kind === "row";
}

function isLength(fact: string, name: string): boolean {
  return !namesIn(fact.replaceAll(`size(${name})`, "")).includes(name);
}

/** The flow behind a step that every request leaves the steps at. */
export function ended(flow: Flow): Flow {
  return { ...flow, ended: true };
}

/**
 * The flow behind a step that is not shown: no request comes there, but what it says is no mistake,
 * and names that it uses may have been made by that step.
 */
export function hiddenBehind(flow: Flow, gap: ItemId): Flow {
  return { ...flow, ended: true, view: { ...flow.view, open: flow.view.open ?? gap } };
}

/** Resolves nested steps; handed to those that need it, so that files do not import in circles. */
export type ResolveSteps = (
  r: Resolver,
  nodes: readonly StepNode[],
  start: Flow,
) => { steps: Step[]; flow: Flow };

/** A step that stands within a statement, such as behind `When ..., `, under this name. */
export function innerStep(match: Match, id: ItemId): StepNode {
  return { id, match, children: [], cases: [], conditions: [], start: match.start, end: match.end };
}

/** The steps of a Then cell. */
export function cellSteps(r: Resolver, row: ItemId, matches: readonly Match[]): StepNode[] {
  const ids = contentIds(r, row, "step", matches);
  return matches.flatMap((match, i) => {
    const inner = match.slots.then;
    return inner?.kind === "step" ? [innerStep(inner.match, ids[i] ?? row)] : [];
  });
}
