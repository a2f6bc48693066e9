/** Collects what steps, and what may follow them, may do to rows. */
import { never } from "../base/index.ts";
import type { References } from "./references.ts";
import { MARK } from "./row-gaps.ts";
import { everyStep } from "./step-kinds.ts";
import {
  bindRow,
  changedWith,
  type NamedRow,
  type OwnTouch,
  type RowNames,
  rowNamed,
  rowsGiven,
  touchOf,
} from "./step-rows.ts";
import type { Machine, Resource, Service, Step, Transition } from "./types/index.ts";

/** What may be done to the rows of a resource. */
export interface Touch {
  /** Rows may be made. */
  readonly made: boolean;
  /** Rows may be deleted. */
  readonly gone: boolean;
  /** RowNames of fields that may be changed. */
  readonly fields: ReadonlySet<string>;
}

/** What a time that comes for a row, or steps over it, may do, and what may come after it. */
export interface Doubt {
  /** Whether nothing else of the row can be changed by then; else what can change is not known. */
  readonly isExact: boolean;
  /** To the row itself. */
  readonly own: Touch;
  /** To other rows, by resource. */
  readonly others: ReadonlyMap<string, Touch>;
}

/** Whether it is taken without a request, so that nobody is told of a gap that it meets. */
export function isUnasked({ on }: Transition): boolean {
  return on.is !== "step" && on.is !== "transition";
}

type Writable = { made: boolean; gone: boolean; readonly fields: Set<string> };

const untouched = (): Writable => ({ made: false, gone: false, fields: new Set() });

/** Collects what one row's time may do. */
export class Effects {
  isExact: boolean;
  readonly own = untouched();
  readonly others = new Map<string, Writable>();
  /** The states that the row may have come to. */
  readonly states = new Set<string>();
  readonly #service: Service;
  readonly #references: References;
  readonly #done = new Set<string>();

  constructor(service: Service, references: References, { isExact = false } = {}) {
    this.#service = service;
    this.#references = references;
    this.isExact = isExact;
  }

  #other(resource: string): Writable {
    let found = this.others.get(resource);
    if (found === undefined) {
      found = untouched();
      this.others.set(resource, found);
    }
    return found;
  }

  #isFirst(...key: readonly unknown[]): boolean {
    const text = JSON.stringify(key);
    if (this.#done.has(text)) return false;
    this.#done.add(text);
    return true;
  }

  steps(steps: readonly Step[], given: RowNames): void {
    const names = new Map(given);
    for (const step of everyStep(steps)) this.#step(step, names);
  }

  #step(step: Step, names: Map<string, NamedRow>): void {
    const touch = touchOf(this.#service, step, names);
    if (touch !== undefined) this.#touched(touch);
    if (step.kind === "do") this.#routine(step, names);
    if (step.kind === "fire") this.#fire(step, names);
    if (step.kind === "gap") this.anything();
    bindRow(step, names);
  }

  #touched(touch: OwnTouch): void {
    const { row } = touch;
    if (row === undefined) return this.anything();
    switch (touch.is) {
      case "made":
        return this.made(row.resource);
      case "gone":
        return this.gone(row);
      case "changed":
        return this.changed(row, touch.fields);
      default:
        never(touch);
    }
  }

  #resource(name: string): Resource | undefined {
    return this.#service.resources.find((one) => one.name === name);
  }

  #routine(step: Extract<Step, { kind: "do" }>, names: RowNames): void {
    const routine = this.#service.routines.find((one) => one.name === step.routine);
    if (routine === undefined) return;
    const given = rowsGiven(routine, step, names);
    if (this.#isFirst("do", step.routine, [...given])) this.steps(routine.steps, given);
  }

  #fire({ transitions, on }: Extract<Step, { kind: "fire" }>, names: RowNames): void {
    const row = rowNamed(this.#service.resources, names, on);
    if (row === undefined) return this.anything();
    const machine = this.#service.machines.find((one) => one.resource === row.resource);
    for (const one of machine?.transitions ?? []) {
      if (machine !== undefined && transitions.includes(one.name)) this.taken(machine, one, row);
    }
  }

  /** A transition is taken by a row. */
  taken(machine: Machine, transition: Transition, row: NamedRow): void {
    const { id, name, then, to } = transition;
    if (!this.#isFirst("taken", id, row.isOwn)) return;
    const clocks = this.#resource(machine.resource)?.fields ?? [];
    this.changed(row, [
      machine.field,
      ...clocks.map((one) => one.name).filter((one) => one.startsWith("#") && one !== MARK),
    ]);
    const isHidden = then.some((step) => step.kind === "gap" && step.id === `${id}/to`);
    if (row.isOwn && !isHidden) this.states.add(to);
    if (row.isOwn && isHidden) for (const state of machine.states) this.states.add(state.name);
    // Which state follows is not shown: it is the row's own.
    const steps = then.filter((step) => step.kind !== "gap" || step.id !== `${id}/to`);
    this.steps(steps, new Map([["it", row]]));
    for (const other of this.#service.machines) {
      for (const one of other.transitions) {
        const { on } = one;
        if (on.is !== "transition" || on.transition !== name) continue;
        if (on.resource !== machine.resource) continue;
        const isSame = other.resource === machine.resource;
        this.taken(other, one, isSame ? row : { resource: other.resource, isOwn: false });
      }
    }
  }

  /** Fields of a row are set. */
  changed(row: NamedRow, names: Iterable<string>): void {
    const fields = changedWith(this.#resource(row.resource)?.fields ?? [], names);
    const touch = row.isOwn ? this.own : this.#other(row.resource);
    for (const one of fields) touch.fields.add(one);
    if (!row.isOwn) this.#later(row.resource);
  }

  made(resource: string): void {
    this.#other(resource).made = true;
    this.#later(resource);
  }

  /** A row that was made or changed may have times of its own that come since. */
  #later(resource: string): void {
    if (!this.#isFirst("later", resource)) return;
    const row = { resource, isOwn: false };
    for (const machine of this.#service.machines) {
      if (machine.resource !== resource) continue;
      for (const one of machine.transitions) if (isUnasked(one)) this.taken(machine, one, row);
    }
    if (this.#resource(resource)?.invariants.some(({ kind }) => kind === "kept for") === true) {
      this.gone(row);
    }
  }

  /** A row is deleted, and with it, or in what names it, others. */
  gone({ resource, isOwn }: NamedRow): void {
    const touch = isOwn ? this.own : this.#other(resource);
    touch.gone = true;
    if (!this.#isFirst("gone", resource)) return;
    for (const { name, fields } of this.#service.resources) {
      for (const field of fields) {
        if (!this.#references.named(field.type).has(resource)) continue;
        const other = { resource: name, isOwn: false };
        const rule = field.rules.find(({ kind }) => kind === "when gone");
        const action = rule?.kind === "when gone" ? rule.action : undefined;
        // Rules of a part within, or a gap, may say either.
        if (action === undefined || action === "deleted with it") this.gone(other);
        if (action !== "deleted with it" && action !== "refused") this.changed(other, [field.name]);
      }
    }
  }

  /** Steps that are not shown. */
  anything(): void {
    this.isExact = false;
    this.own.gone = true;
    for (const { name, fields } of this.#service.resources) {
      const touch = this.#other(name);
      touch.made = true;
      touch.gone = true;
      for (const field of fields) touch.fields.add(field.name);
    }
  }
}
