/** Adds fields for the times of transitions that no stated field holds; knows no store. */
import { hasMarks, markField } from "./row-gaps.ts";
import type { Field, Machine, Plan, Transition } from "./types/index.ts";

/** Whether the transition falls due at a time that the service itself keeps. */
export function hasClock({ on }: Transition): boolean {
  return on.is === "every" || on.is === "by itself";
}

/** Name of the field that says when the transition falls due next; no document has such a name. */
export function clockField({ id }: Transition): string {
  return `#${id}`;
}

function fieldsOf(machine: Machine | undefined): readonly Field[] {
  return (machine?.transitions ?? []).filter(hasClock).map((transition) => ({
    id: `${transition.id}/clock`,
    name: clockField(transition),
    type: {
      type: {
        kind: "timestamp",
        wire: "rfc3339",
        precision: { is: "stated", id: `${transition.id}/clock`, value: "microseconds" },
      },
      orNull: true,
      orAbsent: false,
    },
    create: { is: "no" },
    update: { is: "no" },
    read: { is: "no" },
    rules: [],
  }));
}

/**
 * The plan as it is stored and run: each row also holds when its own transitions fall due, and the
 * gap that one of them has met.
 */
export function withClocks(plan: Plan): Plan {
  if (!plan.resources.some((resource) => hasMarks(plan, resource))) return plan;
  return {
    ...plan,
    resources: plan.resources.map((resource) => {
      const times = fieldsOf(plan.machines.find((one) => one.resource === resource.name));
      const added = hasMarks(plan, resource) ? [...times, markField(resource)] : times;
      return added.length === 0
        ? resource
        : { ...resource, fields: [...resource.fields, ...added] };
    }),
  };
}
