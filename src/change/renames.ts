/** What had another name in the first document: names of the second one, and what they were. */
import {
  type BaseType,
  clockField,
  type Field,
  hasClock,
  isScalar,
  isStated,
  type Machine,
  type Plan,
  type Resource,
  type Rule,
  type Transition,
  type ValueType,
} from "../plan/index.ts";
import type { Subject } from "./subject.ts";

/** A name of the second document, and what it was in the first. */
export interface Renamed {
  readonly subject: Subject;
  readonly from: string;
}

type Words = ReadonlyMap<string, string>;

/** Looks names up in both directions; what is not renamed has its own name. */
export class Renames {
  readonly #now: Plan;
  /** Both ways: what is renamed, as text, to the other name. */
  readonly #before = new Map<string, string>();
  readonly #after = new Map<string, string>();
  readonly #clocks = new Map<string, string>();
  readonly #words = new Map<string, Map<string, string>>();

  constructor(before: Plan, now: Plan, renamed: readonly Renamed[]) {
    this.#now = now;
    for (const { subject, from } of renamed) this.#note(subject, from);
    for (const { resource, transitions } of before.machines) {
      const own = this.#machineOf(resource);
      for (const [old, one] of this.#alike(resource, transitions, own?.transitions ?? [])) {
        this.#clocks.set(clockField(one), clockField(old));
      }
    }
  }

  #note(subject: Subject, from: string): void {
    if (subject.is === "word") {
      const holder = key("field", subject.holder, subject.field);
      const words = this.#words.get(holder) ?? new Map<string, string>();
      this.#words.set(holder, words.set(from, subject.word));
      return;
    }
    const [to, ...parents] = pathOf(subject);
    if (to === undefined) return;
    this.#before.set(key(subject.is, ...parents.toReversed(), to), from);
    this.#after.set(key(subject.is, ...parents.toReversed(), from), to);
  }

  /** The name that a resource of the second document had. */
  resource(now: string): string {
    return this.#before.get(key("resource", now)) ?? now;
  }

  /** The name that a resource of the first document has. */
  resourceNow(before: string): string {
    return this.#after.get(key("resource", before)) ?? before;
  }

  /** The name that a field had. `holder`: its resource or part, by the name of the second one. */
  field(holder: string, now: string): string {
    return this.#clocks.get(now) ?? this.#before.get(key("field", holder, now)) ?? now;
  }

  #fieldNow(holder: string, before: string): string {
    return this.#after.get(key("field", holder, before)) ?? before;
  }

  /** Words that values of a field were, and what they are; undefined: they are as they were. */
  words(holder: string, field: string): Words | undefined {
    return this.#words.get(key("field", holder, field));
  }

  /** The name that a webhook, call or event of the first document has. */
  nameNow(is: "webhook" | "call" | "event", before: string): string {
    return this.#after.get(key(is, before)) ?? before;
  }

  /** The first plan with the names of the second one, as far as what is kept depends on them. */
  plan(before: Plan): Plan {
    return {
      ...before,
      resources: before.resources.map((one) => this.#resource(one)),
      partTypes: before.partTypes.map((part) => ({
        ...part,
        fields: part.fields.map((one) => this.#field(part.name, one)),
      })),
      machines: before.machines.map((one) => this.#machine(one)),
      webhooks: before.webhooks.map((one) => {
        const { receivers } = one;
        const name = this.nameNow("webhook", one.name);
        if (!isStated(receivers)) return { ...one, name };
        const resource = this.resourceNow(receivers.value.resource);
        return {
          ...one,
          name,
          receivers: { ...receivers, value: { ...receivers.value, resource } },
        };
      }),
      calls: before.calls.map((one) => ({
        ...one,
        name: this.nameNow("call", one.name),
        given: one.given.map((each) => ({ ...each, type: this.#type(each.type, undefined) })),
      })),
    };
  }

  #resource(one: Resource): Resource {
    const name = this.resourceNow(one.name);
    const named = (field: string): string => this.#fieldNow(name, field);
    return {
      ...one,
      name,
      ...(one.key === undefined ? {} : { key: named(one.key) }),
      fields: one.fields.map((field) => this.#field(name, field)),
      invariants: one.invariants.map((each) =>
        each.kind === "unique" ? { ...each, fields: each.fields.map(named) } : each,
      ),
    };
  }

  #field(holder: string, one: Field): Field {
    const name = this.#fieldNow(holder, one.name);
    const rules = one.rules.map((rule): Rule => {
      if (rule.kind !== "unique" && rule.kind !== "counts up") return rule;
      return { ...rule, within: rule.within.map((each) => this.#fieldNow(holder, each)) };
    });
    return { ...one, name, rules, type: this.#type(one.type, this.words(holder, name)) };
  }

  #type(type: ValueType, words: Words | undefined): ValueType {
    return { ...type, type: this.#base(type.type, words) };
  }

  #base(type: BaseType, words: Words | undefined): BaseType {
    if (isScalar(type)) {
      if (type.kind !== "one of") return type;
      return { ...type, values: type.values.map((one) => words?.get(one) ?? one) };
    }
    switch (type.kind) {
      case "list":
      case "map":
        return { ...type, of: this.#type(type.of, words) };
      case "reference":
        return { ...type, resource: this.resourceNow(type.resource) };
      case "structure":
        return type;
    }
  }

  #machineOf(before: string): Machine | undefined {
    return this.#now.machines.find((one) => one.resource === this.resourceNow(before));
  }

  #machine(one: Machine): Machine {
    const resource = this.resourceNow(one.resource);
    const field = this.#fieldNow(resource, one.field);
    const words = this.words(resource, field);
    const named = (state: string): string => words?.get(state) ?? state;
    const own = this.#machineOf(one.resource)?.transitions ?? [];
    const alike = new Map(this.#alike(one.resource, one.transitions, own));
    return {
      ...one,
      resource,
      field,
      states: one.states.map((state) => ({ ...state, name: named(state.name) })),
      transitions: one.transitions.map((each) => ({
        ...each,
        id: alike.get(each)?.id ?? each.id,
        from: each.from.map(named),
        to: named(each.to),
      })),
    };
  }

  /** Transitions on time of both documents that are one: of those with one name, in their order. */
  #alike(
    resource: string,
    before: readonly Transition[],
    now: readonly Transition[],
  ): (readonly [Transition, Transition])[] {
    const left = now.filter(hasClock);
    return before.filter(hasClock).flatMap((old) => {
      const own = this.resourceNow(resource);
      const name = this.#after.get(key("transition", own, old.name)) ?? old.name;
      const at = left.findIndex((one) => one.name === name);
      const [one] = at < 0 ? [] : left.splice(at, 1);
      return one === undefined ? [] : [[old, one] as const];
    });
  }
}

const key = (...names: readonly string[]): string => JSON.stringify(names);

/** The name that is another, and those of what it stands in, the nearest first. */
function pathOf(subject: Subject): readonly string[] {
  switch (subject.is) {
    case "resource":
      return [subject.resource];
    case "field":
      return [subject.field, subject.holder];
    case "transition":
      return [subject.transition, subject.resource];
    case "webhook":
    case "call":
    case "event":
      return [subject.name];
    case "word":
    case "key":
    case "fixed":
    case "invariant":
      return [];
  }
}
