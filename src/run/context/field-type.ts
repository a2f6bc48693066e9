/** The static type that a stored field has in expressions, for conditions made by the engine. */
import { type Code, callOf, nameOf, type Type } from "../../expr/index.ts";
import { type BaseType, isText, type ValueType } from "../../plan/index.ts";
import type { ResourceInfo } from "./model.ts";

function baseType(type: BaseType): Type {
  if (type.kind === "time zone") return { kind: "zone" };
  if (type.kind === "date") return { kind: "date" };
  if (isText(type)) return { kind: "string" };
  switch (type.kind) {
    case "reference":
      return { kind: "row", resource: type.resource };
    case "decimal":
      return { kind: "decimal", places: type.places };
    case "integer":
    case "timestamp":
    case "duration":
    case "boolean":
    case "number":
    case "json":
      return { kind: type.kind };
    case "schema":
      return { kind: "json" };
    case "list":
      return { kind: "list", of: valueType(type.of) };
    case "map":
      return { kind: "map", of: valueType(type.of) };
    case "structure":
      return { kind: "object", name: `part:${type.name}` };
  }
}

/** The static type of values of a type; nullable where they may be null or absent. */
export function valueType({ type, orNull, orAbsent }: ValueType): Type {
  const base = baseType(type);
  return orNull || orAbsent ? { kind: "nullable", of: base } : base;
}

/** Type of a field of one value; nullable where the field may be null or absent. */
export function fieldType(info: ResourceInfo, name: string): Type {
  const field = info.fields[info.at.get(name) ?? -1];
  if (field === undefined) throw new Error(`${info.name} has no field ${name}`);
  return valueType(field.type);
}

/** That the field of `it` is there at all: nothing to ask of one that is never absent. */
export function isGiven(info: ResourceInfo, member: string): Code[] {
  if (info.fields[info.at.get(member) ?? -1]?.type.orAbsent !== true) return [];
  const of = nameOf("it", { kind: "row", resource: info.name });
  return [{ op: "has", type: { kind: "boolean" }, of, member }];
}

const STRING: Type = { kind: "string" };

/** As `fieldIs`, of a text: the letters A to Z equal a to z. */
export function fieldIsAnyCase(info: ResourceInfo, member: string, value: Code): Code[] {
  const of = nameOf("it", { kind: "row", resource: info.name });
  const type = fieldType(info, member);
  const field: Code = { op: "get", type, of, member };
  const none: Code = { op: "literal", type: { kind: "null" }, value: null };
  const lower = (text: Code): Code => ({
    op: "call",
    type: STRING,
    fn: "lower",
    args: [{ ...text, type: STRING }],
  });
  return [
    ...isGiven(info, member),
    ...(type.kind === "nullable" ? [callOf("!=", field, none)] : []),
    callOf("==", lower(field), lower(value)),
  ];
}

/** That the field of `it` is there and equals a value: an absent one equals nothing. */
export function fieldIs(info: ResourceInfo, member: string, value: Code): Code[] {
  const of = nameOf("it", { kind: "row", resource: info.name });
  const field: Code = { op: "get", type: fieldType(info, member), of, member };
  return [...isGiven(info, member), callOf("==", field, value)];
}
