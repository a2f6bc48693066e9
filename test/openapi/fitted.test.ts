/** What OpenAPI 3.1 lets no object have stays beside it, and the export is as its schema says. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { load } from "js-yaml";
import { Unreadable, writtenDocument } from "../../src/openapi/index.ts";
import { exportedText } from "../export/exported.ts";
import { again } from "./again.ts";
import { described } from "./described.ts";

const swagger = 'swagger: "2.0"\ninfo: {title: T, version: 1.10}\n';
const three = "openapi: 3.0.3\ninfo: {title: T, version: '1'}\n";
const ok = "responses: {200: {description: OK}}";

const cases: readonly (readonly [what: string, text: string, says: RegExp])[] = [
  [
    "host, base path and schemes of Swagger are servers",
    `${swagger}host: a.b\nbasePath: /v1/\nschemes: [https, http]\npaths: {/a: {get: {schemes: [wss], ${ok}}}}`,
    /"servers":\[\{"url":"https:\/\/a\.b\/v1"\},.*"servers":\[\{"url":"wss:\/\/a\.b\/v1"\}\]/,
  ],
  [
    "schemes without a host stand apart",
    `${swagger}paths: {/a: {get: {schemes: [http], produces: [a/b], ${ok}}}}`,
    /"x-lacuna-swagger":\{"produces":\["a\/b"\],"schemes":\["http"\]\}/,
  ],
  ["a version that is a number is a text", `${swagger}paths: {}`, /"version":"1\.10"/],
  [
    "a scheme and a schema by names that OpenAPI does not let them have",
    `${swagger}securityDefinitions: {a b: {type: basic}}
security: [{a b: []}]
definitions: {"A[B]": {type: string}}
paths: {/a: {get: {responses: {200: {description: OK, schema: {$ref: "#/definitions/A%5BB%5D"}}}}}}`,
    /"#\/components\/schemas\/A-91-B-93-".*"security":\[\{"a-32-b":\[\]\}\].*"x-lacuna-name":"A\[B\]"/,
  ],
  [
    "how lists of a form are sent",
    `${swagger}paths: {/a: {post: {consumes: [multipart/form-data], parameters: [{name: b, in: formData, type: array, items: {type: string, collectionFormat: tsv}, collectionFormat: pipes}], ${ok}}}}`,
    /"x-lacuna-swagger":\{"collectionFormat":"tsv"\}.*"encoding":\{"b":\{"style":"pipeDelimited","explode":false\}\}/,
  ],
  [
    "a pattern that is none, beside what is no keyword of a schema",
    `${swagger}paths: {/a: {get: {parameters: [{name: b, in: query, required: true, type: string, pattern: "("}], ${ok}}}}`,
    /"name":"b","in":"query","required":true,"schema":\{"type":"string","pattern":"\("\}/,
  ],
  [
    "an example of a body that no answer has",
    `${swagger}paths: {/a: {get: {responses: {200: {description: OK, examples: {a/b: 1}}}}}}`,
    /"x-lacuna-swagger":\{"examples":\{"a\/b":1\}\}/,
  ],
  [
    "a member that parameters of paths do not have in 3.1",
    `${three}paths: {"/{a}": {get: {parameters: [{name: a, in: path, required: true, allowReserved: true, schema: {}}], ${ok}}}}`,
    /"x-lacuna-kept":\{"allowReserved":true\}/,
  ],
  [
    "a parameter of a link that is no text",
    `${three}paths: {/a: {get: {operationId: b, responses: {200: {description: OK, links: {c: {operationId: b, parameters: {d: e, f: {}}}}}}}}}`,
    /"parameters":\{"d":"e"\},"x-lacuna-kept":\{"parameters":\{"d":"e","f":\{\}\}\}/,
  ],
  [
    "components in the words of 3.1",
    `${three}paths: {}\ncomponents: {parameters: {schema: {name: a, in: query, schema: {type: string, nullable: true}, example: {nullable: true}}}}`,
    /"schema":\{"name":"a","in":"query","schema":\{"type":\["string","null"\]\},"example":\{"nullable":true\}/,
  ],
  [
    "a list of which nothing fits is none, not an empty one",
    `${three}servers: [{description: a}]\npaths: {/a: {get: {security: [{b: c}], ${ok}}}}`,
    /"x-lacuna-kept":\{"servers":\[\{"description":"a"\}\]\}/,
  ],
];

for (const [what, text, says] of cases) {
  test(`imported and exported: ${what}`, () => {
    const description = described(text);
    assert.deepEqual(again(description, "api.yaml"), { errors: [], differences: [], faults: [] });
    const document = Buffer.from(writtenDocument(description, "api.yaml"));
    const file = JSON.parse(exportedText("api.yaml", document));
    assert.match(JSON.stringify(file), says);
  });
}

type Value = Record<string, unknown>;

/** Every place of a value that has another kind of value in it, one after the other. */
function* spoiled(root: Value): Generator<Value> {
  const others: readonly unknown[] = [5, "x", [], {}, null, ["x"], { x: 5 }];
  let at = 0;
  const open: [Value, string][] = Object.keys(root).map((name) => [root, name]);
  for (let next = open.shift(); next !== undefined; next = open.shift()) {
    const [owner, name] = next;
    const value = owner[name];
    if (owner === root && name === "openapi") continue;
    owner[name] = others[at % others.length];
    at += 1;
    yield root;
    owner[name] = value;
    if (typeof value !== "object" || value === null) continue;
    for (const inner of Object.keys(value)) open.push([value as Value, inner]);
  }
}

/** With how much of a file it is tried: every value, or every third. */
const tried = [
  ["shop.yaml", 3],
  ["small/openapi-3.1.yaml", 1],
] as const;

for (const [file, step] of tried) {
  test(`whatever stands in it, its export is as the schema says: ${file}`, () => {
    const root = load(readFileSync(join(import.meta.dirname, file), "utf8")) as Value;
    let accepted = 0;
    let at = 0;
    for (const value of spoiled(root)) {
      at += 1;
      if (at % step > 0) continue;
      const text = JSON.stringify(value);
      try {
        const { errors, faults } = again(described(text), "api.json");
        assert.deepEqual(faults, [], text);
        if (errors.length === 0) accepted += 1;
      } catch (error) {
        if (!(error instanceof Unreadable)) throw error;
      }
    }
    assert.ok(accepted > 30, `${accepted}`);
  });
}
