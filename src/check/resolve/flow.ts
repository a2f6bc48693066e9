/** What a place among steps knows: names, facts, and whether every path to it has ended. */
import { type Facts, type Type, withoutName } from "../../expr/index.ts";
import type { SectionNode, Step, StepNode } from "../../model/index.ts";
import type { Collected } from "./collect.ts";
import type { View } from "./expression.ts";
import type { Resolver } from "./resolver.ts";

/** Where steps stand. */
export type StepKind = "prologue" | "endpoint" | "routine" | "effect";

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
}

/** The outcome of one step: what was made of it, and the flow behind it. */
export interface Stepped {
  readonly step?: Step;
  readonly flow: Flow;
}

export function named(flow: Flow, name: string, type: Type): Flow {
  const names = new Map(flow.view.names).set(name, type);
  return { ...flow, view: { names, facts: withoutName(flow.view.facts, name) } };
}

export function learned(flow: Flow, facts: Facts): Flow {
  return { ...flow, view: { names: flow.view.names, facts } };
}

/** Rows may have changed: what was known of their members is no longer known. */
export function rowsChanged(flow: Flow): Flow {
  let { facts } = flow.view;
  for (const [name, type] of flow.view.names) {
    const bare = type.kind === "nullable" ? type.of : type;
    if (bare.kind !== "row" || type.kind === "nullable") continue;
    facts = withoutName(facts, name);
  }
  return learned(flow, facts);
}

export function ended(flow: Flow): Flow {
  return { ...flow, ended: true };
}

/** Resolves nested steps; handed to those that need it, so that files do not import in circles. */
export type ResolveSteps = (
  r: Resolver,
  nodes: readonly StepNode[],
  start: Flow,
) => { steps: Step[]; flow: Flow };
