/**
 * Judges rows that another document has let in: a value by the code that reads inputs, a row by
 * the code that judges it when steps have ended.
 */
import {
  type BaseType,
  type Field,
  type ItemId,
  isDoneBy,
  isScalar,
  type Plan,
  type Rule,
  type ValueType,
} from "../../plan/index.ts";
import type { CompilerServices } from "../compile/services.ts";
import { Activation, Scope } from "../context/activation.ts";
import type { ResourceInfo } from "../context/model.ts";
import { Transaction } from "../context/transaction.ts";
import { EvaluationFault, GapFault } from "../evaluate/index.ts";
import type { Ambient, KeptJudges, KeptValues, KeyOf, Row, Value } from "../ports/index.ts";
import { compileIn } from "../query/expression.ts";
import { FailureCollector } from "../read/failure-collector.ts";
import { keyField, type Names, namesOf } from "../read/names.ts";
import { compileValue } from "../read/value.ts";
import { compileJudge, type Judge } from "../rows/invariants.ts";
import { sameStored, storedOf } from "../rows/stored.ts";
import { compileWriter } from "../show/scalar.ts";
import type { Json } from "../wire/json.ts";
import { parseJson } from "../wire/parse.ts";
import { Wrong } from "../wire/wrong.ts";

/** Rows that one transaction holds by identity. */
const ROWS_MAX = 1000;

/** Whether a rule says something of a value alone that is kept: it is judged when it is read. */
function isOfKept(rule: Rule): boolean {
  return isDoneBy(rule, "reading") && rule.kind !== "absent means" && rule.kind !== "gap";
}

const EXACT = { is: "stated", id: "", value: "microseconds" } as const;

function scalarText(type: BaseType, isHashed: boolean): BaseType {
  if (type.kind === "integer" || type.kind === "decimal") return { ...type, wire: "number" };
  if (type.kind === "timestamp") return { ...type, wire: "rfc3339", precision: EXACT };
  return type.kind === "secret" && isHashed ? { kind: "string" } : type;
}

/** How a value of a type is written, and read again: exactly, whatever clients are sent. */
class Texts {
  readonly #names: Names;

  constructor(names: Names) {
    this.#names = names;
  }

  type(type: ValueType, isHashed: boolean): ValueType {
    return { ...type, type: this.#base(type.type, isHashed) };
  }

  #base(type: BaseType, isHashed: boolean): BaseType {
    if (isScalar(type)) return scalarText(type, isHashed);
    switch (type.kind) {
      case "list":
      case "map":
        return { ...type, of: this.type(type.of, isHashed) };
      case "structure":
        return type;
      case "reference": {
        const key = keyField(this.#names, type.resource);
        const isKnown = key !== undefined && key.type.type.kind !== "reference";
        return isKnown ? this.#base(key.type.type, false) : type;
      }
    }
  }

  field(field: Field): Field {
    const isHashed = field.rules.some((one) => one.kind === "kept as" && one.hash.kind !== "plain");
    const rules = field.rules.filter((one) => isOfKept(one) && !isHashed);
    return { ...field, type: this.type(field.type, isHashed), rules };
  }
}

/** A value as a client would name it: rows by their keys, secrets by what is kept of them. */
function named(type: ValueType, value: Value, names: Names, keyOf: KeyOf): Value {
  const { type: base } = type;
  if (value === null || value === undefined) return value;
  if (typeof value === "object" && "keptText" in value) return value.keptText;
  if (isScalar(base)) return value;
  switch (base.kind) {
    case "reference":
      return keyOf(base.resource, value as number);
    case "list":
      return (value as readonly Value[]).map((one) => named(base.of, one, names, keyOf));
    case "map":
      return members(value, () => base.of, names, keyOf);
    case "structure": {
      const fields = names.parts.get(base.name)?.fields ?? [];
      const types = new Map(fields.map((one) => [one.name, one.type]));
      return members(value, (name) => types.get(name), names, keyOf);
    }
  }
}

function members(
  value: Value,
  typeOf: (name: string) => ValueType | undefined,
  names: Names,
  keyOf: KeyOf,
): Value {
  const found = new Map<string, Value>();
  for (const [name, one] of value as ReadonlyMap<string, Value>) {
    const type = typeOf(name);
    if (one !== undefined) found.set(name, type ? named(type, one, names, keyOf) : one);
  }
  return found;
}

/** The value as JSON of a type without references. */
function toJson({ type }: ValueType, value: Value, names: Names): Json {
  if (value === null || value === undefined) return null;
  if (isScalar(type)) return scalarJson(type, value);
  switch (type.kind) {
    case "list":
      return (value as readonly Value[]).map((one) => toJson(type.of, one, names));
    case "map":
      return jsonMembers(value, () => type.of, names);
    case "structure": {
      const fields = names.parts.get(type.name)?.fields ?? [];
      const types = new Map(fields.map((one) => [one.name, one.type]));
      return jsonMembers(value, (name) => types.get(name), names);
    }
    case "reference":
      return String(value);
  }
}

function jsonMembers(
  value: Value,
  typeOf: (name: string) => ValueType | undefined,
  names: Names,
): Json {
  const found = new Map<string, Json>();
  for (const [name, one] of value as ReadonlyMap<string, Value>) {
    const type = typeOf(name);
    if (type !== undefined) found.set(name, toJson(type, one, names));
  }
  return found;
}

function scalarJson(type: BaseType, value: Value): Json {
  const parsed = parseJson(compileWriter({ type, orNull: false, orAbsent: false })(value));
  if (!parsed.ok) throw new Error(`a value of ${type.kind} is written as no JSON`);
  return parsed.value;
}

/** What the code of rules sees besides the value. */
type Around = Pick<Ambient, "now" | "settings" | "digest">;

class Values {
  readonly #stated: Names;
  readonly #names: Names;
  readonly #texts: Texts;

  constructor(plan: Plan) {
    this.#stated = namesOf(plan);
    this.#texts = new Texts(this.#stated);
    const partTypes = plan.partTypes.map((part) => ({
      ...part,
      fields: part.fields.map((one) => this.#texts.field(one)),
    }));
    this.#names = namesOf({ ...plan, partTypes });
  }

  /** `rule`: of the field, besides its type. */
  compile(
    resource: string,
    stated: Field,
    rule: ItemId | undefined,
    around: Around,
  ): (value: Value, keyOf: KeyOf) => boolean {
    const { type, name, rules: all } = this.#texts.field(stated);
    const holder = `${resource}.${name}`;
    const rules = all.filter(({ id }) => id === rule);
    const read = compileValue({ type, rules, form: "json", told: "said", holder }, this.#names);
    return (value, keyOf) => {
      if (value === undefined) return type.orAbsent;
      const given = named(stated.type, value, this.#stated, keyOf);
      const sink = new FailureCollector(around, new Set());
      const found = read(toJson(type, given, this.#names), sink);
      if (found instanceof Wrong || sink.failures(true).length > 0) return false;
      return sameStored(given, found);
    };
  }
}

/** The judge of a condition that a rule states of a field's value. */
function conditionJudges(services: CompilerServices, info: ResourceInfo, item: ItemId): Judge[] {
  return info.fields.flatMap((field, place) =>
    field.rules.flatMap((rule) => {
      if (rule.id !== item || rule.kind !== "holds") return [];
      const scope = new Scope(services.model);
      const slot = scope.slot("value");
      const holds = compileIn(scope, rule.condition.code);
      const judge: Judge = (tx, row) => {
        const value = row.values[place];
        if (value === null || value === undefined) return undefined;
        const activation = new Activation(scope, tx).seeingAll();
        activation.set(slot, value);
        return holds(activation) === true ? undefined : { is: "fault", message: rule.id };
      };
      return [judge];
    }),
  );
}

/** The judges of one plan. `ambient`: what the code of rules and invariants sees. */
export function compileKept(services: CompilerServices, ambient: Ambient): KeptJudges & KeptValues {
  const { model } = services;
  const values = new Values(model.plan);
  return {
    value: (resource, name, rule) => {
      const field = model.info(resource).fields.find((one) => one.name === name);
      if (field === undefined) throw new Error(`${resource} has no field ${name}`);
      return values.compile(resource, field, rule, ambient);
    },
    evaluate: (code) => {
      const scope = new Scope(model);
      const slot = scope.slot("it");
      const value = compileIn(scope, code);
      return (session, row) => {
        const tx = new Transaction({ model, session, ambient, isRaw: true });
        return value(new Activation(scope, tx).seeingAll().set(slot, tx.identify(row)));
      };
    },
    stored: (resource, name) => {
      const field = model.info(resource).fields.find((one) => one.name === name);
      if (field === undefined) throw new Error(`${resource} has no field ${name}`);
      const stored = storedOf(model, field);
      return (session, value) => {
        return stored(new Transaction({ model, session, ambient, isRaw: true }), value);
      };
    },
    row: (session, resource, item) => {
      const info = model.info(resource);
      const own = compileJudge(services, info, item);
      const judges = own === undefined ? conditionJudges(services, info, item) : [own];
      return holding(judges, () => new Transaction({ model, session, ambient, isRaw: true }));
    },
  };
}

/** A row for which a judge finds nothing; one that meets a gap, or a fault, does not hold. */
function holding(judges: readonly Judge[], begin: () => Transaction): (row: Row) => boolean {
  let tx = begin();
  let count = 0;
  return (row) => {
    if (++count % ROWS_MAX === 0) tx = begin();
    try {
      return judges.every((judge) => judge(tx, tx.identify(row)) === undefined);
    } catch (thrown) {
      if (thrown instanceof GapFault || thrown instanceof EvaluationFault) return false;
      throw thrown;
    }
  };
}
