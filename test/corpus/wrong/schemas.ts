/* data table */
/** Wrong documents: schemas, and types that name them. */
import { edit, half, unanswered, type Wrong } from "./wrong.ts";

const PART = "## States and transitions\n";

/** The document with a schema, in which something is wrong at the mark. */
const schema = (text: string, code: string): Wrong =>
  edit(
    "todo",
    PART,
    `### \`Pet\`, a schema\n\n\`\`\`json schema\n${text}\n\`\`\`\n\n${PART}`,
    code,
  );

const typed = (type: string, code: string): Wrong =>
  edit(
    "todo",
    "| `note` | string or null | optional | optional | yes | at most 2000 characters; starts `null` |",
    `| \`note\` | schema ${type} | required | optional | yes | none |`,
    code,
  );

export const schemas: readonly Wrong[] = [
  // JSON
  schema('{\n  "type": «object»\n}', "schema-invalid"),
  schema("«1»", "schema-invalid"),
  schema('{\n  "type": "object",\n  «"type"»: "array"\n}', "schema-invalid"),
  // The meta-schema
  schema('{\n  «"type"»: "int"\n}', "schema-invalid"),
  schema('{"properties": {\n  "a": {«"maxLength"»: -1}}}', "schema-invalid"),
  schema('{"items": {«"multipleOf"»: 0}}', "schema-invalid"),
  schema('{«"required"»: ["a", "a"]}', "schema-invalid"),
  schema('{«"anyOf"»: []}', "schema-invalid"),
  schema('{"$anchor": "a", "not": {«"$anchor"»: "a"}}', "schema-invalid"),
  // What is not expressed
  schema('{\n  «"$schema"»: "http://json-schema.org/draft-07/schema#"\n}', "schema-refused"),
  schema('{«"$id"»: "https://schemas.example/pet"}', "schema-refused"),
  schema('{"items": {«"$dynamicRef"»: "#pet"}}', "schema-refused"),
  schema('{«"$vocabulary"»: {}}', "schema-refused"),
  // References
  schema('{"items": {"$ref": "«#/$defs/Pets»"}}', "schema-reference"),
  schema('{"items": {"$ref": "«https://schemas.example/pet»"}}', "schema-reference"),
  schema('{"items": {"$ref": "«#/$defs/Pet/properties/a»"}}', "schema-reference"),
  schema('{"items": {"$ref": "«#pet»"}}', "schema-reference"),
  // Circles and patterns
  schema('{"allOf": [{«"$ref"»: "#/$defs/Pet"}]}', "schema-endless"),
  schema('{«"pattern"»: "(a)\\\\1"}', "pattern"),
  schema('{"patternProperties": {«"(?=a)"»: true}}', "pattern"),
  // Types
  typed("`«Pet»`", "unknown-name"),
  typed('`{"type": «int»}`', "schema-invalid"),
  // Headings
  edit("todo", PART, `### \`«{}»\`, a schema\n\n- Schema: \`true\`\n\n${PART}`, "unknown-heading"),
  edit(
    "todo",
    PART,
    `### \`Pet\`, a schema\n\n- Schema: \`true\`\n\n### \`«Pet»\`, a schema\n\n- Schema: \`true\`\n\n${PART}`,
    "second-name",
  ),
  edit(
    "todo",
    PART,
    `### \`Pet\`, a schema\n\n- «Schema: \`true\`»\n\n\`\`\`json schema\ntrue\n\`\`\`\n\n${PART}`,
    "contradiction",
  ),
  half(
    unanswered("todo", PART, "schema", "### «`Pet`, a schema»"),
    `### \`Pet\`, a schema\n\n${PART}`,
  ),
];
