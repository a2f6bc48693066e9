/** Objects whose members a document lists: resources, parts, views, shapes, bodies. */
import {
  type Endpoint,
  type Field,
  type Given,
  gapOf,
  type Part,
  type Resource,
  type Shape,
  sentName,
  sentPath,
} from "../../plan/index.ts";
import type { Json, JsonObject } from "./json.ts";
import { ruledSchema } from "./rules.ts";
import { type At, nullable, typeSchema } from "./types.ts";
import type { Mode, World } from "./world.ts";

/** One member, or the object that its dotted name puts it in. */
export interface Member {
  readonly path: readonly string[];
  readonly schema: Json;
  readonly required: boolean;
}

/** Whether an object in an object must be there: always, or where something in it must. */
type Nested = "always" | "where needed";

interface Node {
  readonly members: Map<string, { schema: Json; required: boolean } | Node>;
}

function nodeAt(root: Node, path: readonly string[]): Node {
  let node = root;
  for (const name of path) {
    const inner = node.members.get(name);
    const next: Node = inner !== undefined && "members" in inner ? inner : { members: new Map() };
    if (next !== inner) node.members.set(name, next);
    node = next;
  }
  return node;
}

interface Written {
  readonly schema: JsonObject;
  readonly needs: boolean;
}

function written(node: Node, nested: Nested, more: JsonObject): Written {
  const required: string[] = [];
  const properties = [...node.members].map(([name, one]): [string, Json] => {
    if (!("members" in one)) {
      if (one.required) required.push(name);
      return [name, one.schema];
    }
    const inner = written(one, nested, more);
    if (nested === "always" || inner.needs) required.push(name);
    return [name, inner.schema];
  });
  const schema = {
    type: "object",
    ...(properties.length === 0 ? {} : { properties: Object.fromEntries(properties) }),
    ...(required.length === 0 ? {} : { required }),
    ...more,
  };
  return { schema, needs: required.length > 0 };
}

/** An object of these members. `more` is said of it, and of each object inside it. */
export function objectSchema(
  members: readonly Member[],
  nested: Nested,
  more: JsonObject = {},
): JsonObject {
  const root: Node = { members: new Map() };
  for (const { path, schema, required } of members) {
    const name = path.at(-1) ?? "";
    nodeAt(root, path.slice(0, -1)).members.set(name, { schema, required });
  }
  return written(root, nested, more).schema;
}

/** What is said of a field besides its type and rules. */
function fieldMarks(w: World, owner: string, field: Field): JsonObject {
  return w.deprecated(`${owner}.${field.name}`);
}

/** The schema of a field as it is sent in this mode. */
function fieldSchema(w: World, owner: string, field: Field, at: At): JsonObject {
  const marks = fieldMarks(w, owner, field);
  if (field.gap !== undefined) return { "x-lacuna-gap": w.gap(field.gap), ...marks };
  const held: At = { ...at, holder: `${owner}.${field.name}` };
  // What is kept may be older than a rule, and is judged when it is given alone.
  const rules = at.mode === "read" ? field.rules.filter((one) => one.kind === "gap") : field.rules;
  const value = { ...field.type, rules };
  return { ...ruledSchema(w, value, held), ...marks };
}

/** A field as answers show it; undefined: they do not. `named`: a view names it. */
function shownField(w: World, owner: string, field: Field, named: boolean): Member | undefined {
  const { read, type } = field;
  if (read.is === "no" && !named) return undefined;
  const path = [sentName(field)];
  const schema = fieldSchema(w, owner, field, { mode: "read" });
  if (read.is === "gap") {
    return { path, schema: { ...schema, "x-lacuna-gap": w.gap(read.gap) }, required: false };
  }
  const isSure = (named && read.is !== "on create") || read.is === "yes";
  const isSecret = type.type.kind === "secret";
  const readers = read.is === "actors" && !isSure ? { "x-lacuna-readers": [...read.actors] } : {};
  const onCreate = read.is === "on create" ? { "x-lacuna-read": "on create" } : {};
  return {
    path,
    schema: { ...schema, ...readers, ...onCreate },
    required: isSure && !type.orAbsent && !isSecret && field.gap === undefined,
  };
}

/** A resource or a part as answers show it. */
export function shownSchema(w: World, { name, fields }: Resource | Part): JsonObject {
  const members = fields.flatMap((field) => shownField(w, name, field, false) ?? []);
  return objectSchema(members, "always");
}

/** A view or a shape. */
export function shapeSchema(w: World, shape: Shape): JsonObject {
  const { taken, viewOf } = shape;
  const owner = viewOf === undefined ? undefined : w.resources.get(viewOf);
  const fields =
    taken === undefined
      ? []
      : (owner?.fields ?? []).filter(({ name }) => taken.fields.includes(name) !== taken.allBut);
  const isNamed = taken?.allBut === false;
  const seen = fields.flatMap((one) => shownField(w, owner?.name ?? "", one, isNamed) ?? []);
  const own = shape.fields.flatMap((field): Member[] => {
    const { value, type, name } = field;
    if (value.is === "none" || value.is === "not asked") return [];
    const gap = gapOf(value);
    const schema = typeSchema(w, type, { mode: "read" });
    const marks = w.deprecated(`${shape.name}.${name}`);
    const mark = gap === undefined ? {} : { "x-lacuna-gap": w.gap(gap) };
    const required = !type.orAbsent && gap === undefined;
    return [{ path: sentPath(field), schema: { ...schema, ...mark, ...marks }, required }];
  });
  const hidden = shape.gap === undefined ? {} : { "x-lacuna-gap": w.gap(shape.gap) };
  return { ...objectSchema([...seen, ...own], "always"), ...hidden };
}

/** What is said of members that a body does not list. */
export function unlisted(w: World, endpoint?: Endpoint): JsonObject {
  return w.answerTo("unknown member", endpoint) === "error" ? { additionalProperties: false } : {};
}

function givenOf(field: Field, mode: Mode): Given {
  if (mode === "new") return field.create;
  return mode === "changed" ? field.update : inMerged(field.update);
}

/** In a value that is merged nothing need be there. */
function inMerged(given: Given): Given {
  return given.is === "required" ? { is: "optional" } : given;
}

/** The members that a client may give. */
export function givenMembers(
  w: World,
  { name, fields }: Resource | Part,
  at: At,
  endpoint?: Endpoint,
): Member[] {
  const { mode, form } = at;
  const refuses = w.answerTo("not settable", endpoint) === "error";
  const closed = w.answerTo("unknown member", endpoint) === "error";
  return fields.flatMap((field): Member[] => {
    const given = givenOf(field, mode);
    const path = [sentName(field)];
    if (given.is === "no") {
      // Said where what is said of all other members does not say it.
      if (refuses === closed) return [];
      return [{ path, schema: !refuses, required: false }];
    }
    const inner = given.is === "merged" ? "merged" : mode;
    const schema = fieldSchema(w, name, field, { ...at, mode: inner });
    const isRemovable =
      mode === "merged" && form !== "text" && field.type.orAbsent && !field.type.orNull;
    const sent = isRemovable ? nullable(schema) : schema;
    if (given.is === "gap") {
      return [{ path, schema: { ...sent, "x-lacuna-gap": w.gap(given.gap) }, required: false }];
    }
    const when =
      given.is === "required when" ? { "x-lacuna-required-when": given.condition.text } : {};
    const fills = mode === "new" && field.rules.some(({ kind }) => kind === "absent means");
    const required = given.is === "required" && !fills;
    return [{ path, schema: { ...sent, ...when }, required }];
  });
}

/** A part as it is sent. */
export function partSchema(w: World, part: Part, at: At): JsonObject {
  return objectSchema(givenMembers(w, part, at), "where needed", unlisted(w));
}
