/** Files in OpenAPI are as its schema says, and give the document back that they were made of. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { Ajv2020 } from "ajv/dist/2020.js";
import { type ExportOptions, exporters, restore } from "../../src/export/index.ts";
import { writtenDocument } from "../../src/openapi/index.ts";
import { described } from "../openapi/described.ts";
import { documents } from "./documents.ts";
import { exportableOf } from "./exported.ts";
import { officialFaults } from "./official.ts";

const VERSIONS: readonly ExportOptions["openapi"][] = ["3.1", "3.2"];

const ajv = new Ajv2020({ strict: false, validateFormats: false });

function written(name: string, bytes: Uint8Array, form: string, openapi: "3.1" | "3.2" = "3.1") {
  const text = exporters[form]?.(exportableOf(name, bytes), { openapi });
  assert.ok(text !== undefined, form);
  return JSON.parse(text);
}

function judgeSchema(name: string, bytes: Uint8Array): void {
  const schema = written(name, bytes, "jsonschema");
  assert.ok(ajv.validateSchema(schema), JSON.stringify(ajv.errors));
  for (const key of Object.keys(schema.$defs)) {
    const part = key.replaceAll("~", "~0").replaceAll("/", "~1");
    ajv.compile({ ...schema, $ref: `#/$defs/${encodeURIComponent(part)}` });
  }
}

test("schemas that JSON Schema does not let stand are kept apart in one", () => {
  const file = readFileSync(join(import.meta.dirname, "../openapi/odd.yaml"), "utf8");
  judgeSchema("odd.md", Buffer.from(writtenDocument(described(file), "odd.yaml")));
});

for (const [name, bytes] of documents()) {
  test(`${name} as OpenAPI is as its schema says, and gives the same plan`, () => {
    for (const version of VERSIONS) {
      const file = written(name, bytes, "openapi", version);
      assert.deepEqual(officialFaults(file, version).slice(0, 5), []);
      const text = restore(file);
      assert.ok(text !== undefined);
      const again = exportableOf(name, new TextEncoder().encode(text));
      assert.deepEqual(again.plan, exportableOf(name, bytes).plan);
    }
  });

  test(`${name} as JSON Schema is one`, () => {
    judgeSchema(name, bytes);
  });
}

test("who may not open a stream is answered as at an endpoint", () => {
  const bytes = readFileSync(join(import.meta.dirname, "../six/ledger.md"));
  const { get } = written("ledger.md", bytes, "openapi").paths["/companies/{company}/stream"];
  assert.deepEqual(Object.keys(get.responses["200"].content), ["text/event-stream"]);
  const { "401": nobody, "404": nothing, "429": often } = get.responses;
  for (const one of [nobody, nothing, often]) {
    assert.match(one.$ref, /^#\/components\/responses\/(unauthorized|not_found|slow_down)$/);
  }
});

test("a file that holds no piece of a document gives none", () => {
  for (const other of [null, 1, "a", [], {}, { openapi: "3.1.1", "x-lacuna-section": 1 }]) {
    assert.equal(restore(other), undefined);
  }
});
