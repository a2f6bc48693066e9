/** What may come of a row: what refuses it when it was touched, and what a new one can do. */
import type { Resource, Service } from "../types/index.ts";
import { keepersOf, referredIn } from "./kinds.ts";
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

/** What refuses that a row of the resource goes, or those that go with it. */
export function refusalsOfGone(
  service: Service,
  name: string,
  known: Set<string> = new Set(),
): Refused[] {
  if (known.has(name)) return [];
  known.add(name);
  const resource = service.resources.find((one) => one.name === name);
  const own = (resource?.invariants ?? []).flatMap((one): Refused[] =>
    one.kind === "deleted refused" ? [{ id: one.id, refusal: one.otherwise }] : [],
  );
  const others = [...service.resources, ...service.partTypes].flatMap((other) =>
    other.fields
      .filter(({ type }) => referredIn(type).includes(name))
      .flatMap(({ rules }) =>
        rules.flatMap((rule): Refused[] => {
          if (rule.kind !== "when gone") return [];
          const { id, action, otherwise } = rule;
          if (otherwise !== undefined) return [{ id, refusal: otherwise }];
          if (action !== "deleted with it") return [];
          return keepersOf(service, other.name).flatMap((one) =>
            refusalsOfGone(service, one, known),
          );
        }),
      ),
  );
  return [...own, ...others];
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
