/** Tells what of a resource's rows is not shown, and who meets it. */
import { afterAttempts } from "./after-attempts.ts";
import { gapOf } from "./answers.ts";
import { hiddenRules } from "./hidden-rules.ts";
import { stepsOf } from "./steps-of.ts";
import type { Field, ItemId, Machine, Plan, Resource } from "./types/index.ts";

/** The field that names the gap which a row's time has met; no document has such a name. */
export const MARK = "#gap";

/** A transition that no step fires, and of which it is not shown what does. */
export interface Restless {
  readonly transition: ItemId;
  readonly gap: ItemId;
}

/** What of the rows of a resource is not shown. */
export interface RowGaps {
  /** Met by whoever makes a row or reads one: what its states are, or which field holds them. */
  readonly used: ItemId | undefined;
  /** Met by whoever looks for rows: how long they are kept. */
  readonly kept: ItemId | undefined;
  /** Met by a caller who looks for rows: which of them are to be seen. */
  readonly seen: ItemId | undefined;
  /** Met by whoever looks for rows and does not find all: those at the start. */
  readonly start: ItemId | undefined;
  readonly changed: ItemId | undefined;
  readonly deleted: ItemId | undefined;
  /** State -> the trigger of a transition out of it that no step fires: it may come at any time. */
  readonly restless: ReadonlyMap<string, Restless>;
  /** Fields that nothing changes once a row is made: they are known whatever else is not. */
  readonly fixed: ReadonlySet<string>;
}

function timed({ on }: Machine["transitions"][number]): boolean {
  return on.is === "time" || on.is === "every" || on.is === "by itself";
}

function isAnswered({ on }: Machine["transitions"][number]): boolean {
  return on.is === "call";
}

/**
 * Whether a time that comes for rows of a resource, the answer of a call, or what follows an
 * attempt to deliver to them, can meet a gap, which they keep then.
 */
export function hasMarks(plan: Plan, { name, invariants }: Resource): boolean {
  if (invariants.some((one) => one.kind === "kept for")) return true;
  const receives = plan.webhooks.some(
    (one) =>
      one.receivers.is === "stated" &&
      one.receivers.value.resource === name &&
      afterAttempts(one).length > 0,
  );
  if (receives) return true;
  return plan.machines.some(
    (one) => one.resource === name && one.transitions.some((row) => timed(row) || isAnswered(row)),
  );
}

const NO = { is: "no" } as const;

/** The field of the mark: null where no gap was met. */
export function markField({ id }: Resource): Field {
  return {
    id: `${id}/gap`,
    name: MARK,
    type: { type: { kind: "string" }, orNull: true, orAbsent: false },
    create: NO,
    update: NO,
    read: NO,
    rules: [],
  };
}

function restlessOf(plan: Plan, machine: Machine | undefined): ReadonlyMap<string, Restless> {
  const fired = new Set(
    stepsOf(plan).flatMap((step) => (step.kind === "fire" ? step.transitions : [])),
  );
  const found = new Map<string, Restless>();
  for (const { on, id, name, from } of machine?.transitions ?? []) {
    if (on.is !== "gap" || fired.has(name)) continue;
    for (const state of from) {
      if (!found.has(state)) found.set(state, { transition: id, gap: on.gap });
    }
  }
  return found;
}

function isFixed(plan: Plan, machine: Machine | undefined, field: Field): boolean {
  if (field.name.startsWith("#") || field.name === machine?.field) return false;
  if (field.update.is !== "no" || field.gap !== undefined) return false;
  if (hiddenRules(field) !== undefined) return false;
  const changes = field.rules.some(
    (rule) =>
      (rule.kind === "set" && (rule.onUpdate || rule.changes.length > 0)) ||
      (rule.kind === "counts up" && rule.onEveryChange) ||
      (rule.kind === "when gone" && rule.action === "set to null"),
  );
  if (changes) return false;
  return !stepsOf(plan).some((step) => step.kind === "set" && step.field === field.name);
}

/** What of a resource's rows is not shown. To be asked once for a plan: it walks the plan. */
export function rowGapsOf(plan: Plan, resource: Resource): RowGaps {
  const machine = plan.machines.find((one) => one.resource === resource.name);
  const of = (key: string): ItemId | undefined => {
    const found = resource.invariants.find((one) => one.kind === "gap" && one.of === key);
    return found?.kind === "gap" ? found.gap : undefined;
  };
  return {
    used: machine?.gap,
    kept: of("kept"),
    seen: of("rows"),
    start: gapOf(resource.startRows),
    changed: of("changed"),
    deleted: of("deleted"),
    restless: restlessOf(plan, machine),
    fixed: new Set(
      resource.fields.filter((one) => isFixed(plan, machine, one)).map(({ name }) => name),
    ),
  };
}
