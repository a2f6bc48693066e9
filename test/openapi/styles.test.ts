/** How a parameter is written is part of what it is: a way without words here is a gap. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { writtenDocument } from "../../src/openapi/index.ts";
import { described } from "./described.ts";

const LIST = "schema: {type: array, items: {type: string}}";
const OBJECT = "schema: {type: object, properties: {a: {type: string}}}";
const LISTED = 'schema `{"type":"array","items":{"type":"string"}}`';
const HIDDEN = "not shown";

const PARAMETERS: readonly (readonly [parameter: string, type: string])[] = [
  [`in: query, ${LIST}`, LISTED],
  [`in: query, style: form, explode: true, ${LIST}`, LISTED],
  [`in: query, explode: false, ${LIST}`, HIDDEN],
  [`in: query, style: spaceDelimited, explode: false, ${LIST}`, HIDDEN],
  [`in: query, style: pipeDelimited, ${LIST}`, HIDDEN],
  [`in: query, ${OBJECT}`, HIDDEN],
  [`in: query, style: deepObject, explode: true, ${OBJECT}`, HIDDEN],
  ['in: query, schema: {$ref: "#/components/schemas/O"}', HIDDEN],
  ['in: query, schema: {allOf: [{$ref: "#/components/schemas/O"}]}', HIDDEN],
  ["in: query, schema: {type: array, items: {type: array, items: {type: string}}}", HIDDEN],
  ["in: query, schema: {type: [string, array]}", HIDDEN],
  ['in: query, explode: false, schema: {type: [integer, "null"]}', "schema"],
  ["in: query, explode: false, schema: {type: string}", "string"],
  ['in: query, schema: {$ref: "#/components/schemas/E"}', "schema `E`"],
  [`in: header, ${LIST}`, LISTED],
  [`in: header, ${OBJECT}`, HIDDEN],
  [`in: cookie, ${LIST}`, HIDDEN],
  ["in: cookie, schema: {type: integer}", "integer"],
  [`in: path, required: true, ${LIST}`, HIDDEN],
  ["in: path, required: true, style: matrix, schema: {type: string}", HIDDEN],
  ["in: path, required: true, schema: {type: string}", "string"],
];

const SWAGGER: readonly (readonly [parameter: string, type: string])[] = [
  ["in: query, type: array, collectionFormat: multi, items: {type: string}", LISTED],
  ["in: query, type: array, items: {type: string}", HIDDEN],
  ["in: query, type: array, collectionFormat: tsv, items: {type: string}", HIDDEN],
  ["in: header, type: array, items: {type: string}", LISTED],
  ["in: header, type: array, collectionFormat: pipes, items: {type: string}", HIDDEN],
  ["in: query, type: integer", "integer"],
];

const OPENAPI = `openapi: 3.1.0
info: {title: T, version: "1"}
components: {schemas: {O: {properties: {a: {}}}, E: {type: string, enum: [a]}}}`;
const OLD = 'swagger: "2.0"\ninfo: {title: T, version: "1"}';

for (const [head, all] of [[OPENAPI, PARAMETERS] as const, [OLD, SWAGGER] as const]) {
  for (const [parameter, type] of all) {
    test(`${head.slice(0, 7)}: ${parameter}`, () => {
      const path = parameter.startsWith("in: path") ? "/a/{p}" : "/a";
      const operation = `{parameters: [{name: p, ${parameter}}], responses: {}}`;
      const text = `${head}\npaths: {"${path}": {get: ${operation}}}\n`;
      const document = writtenDocument(described(text), "api.yaml");
      const row = document.split("\n").find((line) => line.startsWith("| `p` |")) ?? "";
      assert.ok((row.split(" | ")[2] ?? "").startsWith(type), row);
    });
  }
}

test("names that nest are a gap where an object is sent by them", () => {
  const operation = `{parameters: [{name: p, in: query, style: deepObject, ${OBJECT}}], responses: {}}`;
  const text = `${OPENAPI}\npaths: {"/a": {get: ${operation}}}\n`;
  assert.match(writtenDocument(described(text), "a.yaml"), /^- Nested names: not shown$/m);
});
