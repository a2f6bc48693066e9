/** Tells what is not known of rows when a time has come that met a gap: all that it may do. */
import { never } from "../base/index.ts";
import type { Code, Type } from "../expr/index.ts";
import { hiddenRules } from "./hidden-rules.ts";
import { References } from "./references.ts";
import { MARK } from "./row-gaps.ts";
import { everyStep } from "./step-kinds.ts";
import type { Field, ItemId, Machine, Plan, Resource, Step, Transition } from "./types/index.ts";

/** What may be done to the rows of a resource. */
export interface Touch {
  /** Rows may be made. */
  readonly made: boolean;
  /** Rows may be deleted. */
  readonly gone: boolean;
  /** Names of fields that may be changed. */
  readonly fields: ReadonlySet<string>;
}

/** What a time that comes for a row, or what may come after it for that row, may do. */
export interface Doubt {
  /** To the row itself. */
  readonly own: Touch;
  /** To other rows, by resource. */
  readonly others: ReadonlyMap<string, Touch>;
}

/** Whether it is taken without a request, so that nobody is told of a gap that it meets. */
function isUnasked({ on }: Transition): boolean {
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
class Effects {
  readonly own = untouched();
  readonly others = new Map<string, Writable>();
  /** The states that the row may have come to. */
  readonly states = new Set<string>();
  readonly #plan: Plan;
  readonly #references: References;
  readonly #done = new Set<string>();

  constructor(plan: Plan, references: References) {
    this.#plan = plan;
    this.#references = references;
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
    this.own.gone = true;
    for (const { name, fields } of this.#plan.resources) {
      const touch = this.#other(name);
      touch.made = true;
      touch.gone = true;
      for (const field of fields) touch.fields.add(field.name);
    }
  }
}

/** What may come of a transition that nobody asks for, and of those that may follow it. */
function ofTransition(plan: Plan, references: References, of: readonly Transition[]): Doubt {
  const effects = new Effects(plan, references);
  const [first] = of;
  const machine = plan.machines.find(
    ({ transitions }) => first !== undefined && transitions.includes(first),
  );
  if (machine === undefined) return effects;
  const row = { resource: machine.resource, isOwn: true };
  for (const one of of) {
    for (const state of one.from) effects.states.add(state);
    effects.taken(machine, one, row);
  }
  const later = machine.transitions.filter(isUnasked);
  for (let size = -1; size !== effects.states.size; ) {
    size = effects.states.size;
    for (const one of later) {
      if (one.from.some((state) => effects.states.has(state))) effects.taken(machine, one, row);
    }
  }
  return effects;
}

/** What is not known of rows when the time of one has met a gap. */
export interface Doubts {
  /** By transition that nobody asks for, and by invariant that says how long rows are kept. */
  readonly of: ReadonlyMap<ItemId, Doubt>;
  /** By resource, where it is not known which of its transitions was to be taken. */
  readonly ofAny: ReadonlyMap<string, Doubt>;
  /** Resource -> those of which a time that comes for a row may touch other rows of the first. */
  readonly doubters: ReadonlyMap<string, readonly string[]>;
}

function madeOf(plan: Plan): Doubts {
  const references = new References(plan.partTypes);
  const of = new Map<ItemId, Doubt>();
  const ofAny = new Map<string, Doubt>();
  const doubters = new Map<string, string[]>();
  const isDoubtful = plan.gaps.some((gap) => gap.blocking);
  for (const { name, invariants } of isDoubtful ? plan.resources : []) {
    const machine = plan.machines.find((one) => one.resource === name);
    const unasked = (machine?.transitions ?? []).filter(isUnasked);
    const own = unasked.map((one) => [one.id, ofTransition(plan, references, [one])] as const);
    const kept = invariants.flatMap((one) => {
      if (one.kind !== "kept for") return [];
      const effects = new Effects(plan, references);
      effects.gone({ resource: name, isOwn: true });
      return [[one.id, effects] as const];
    });
    for (const [id, doubt] of [...own, ...kept]) {
      of.set(id, doubt);
      for (const other of doubt.others.keys()) {
        const known = doubters.get(other) ?? [];
        if (!known.includes(name)) doubters.set(other, [...known, name]);
      }
    }
    ofAny.set(name, ofTransition(plan, references, unasked));
  }
  return { of, ofAny, doubters };
}

const known = new WeakMap<Plan, Doubts>();

/** Empty for a plan in which no time can meet a gap. */
export function doubtsOf(plan: Plan): Doubts {
  let found = known.get(plan);
  if (found === undefined) {
    found = madeOf(plan);
    known.set(plan, found);
  }
  return found;
}
