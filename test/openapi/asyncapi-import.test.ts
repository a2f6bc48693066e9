/** Documents made of files in AsyncAPI: without errors, and from them the same file again. */
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { exporters } from "../../src/export/index.ts";
import { type Description, describe, writtenDocument } from "../../src/openapi/index.ts";
import { lacuna } from "../cli/world.ts";
import { asyncapiSchema } from "../export/asyncapi-schema.ts";
import { exportableOf } from "../export/exported.ts";
import { described } from "./described.ts";

const CORPORA =
  process.env["LACUNA_CORPORA"] ?? join(import.meta.dirname, "../../../shared/corpora");
const FOLDER = join(CORPORA, "asyncapi-examples");

const files = existsSync(FOLDER)
  ? readdirSync(FOLDER, { recursive: true, encoding: "utf8" }).filter(
      (each) => /\.ya?ml$/.test(each) && !each.startsWith("social-media/common/"),
    )
  : [];

if (files.length === 0) test("asyncapi-examples: not found, skipped", { skip: true }, () => {});

const TWO = `asyncapi: 2.6.0
info: {title: Lights, version: 1.0.0}
servers: {main: {url: "mqtt://a.example", protocol: mqtt, security: [{user: []}]}}
channels:
  light/{id}:
    parameters: {id: {schema: {type: string}}}
    publish: {message: {$ref: "#/components/messages/one"}}
    subscribe: {message: {name: two, payload: {type: object, dependencies: {a: [b]}}}}
components:
  securitySchemes: {user: {type: userPassword}, key: {type: httpApiKey, in: header, name: X-Key}}
  messages: {one: {payload: {$ref: "#/components/schemas/One"}}}
  schemas: {One: {type: array, items: [{type: string}], additionalItems: false}}
`;

const HOOK = `asyncapi: 3.0.0
info: {title: Hooks, version: 1.0.0}
channels:
  out:
    address: /hook
    messages:
      paid: {payload: {type: object, properties: {id: {type: string}}}, headers: {type: object}}
      avro: {payload: {schemaFormat: application/vnd.apache.avro;version=1.9.0, schema: {type: record, name: A, fields: []}}}
  both: {address: both, messages: {paid: {$ref: "#/channels/out/messages/paid"}, own: {$ref: "#/components/messages/Own"}}}
operations:
  hook: {action: send, channel: {$ref: "#/channels/out"}, bindings: {http: {method: POST}}, messages: [{$ref: "#/channels/out/messages/avro"}]}
  tell: {action: send, channel: {$ref: "#/channels/both"}}
  ask: {action: receive, channel: {$ref: "#/channels/both"}, reply: {channel: {$ref: "#/channels/out"}}}
components:
  messages: {Own: {payload: {$ref: "#/components/schemas/Own"}}}
  schemas: {Own: {type: object}, Avro: {schemaFormat: application/vnd.apache.avro;version=1.9.0, schema: {type: record, name: A, fields: []}}}
`;

const SCHEMAS = new Map(
  (["2.6.0", "3.0.0", "3.1.0"] as const).map((version) => [
    version as string,
    asyncapiSchema(version),
  ]),
);

/** What a description states, without places. */
function stated({ source, async: model }: Description): unknown {
  const messages = (all: readonly { readonly name: string }[] = []): string[] =>
    all.map(({ name }) => name).toSorted();
  const operations = (model?.operations ?? []).map((each) => ({
    is: `${each.action} ${each.channel?.name} ${each.channel?.address}`,
    messages: messages(each.messages),
    replies: messages(each.reply?.messages),
    security: each.security?.map(({ name }) => name),
  }));
  return { ...source, operations, servers: model?.servers.map(({ name }) => name) };
}

function roundTrip(description: Description, name: string): void {
  const document = writtenDocument(description, name);
  const exportable = exportableOf(`${name}.md`, new TextEncoder().encode(document));
  const errors = exportable.checked.findings.filter(({ severity }) => severity === "error");
  assert.deepEqual(
    errors.map(({ code, message }) => `${code}: ${message}`),
    [],
  );
  const text = exporters["asyncapi"]?.(exportable, { openapi: "3.1" }) ?? "";
  assert.deepEqual(stated(described(text)), stated(description));
  const isValid = SCHEMAS.get(description.version);
  if (isValid === undefined) return;
  assert.ok(isValid(JSON.parse(text)), JSON.stringify(isValid.errors?.slice(0, 5), undefined, 1));
}

for (const [name, text] of [
  ["2.x", TWO],
  ["a webhook", HOOK],
] as const) {
  test(`a document made of a file in AsyncAPI has no errors, and gives the file: ${name}`, () => {
    roundTrip(described(text), "api.yaml");
  });
}

for (const file of files) {
  test(`a document made of ${file} has no errors, and gives the file`, () => {
    const path = join(FOLDER, file);
    const beside = (other: string): Uint8Array | string => {
      const found = join(dirname(path), other);
      return existsSync(found) ? readFileSync(found) : "there is no such file";
    };
    roundTrip(describe("asyncapi.yaml", readFileSync(path), beside), "asyncapi.yaml");
  });
}

test("each event stands in the table, each webhook below it, with the place in the file", () => {
  const text = writtenDocument(described(HOOK), "hook.yaml");
  assert.match(text, /^\| `avro` \| not shown \| not shown \| webhook `hook` \|$/m);
  assert.match(text, /^\| `paid` \| not shown \| not shown \| not shown \|$/m);
  assert.match(text, /^### `hook`, a webhook$/m);
  assert.match(
    text,
    /^> `tell` sends `paid` with a payload of the schema `paid` and headers of the schema `paid.headers`, `own` with a payload of the schema `Own` to the channel `both` at `both`: from `hook.yaml:12:3`\.$/m,
  );
  assert.match(
    text,
    /`avro` with a payload in `application\/vnd.apache.avro;version=1.9.0`, which is not taken over/,
  );
  assert.match(text, /^### `Avro`, a schema$[^#]*^- Schema: not shown$/m);
  assert.match(text, /^> `ask` receives `paid`/m);
});

test("schemas of draft 7 are written in the words of 2020-12", () => {
  const text = writtenDocument(described(TWO), "two.yaml");
  assert.match(text, /"prefixItems": \[[^\]]*\],\s*"items": false/);
  assert.match(text, /"dependentRequired": \{/);
  assert.match(text, /- Sent in: header `X-Key`, form `\{credential\}`/);
});

test("lacuna import takes a file in AsyncAPI", async () => {
  const { code, out } = await lacuna(["import", "-"], { stdin: HOOK });
  assert.equal(code, 0);
  assert.match(out, /^# Hooks$/m);
});

for (const form of ["openapi", "asyncapi"]) {
  test(`lacuna import gives the document back that ${form} was exported from`, async () => {
    const file = join(import.meta.dirname, "../../examples/orders/spec.md");
    const { out: exported } = await lacuna(["export", file, "--to", form]);
    const { code, out, err } = await lacuna(["import", "-"], { stdin: exported });
    assert.equal(code, 0);
    assert.equal(err, "");
    assert.equal(out, readFileSync(file, "utf8"));
  });
}

test("a file whose pieces are none is read as others are", async () => {
  const text = '{"openapi": "3.1.0", "info": {}, "paths": {}, "x-lacuna-parts": []}';
  const { code, out } = await lacuna(["import", "-"], { stdin: text });
  assert.equal(code, 0);
  assert.match(out, /^## Endpoints$/m);
});
