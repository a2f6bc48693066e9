/** What happens on time before a request looks at rows, by the rows that it changes. */
import { References } from "../references.ts";
import { everyStep } from "../step-kinds.ts";
import { bindRow, type NamedRow, rowsGiven } from "../step-rows.ts";
import { Effects } from "../touches.ts";
import type { ItemId, Machine, Resource, Service, Step, Transition } from "../types/index.ts";
import { isTimed } from "./kinds.ts";
import { givenIds, type Place, resourceNamed, stepUses } from "./steps.ts";
import { Uses } from "./uses.ts";

/** What one machine does on time, or the time for which rows of a resource are kept. */
interface Done {
  readonly items: ReadonlySet<ItemId>;
  /** Resources whose rows it makes or deletes, and fields that it changes. */
  readonly touched: ReadonlySet<string>;
  /** What it looks at of them. */
  readonly due: ReadonlySet<string>;
}

/** What has been found of it so far. */
interface At {
  readonly items: Set<ItemId>;
  readonly due: Set<string>;
  /** Transitions and routines that were walked. */
  readonly active: Set<string>;
}

/** By name: `R` where rows are made or deleted, `R.field` where that is changed. */
function touchedBy({ others }: Effects): ReadonlySet<string> {
  return new Set(
    [...others].flatMap(([resource, { made, gone, fields }]) => [
      ...(made || gone ? [resource] : []),
      ...[...fields].map((one) => `${resource}.${one}`),
    ]),
  );
}

/** The timed transitions of a service. */
export class Timed {
  readonly #service: Service;
  readonly #references: References;
  readonly #all: readonly Done[];
  readonly #known = new Map<string, ReadonlySet<ItemId>>();

  constructor(service: Service) {
    this.#service = service;
    this.#references = new References(service.partTypes);
    const timed = service.machines.filter(({ transitions }) => transitions.some(isTimed));
    this.#all = [
      ...timed.map((one) => this.#doneBy(one)),
      ...service.resources.flatMap((one) => this.#goneOf(one)),
    ];
  }

  /** What determines a field, or which rows of a resource there are, beside requests. */
  #itemsOf(seen: string): ReadonlySet<ItemId> {
    const known = this.#known.get(seen);
    if (known !== undefined) return known;
    const found = new Set<ItemId>();
    const names = new Set([seen]);
    // What is done on time looks at rows, too, that others may have changed before.
    for (const name of names) {
      for (const { items, touched, due } of this.#all) {
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
    if (uses.due.size === 0 || this.#all.length === 0) return items;
    return new Set([...[...uses.due].flatMap((one) => [...this.#itemsOf(one)]), ...items]);
  }

  #doneBy(machine: Machine): Done {
    const uses = new Uses(this.#service);
    uses.add(machine.id);
    for (const key of uses.answer(machine.together) ?? []) uses.expression(key.by);
    const row = { resource: machine.resource, isOwn: false };
    const effects = new Effects(this.#service, this.#references);
    const made: At = { items: new Set(), due: new Set(), active: new Set() };
    for (const one of machine.transitions.filter(isTimed)) {
      uses.transition(one, machine.resource);
      this.#transition(machine, one, made);
      effects.taken(machine, one, row);
    }
    this.#take(uses, made);
    return { items: made.items, due: made.due, touched: touchedBy(effects) };
  }

  /** Rows go when they have been kept for as long as is stated, and others with them. */
  #goneOf({ name, invariants }: Resource): Done[] {
    const kept = invariants.filter(({ kind }) => kind === "kept for");
    if (kept.length === 0) return [];
    const uses = new Uses(this.#service);
    uses.add(...kept.map(({ id }) => id));
    uses.finds(name);
    uses.deletes(name);
    const effects = new Effects(this.#service, this.#references);
    effects.gone({ resource: name, isOwn: false });
    return [{ items: new Set(uses.items), due: new Set(uses.due), touched: touchedBy(effects) }];
  }

  #take(uses: Uses, { items, due }: At): void {
    for (const id of uses.items) items.add(id);
    for (const one of uses.due) due.add(one);
  }

  #transition({ resource }: Machine, { id, name, then }: Transition, at: At): void {
    if (at.active.has(id)) return;
    at.active.add(id);
    const uses = new Uses(this.#service);
    uses.changes(resource);
    this.#take(uses, at);
    this.#steps(then, new Map([["it", { resource, isOwn: false }]]), at);
    for (const machine of this.#service.machines) {
      for (const one of machine.transitions) {
        if (one.on.is !== "transition" || one.on.transition !== name) continue;
        at.items.add(one.id);
        this.#transition(machine, one, at);
      }
    }
  }

  #steps(steps: readonly Step[], rows: Map<string, NamedRow>, at: At): void {
    const { machines, routines } = this.#service;
    const place: Place = { service: this.#service, endpoint: undefined, rows };
    for (const step of everyStep(steps)) {
      bindRow(step, rows);
      this.#take(stepUses(place, step), at);
      if (step.kind === "fire") {
        const resource = resourceNamed(place, step.on);
        for (const machine of machines.filter((one) => one.resource === resource)) {
          const taken = machine.transitions.filter(({ name }) => step.transitions.includes(name));
          for (const one of taken) {
            at.items.add(one.id);
            this.#transition(machine, one, at);
          }
        }
      }
      const routine =
        step.kind === "do" ? routines.find((one) => one.name === step.routine) : undefined;
      if (step.kind !== "do" || routine === undefined || at.active.has(routine.id)) continue;
      at.active.add(routine.id);
      for (const id of givenIds(routine)) at.items.add(id);
      this.#steps(routine.steps, rowsGiven(routine, step, rows), at);
    }
  }
}
