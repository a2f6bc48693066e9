/** What a document keeps for OpenAPI is laid over what is written of it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { documents } from "./documents.ts";
import { exportedBytes } from "./exported.ts";

const [, first] = documents().find(([name]) => name === "docs/first-document.md") ?? [];
const FIRST = new TextDecoder().decode(first);

/** The first document as OpenAPI, changed so that `edits` stand in front of texts of it. */
function exported(...edits: readonly (readonly [before: string, text: string])[]) {
  let text = FIRST;
  for (const [before, more] of edits) {
    assert.ok(text.includes(before), before);
    text = text.replace(before, () => `${more}\n\n${before}`);
  }
  const bytes = new TextEncoder().encode(text);
  return JSON.parse(exportedBytes("first.md", bytes, "openapi", { openapi: "3.1" }));
}

const block = (value: unknown): string =>
  `\`\`\`json openapi\n${JSON.stringify(value, undefined, 2)}\n\`\`\``;

const LIST = "1. Let `found` be every `Note`.";
const DELETE = "1. Delete `note`.";

test("members of a block are laid over an operation, its parameters and its answers", () => {
  const file = exported([
    DELETE,
    block({
      operationId: "throwAway",
      tags: ["notes"],
      parameters: { "path id": { description: "Which" }, "query force": { schema: {} } },
      responses: { "204": { description: "Gone", links: { all: { operationId: "list" } } } },
      "x-lacuna-parts": "not this one",
    }),
  ]);
  const operation = file.paths["/notes/{id}"].delete;
  assert.equal(operation.operationId, "throwAway");
  assert.deepEqual(operation.tags, ["notes"]);
  assert.equal(operation.parameters[0].description, "Which");
  assert.equal(operation.parameters[0].required, true);
  assert.deepEqual(operation.parameters[1], { name: "force", in: "query", schema: {} });
  assert.equal(operation.responses["204"].description, "Gone");
  assert.ok(operation.responses["404"]);
  assert.equal("x-lacuna-parts" in operation, false);
});

test("members of the whole file stand at its root; what OpenAPI has not, apart", () => {
  const kept = { tags: [{ name: "notes" }], info: { license: { name: "MIT" } }, host: "a.example" };
  const file = exported(["- Base path: `/v1`", block(kept)]);
  assert.deepEqual(file.tags, kept.tags);
  assert.deepEqual([file.info.title, file.info.license.name], ["Notes", "MIT"]);
  assert.deepEqual(file["x-lacuna-kept"], { host: "a.example" });
});

test("a path is written as the file had it that it comes from", () => {
  const kept = {
    "x-lacuna-path": "/notes/{note-id}",
    parameters: { "path note-id": { example: 1 } },
  };
  const { paths } = exported([DELETE, block(kept)]);
  const [parameter] = paths["/notes/{note-id}"].delete.parameters;
  assert.deepEqual([parameter.name, parameter.example], ["note-id", 1]);
});

test("rows of a table of answers are responses, but for a row that says nothing", () => {
  const table = [
    "| Answer | Media type | Body | Meaning |",
    "|---|---|---|---|",
    "| 200 | `text/csv` | string | All notes |",
    "| 4xx | `application/problem+json` | json | none |",
    "| any other | not shown | not shown | none |",
  ];
  const examples = [
    "```json example 200\n[1.10]\n```",
    '```json example 404 application/problem+json missing\n{"title": "Gone"}\n```',
  ];
  const file = exported([LIST, [table.join("\n"), ...examples].join("\n\n")]);
  const { responses } = file.paths["/notes"].get;
  assert.deepEqual(Object.keys(responses), ["200", "400", "500", "4XX"]);
  assert.equal(responses["200"].description, "All notes");
  assert.deepEqual(responses["200"].content["text/csv"], { schema: { type: "string" } });
  assert.deepEqual(responses["200"].content["application/json"].example, [1.1]);
  const gone = responses["4XX"].content["application/problem+json"];
  assert.deepEqual(gone.examples, { missing: { value: { title: "Gone" } } });
});

test("numbers of what is kept lose no digit, and what nests too deep stays in the text alone", () => {
  const exact = "12345678901234567890.10";
  const deep = `${"[".repeat(300)}${"]".repeat(300)}`;
  const at = FIRST.replace(LIST, `\`\`\`json openapi\n{"x-number": ${exact}}\n\`\`\`\n\n${LIST}`);
  const bytes = new TextEncoder().encode(at);
  assert.match(exportedBytes("a.md", bytes, "openapi"), /"x-number": 12345678901234567890\.10/);
  const other = new TextEncoder().encode(at.replace(exact, deep));
  const file = JSON.parse(exportedBytes("a.md", other, "openapi"));
  assert.equal("x-number" in file.paths["/notes"].get, false);
});

const STATES = "## States and transitions";
const schema = (name: string, value: unknown): string =>
  `### \`${name}\`, a schema\n\n\`\`\`json schema\n${JSON.stringify(value)}\n\`\`\``;

test("schemas stand among the components with what was kept apart of them back in its place", () => {
  const tag = { type: "string", "x-lacuna-kept": { pattern: "(?<!a)b" } };
  const pet = { type: "object", properties: { $ref: { $ref: "#/$defs/Tag" } }, default: { a: 1 } };
  const file = exported([STATES, `${schema("Tag", tag)}\n\n${schema("Pet", pet)}`]);
  const { Tag, Pet } = file.components.schemas;
  assert.equal(Tag.pattern, "(?<!a)b");
  assert.equal("x-lacuna-kept" in Tag, false);
  assert.deepEqual(Pet.properties, { $ref: { $ref: "#/components/schemas/Tag" } });
  assert.match(Pet["x-lacuna-section"].text, /^### `Pet`, a schema/);
});

test("a parameter that is kept with a body has no schema beside it", () => {
  const content = { "text/plain": { schema: { type: "string" } } };
  const file = exported([DELETE, block({ parameters: { "path id": { content } } })]);
  const [parameter] = file.paths["/notes/{id}"].delete.parameters;
  assert.deepEqual(parameter, { name: "id", in: "path", required: true, content });
});

test("a body whose media type is not shown stands under the one that is kept for it", () => {
  const table = [
    "| Answer | Media type | Body | Meaning |",
    "|---|---|---|---|",
    "| 200 | not shown | string | none |",
    "| any other | none | none | none |",
  ];
  const kept = { responses: { "200": { content: { "*/*": { "x-lacuna-media": "*/*" } } } } };
  const file = exported([LIST, `${table.join("\n")}\n\n${block(kept)}`]);
  const { content } = file.paths["/notes"].get.responses["200"];
  assert.deepEqual(content["*/*"], { schema: { type: "string" } });
});
