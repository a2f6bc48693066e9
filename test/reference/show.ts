/** Shows values as JSON text: resources, views, shapes, parts and scalars in their wire forms. */
import type { Type } from "../../src/expr/index.ts";
import type { BaseType, Field, Shape, ValueType } from "../../src/plan/index.ts";
import { meet } from "./coverage.ts";
import { GapFault } from "./evaluate.ts";
import { gapBeside, namelessGap } from "./fields.ts";
import { write } from "./json.ts";
import { instantText, isoDuration, unixMillis, unixSeconds } from "./times.ts";
import {
  decimalText,
  Fault,
  GapMet,
  isMap,
  isRef,
  type Kept,
  type Ref,
  type Value,
} from "./values.ts";
import { rowName, type Work } from "./work.ts";
import { fieldOf, resourceOf } from "./world.ts";

type Member = readonly [path: readonly string[], text: string | undefined];

/** Dotted names nest; the last of them may be sent as another. */
const pathOf = ({ name, sentAs }: { readonly name: string; readonly sentAs?: string }) => {
  const names = name.split(".");
  return names.map((one, i) => (i === names.length - 1 ? (sentAs ?? one) : one));
};

/** Members in their order; an object stands where the first inside it stands; absent ones go. */
export function objectText(members: readonly Member[]): string {
  const tree = new Map<string, string | Member[]>();
  for (const [[head = "", ...rest], text] of members) {
    const inner = tree.get(head);
    if (rest.length === 0) {
      if (text !== undefined) tree.set(head, text);
    } else if (Array.isArray(inner)) inner.push([rest, text]);
    else tree.set(head, [[rest, text]]);
  }
  const parts = [...tree].map(
    ([name, one]) => `${JSON.stringify(name)}:${typeof one === "string" ? one : objectText(one)}`,
  );
  return `{${parts.join(",")}}`;
}

/** A row in the shape of its resource or of a view of it. */
export function rowText(work: Work, it: Ref, name: string): string {
  const shape = work.plan.shapes.find((one) => one.name === name);
  const members: Member[] = takenFields(work, it.resource, shape).flatMap(({ field, named }) =>
    named || maySee(work, field, work.created.has(rowName(it)))
      ? [[[field.sentAs ?? field.name], fieldText(work, it, field)] as const]
      : [],
  );
  if (shape !== undefined) members.push(...ownMembers(work, shape, new Map([["it", it]])));
  return objectText(members);
}

/** A shape that sees its Given names alone. */
export function shapeText(work: Work, shape: Shape, given: ReadonlyMap<string, Value>): string {
  return objectText(ownMembers(work, shape, given));
}

function ownMembers(
  work: Work,
  shape: Shape,
  given: ReadonlyMap<string, Value>,
): readonly Member[] {
  return shape.fields.map(({ name, sentAs, type, value }) => {
    if (value.is === "gap") throw new GapMet(value.gap);
    if (value.is !== "stated") throw new Error(`${shape.name}.${name}: a free value`);
    const path = pathOf(sentAs === undefined ? { name } : { name, sentAs });
    return [path, valueText(work, type, work.eval(value.value, given))];
  });
}

function takenFields(
  work: Work,
  resource: string,
  shape: Shape | undefined,
): readonly { readonly field: Field; readonly named: boolean }[] {
  const { fields } = resourceOf(work.plan, resource);
  if (shape === undefined) return fields.map((field) => ({ field, named: false }));
  if (shape.gap !== undefined) throw new GapMet(shape.gap);
  if (shape.taken === undefined) return [];
  const { allBut, fields: names } = shape.taken;
  return fields
    .filter((field) => names.includes(field.name) !== allBut)
    .map((field) => ({
      field,
      named: !allBut && field.read.is !== "on create" && field.read.is !== "gap",
    }));
}

/** Whether the resource's own shape shows the field to this caller. */
function maySee(work: Work, field: Field, isMade: boolean): boolean {
  meet("may see", field.read.is);
  if (work.telling && field.read.is !== "gap") return field.read.is === "yes";
  switch (field.read.is) {
    case "yes":
      return true;
    case "no":
      return false;
    case "on create":
      return isMade;
    case "gap":
      throw new GapMet(field.read.gap);
    case "actors":
      return field.read.actors.some((name) => isActor(work, name));
  }
}

/** Whether the caller is one of an actor's. */
export function isActor(work: Work, name: string): boolean {
  const holds = work.plan.actors.find((one) => one.name === name)?.holds;
  if (holds?.is === "always") return true;
  if (holds?.is === "gap") throw new GapMet(holds.gap);
  return holds?.is === "stated" && work.caller !== null && work.eval(holds.value, []) === true;
}

function fieldText(work: Work, it: Ref, field: Field): string | undefined {
  if (field.gap !== undefined) throw new GapMet(field.gap);
  if (work.telling && field.type.type.kind === "secret") return undefined;
  const plain = work.plain.get(`${rowName(it)} ${field.name}`);
  if (plain !== undefined) return JSON.stringify(plain);
  return heldText(work, field, work.field(it, field.name));
}

/** A stored field, of a row or a part. */
function heldText(work: Work, field: Field, value: Value): string | undefined {
  if (field.gap !== undefined) throw new GapMet(field.gap);
  const order = field.rules.find((rule) => rule.kind === "order")?.order;
  const gap =
    gapBeside(work, field, "order of items") ?? (order?.is === "gap" ? order.gap : undefined);
  if (gap !== undefined && Array.isArray(value) && value.length > 1) throw new GapMet(gap);
  return valueText(work, field.type, value);
}

function isKept(value: Value): value is Kept {
  return typeof value === "object" && value !== null && "hash" in value && "plain" in value;
}

/** JSON text of a value of a type; undefined: it is absent. */
export function valueText(work: Work, type: ValueType, value: Value): string | undefined {
  if (value === undefined || value === null) meet("shown", value === null ? "null" : "absent");
  if (value === undefined) return undefined;
  // Of a secret inside a value its text is shown, by the work that has it.
  if (work.telling && (isKept(value) || type.type.kind === "secret")) return undefined;
  if (isKept(value)) return work.made.has(value) ? JSON.stringify(value.plain) : undefined;
  return value === null ? "null" : baseText(work, type.type, value);
}

function baseText(work: Work, type: BaseType, value: Value): string {
  meet("shown", "wire" in type ? `${type.kind} as ${type.wire}` : type.kind);
  switch (type.kind) {
    case "list": {
      const items = (value as Value[]).map((one) => valueText(work, type.of, one));
      return `[${items.filter((one) => one !== undefined).join(",")}]`;
    }
    case "map": {
      const members = [...(value as ReadonlyMap<string, Value>)].flatMap(([name, one]) => {
        const text = valueText(work, type.of, one);
        return text === undefined ? [] : [`${JSON.stringify(name)}:${text}`];
      });
      return `{${members.join(",")}}`;
    }
    case "structure":
      return structureText(work, type.name, value);
    case "reference": {
      if (!isRef(value)) throw new Fault("no row");
      seen(work, value);
      if (type.view !== undefined) return rowText(work, value, type.view);
      const resource = resourceOf(work.plan, type.resource);
      const nameless = namelessGap(resource);
      const { key = "" } = resource;
      if (key === "" && nameless !== undefined) throw new GapMet(nameless);
      const shown = fieldOf(work.plan, type.resource, key);
      return valueText(work, shown.type, work.field(value, key)) ?? "null";
    }
    default:
      return scalarText(type, value);
  }
}

/** A reference is shown only where the caller sees its row. */
function seen(work: Work, row: Ref): void {
  try {
    work.see(row, "a reference");
  } catch (thrown) {
    if (thrown instanceof GapFault) throw new GapMet(thrown.gap);
    throw thrown;
  }
}

function structureText(work: Work, name: string, value: Value): string {
  const shape = work.plan.shapes.find((one) => one.name === name && one.viewOf === undefined);
  if (shape !== undefined) {
    if (isRef(value)) seen(work, value);
    return shapeText(work, shape, new Map([[shape.given[0]?.name ?? "it", value]]));
  }
  if (isRef(value)) return rowText(work, value, name);
  const part = work.plan.partTypes.find((one) => one.name === name);
  if (part === undefined || !isMap(value)) throw new Fault(`no ${name}`);
  return objectText(
    part.fields
      .filter((field) => maySee(work, field, work.made.has(value)))
      .map((field) => [[field.sentAs ?? field.name], heldText(work, field, value.get(field.name))]),
  );
}

const DIGITS = { seconds: 0, milliseconds: 3, microseconds: 6 };

function scalarText(type: BaseType, value: Value): string {
  switch (type.kind) {
    case "integer":
      return type.wire === "string" ? `"${value as bigint}"` : String(value);
    case "decimal": {
      const text = decimalText(value as bigint, type.places);
      return type.wire === "string" ? `"${text}"` : text;
    }
    case "timestamp":
      if (type.wire === "unix seconds") return unixSeconds(value as bigint).toString();
      if (type.wire === "unix milliseconds") return unixMillis(value as bigint).toString();
      if (type.precision.is === "gap") throw new GapMet(type.precision.gap);
      return JSON.stringify(
        instantText(
          value as bigint,
          type.precision.is === "stated" ? DIGITS[type.precision.value] : 6,
        ),
      );
    case "duration":
      return JSON.stringify(isoDuration(value as bigint));
    case "number":
      return JSON.stringify(value);
    default:
      return write(value);
  }
}

/** JSON text of the value of an expression, by its static type alone. */
export function plainText(work: Work, type: Type, value: Value): string {
  if (value === null || value === undefined) return "null";
  if (type.kind === "nullable") return plainText(work, type.of, value);
  if (type.kind === "list") {
    return `[${(value as Value[]).map((one) => plainText(work, type.of, one)).join(",")}]`;
  }
  if (type.kind === "map") {
    const members = [...(value as ReadonlyMap<string, Value>)];
    return `{${members
      .map(([name, one]) => `${JSON.stringify(name)}:${plainText(work, type.of, one)}`)
      .join(",")}}`;
  }
  return baseText(work, plainBase(type), value);
}

function plainBase(type: Type): BaseType {
  switch (type.kind) {
    case "integer":
      return { kind: "integer", wire: "number" };
    case "decimal":
      return { kind: "decimal", places: type.places, wire: "number" };
    case "timestamp":
      return {
        kind: "timestamp",
        wire: "rfc3339",
        precision: { is: "stated", id: "", value: "microseconds" },
      };
    case "row":
      return { kind: "reference", resource: type.resource };
    case "object":
      return { kind: "structure", name: type.name.replace(/^part:/, "") };
    case "duration":
      return { kind: "duration" };
    case "number":
      return { kind: "number" };
    default:
      return { kind: "json" };
  }
}
