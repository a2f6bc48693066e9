/** Compiles the reader of any type with its rules: lists, maps, parts, scalars, absent or null. */
import { type BaseType, isScalar, type Part, type Rule } from "../../plan/index.ts";
import type { Value } from "../ports/index.ts";
import type { Json } from "../wire/json.ts";
import { isJsonObject } from "../wire/json.ts";
import { itemsIn } from "../wire/nested.ts";
import { passed } from "../wire/passed.ts";
import { NULL, TOLD, WRONG_TYPE, Wrong } from "../wire/wrong.ts";
import type { FailureCollector } from "./failure-collector.ts";
import { compileMembers, fieldMembers } from "./members.ts";
import type { Form, Names, Read, ReadSpec } from "./names.ts";
import { compileRules } from "./rules.ts";
import { scalarReader } from "./scalar.ts";
import { schemaReader } from "./schema.ts";

/**
 * The compiled reader of a type with its rules. It gives undefined where the value is absent (or
 * counts as absent) and no rule says what absence means; whether it had to be there is judged by
 * who asks.
 */
export function compileValue(spec: ReadSpec, names: Names): Read {
  const { type } = spec;
  const rules = compileRules(rulesOf(spec), type, names, spec.merged);
  const read = typeReader(spec, names);
  const { before, after, whenAbsent } = rules;
  const { kind } = type.type;
  const hasNull = type.orNull || kind === "json" || (spec.removable === true && type.orAbsent);
  // Whether null is a value is for the schema to say.
  const judgesNull = kind === "schema" && !hasNull;
  return (raw, sink) => {
    let given = raw;
    for (const change of before) {
      if (given === undefined || given === null) break;
      const changed: Json | undefined | Wrong = change(given);
      if (changed instanceof Wrong) return changed;
      given = changed;
    }
    if (given === undefined) return whenAbsent?.(sink.around);
    if (given === null && !judgesNull) return hasNull ? null : NULL;
    let value = read(given, sink);
    for (const act of after) {
      if (value instanceof Wrong || value === undefined || value === null) break;
      value = act(value, sink);
    }
    if (value === undefined) return whenAbsent?.(sink.around);
    return value === null && !hasNull && !judgesNull ? NULL : value;
  };
}

const OF_THE_WHOLE: ReadonlySet<Rule["kind"]> = new Set<Rule["kind"]>([
  "items",
  "not empty",
  "at least one member",
  "holds",
]);

/** The rules judged on what is sent: those of a value that is merged are judged on the result. */
function rulesOf({ type: { type }, rules, merged }: ReadSpec): readonly Rule[] {
  const merges = type.kind === "map" || type.kind === "structure" || type.kind === "json";
  return merged && merges ? rules.filter((rule) => !OF_THE_WHOLE.has(rule.kind)) : rules;
}

const REPEATED = new Wrong("repeated member");

type ReadPresent = (raw: Json, sink: FailureCollector) => Value | Wrong;

function typeReader(spec: ReadSpec, names: Names): ReadPresent {
  const { type } = spec.type;
  if (type.kind === "schema") return schemaReader(type.name, names, spec.form);
  if (isScalar(type)) return scalar(spec, names);
  switch (type.kind) {
    case "list":
      return listReader(
        compileValue({ ...spec, type: type.of, rules: [], merged: false }, names),
        spec.form,
      );
    case "map":
      return mapReader(compileValue({ ...spec, type: type.of, rules: [] }, names), spec.merged);
    case "structure":
      return structureReader(type, spec, names);
    case "reference":
      return scalar(spec, names);
  }
}

function scalar(spec: ReadSpec, names: Names): ReadPresent {
  const reader = scalarReader(spec.type.type, names, spec.holder);
  if (!reader) throw new Error(`no scalar: ${spec.type.type.kind}`);
  const { text } = reader;
  if (spec.form === "json") return reader.json;
  return (raw) => {
    if (typeof raw === "string") return text(raw);
    return raw instanceof Map ? WRONG_TYPE : REPEATED;
  };
}

/** A list in a query or a form is given by repeating its name: one value alone is one item. */
function listReader(item: Read, form: Form): ReadPresent {
  return (sent, sink) => {
    const raw = form === "text" ? textItems(sent) : sent;
    if (!Array.isArray(raw)) return WRONG_TYPE;
    const values: Value[] = [];
    let told = false;
    for (const [i, one] of (raw as readonly Json[]).entries()) {
      sink.enter(i);
      const value = item(one, sink);
      if (value instanceof Wrong) {
        told = true;
        if (value !== TOLD) sink.wrong(value);
      } else values.push(value);
      sink.leave();
    }
    return told ? TOLD : values;
  };
}

/** The items of a list as texts, or as names that nest. */
function textItems(sent: Json): Json | undefined {
  if (typeof sent === "string") return [sent];
  return isJsonObject(sent) ? itemsIn(sent) : sent;
}

/** `merged`: a member that is null is to be taken away (RFC 7396). */
function mapReader(member: Read, merged = false): ReadPresent {
  return (raw, sink) => {
    if (!isJsonObject(raw)) return WRONG_TYPE;
    const values = new Map<string, Value>();
    let told = false;
    for (const [name, one] of raw) {
      sink.enter(name);
      const value = merged && one === null ? null : member(one, sink);
      if (value instanceof Wrong) {
        told = true;
        if (value !== TOLD) sink.wrong(value);
      } else values.set(name, value);
      sink.leave();
    }
    return told ? TOLD : values;
  };
}

/**
 * A part reads the fields that a client may give when it is made; a shape reads all its fields. It
 * is compiled at its first use, so that a part may hold itself.
 */
function structureReader(
  type: BaseType & { readonly kind: "structure" },
  spec: ReadSpec,
  names: Names,
): ReadPresent {
  let compiled: ReadPresent | undefined;
  const compile = (): ReadPresent => {
    const part = names.parts.get(type.name) ?? shapeAsPart(type.name, names);
    if (!part) return () => WRONG_TYPE;
    const mode = spec.merged ? "changed" : (spec.told ?? "new");
    const { told, byCode } = spec;
    const inside = { removable: spec.merged === true, told, ...(byCode ? { byCode } : {}) };
    return compileMembers(
      fieldMembers(part, mode, spec.form, (one) => {
        const type = byCode ? passed(one.type, "number") : one.type;
        const merged = one.merged || inside.removable;
        return compileValue({ ...one, ...inside, type, merged }, names);
      }),
    );
  };
  return (raw, sink) => {
    compiled ??= compile();
    return compiled(raw, sink);
  };
}

/** A shape read as an input: each of its fields is a member that must be there. */
function shapeAsPart(name: string, names: Names): Part | undefined {
  const shape = names.shapes.get(name);
  if (!shape) return undefined;
  const fields = shape.fields.map((field) => ({
    id: field.id,
    name: field.name,
    ...(field.sentAs === undefined ? {} : { sentAs: field.sentAs }),
    type: field.type,
    create: { is: field.type.orAbsent ? "optional" : "required" } as const,
    update: { is: "optional" } as const,
    read: { is: "yes" } as const,
    rules: [],
  }));
  return { id: shape.id, name, fields };
}
