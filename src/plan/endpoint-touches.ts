/** What a request to an endpoint, or code outside, may do to rows, whatever steps come to. */
import { statedOf } from "./answers.ts";
import { References } from "./references.ts";
import { everyStep } from "./step-kinds.ts";
import { bindRow, changedWith, type NamedRow, rowNamed, touchOf } from "./step-rows.ts";
import { Effects, type Touch } from "./touches.ts";
import type { Binding, Endpoint, ItemId, Plan, Step } from "./types/index.ts";

/** The row that a name of the path stands for. */
function boundRow({ as, resource }: Binding): readonly [string, NamedRow] {
  return [as, { resource, isOwn: false }];
}

/** The row that `caller` stands for, where it is known of which resource it is. */
function callerRow({ schemes }: Plan): readonly (readonly [string, NamedRow])[] {
  // A scheme that states none lets nobody in as a row.
  const asked = schemes.filter(({ caller: { is } }) => is !== "none" && is !== "not asked");
  const resources = new Set(asked.map(({ caller }) => statedOf(caller)?.resource));
  const [resource] = resources;
  if (resource === undefined || resources.size > 1) return [];
  return [["caller", { resource, isOwn: false }]];
}

/** What may be done, by resource; undefined: none of the document, so that it is anything. */
export function touchesOf(plan: Plan, endpoint: Endpoint | undefined): ReadonlyMap<string, Touch> {
  const effects = new Effects(plan, new References(plan.partTypes));
  if (endpoint === undefined) effects.anything();
  else {
    // Which row a path names is not shown: what is done with it stands in steps of its own.
    const steps = endpoint.steps.filter(({ id }) => id !== `${endpoint.id}/path`);
    effects.steps(steps, new Map([...callerRow(plan), ...endpoint.bindings.map(boundRow)]));
  }
  return effects.others;
}

/** What may be done at any time by what code outside says to calls of these names, by resource. */
export function callTouchesOf(plan: Plan, names: ReadonlySet<string>): ReadonlyMap<string, Touch> {
  const effects = new Effects(plan, new References(plan.partTypes));
  for (const machine of plan.machines) {
    const row = { resource: machine.resource, isOwn: false };
    for (const one of machine.transitions) {
      if (one.on.is !== "call" || !names.has(one.on.call)) continue;
      effects.taken(machine, one, row);
    }
  }
  return effects.others;
}

/** What a step itself does to rows. */
interface Written {
  readonly resource: string;
  /** Fields that it sets; undefined: all of a new row. */
  readonly fields: ReadonlySet<string> | undefined;
  readonly deletes: boolean;
}

/** What each step that sets fields of rows, or deletes rows, does itself, by its item. */
export function writtenBySteps(plan: Plan): ReadonlyMap<ItemId, Written> {
  const found = new Map<ItemId, Written>();
  const own = callerRow(plan);
  const walk = (steps: readonly Step[], given: Iterable<readonly [string, NamedRow]>): void => {
    const names = new Map([...own, ...given]);
    for (const step of everyStep(steps)) {
      const written = writtenBy(plan, step, names);
      if (written !== undefined) found.set(step.id, written);
      bindRow(step, names);
    }
  };
  for (const { steps, bindings } of plan.endpoints) walk(steps, bindings.map(boundRow));
  for (const { resource, transitions } of plan.machines) {
    for (const { then } of transitions) walk(then, [["it", { resource, isOwn: false }]]);
  }
  for (const { steps, given } of plan.routines) {
    const rows = given.flatMap(({ name, type: { type } }): [string, NamedRow][] =>
      type.kind === "reference" ? [[name, { resource: type.resource, isOwn: false }]] : [],
    );
    walk(steps, rows);
  }
  return found;
}

function writtenBy(
  plan: Plan,
  step: Step,
  names: ReadonlyMap<string, NamedRow>,
): Written | undefined {
  if (step.kind === "fire") {
    const row = rowNamed(plan.resources, names, step.on);
    const machine = plan.machines.find(({ resource }) => resource === row?.resource);
    if (machine === undefined) return undefined;
    return { resource: machine.resource, fields: new Set([machine.field]), deletes: false };
  }
  const touch = touchOf(plan, step, names);
  if (touch?.row === undefined) return undefined;
  const { resource } = touch.row;
  if (touch.is === "gone") return { resource, fields: new Set(), deletes: true };
  if (touch.is === "made") return { resource, fields: undefined, deletes: false };
  const fields = plan.resources.find(({ name }) => name === resource)?.fields ?? [];
  return { resource, fields: changedWith(fields, touch.fields), deletes: false };
}
