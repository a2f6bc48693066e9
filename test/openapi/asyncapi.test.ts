/** Files in AsyncAPI: what the model has of them, in every version, traits merged. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "js-yaml";
import { asyncCountsOf } from "./count-async.ts";
import { described } from "./described.ts";

const TWO = `
asyncapi: 2.6.0
info: {title: Lights, version: 1.0.0}
defaultContentType: application/json
servers:
  main: {url: "mqtt://a.example", protocol: mqtt, security: [{user: []}]}
channels:
  light/{id}/measured:
    parameters: {id: {schema: {type: string}}}
    bindings: {mqtt: {bindingVersion: 0.1.0}}
    publish:
      operationId: measured
      security: [{user: [write]}, {}]
      traits: [{$ref: "#/components/operationTraits/quick"}]
      summary: as the file has it
      message:
        oneOf:
          - {$ref: "#/components/messages/one"}
          - {name: two, schemaFormat: "application/vnd.apache.avro;version=1.9.0", payload: {type: record}}
    subscribe:
      message: {payload: {type: string}, examples: [{payload: a}]}
components:
  securitySchemes: {user: {type: userPassword}}
  operationTraits: {quick: {summary: of the trait, bindings: {mqtt: {qos: 1}}, description: null}}
  messages:
    one:
      headers: {type: object, properties: {a: {type: string}}}
      traits:
        - {headers: {properties: {b: {type: integer}, a: {maxLength: 3}}}, contentType: text/plain}
      payload: {$ref: "#/components/schemas/One"}
  schemas: {One: {type: object}, Two: true}
`;

const THREE = `
asyncapi: 3.0.0
info: {title: Orders, version: 1.0.0}
servers:
  main: {host: a.example, pathname: /v1, protocol: wss}
channels:
  orders:
    address: null
    messages:
      placed: {$ref: "#/components/messages/Placed"}
      undone: {payload: {schemaFormat: "application/vnd.oai.openapi;version=3.0.0", schema: {type: object}}}
    servers: [{$ref: "#/servers/main"}]
  replies:
    address: replies
    messages:
      done: {payload: {schemaFormat: "application/schema+json;version=draft-07", schema: {type: object}}}
operations:
  tell:
    action: send
    channel: {$ref: "#/channels/orders"}
    summary: its own
    traits: [{summary: of the first, description: first}, {description: second}]
    security:
      - {$ref: "#/components/securitySchemes/key"}
      - {type: oauth2, flows: {}, scopes: [read]}
  ask:
    action: receive
    channel: {$ref: "#/channels/orders"}
    messages: [{$ref: "#/channels/orders/messages/placed"}]
    reply:
      channel: {$ref: "#/channels/replies"}
      address: {location: "$message.header#/replyTo"}
components:
  securitySchemes: {key: {type: apiKey, in: user}}
  messages:
    Placed:
      correlationId: {location: "$message.header#/id"}
      payload: {type: object}
    Unused: {payload: {type: string}}
`;

const modelOf = (text: string, others?: Readonly<Record<string, string>>) => {
  const { async: model } = described(text, others);
  assert.ok(model);
  return model;
};

test("the counts of files in 2.x and 3.x are those of an independent count", () => {
  for (const text of [TWO, THREE]) {
    assert.deepEqual({ ...described(text).source }, asyncCountsOf(load(text) as never));
    assert.deepEqual(described(text).problems(), []);
  }
});

test("2.x: who publishes talks to the application, which receives", () => {
  const { operations, servers } = modelOf(TWO);
  assert.deepEqual(
    operations.map(({ word, action, name }) => [word, action, name]),
    [
      ["publish", "receive", "measured"],
      ["subscribe", "send", undefined],
    ],
  );
  assert.deepEqual(
    operations[0]?.security?.map(({ name, scopes }) => [name, scopes]),
    [["user", ["write"]]],
  );
  assert.equal(servers[0]?.address, "mqtt://a.example");
  assert.deepEqual(
    operations[0]?.messages.map((each) => [each.name, each.payload?.language]),
    [
      ["one", "schema"],
      ["two", "other"],
    ],
  );
  assert.equal(operations[1]?.messages[0]?.name, "light/{id}/measured subscribe");
  assert.equal(operations[1]?.messages[0]?.contentType, "application/json");
});

test("2.x: a trait is a patch: it replaces what it names, at every depth", () => {
  const { operations } = modelOf(TWO);
  const [first] = operations;
  assert.equal(valueOf(first?.node, "summary"), "of the trait");
  assert.equal(first?.bindings[0]?.name, "mqtt");
  const [one] = first?.messages ?? [];
  assert.equal(one?.contentType, "text/plain");
  assert.deepEqual(json(one?.headers?.node), {
    type: "object",
    properties: { a: { type: "string", maxLength: 3 }, b: { type: "integer" } },
  });
});

test("3.x: what an operation has itself stands before its traits, later traits before earlier", () => {
  const { operations } = modelOf(THREE);
  assert.equal(valueOf(operations[0]?.node, "summary"), "its own");
  assert.equal(valueOf(operations[0]?.node, "description"), "second");
  assert.deepEqual(
    operations[0]?.security?.map(({ name, scopes }) => [name, scopes]),
    [
      ["key", []],
      [undefined, ["read"]],
    ],
  );
});

test("3.x: replies, addresses that are not known, languages of schemas", () => {
  const { operations, channels, messages, servers } = modelOf(THREE);
  const [tell, ask] = operations;
  assert.deepEqual(
    tell?.messages.map((each) => [each.name, each.payload?.language]),
    [
      ["placed", "schema"],
      ["undone", "openapi"],
    ],
  );
  assert.equal(tell?.messages[0]?.correlationId?.location, "$message.header#/id");
  assert.equal(ask?.reply?.address, "$message.header#/replyTo");
  assert.deepEqual(
    ask?.reply?.messages.map((each) => each.name),
    ["done"],
  );
  assert.equal(channels[0]?.address, null);
  assert.deepEqual(channels[0]?.servers, ["main"]);
  assert.equal(servers[0]?.address, "a.example/v1");
  assert.deepEqual(
    messages.map((each) => each.name),
    ["placed", "undone", "done", "Unused"],
  );
});

test("references to other files are followed, and those that lead out of the folder are told", () => {
  const text = `asyncapi: 3.0.0
channels:
  a:
    address: a
    messages: {one: {$ref: "parts/m.yaml#/one"}, two: {$ref: "../m.yaml#/two"}}
    parameters: {id: {$ref: "../p.yaml#/id"}}
operations:
  send: {action: send, channel: {$ref: "#/channels/a"}, messages: [{$ref: "#/channels/a/messages/two"}]}
  all: {action: send, channel: {$ref: "#/channels/a"}}
`;
  const others = {
    "parts/m.yaml": "one: {payload: {$ref: 's.yaml'}}",
    "parts/s.yaml": "type: object",
  };
  const description = described(text, others);
  const { operations, channels } = description.async ?? { operations: [], channels: [] };
  assert.equal(channels[0]?.messages[0]?.payload?.language, "schema");
  assert.equal(operations[0]?.messages[0]?.name, "two");
  assert.equal(operations[0]?.messages[0]?.node, undefined);
  assert.equal(description.source.parameters, 2);
  assert.deepEqual(
    new Set(description.problems().map((each) => each.code)),
    new Set(["ref-outside"]),
  );
});

const odd: readonly string[] = [
  "asyncapi: 3.0.0",
  "asyncapi: 2.0.0\nchannels: []",
  "asyncapi: 2.0.0\nchannels: {a: 1, b: {publish: 2, subscribe: {message: 3, traits: 4}}}",
  "asyncapi: 2.0.0\nchannels: {a: {publish: {message: {oneOf: [1, {oneOf: 2}]}, security: [1]}}}",
  "asyncapi: 3.0.0\noperations: {a: 1, b: {action: 2}, c: {action: send, channel: 3, reply: 4}}",
  "asyncapi: 3.0.0\nchannels: {a: {$ref: '#/channels/a'}, b: {messages: {c: 1, d: []}}}",
  "asyncapi: 3.0.0\nservers: 1\ncomponents: {messages: {a: {traits: [1, {}], payload: null}}}",
];

for (const text of odd) {
  test(`no form of a file ends the reading: ${text.replaceAll("\n", " ").slice(0, 70)}`, () => {
    assert.ok(described(text).async);
  });
}

type Any = { readonly kind: string; readonly [name: string]: unknown };

/** The value as JSON, without places. */
function json(node: unknown): unknown {
  const any = node as Any;
  if (any.kind === "scalar") return any["value"];
  if (any.kind === "list") return (any["items"] as unknown[]).map(json);
  const values = any["values"] as unknown[];
  return Object.fromEntries((any["keys"] as string[]).map((key, at) => [key, json(values[at])]));
}

const valueOf = (node: unknown, key: string): unknown =>
  (json(node) as Record<string, unknown>)[key];
