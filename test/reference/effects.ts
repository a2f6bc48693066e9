/**
 * All that may come of a time which comes for a row: texts such as `Order gone`, `Order made` or
 * `Order.state`, of other rows by their resource, of the very row by `it`.
 */
import type { Code, Type } from "../../src/expr/index.ts";
import type { Machine, Plan, Step, Transition, ValueType } from "../../src/plan/index.ts";
import { resourceOf } from "./world.ts";

/** `it`, or the resource of some other row. */
type Who = string;

const OWN = "it";

/** Whether it is taken though nobody has asked for it. */
export function comesByItself({ on }: Transition): boolean {
  return !["step", "transition"].includes(on.is);
}

function rowType(type: Type): string | undefined {
  if (type.kind === "row") return type.resource;
  return type.kind === "list" || type.kind === "nullable" ? rowType(type.of) : undefined;
}

/** The resources of which values of a type name rows, at any depth. */
function namesIn(plan: Plan, { type }: ValueType, parts: readonly string[] = []): string[] {
  if (type.kind === "reference") return [type.resource];
  if (type.kind === "list" || type.kind === "map") return namesIn(plan, type.of, parts);
  if (type.kind !== "structure" || parts.includes(type.name)) return [];
  const part = plan.partTypes.find((one) => one.name === type.name);
  return (part?.fields ?? []).flatMap((one) => namesIn(plan, one.type, [...parts, type.name]));
}

class Effects {
  readonly found = new Set<string>();
  readonly states = new Set<string>();
  readonly plan: Plan;
  readonly resource: string;
  private readonly done = new Set<string>();

  constructor(plan: Plan, resource: string) {
    this.plan = plan;
    this.resource = resource;
  }

  private once(what: string): boolean {
    const isNew = !this.done.has(what);
    this.done.add(what);
    return isNew;
  }

  private of(who: Who): string {
    return who === OWN ? this.resource : who;
  }

  private machine(who: Who): Machine | undefined {
    return this.plan.machines.find((one) => one.resource === this.of(who));
  }

  take(who: Who, one: Transition): void {
    const machine = this.machine(who);
    if (machine === undefined || !this.once(`take ${who} ${one.id}`)) return;
    this.set(who, [machine.field]);
    const [hidden, rest] = [`${one.id}/to`, one.then];
    if (rest.some(({ id }) => id === hidden)) {
      if (who === OWN) for (const { name } of machine.states) this.states.add(name);
    } else if (who === OWN) this.states.add(one.to);
    this.walk(
      rest.filter(({ id }) => id !== hidden),
      new Map([["it", who]]),
    );
    for (const other of this.plan.machines) {
      for (const next of other.transitions) {
        const { on } = next;
        const follows =
          on.is === "transition" && on.transition === one.name && on.resource === this.of(who);
        if (follows) this.take(other.resource === this.of(who) ? who : other.resource, next);
      }
    }
  }

  set(who: Who, names: readonly string[]): void {
    for (const name of names) this.found.add(`${who}.${name}`);
    for (const { name, rules } of resourceOf(this.plan, this.of(who)).fields) {
      if (this.found.has(`${who}.${name}`)) continue;
      const follows = rules.some(
        (rule) =>
          rule.kind === "gap" ||
          (rule.kind === "counts up" && rule.onEveryChange) ||
          (rule.kind === "set" &&
            (rule.onUpdate || rule.changes.some((one) => this.found.has(`${who}.${one}`)))),
      );
      if (follows) this.set(who, [name]);
    }
    if (who !== OWN) this.goesOn(who);
  }

  make(resource: string): void {
    this.found.add(`${resource} made`);
    this.goesOn(resource);
  }

  /** Rows that were made or changed have times of their own. */
  private goesOn(resource: string): void {
    if (!this.once(`on ${resource}`)) return;
    for (const one of this.machine(resource)?.transitions ?? []) {
      if (comesByItself(one)) this.take(resource, one);
    }
    const { invariants } = resourceOf(this.plan, resource);
    if (invariants.some(({ kind }) => kind === "kept for")) this.remove(resource);
  }

  remove(who: Who): void {
    this.found.add(`${who} gone`);
    if (!this.once(`remove ${this.of(who)}`)) return;
    for (const { name, fields } of this.plan.resources) {
      for (const field of fields) {
        if (!namesIn(this.plan, field.type).includes(this.of(who))) continue;
        const rule = field.rules.find(({ kind }) => kind === "when gone");
        const action = rule?.kind === "when gone" ? rule.action : "not said here";
        if (["deleted with it", "not said here"].includes(action)) this.remove(name);
        if (!["deleted with it", "refused"].includes(action)) this.set(name, [field.name]);
      }
    }
  }

  anything(): void {
    this.found.add(`${OWN} gone`);
    for (const { name, fields } of this.plan.resources) {
      this.found.add(`${name} made`).add(`${name} gone`);
      for (const field of fields) this.found.add(`${name}.${field.name}`);
    }
  }

  private who(code: Code, names: ReadonlyMap<string, Who>): Who | undefined {
    return (code.op === "name" ? names.get(code.name) : undefined) ?? rowType(code.type);
  }

  walk(steps: readonly Step[], names: Map<string, Who>): void {
    for (const step of steps) this.step(step, names);
  }

  private step(step: Step, names: Map<string, Who>): void {
    const bind = (name: string | undefined, who: Who | undefined): void => {
      if (name !== undefined && who !== undefined) names.set(name, who);
    };
    const on = (name: string, act: (who: Who) => void): void => {
      const who = names.get(name);
      if (who === undefined) this.anything();
      else act(who);
    };
    switch (step.kind) {
      case "gap":
        return this.anything();
      case "let one":
        return bind(step.as, step.resource);
      case "let":
        return bind(step.as, this.who(step.value.code, names));
      case "create":
        this.make(step.resource);
        return bind(step.as, step.resource);
      case "delete every":
        return this.remove(step.resource);
      case "delete":
        return on(step.target, (who) => this.remove(who));
      case "set":
        return on(step.target, (who) => this.set(who, [step.field]));
      case "set from":
        return on(step.target, (who) => {
          const given = resourceOf(this.plan, this.of(who)).fields.filter(
            (one) => one.update.is !== "no",
          );
          this.set(
            who,
            given.map(({ name }) => name),
          );
        });
      case "fire":
        return on(step.on, (who) => {
          for (const one of this.machine(who)?.transitions ?? []) {
            if (step.transitions.includes(one.name)) this.take(who, one);
          }
        });
      case "do": {
        const given = new Map<string, Who>();
        for (const { name, value } of step.with) {
          const who = value === undefined ? undefined : this.who(value.code, names);
          if (who !== undefined) given.set(name, who);
        }
        const routine = this.plan.routines.find((one) => one.name === step.routine);
        if (this.once(`do ${step.routine} ${[...given].join(";")}`)) {
          this.walk(routine?.steps ?? [], given);
        }
        return;
      }
      case "when":
        this.walk(step.then, names);
        return this.walk(step.otherwise ?? [], names);
      case "cases":
        for (const one of step.cases) this.walk(one.steps, names);
        return;
      case "for each":
        bind(step.as, this.who(step.in.code, names));
        return this.walk(step.steps, names);
      case "any order":
        return this.walk(step.steps, names);
      default:
        return;
    }
  }
}

/** What may come of a transition, and of those that may come behind it. */
export function effectsOf(plan: Plan, resource: string, item: string): ReadonlySet<string> {
  const effects = new Effects(plan, resource);
  const machine = plan.machines.find((one) => one.resource === resource);
  const first = (machine?.transitions ?? []).filter(
    ({ id, on }) => id === item || (on.is === "call" && `${on.call} ${on.word}` === item),
  );
  if (first.length === 0) {
    // The end of its keeping.
    effects.remove(OWN);
    return effects.found;
  }
  for (const one of first) {
    for (const state of one.from) effects.states.add(state);
    effects.take(OWN, one);
  }
  for (let before = -1; before !== effects.states.size; ) {
    before = effects.states.size;
    for (const one of machine?.transitions ?? []) {
      const isNext = comesByItself(one) && one.from.some((state) => effects.states.has(state));
      if (isNext) effects.take(OWN, one);
    }
  }
  return effects.found;
}
