/** A JSON Schema as a type of TypeScript. */
import type { Json, JsonObject } from "../schemas/json.ts";
import { docComment, notesOf } from "./comments.ts";
import { memberName } from "./names.ts";

/** What a type is written for. */
export interface Writing {
  /** The document's name, for comments. */
  readonly file: string;
  /** A client sends it: members that need not be there may be undefined, integers bigints. */
  readonly sent: boolean;
  /** The name of the type that a reference means. */
  readonly nameOf: (ref: string) => string | undefined;
  /** The name of a type that is written like this. */
  readonly named?: ReadonlyMap<string, string>;
}

const DEPTH_MAX = 64;

/** The lines of a text, each but the first further in. */
export function indented(text: string): string {
  return text.replaceAll("\n", "\n  ");
}

const UNION_COLUMNS = 80;

/** Types side by side, or below each other where they are long. */
export function alternatives(types: readonly string[]): string {
  const line = types.join(" | ");
  const isShort = line.length <= UNION_COLUMNS || types.length === 1 || line.includes("\n");
  return isShort ? line : types.map((one) => `\n  | ${one}`).join("");
}

/** A type behind a colon or an equals sign. */
export function behind(sign: string, type: string): string {
  return type.startsWith("\n") ? `${sign}${type}` : `${sign} ${type}`;
}

function union(types: readonly string[]): string {
  const all = [...new Set(types)].filter((one) => one !== "never");
  if (all.includes("unknown")) return "unknown";
  // A text that is none of the others is any text.
  if (all.includes("string")) return alternatives(all.filter((one) => !one.startsWith('"')));
  return all.length === 0 ? "never" : alternatives(all);
}

const isCompound = (type: string): boolean => / [|&] /.test(type);

function listOf(w: Writing, item: string): string {
  const one = isCompound(item) && !item.startsWith("{") ? `(${item})` : item;
  const plain = item.includes("\n") || isCompound(item) ? `Array<${item}>` : `${one}[]`;
  if (!w.sent) return plain;
  return plain.startsWith("Array") ? `Readonly${plain}` : `readonly ${plain}`;
}

function literal(value: Json | undefined): string {
  if (value === null || typeof value === "boolean" || typeof value === "string") {
    return JSON.stringify(value);
  }
  if (typeof value === "number") return Number.isFinite(value) ? String(value) : "number";
  if (value === undefined) return "unknown";
  // A number that a number of JavaScript cannot hold, or a whole value.
  return /^[-\d]/.test(JSON.stringify(value)) ? "number" : "unknown";
}

/** One member as a line of a type. */
export function memberLine(
  w: Writing,
  { name, schema, needed }: { name: string; schema: Json; needed: boolean },
  type: string,
): string {
  const isOptional = w.sent && !needed && type !== "unknown";
  const optional = isOptional ? (type.startsWith("\n") ? "\n  | undefined" : " | undefined") : "";
  const mark = `${behind(needed ? ":" : "?:", type)}${optional}`;
  const line = `${docComment(notesOf(w.file, schema))}${memberName(name)}${mark};\n`;
  return `  ${indented(line.trimEnd())}\n`;
}

function objectType(w: Writing, schema: JsonObject, depth: number): string {
  const properties = (schema["properties"] ?? {}) as JsonObject;
  const required = new Set((schema["required"] ?? []) as readonly string[]);
  const others = schema["additionalProperties"] ?? schema["unevaluatedProperties"];
  const names = [...new Set([...Object.keys(properties), ...required])];
  const open =
    schema["patternProperties"] !== undefined || (typeof others === "object" && others !== null);
  const of = names.length === 0 && schema["patternProperties"] === undefined ? others : true;
  const rest = open || (others === true && names.length === 0);
  if (names.length === 0) {
    if (others === false) return "Record<string, never>";
    const type = rest ? typeAt(w, of, depth + 1) : "unknown";
    // A type that leads back to itself may not do so in `Record`.
    return /[A-Z]/.test(type) ? `{ [name: string]: ${type} }` : `Record<string, ${type}>`;
  }
  const lines = names.map((name) => {
    const one = properties[name] ?? true;
    const type = typeAt(w, one, depth + 1);
    return memberLine(w, { name, schema: one, needed: required.has(name) }, type);
  });
  return `{\n${lines.join("")}${rest ? "  [name: string]: unknown;\n" : ""}}`;
}

function tupleOrList(w: Writing, schema: JsonObject, depth: number): string {
  const first = schema["prefixItems"];
  if (!Array.isArray(first)) return listOf(w, typeAt(w, schema["items"], depth + 1));
  const all = [...first, schema["items"] ?? true].map((one) => typeAt(w, one, depth + 1));
  return listOf(w, union(all));
}

function oneType(w: Writing, schema: JsonObject, type: Json, depth: number): string {
  switch (type) {
    case "null":
    case "boolean":
      return type;
    case "string":
      return schema["contentMediaType"] === "application/octet-stream" ? "Blob" : "string";
    case "integer":
      return w.sent ? "number | bigint" : "number";
    case "number":
      return "number";
    case "array":
      return tupleOrList(w, schema, depth);
    case "object":
      return objectType(w, schema, depth);
    default:
      return "unknown";
  }
}

const IMPLIED: readonly (readonly [type: string, keywords: readonly string[]])[] = [
  ["object", ["properties", "additionalProperties", "required", "patternProperties"]],
  ["array", ["items", "prefixItems"]],
];

/** The types that are stated; a schema that says what members there are means an object. */
function ownType(w: Writing, schema: JsonObject, depth: number): string | undefined {
  const { type } = schema;
  if (Array.isArray(type)) return union(type.map((one) => oneType(w, schema, one, depth)));
  if (type !== undefined) return oneType(w, schema, type, depth);
  const implied = IMPLIED.find(([, words]) => words.some((one) => schema[one] !== undefined));
  return implied && oneType(w, schema, implied[0], depth);
}

function typeAt(w: Writing, schema: Json | undefined, depth: number): string {
  if (schema === false) return "never";
  if (schema === null || typeof schema !== "object" || Array.isArray(schema)) return "unknown";
  if (depth > DEPTH_MAX) return "unknown /* it goes deeper */";
  const all = schema as JsonObject;
  const values = all["enum"];
  if (Array.isArray(values)) return union(values.map(literal));
  if (all["const"] !== undefined) return literal(all["const"]);
  if (isNothing(all["not"])) return "never";
  const parts: string[] = [];
  if (typeof all["$ref"] === "string") parts.push(w.nameOf(all["$ref"]) ?? "unknown");
  for (const key of ["anyOf", "oneOf"]) {
    const some = all[key];
    if (Array.isArray(some)) parts.push(union(some.map((one) => typeAt(w, one, depth + 1))));
  }
  const every = all["allOf"];
  if (Array.isArray(every)) parts.push(...every.map((one) => typeAt(w, one, depth + 1)));
  const own = ownType(w, all, depth);
  if (own !== undefined) parts.push(own);
  const known = [...new Set(parts)].filter((one) => one !== "unknown");
  const [only = "unknown"] = known;
  if (known.length < 2) return w.named?.get(only) ?? only;
  return known.map((one) => (one.includes(" | ") ? `(${one})` : one)).join(" & ");
}

function isNothing(not: Json | undefined): boolean {
  if (not === true) return true;
  return typeof not === "object" && not !== null && Object.keys(not).length === 0;
}

/** The type of the values that fit the schema; what is not known of them is `unknown`. */
export function typeOf(w: Writing, schema: Json | undefined): string {
  return typeAt(w, schema, 0);
}
