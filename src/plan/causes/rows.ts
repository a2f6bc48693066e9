/** What may come of a row: what refuses it when it was touched, and what a new one can do. */
import type { Resource, Service } from "../types/index.ts";
import type { Refused } from "./stages.ts";

/** What refuses rows of the resource that are not as they must be. */
export function refusalsOf(resource: Resource): Refused[] {
  const invariants = resource.invariants.flatMap((one): Refused[] =>
    (one.kind === "always" || one.kind === "unique") && one.otherwise !== undefined
      ? [{ id: one.id, refusal: one.otherwise }]
      : [],
  );
  const rules = resource.fields.flatMap((field) =>
    field.rules.flatMap((one): Refused[] =>
      one.kind === "unique" && one.otherwise !== undefined
        ? [{ id: one.id, refusal: one.otherwise }]
        : [],
    ),
  );
  return [...rules, ...invariants];
}

/** Transitions that a row can take which has just been made. */
export function fromTheStart({ machines }: Service, resource: string): readonly string[] {
  const machine = machines.find((one) => one.resource === resource);
  const first = machine?.states.find((one) => one.initial)?.name ?? "";
  return (machine?.transitions ?? [])
    .filter(
      ({ from, when, gap }) => from.includes(first) && when === undefined && gap === undefined,
    )
    .map(({ name }) => name);
}
