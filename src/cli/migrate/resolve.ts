/** Resolves decisions against both plans: names, and the types of expressions. */
import { nearest } from "../../base/index.ts";
import type { Subject } from "../../change/index.ts";
import { check, type Environment, type Member, type Type } from "../../expr/index.ts";
import {
  type BaseType,
  type Field,
  hasClock,
  isScalar,
  type Plan,
  scalarType,
  type ValueType,
} from "../../plan/index.ts";
import type { Decision } from "../../serve/index.ts";
import type { Said, Wrong } from "./read.ts";

const NO_FACTS = { present: new Set<string>(), notNull: new Set<string>(), bounds: new Map() };

/** The static type of values that are kept. `resource`: the name that a resource has there. */
function typeOf({ type, orNull }: ValueType, resource: (name: string) => string): Type {
  const base = baseOf(type, resource);
  return orNull ? { kind: "nullable", of: base } : base;
}

function baseOf(type: BaseType, resource: (name: string) => string): Type {
  if (isScalar(type)) return scalarType(type, () => []);
  switch (type.kind) {
    case "list":
    case "map":
      return { kind: type.kind, of: typeOf(type.of, resource) };
    case "reference":
      return { kind: "row", resource: resource(type.resource) };
    case "structure":
      return { kind: "object", name: `part:${type.name}` };
  }
}

const itself = (name: string): string => name;

function membersOf(fields: readonly Field[]): ReadonlyMap<string, Member> {
  return new Map(
    fields.map((one): [string, Member] => [
      one.name,
      { type: typeOf(one.type, itself), absent: one.type.orAbsent },
    ]),
  );
}

/** What an expression over a row of the first document sees. */
function environmentOf({ resources, partTypes, about }: Plan, resource: string): Environment {
  const settings = new Map(
    about.settings.map((one): [string, Member] => [
      one.name,
      { type: typeOf(one.type, itself), absent: one.type.orAbsent },
    ]),
  );
  return {
    names: new Map<string, Type>([
      ["it", { kind: "row", resource }],
      ["now", { kind: "timestamp" }],
      ["setting", { kind: "object", name: "setting" }],
    ]),
    collections: new Map(
      resources.flatMap(({ name, many }) => (many === undefined ? [] : [[many, name]])),
    ),
    members: ({ kind, name }) => {
      if (kind === "row") {
        const found = resources.find((one) => one.name === name);
        return found && membersOf(found.fields);
      }
      if (name === "setting") return settings;
      const part = partTypes.find((one) => `part:${one.name}` === name);
      return part && membersOf(part.fields);
    },
  };
}

interface Holder {
  readonly name: string;
  readonly fields: readonly Field[];
}

/** The resource or part of that name. */
function holderIn({ resources, partTypes }: Plan, name: string): Holder | undefined {
  return [...resources, ...partTypes].find((one) => one.name === name);
}

/** Resolves all that a file says. */
class Resolving {
  readonly wrong: Wrong[] = [];
  readonly #before: Plan;
  readonly #now: Plan;
  readonly #resources: ReadonlyMap<string, string>;

  constructor(before: Plan, now: Plan, said: readonly Said[]) {
    this.#before = before;
    this.#now = now;
    this.#resources = new Map(
      said.flatMap(({ subject, what }) =>
        subject.is === "resource" && what.is === "renamed" ? [[subject.resource, what.from]] : [],
      ),
    );
  }

  decision(said: Said): Decision[] {
    const { subject, what } = said;
    switch (what.is) {
      case "open":
        return [];
      case "renamed": {
        if (!this.#isIn(said, this.#namesNow(subject), nameOf(subject), "second")) return [];
        const from = { ...said, at: what.at };
        if (!this.#isIn(from, this.#namesBefore(subject), what.from, "first")) return [];
        return [{ subject, what: { is: "renamed", from: what.from } }];
      }
      case "dropped":
        if (!this.#isIn(said, this.#namesBefore(subject), nameOf(subject), "first")) return [];
        if (this.#namesNow(subject)?.includes(nameOf(subject)) === true) {
          return this.#say(said, "It stands in the second document: it cannot be dropped.");
        }
        return [{ subject, what }];
      case "value":
        return this.#value(said, what);
    }
  }

  #say({ at }: Pick<Said, "at">, message: string): [] {
    this.wrong.push({ at, message });
    return [];
  }

  #isIn(
    said: Pick<Said, "at">,
    names: readonly string[] | undefined,
    name: string,
    which: "first" | "second",
  ): boolean {
    if (names === undefined) {
      this.#say(said, `The ${which} document has nothing that it could belong to.`);
      return false;
    }
    if (names.includes(name)) return true;
    const near = nearest(name, names);
    const hint = near === undefined ? "" : ` Did you mean \`${near}\`?`;
    this.#say(said, `The ${which} document has no \`${name}\` there.${hint}`);
    return false;
  }

  /** The name that the resource of a subject has in the first document. */
  #was(resource: string): string {
    return this.#resources.get(resource) ?? resource;
  }

  #namesNow(subject: Subject): readonly string[] | undefined {
    return namesIn(this.#now, subject, itself);
  }

  #namesBefore(subject: Subject): readonly string[] | undefined {
    return namesIn(this.#before, subject, (name) => this.#was(name));
  }

  #value(said: Said, { text: code }: Extract<Said["what"], { is: "value" }>): Decision[] {
    const { subject } = said;
    const [resource, type] = this.#valued(subject) ?? [];
    if (resource === undefined || type === undefined) {
      return this.#say(said, "Only a field of a resource, or a transition on time, has a value.");
    }
    if (!this.#partsAreSame(type)) {
      return this.#say(said, "It holds a part that is another now: decide on the part's members.");
    }
    const environment = environmentOf(this.#before, this.#was(resource));
    const expected = typeOf(type, (name) => this.#was(name));
    const checked = check(code.text, environment, NO_FACTS, expected);
    for (const { message, hint, start, end } of checked.problems) {
      const at = { start: code.contentStart + start, end: code.contentStart + end };
      this.#say({ at }, hint === undefined ? `${message}.` : `${message}: ${hint}`);
    }
    if (checked.code === undefined) return [];
    return [{ subject, what: { is: "value", code: checked.code } }];
  }

  /** The resource of the second document whose rows get the value, and its type. */
  #valued(subject: Subject): readonly [string, ValueType] | undefined {
    if (subject.is === "field") {
      const resource = this.#now.resources.find((one) => one.name === subject.holder);
      const field = resource?.fields.find((one) => one.name === subject.field);
      return resource && field && [resource.name, field.type];
    }
    if (subject.is !== "transition") return undefined;
    const machine = this.#now.machines.find((one) => one.resource === subject.resource);
    const found = machine?.transitions.some(
      (one) => hasClock(one) && one.name === subject.transition,
    );
    return found === true ? [subject.resource, MOMENT] : undefined;
  }

  /** Whether the parts inside are written alike in both documents. */
  #partsAreSame({ type }: ValueType): boolean {
    if (isScalar(type) || type.kind === "reference") return true;
    if (type.kind !== "structure") return this.#partsAreSame(type.of);
    const of = (plan: Plan): string =>
      JSON.stringify(
        plan.partTypes
          .find((one) => one.name === type.name)
          ?.fields.map((one) => [one.name, one.type]),
      );
    return of(this.#before) === of(this.#now);
  }
}

const MOMENT: ValueType = {
  type: {
    kind: "timestamp",
    wire: "rfc3339",
    precision: { is: "stated", id: "", value: "microseconds" },
  },
  orNull: true,
  orAbsent: false,
};

function nameOf(subject: Subject): string {
  switch (subject.is) {
    case "resource":
    case "key":
    case "fixed":
    case "invariant":
      return subject.resource;
    case "field":
      return subject.field;
    case "word":
      return subject.word;
    case "transition":
      return subject.transition;
    case "webhook":
    case "call":
    case "event":
      return subject.name;
  }
}

/** Names that stand where the subject does; undefined: there is no such place. */
function namesIn(
  plan: Plan,
  subject: Subject,
  was: (resource: string) => string,
): readonly string[] | undefined {
  const named = (all: readonly { readonly name: string }[] | undefined) =>
    all?.map(({ name }) => name);
  switch (subject.is) {
    case "resource":
    case "key":
    case "fixed":
    case "invariant":
      return named(plan.resources);
    case "field":
      return named(holderIn(plan, was(subject.holder))?.fields);
    case "word":
      return wordsIn(plan, was(subject.holder), subject.field);
    case "transition":
      return named(
        plan.machines.find((one) => one.resource === was(subject.resource))?.transitions,
      );
    case "webhook":
      return named(plan.webhooks);
    case "call":
      return named(plan.calls);
    case "event":
      return named(plan.events);
  }
}

function wordsIn(plan: Plan, holder: string, name: string): readonly string[] | undefined {
  const machine = plan.machines.find((one) => one.resource === holder && one.field === name);
  if (machine !== undefined) return machine.states.map((one) => one.name);
  let type = holderIn(plan, holder)?.fields.find((one) => one.name === name)?.type.type;
  while (type?.kind === "list" || type?.kind === "map") type = type.of.type;
  return type?.kind === "one of" ? type.values : undefined;
}

/** The decisions, and what is wrong with them. */
export function resolveDecisions(
  before: Plan,
  now: Plan,
  said: readonly Said[],
): { readonly decisions: readonly Decision[]; readonly wrong: readonly Wrong[] } {
  const resolving = new Resolving(before, now, said);
  const decisions = said.flatMap((one) => resolving.decision(one));
  return { decisions, wrong: resolving.wrong };
}
