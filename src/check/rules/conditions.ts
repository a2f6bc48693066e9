/** Every condition that a document states, with what it is a condition of. */
import {
  type Answer,
  bindingsIn,
  type Call,
  type Expression,
  type Field,
  type ItemId,
  isStated,
  type ResourceInvariant,
  type Rule,
  type Step,
} from "../../plan/index.ts";
import type { RuleContext } from "./context.ts";

/** What a condition decides. */
export type Place =
  | "require"
  | "when"
  | "find"
  | "guard"
  | "invariant"
  | "rule"
  | "given"
  | "actor"
  | "sees";

interface Conditional {
  readonly condition: Expression;
  readonly place: Place;
  /** The item that it is a part of. */
  readonly at: ItemId;
}

function inStep(step: Step): Conditional[] {
  const at = step.id;
  switch (step.kind) {
    case "require":
      return [{ condition: step.condition, place: "require", at }];
    case "when":
      return [{ condition: step.condition, place: "when", at }];
    case "let one":
    case "delete every":
      return [{ condition: step.where, place: "find", at }];
    case "let every":
      return step.where === undefined ? [] : [{ condition: step.where, place: "find", at }];
    case "check":
    case "check tag":
    case "let":
    case "order":
    case "page":
    case "page after":
    case "create":
    case "set from":
    case "set":
    case "delete":
    case "fire":
    case "may fire":
    case "emit":
    case "call":
    case "do":
    case "respond":
    case "refuse":
    case "cases":
    case "for each":
    case "any order":
    case "gap":
      return [];
  }
}

function inRules(rules: readonly Rule[]): Conditional[] {
  return rules.flatMap((rule): Conditional[] =>
    rule.kind === "holds" ? [{ condition: rule.condition, place: "rule", at: rule.id }] : [],
  );
}

function inField({ id, create, update, rules }: Field): Conditional[] {
  const given = [create, update].flatMap((one): Conditional[] =>
    one.is === "required when" ? [{ condition: one.condition, place: "given", at: id }] : [],
  );
  return [...given, ...inRules(rules)];
}

function inInvariant(one: ResourceInvariant): Conditional[] {
  switch (one.kind) {
    case "always":
    case "deleted refused":
      return [{ condition: one.condition, place: "invariant", at: one.id }];
    case "unique":
      return one.where === undefined ? [] : [{ condition: one.where, place: "find", at: one.id }];
    case "rows":
      return [{ condition: one.where, place: "find", at: one.id }];
    case "missing":
    case "changed never":
    case "deleted never":
    case "kept for":
    case "gap":
      return [];
  }
}

function whereOf(
  answer: Answer<{ readonly where: Expression }>,
  at: ItemId,
): readonly Conditional[] {
  return isStated(answer) ? [{ condition: answer.value.where, place: "find", at }] : [];
}

function inCall({ id, invariants, standIns = [] }: Call): Conditional[] {
  return [
    ...invariants.map((condition): Conditional => ({ condition, place: "invariant", at: id })),
    ...standIns.flatMap((one): Conditional[] =>
      one.when === undefined ? [] : [{ condition: one.when, place: "when", at: one.id }],
    ),
  ];
}

/** All conditions of the document, in the order of its parts. */
export function statedConditions({ service, steps }: RuleContext): Conditional[] {
  // Of steps in any order none is surely judged behind another.
  const loose = new Set(
    steps.flatMap(({ step }) => (step.kind === "any order" ? step.steps.map(({ id }) => id) : [])),
  );
  const { resources, partTypes, machines, endpoints, schemes, actors, webhooks, streams, calls } =
    service;
  return [
    ...resources.flatMap((one) => one.invariants.flatMap(inInvariant)),
    ...[...resources, ...partTypes].flatMap((one) => one.fields.flatMap(inField)),
    ...machines.flatMap((one) =>
      one.transitions.flatMap((row): Conditional[] =>
        row.when === undefined ? [] : [{ condition: row.when, place: "guard", at: row.id }],
      ),
    ),
    ...calls.flatMap(inCall),
    ...endpoints.flatMap((one) => [...one.inputs.flatMap((input) => inRules(input.rules))]),
    ...bindingsIn(service).flatMap(({ id, where }): Conditional[] =>
      where === undefined ? [] : [{ condition: where, place: "find", at: id }],
    ),
    ...steps.flatMap(({ step }) => (loose.has(step.id) ? [] : inStep(step))),
    ...schemes.flatMap((one) => whereOf(one.caller, one.id)),
    ...actors.flatMap((one): Conditional[] =>
      isStated(one.holds) ? [{ condition: one.holds.value, place: "actor", at: one.id }] : [],
    ),
    ...webhooks.flatMap((one) => whereOf(one.receivers, one.id)),
    ...streams.flatMap((one): Conditional[] =>
      isStated(one.sees) ? [{ condition: one.sees.value, place: "sees", at: one.id }] : [],
    ),
  ];
}
