/** What is not known of rows, since the time of one has met a gap or may meet it at any time. */
import type { Plan, Step } from "../../src/plan/index.ts";
import { comesByItself, effectsOf } from "./effects.ts";
import { statedDuration } from "./times.ts";
import type { Ref } from "./values.ts";
import type { Work } from "./work.ts";
import { type Row, resourceOf } from "./world.ts";

/** A gap, and all that may have come of what has met it. */
interface Met {
  readonly gap: string;
  readonly effects: ReadonlySet<string>;
}

const known = new WeakMap<Plan, Map<string, ReadonlySet<string>>>();

function effects(plan: Plan, resource: string, item: string): ReadonlySet<string> {
  const all = known.get(plan) ?? new Map<string, ReadonlySet<string>>();
  known.set(plan, all);
  const found = all.get(item) ?? effectsOf(plan, resource, item);
  all.set(item, found);
  return found;
}

/** A transition of which nobody knows what takes it, and which no step fires. */
function restless({ plan }: Work, resource: string, row: Row) {
  const machine = plan.machines.find((one) => one.resource === resource);
  const state = row.values.get(machine?.field ?? "") as string;
  return machine?.transitions.find(
    ({ on, name, from }) => on.is === "gap" && from.includes(state) && !isFired(plan, name),
  );
}

/** Whether some step of the plan is such a one. */
function hasStep(plan: Plan, isSuch: (step: Step) => boolean): boolean {
  let found = false;
  JSON.stringify(plan, (_, node: unknown) => {
    if (typeof node === "object" && node !== null && "kind" in node) found ||= isSuch(node as Step);
    return node;
  });
  return found;
}

function isFired(plan: Plan, name: string): boolean {
  return hasStep(plan, (step) => step.kind === "fire" && step.transitions.includes(name));
}

/** What has come for a row and met a gap, or may meet one. */
function metBy(work: Work, resource: string, row: Row): readonly Met[] {
  if (row.unknown !== undefined) {
    return row.unknown.map(({ gap, of, at }) => metOf(work, { resource, row }, { gap, of, at }));
  }
  const open = restless(work, resource, row);
  if (open?.on.is !== "gap") return [];
  return [metOf(work, { resource, row }, { gap: open.on.gap, of: open.id, at: undefined })];
}

function metOf(
  work: Work,
  { resource, row }: { readonly resource: string; readonly row: Row },
  { gap, of, at }: { readonly gap: string; readonly of: string; readonly at: bigint | undefined },
): Met {
  const { plan, now } = work;
  const found = new Set(effects(plan, resource, of));
  for (const one of resourceOf(plan, resource).invariants) {
    if (one.kind !== "kept for") continue;
    const time = row.values.get(one.after);
    const delay = statedDuration(one.durationText);
    const isPast = typeof time === "bigint" && time + delay <= now;
    const mayBe = found.has(`it.${one.after}`) && (at === undefined || at + delay <= now);
    if (!isPast && !mayBe) continue;
    for (const effect of effects(plan, resource, one.id)) found.add(effect);
  }
  return { gap, effects: found };
}

function isTouched(work: Work, { resource, key }: Ref): boolean {
  return work.touched.some((one) => one.resource === resource && one.key === key);
}

/** The first gap by which one of these may have happened to rows of others. */
function touching(work: Work, has: (effects: ReadonlySet<string>) => boolean): string | undefined {
  for (const { name: resource } of work.plan.resources) {
    for (const row of work.world.rows.get(resource) ?? []) {
      if (isTouched(work, { resource, key: row.key })) continue;
      const met = metBy(work, resource, row).find((one) => has(one.effects));
      if (met !== undefined) return met.gap;
    }
  }
  return undefined;
}

/** Whether a time can meet a gap in a plan at all. */
function isPossible({ plan }: Work): boolean {
  return (
    plan.gaps.some((gap) => gap.blocking) &&
    (plan.machines.some((one) => one.transitions.some(comesByItself)) ||
      plan.resources.some((one) => one.invariants.some(({ kind }) => kind === "kept for")))
  );
}

/** Whether nothing that the document states changes the field, once a row is made. */
function isFixed(work: Work, { resource }: Ref, name: string): boolean {
  const field = resourceOf(work.plan, resource).fields.find((one) => one.name === name);
  const machine = work.plan.machines.find((one) => one.resource === resource);
  if (field === undefined || machine?.field === name) return false;
  if (field.update.is !== "no" || field.gap !== undefined) return false;
  const isChanged = field.rules.some(
    (rule) =>
      rule.id === `${field.id}/rules` ||
      (rule.kind === "set" && (rule.onUpdate || rule.changes.length > 0)) ||
      (rule.kind === "counts up" && rule.onEveryChange) ||
      (rule.kind === "when gone" && rule.action === "set to null"),
  );
  return !isChanged && !hasStep(work.plan, (step) => step.kind === "set" && step.field === name);
}

/** Why the value of a field is not known; without a name: of any field. */
export function valueGap(work: Work, ref: Ref, name?: string): string | undefined {
  if (!isPossible(work) || isTouched(work, ref)) return undefined;
  const row = work.find(ref);
  const fixed = name !== undefined && isFixed(work, ref, name);
  const met = (row === undefined ? [] : metBy(work, ref.resource, row)).find(
    (one) => !fixed || one.effects.has(`it.${name}`),
  );
  if (met !== undefined) return met.gap;
  const own = `${ref.resource}.`;
  return touching(work, (all) => {
    if (all.has(`${ref.resource} gone`) && !fixed) return true;
    return name === undefined
      ? [...all].some((one) => one.startsWith(own))
      : all.has(`${own}${name}`);
  });
}

/** Why it is not known whether a row is there still. */
export function goneGap(work: Work, ref: Ref): string | undefined {
  if (!isPossible(work) || isTouched(work, ref)) return undefined;
  const row = work.find(ref);
  const met = (row === undefined ? [] : metBy(work, ref.resource, row)).find((one) =>
    one.effects.has("it gone"),
  );
  if (met !== undefined) return met.gap;
  return touching(work, (all) => all.has(`${ref.resource} gone`));
}

/** Why it is not known whether there are more rows of a resource. */
export function moreGap(work: Work, resource: string): string | undefined {
  const { startRows } = resourceOf(work.plan, resource);
  const start = startRows.is === "gap" ? startRows.gap : work.world.unmade.get(resource);
  if (start !== undefined) return start;
  if (!isPossible(work)) return undefined;
  return touching(work, (all) => all.has(`${resource} made`));
}
