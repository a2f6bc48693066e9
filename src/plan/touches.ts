/** Collects what steps, and what may follow them, may do to rows. */
import { never } from "../base/index.ts";
import type { Code, Type } from "../expr/index.ts";
import { hiddenRules } from "./hidden-rules.ts";
import type { References } from "./references.ts";
import { MARK } from "./row-gaps.ts";
import { everyStep } from "./step-kinds.ts";
import type { Field, Machine, Plan, Resource, Step, Transition } from "./types/index.ts";

/** What may be done to the rows of a resource. */
export interface Touch {
  /** Rows may be made. */
  readonly made: boolean;
  /** Rows may be deleted. */
  readonly gone: boolean;
  /** Names of fields that may be changed. */
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

/** The row that a name of the steps stands for: one of a resource, or the very row. */
interface Named {
  readonly resource: string;
  readonly isOwn: boolean;
}

type Names = ReadonlyMap<string, Named>;

function rowOf(type: Type): string | undefined {
  if (type.kind === "row") return type.resource;
  return type.kind === "nullable" || type.kind === "list" ? rowOf(type.of) : undefined;
}

function named(code: Code, names: Names): Named | undefined {
  if (code.op === "name" && names.has(code.name)) return names.get(code.name);
  const resource = rowOf(code.type);
  return resource === undefined ? undefined : { resource, isOwn: false };
}

/** The fields that change when one of some does, as the rules of the others state it. */
function changedWith(fields: readonly Field[], names: Iterable<string>): ReadonlySet<string> {
  const changed = new Set(names);
  for (let size = -1; size !== changed.size; ) {
    size = changed.size;
    for (const field of fields) {
      const follows = field.rules.some(
        (rule) =>
          (rule.kind === "set" &&
            (rule.onUpdate || rule.changes.some((one) => changed.has(one)))) ||
          (rule.kind === "counts up" && rule.onEveryChange),
      );
      if (follows || hiddenRules(field) !== undefined) changed.add(field.name);
    }
  }
  return changed;
}

/** Collects what one row's time may do. */
export class Effects {
  isExact: boolean;
  readonly own = untouched();
  readonly others = new Map<string, Writable>();
  /** The states that the row may have come to. */
  readonly states = new Set<string>();
  readonly #plan: Plan;
  readonly #references: References;
  readonly #done = new Set<string>();

  constructor(plan: Plan, references: References, { isExact = false } = {}) {
    this.#plan = plan;
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

  steps(steps: readonly Step[], given: Names): void {
    const names = new Map(given);
    for (const step of everyStep(steps)) this.#step(step, names);
  }

  #step(step: Step, names: Map<string, Named>): void {
    switch (step.kind) {
      case "let one":
        names.set(step.as, { resource: step.resource, isOwn: false });
        return;
      case "let":
        this.#bind(names, step.as, step.value.code);
        return;
      case "for each":
        this.#bind(names, step.as, step.in.code);
        return;
      case "create":
        this.made(step.resource);
        if (step.as !== undefined) names.set(step.as, { resource: step.resource, isOwn: false });
        return;
      case "delete every":
        this.gone({ resource: step.resource, isOwn: false });
        return;
      case "delete": {
        const row = names.get(step.target);
        return row === undefined ? this.anything() : this.gone(row);
      }
      case "set":
      case "set from": {
        const row = names.get(step.target);
        if (row === undefined) return this.anything();
        return this.changed(row, step.kind === "set" ? [step.field] : this.#given(row));
      }
      case "do":
        return this.#routine(step, names);
      case "fire":
        return this.#fire(step, names);
      case "gap":
        return this.anything();
      case "check":
      case "check tag":
      case "require":
      case "let every":
      case "order":
      case "page":
      case "page after":
      case "may fire":
      case "emit":
      case "call":
      case "respond":
      case "refuse":
      case "when":
      case "cases":
      case "any order":
        return;
      default:
        never(step);
    }
  }

  #bind(names: Map<string, Named>, name: string, code: Code): void {
    const row = named(code, names);
    if (row === undefined) names.delete(name);
    else names.set(name, row);
  }

  /** The fields that a client may change. */
  #given({ resource }: Named): readonly string[] {
    const fields = this.#resource(resource)?.fields ?? [];
    return fields.filter(({ update }) => update.is !== "no").map(({ name }) => name);
  }

  #resource(name: string): Resource | undefined {
    return this.#plan.resources.find((one) => one.name === name);
  }

  #routine(step: Extract<Step, { kind: "do" }>, names: Names): void {
    const routine = this.#plan.routines.find((one) => one.name === step.routine);
    const given = new Map<string, Named>();
    for (const { name, value } of step.with) {
      const row = value === undefined ? undefined : named(value.code, names);
      if (row !== undefined) given.set(name, row);
    }
    if (routine === undefined || !this.#isFirst("do", step.routine, [...given])) return;
    this.steps(routine.steps, given);
  }

  #fire({ transitions, on }: Extract<Step, { kind: "fire" }>, names: Names): void {
    const row = names.get(on);
    if (row === undefined) return this.anything();
    const machine = this.#plan.machines.find((one) => one.resource === row.resource);
    for (const one of machine?.transitions ?? []) {
      if (machine !== undefined && transitions.includes(one.name)) this.taken(machine, one, row);
    }
  }

  /** A transition is taken by a row. */
  taken(machine: Machine, transition: Transition, row: Named): void {
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
    for (const other of this.#plan.machines) {
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
  changed(row: Named, names: Iterable<string>): void {
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
    for (const machine of this.#plan.machines) {
      if (machine.resource !== resource) continue;
      for (const one of machine.transitions) if (isUnasked(one)) this.taken(machine, one, row);
    }
    if (this.#resource(resource)?.invariants.some(({ kind }) => kind === "kept for") === true) {
      this.gone(row);
    }
  }

  /** A row is deleted, and with it, or in what names it, others. */
  gone({ resource, isOwn }: Named): void {
    const touch = isOwn ? this.own : this.#other(resource);
    touch.gone = true;
    if (!this.#isFirst("gone", resource)) return;
    for (const { name, fields } of this.#plan.resources) {
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
    for (const { name, fields } of this.#plan.resources) {
      const touch = this.#other(name);
      touch.made = true;
      touch.gone = true;
      for (const field of fields) touch.fields.add(field.name);
    }
  }
}
