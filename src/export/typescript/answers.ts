/** What a method gives: one type of answer for each status. */
import { type ErrorDefinition, type Shape, sentPath, statedOf } from "../../plan/index.ts";
import type { Json, JsonObject } from "../schemas/json.ts";
import { ownName, type World } from "../schemas/world.ts";
import { docComment, gapNote, notesOf } from "./comments.ts";
import { memberName } from "./names.ts";
import { alternatives, indented, typeOf, type Writing } from "./types.ts";

/** What a method can give, and what the sending must know of it. */
export interface Given {
  /** The union of its answers; undefined: none is stated. */
  readonly text: string | undefined;
  /** Statuses, ranges and `default`, as code. */
  readonly statuses: readonly string[];
  readonly files: readonly string[];
  /** Ranges of statuses that the text names. */
  readonly ranges: readonly string[];
}

const JSON_MEDIA = /[/+]json\s*(;|$)/i;
const TEXT_MEDIA = /^text\/|[/+]xml\s*(;|$)/i;

function bodyTypes(w: Writing, response: JsonObject): string[] {
  const content = Object.entries((response["content"] ?? {}) as JsonObject);
  const types = content.map(([media, one]) => {
    const schema = (one as JsonObject)["schema"];
    if (JSON_MEDIA.test(media)) return typeOf(w, schema);
    return TEXT_MEDIA.test(media) ? "string" : "Blob";
  });
  return response["x-lacuna-bodies"] === undefined ? types : [...types, "unknown"];
}

/** Members of an error's body that tell which error it is, each with all that it can be. */
function tellingMembers(shape: Shape, errors: readonly ErrorDefinition[]): [string[], string[]][] {
  return shape.fields.flatMap((field): [string[], string[]][] => {
    const member = /^error\.([A-Za-z_][A-Za-z0-9_]*)$/.exec(
      statedOf(field.value)?.text.trim() ?? "",
    )?.[1];
    // The status tells the answers apart already.
    if (member === undefined || member === "status" || field.type.orNull) return [];
    const values = errors.flatMap((one) => toldBy(one, member) ?? []);
    // A text of several words is for people.
    const isTold = values.length === errors.length && !values.some((one) => one.includes(" "));
    return isTold ? [[[...sentPath(field)], values.map((one) => JSON.stringify(one))]] : [];
  });
}

/** What an error says of itself; undefined: it is not known. */
function toldBy(error: ErrorDefinition, member: string): string | undefined {
  const column = error.columns.find(({ name }) => name === member);
  if (column !== undefined) return statedOf(column.value);
  return member === "name" ? error.name : undefined;
}

function nested(path: readonly string[], type: string): string {
  return path.reduceRight((inner, name) => `{ ${memberName(name)}: ${inner} }`, type);
}

/** The body of errors of one shape, in which is said which errors they can be. */
function errorBody(world: World, w: Writing, response: JsonObject): string | undefined {
  const names = response["x-lacuna-errors"];
  const contents = Object.values((response["content"] ?? {}) as JsonObject);
  const schema = ((contents[0] ?? {}) as JsonObject)["schema"] as JsonObject | undefined;
  const ref = schema?.["$ref"];
  if (!Array.isArray(names) || contents.length !== 1 || typeof ref !== "string") return undefined;
  const errors = world.plan.errors.filter(({ name }) => names.includes(name));
  const shape = world.shapes.get(statedOf(errors[0]?.body) ?? "");
  if (shape === undefined || errors.length !== names.length) return undefined;
  if (!errors.every(({ body }) => statedOf(body) === shape.name)) return undefined;
  if (!ref.endsWith(`/${ownName(shape.name)}`)) return undefined;
  const told = tellingMembers(shape, errors).map(([path, values]) =>
    nested(path, alternatives([...new Set(values)])),
  );
  return [w.nameOf(ref) ?? "unknown", ...told].join(" & ");
}

function statusType(key: string, all: readonly string[]): string {
  const known = all.filter((one) => /^\d{3}$/.test(one));
  const range = /^([2345])XX$/i.exec(key)?.[1];
  if (range === undefined && key !== "default") return key;
  const inRange = known.filter((one) => range === undefined || one.startsWith(range));
  const others =
    range === undefined ? all.flatMap((one) => /^([2345])XX$/i.exec(one)?.[1] ?? []) : [];
  const from =
    range === undefined ? ["2", "3", "4", "5"].filter((one) => !others.includes(one)) : [range];
  const whole = from.map((one) => `Status${one}`).join(" | ");
  return inRange.length === 0 ? whole : `Exclude<${whole}, ${inRange.join(" | ")}>`;
}

/** A key of responses as code: a number, or a text. */
function statusCode(key: string): string {
  return /^\d{3}$/.test(key) ? key : JSON.stringify(key === "default" ? key : key.toUpperCase());
}

function notes(w: Writing, key: string, response: JsonObject): string[] {
  const errors = response["x-lacuna-errors"];
  const said = Array.isArray(errors) ? errors.map((one) => `\`${one}\``).join(", ") : undefined;
  const headers = Object.entries((response["headers"] ?? {}) as JsonObject).map(([name, one]) => {
    const gap = ((one as JsonObject)["schema"] as JsonObject | undefined)?.["x-lacuna-gap"];
    return gap === undefined ? `\`${name}\`` : `\`${name}\` (${gapNote(w.file, gap)})`;
  });
  const bodies = response["x-lacuna-bodies"];
  const hidden = Array.isArray(bodies) ? (bodies as JsonObject[]) : [];
  const contents = Object.values((response["content"] ?? {}) as JsonObject) as JsonObject[];
  const about = contents.flatMap(({ schema }): string[] => {
    const isNamed = (schema as JsonObject | undefined)?.["$ref"] !== undefined;
    return isNamed ? [] : notesOf(w.file, schema as Json);
  });
  const description = response["description"];
  const meaning = said ?? (typeof description === "string" ? description : "");
  return [
    `${key}: ${meaning}${/[.!?]$/.test(meaning) ? "" : "."}`,
    ...(headers.length === 0 ? [] : [`Headers: ${headers.join(", ")}.`]),
    ...hidden.map((one) => gapNote(w.file, one["x-lacuna-gap"])),
    ...about,
  ];
}

/** What the method of an operation gives. */
export function givenBy(world: World, w: Writing, operation: JsonObject): Given {
  const responses = Object.entries((operation["responses"] ?? {}) as JsonObject);
  const keys = responses.map(([key]) => key);
  const files = responses.filter(
    ([, one]) => ((one as JsonObject)["content"] as JsonObject | undefined)?.["*/*"] !== undefined,
  );
  const types = responses.map(([key, one]) => {
    const response = one as JsonObject;
    const bodies = bodyTypes(w, response);
    const plain = bodies.length === 0 ? "undefined" : [...new Set(bodies)].join(" | ");
    const body = errorBody(world, w, response) ?? plain;
    const comment = docComment(notes(w, key, response));
    return { key, text: `${comment}| Answer<${statusType(key, keys)}, ${body}>` };
  });
  return {
    text: types.length === 0 ? undefined : types.map(({ text }) => indented(`\n${text}`)).join(""),
    statuses: keys.map(statusCode),
    files: files.map(([key]) => statusCode(key)),
    ranges: types.flatMap(({ text }) => text.match(/\bStatus[2345]\b/g) ?? []),
  };
}
