/** Keywords whose values JSON Schema 2020-12 does not let stand there: kept apart, not judged. */
import { isPattern } from "../../schema/index.ts";
import { isObject, type Json, listOf } from "./json.ts";

/** The member under which such keywords stand, for people and for an export. */
export const KEPT = "x-lacuna-kept";

type Judge = (value: Json) => boolean;

const TYPES = ["null", "boolean", "object", "array", "number", "string", "integer"];
const isText: Judge = (value) => typeof value === "string";
const isFlag: Judge = (value) => typeof value === "boolean";
const isNumber: Judge = (value) => Number.isFinite(numberOf(value));
const isCount: Judge = (value) => Number.isInteger(numberOf(value)) && numberOf(value) >= 0;
const isList: Judge = (value) => Array.isArray(value);
const isSchema: Judge = (value) => isFlag(value) || isObject(value);
const areSchemas: Judge = (value) =>
  isList(value) && listOf(value).length > 0 && listOf(value).every(isSchema);
const areTexts: Judge = (value) =>
  isList(value) &&
  listOf(value).every(isText) &&
  new Set(listOf(value)).size === listOf(value).length;
const haveSchemas: Judge = (value) => isObject(value) && Object.values(value).every(isSchema);

function numberOf(value: Json): number {
  if (typeof value === "number") return value;
  const raw = typeof value === "object" && value !== null && JSON.isRawJSON(value);
  return raw ? Number(JSON.stringify(value)) : Number.NaN;
}

const JUDGES: Readonly<Record<string, Judge>> = {
  type: (value) =>
    typeof value === "string"
      ? TYPES.includes(value)
      : areTexts(value) &&
        listOf(value).length > 0 &&
        listOf(value).every((one) => TYPES.includes(one as string)),
  pattern: (value) => typeof value === "string" && isPattern(value),
  patternProperties: (value) => haveSchemas(value) && Object.keys(value as object).every(isPattern),
  multipleOf: (value) => isNumber(value) && numberOf(value) > 0,
  required: areTexts,
  dependentRequired: (value) => isObject(value) && Object.values(value).every(areTexts),
  ...all(isText, ["title", "description", "format", "$comment", "contentEncoding", "$ref"]),
  ...all(isText, ["contentMediaType"]),
  ...all(isFlag, ["uniqueItems", "deprecated", "readOnly", "writeOnly"]),
  ...all(isNumber, ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"]),
  ...all(isCount, ["minLength", "maxLength", "minItems", "maxItems", "minProperties"]),
  ...all(isCount, ["maxProperties", "minContains", "maxContains"]),
  ...all(isList, ["enum", "examples"]),
  ...all(areSchemas, ["allOf", "anyOf", "oneOf", "prefixItems"]),
  ...all(isSchema, ["not", "if", "then", "else", "items", "contains", "additionalProperties"]),
  ...all(isSchema, ["propertyNames", "unevaluatedItems", "unevaluatedProperties", "contentSchema"]),
  ...all(haveSchemas, ["properties", "dependentSchemas", "$defs", "definitions"]),
  // What these mean, the language has no words for.
  ...all(() => false, ["$id", "$schema", "$vocabulary", "$anchor", "$dynamicRef"]),
  ...all(() => false, ["$dynamicAnchor", "$recursiveRef", "$recursiveAnchor", "dependencies"]),
  ...all(() => false, ["additionalItems"]),
};

function all(judge: Judge, names: readonly string[]): Record<string, Judge> {
  return Object.fromEntries(names.map((name) => [name, judge]));
}

/** Moves keywords that cannot stand as they are under `x-lacuna-kept`; one level, not below. */
export function sound(schema: Record<string, Json>): Record<string, Json> {
  const kept: Record<string, Json> = {};
  for (const [key, value] of Object.entries(schema)) {
    const judge = Object.hasOwn(JUDGES, key) ? JUDGES[key] : undefined;
    if (judge === undefined || judge(value)) continue;
    // A name that is required twice is required.
    const once = key === "required" && isList(value) && listOf(value).every(isText);
    if (once) schema[key] = [...new Set(listOf(value))];
    else {
      kept[key] = value;
      delete schema[key];
    }
  }
  if (Object.keys(kept).length > 0) schema[KEPT] = kept;
  return schema;
}
