/* data table */
/** Every keyword of JSON Schema 2020-12 that has a meaning here, and those that are refused. */

/** What the meta-schema lets stand there. */
export type Shape =
  | "schema"
  | "list of schemas"
  | "map of schemas"
  | "text"
  | "texts"
  | "map of texts"
  | "count"
  | "number"
  | "number above 0"
  | "boolean"
  | "any"
  | "list"
  | "types"
  | "pattern"
  | "map of patterns"
  | "reference"
  | "anchor"
  | "dialect";

/** Where the schemas in a keyword are applied: to the value itself, to what is in it, nowhere. */
type Applied = "itself" | "inside" | "not";

interface Keyword {
  readonly shape: Shape;
  readonly applied: Applied;
}

const itself = (shape: Shape): Keyword => ({ shape, applied: "itself" });
const inside = (shape: Shape): Keyword => ({ shape, applied: "inside" });
const word = (shape: Shape): Keyword => ({ shape, applied: "not" });

export const keywords: ReadonlyMap<string, Keyword> = new Map([
  ["$ref", itself("reference")],
  ["$anchor", word("anchor")],
  ["$defs", word("map of schemas")],
  ["definitions", word("map of schemas")],
  ["$comment", word("text")],
  ["$schema", word("dialect")],
  ["allOf", itself("list of schemas")],
  ["anyOf", itself("list of schemas")],
  ["oneOf", itself("list of schemas")],
  ["not", itself("schema")],
  ["if", itself("schema")],
  ["then", itself("schema")],
  ["else", itself("schema")],
  ["dependentSchemas", itself("map of schemas")],
  ["prefixItems", inside("list of schemas")],
  ["items", inside("schema")],
  ["contains", inside("schema")],
  ["properties", inside("map of schemas")],
  ["patternProperties", inside("map of patterns")],
  ["additionalProperties", inside("schema")],
  ["propertyNames", inside("schema")],
  ["unevaluatedItems", inside("schema")],
  ["unevaluatedProperties", inside("schema")],
  ["contentSchema", word("schema")],
  ["type", word("types")],
  ["enum", word("list")],
  ["const", word("any")],
  ["multipleOf", word("number above 0")],
  ["maximum", word("number")],
  ["exclusiveMaximum", word("number")],
  ["minimum", word("number")],
  ["exclusiveMinimum", word("number")],
  ["maxLength", word("count")],
  ["minLength", word("count")],
  ["pattern", word("pattern")],
  ["maxItems", word("count")],
  ["minItems", word("count")],
  ["uniqueItems", word("boolean")],
  ["maxContains", word("count")],
  ["minContains", word("count")],
  ["maxProperties", word("count")],
  ["minProperties", word("count")],
  ["required", word("texts")],
  ["dependentRequired", word("map of texts")],
  ["title", word("text")],
  ["description", word("text")],
  ["default", word("any")],
  ["deprecated", word("boolean")],
  ["readOnly", word("boolean")],
  ["writeOnly", word("boolean")],
  ["examples", word("list")],
  ["format", word("text")],
  ["contentEncoding", word("text")],
  ["contentMediaType", word("text")],
]);

/** Keywords that would change what values a schema takes, and are not expressed; what to do. */
export const refused: ReadonlyMap<string, string> = new Map([
  ["$id", "Give the schema a heading of its own, and refer to it by `#/$defs/NAME`."],
  ["$dynamicRef", "Write `$ref` to the schema that is meant."],
  ["$dynamicAnchor", "Write `$anchor`, and `$ref` to the schema that is meant."],
  ["$recursiveRef", "Write `$ref` to the schema that is meant."],
  ["$recursiveAnchor", "Write `$ref` to the schema that is meant."],
  ["$vocabulary", "Take it away: schemas here are in JSON Schema 2020-12."],
  ["dependencies", "Write `dependentRequired` or `dependentSchemas`."],
  ["additionalItems", "Write `prefixItems` and `items`."],
]);

/** The one dialect, as `$schema` names it. */
export const DIALECT = "https://json-schema.org/draft/2020-12/schema";
