/** Each count that is told of operations, parameters and answers is that of a count made anew. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { load } from "js-yaml";
import { survey } from "../../src/openapi/index.ts";
import { described } from "./described.ts";
import { recounted } from "./recount.ts";

/** Every rule is met by something of it, and not met by something else. */
const MIXED = `openapi: 3.0.3
info: {title: Mixed, version: '1'}
security: [{key: []}]
paths:
  /notes:
    parameters: [{name: page, in: query, schema: {type: integer}}]
    get:
      deprecated: true
      parameters:
        - {name: page, in: query, schema: {type: integer, default: 1}}
        - {name: sort, in: query, schema: {$ref: '#/components/schemas/Sort'}}
      responses:
        '200': {description: d}
        default: {description: d, content: {application/json: {schema: {type: object}}}}
    post:
      requestBody: {content: {application/json: {schema: {type: object}}}}
      responses:
        '201': {description: d, content: {application/json: {schema: {type: object}}}}
        '400': {description: d, content: {application/json: {schema: {type: object}}}}
        '409': {description: d}
        '429': {description: d}
  /notes/{id}:
    get:
      security: [{}]
      parameters: [{name: id, in: path, required: true, schema: {type: string}}]
      responses: {'200': {description: d}, 4XX: {description: d}}
    head:
      security: []
      parameters: [{name: id, in: path, required: true, schema: {type: string}}]
      responses: {'200': {description: d}, '404': {description: d}}
    put:
      parameters:
        - {name: id, in: path, required: true, schema: {type: string}}
        - {name: If-Match, in: header, schema: {type: string}}
      requestBody: {required: true, content: {application/json: {schema: {type: object}}}}
      responses: {'204': {description: d}, '401': {description: d}, '500': {description: d}}
  /notes/{name}:
    delete:
      parameters: [{name: name, in: path, required: true, schema: {type: string}}]
      requestBody: {content: {application/json: {schema: {type: object}}}}
      responses: {'205': {description: d}}
  /labels:
    post:
      parameters: [{name: Idempotency-Key, in: header, schema: {type: string}}]
      responses: {default: {description: d}}
components:
  securitySchemes: {key: {type: apiKey, in: header, name: X-Key}}
  schemas: {Sort: {type: string, default: name}}
`;

const shop = readFileSync(new URL("./shop.yaml", import.meta.url), "utf8");

const ALL = new Set([MIXED, shop].flatMap((text) => [...recounted(load(text) as never).keys()]));

test("every code that is counted anew is met by one of the files", () =>
  assert.equal(ALL.size, 21));

for (const [name, text] of [
  ["a mixed file", MIXED],
  ["shop.yaml", shop],
] as const) {
  test(`${name}: every count is that of a count made anew`, () => {
    const told = survey(described(text)).causes;
    const expected = recounted(load(text) as never);
    const found = new Map(
      told.map(({ code, count, of }) => [code as string, [count, of] as const]),
    );
    for (const code of ALL) assert.deepEqual(found.get(code), expected.get(code), code);
  });
}
