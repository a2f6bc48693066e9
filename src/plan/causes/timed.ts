/** What happens on time before a request looks at rows, by the rows that it changes. */
import { everyStep } from "../step-kinds.ts";
import type { ItemId, Machine, Service, Step, Transition } from "../types/index.ts";
import { isTimed } from "./kinds.ts";
import {
  givenIds,
  givenRows,
  type Place,
  routineRows,
  rowsNamed,
  stepUses,
  touchedBy,
} from "./steps.ts";
import { Uses } from "./uses.ts";

/** What one machine does on time. */
interface Done {
  readonly items: Set<ItemId>;
  /** Resources whose rows it makes or deletes, and fields that it changes. */
  readonly touched: Set<string>;
  /** What it looks at of them. */
  readonly due: Set<string>;
}

const stateOf = ({ resource, field }: Machine): string => `${resource}.${field}`;

/** The timed transitions of a service. */
export class Timed {
  readonly #service: Service;
  readonly #machines: readonly Done[];
  readonly #known = new Map<string, ReadonlySet<ItemId>>();

  constructor(service: Service) {
    this.#service = service;
    this.#machines = service.machines
      .filter(({ transitions }) => transitions.some(isTimed))
      .map((one) => this.#doneBy(one));
  }

  /** What determines a field, or which rows of a resource there are, beside requests. */
  #itemsOf(seen: string): ReadonlySet<ItemId> {
    const known = this.#known.get(seen);
    if (known !== undefined) return known;
    const found = new Set<ItemId>();
    const names = new Set([seen]);
    // What is done on time looks at rows, too, that others may have changed before.
    for (const name of names) {
      for (const { items, touched, due } of this.#machines) {
        if (!touched.has(name)) continue;
        for (const id of items) found.add(id);
        for (const one of due) names.add(one);
      }
    }
    this.#known.set(seen, found);
    return found;
  }

  /** All that a piece of a plan consults, with what has happened on time before. */
  all(uses: Uses, items: ReadonlySet<ItemId> = uses.items): ReadonlySet<ItemId> {
    if (uses.due.size === 0 || this.#machines.length === 0) return items;
    return new Set([...[...uses.due].flatMap((one) => [...this.#itemsOf(one)]), ...items]);
  }

  #doneBy(machine: Machine): Done {
    const uses = new Uses(this.#service);
    uses.add(machine.id);
    for (const key of uses.answer(machine.together) ?? []) uses.expression(key.by);
    const made: Done = { items: new Set(), touched: new Set([stateOf(machine)]), due: new Set() };
    const active = new Set<string>();
    for (const one of machine.transitions.filter(isTimed)) {
      uses.transition(one, machine.resource);
      this.#transition(machine, one, { made, active });
    }
    this.#take(uses, made);
    return made;
  }

  #take(uses: Uses, { items, due }: Done): void {
    for (const id of uses.items) items.add(id);
    for (const one of uses.due) due.add(one);
  }

  #transition(
    { resource }: Machine,
    { id, name, then }: Transition,
    at: { readonly made: Done; readonly active: Set<string> },
  ): void {
    if (at.active.has(id)) return;
    at.active.add(id);
    const uses = new Uses(this.#service);
    uses.changes(resource);
    this.#take(uses, at.made);
    this.#steps(then, new Map([["it", resource]]), at);
    for (const machine of this.#service.machines) {
      for (const one of machine.transitions) {
        if (one.on.is !== "transition" || one.on.transition !== name) continue;
        at.made.items.add(one.id);
        this.#transition(machine, one, at);
      }
    }
  }

  #steps(
    steps: readonly Step[],
    rows: Map<string, string>,
    at: { readonly made: Done; readonly active: Set<string> },
  ): void {
    const { machines, routines } = this.#service;
    const place: Place = { service: this.#service, endpoint: undefined, rows };
    for (const step of everyStep(steps)) {
      givenRows(step, rows);
      this.#take(stepUses(place, step), at.made);
      for (const one of touchedBy(place, step)) at.made.touched.add(one);
      if (step.kind === "fire") {
        const resource = rowsNamed(place, step.on);
        for (const machine of machines.filter((one) => one.resource === resource)) {
          const taken = machine.transitions.filter(({ name }) => step.transitions.includes(name));
          for (const one of taken) {
            at.made.items.add(one.id);
            at.made.touched.add(stateOf(machine));
            this.#transition(machine, one, at);
          }
        }
      }
      const routine =
        step.kind === "do" ? routines.find((one) => one.name === step.routine) : undefined;
      if (routine === undefined || at.active.has(routine.id)) continue;
      at.active.add(routine.id);
      for (const id of givenIds(routine)) at.made.items.add(id);
      const inside = new Map(rows);
      this.#steps(routine.steps, routineRows(routine, inside), at);
    }
  }
}
