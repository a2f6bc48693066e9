/** What a survey says of a file in AsyncAPI: counted causes, facets, and hostile forms. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { survey } from "../../src/openapi/index.ts";
import { described } from "./described.ts";

const FILE = `asyncapi: 3.0.0
info:
  title: Orders
  version: 1.0.0
  description: Tells of orders. Tokens expire after an hour.
servers:
  main: {host: a.example, protocol: mqtt}
channels:
  orders:
    address: orders/{id}/{kind}
    parameters: {id: {description: which}, other: {enum: [a]}}
    messages:
      placed: {payload: {type: object, properties: {a: {type: string}}}, contentType: application/json}
      avro: {payload: {schemaFormat: application/vnd.apache.avro;version=1.9.0, schema: {type: record}}}
      empty: {}
  replies: {address: null, messages: {done: {payload: {type: object}}}}
operations:
  tell:
    action: send
    channel: {$ref: "#/channels/orders"}
    bindings: {mqtt: {qos: 1}}
  ask:
    action: receive
    channel: {$ref: "#/channels/orders"}
    messages: [{$ref: "#/channels/orders/messages/placed"}]
    security: [{$ref: "#/components/securitySchemes/user"}]
    reply: {channel: {$ref: "#/channels/replies"}}
components:
  securitySchemes: {user: {type: userPassword}}
`;

const causesOf = (text: string): Map<string, { message: string; blocks: number }> =>
  new Map(survey(described(text)).causes.map((each) => [each.code, each]));

const TOLD: readonly (readonly [code: string, message: string])[] = [
  ["sent-when", "1 of 1 operations that send do not say when, and about what."],
  [
    "guarantee",
    "1 of 2 operations do not say how often a message arrives: at least once, at most once.",
  ],
  ["order", "2 of 2 operations do not say in which order messages arrive."],
  ["payload", "1 of 4 messages do not say what they carry."],
  ["content-type", "3 of 4 messages do not say their media type."],
  ["who", "1 of 2 operations say nothing of who may use them, nor do all their servers."],
  ["address", "1 of 2 channels do not say their address."],
  ["parameter-undeclared", "1 of 1 addresses with parameters name one that is not declared."],
  [
    "parameter-unused",
    "1 of 1 channels with parameters declare one that their address does not have.",
  ],
  ["reply-time", "1 of 1 operations with a reply do not say how long it may take."],
  [
    "further-members",
    "1 of 1 objects in messages that come in do not say what becomes of members that they do not list.",
  ],
  [
    "token-handling",
    "Nothing says how long credentials are good, and how they end. Prose mentions it: “Tokens expire after an hour”.",
  ],
];

for (const [code, message] of TOLD) {
  test(`what a file in AsyncAPI leaves open is told once, counted: ${code}`, () => {
    assert.equal(causesOf(FILE).get(code)?.message, message);
  });
}

test("a message blocks every operation that carries it", () => {
  assert.equal(causesOf(FILE).get("content-type")?.blocks, 2);
});

test("each cause is told once, and each is at a place", () => {
  const { causes } = survey(described(FILE));
  assert.equal(new Set(causes.map(({ code }) => code)).size, causes.length);
  for (const each of causes) assert.ok(each.places.length > 0, each.code);
});

test("each of the 28 facets is stated, mentioned or silent", () => {
  const facets = survey(described(FILE)).parts.flatMap((part) => part.facets);
  const having = (status: string): string[] =>
    facets.filter((each) => each.status === status).map(({ name }) => name);
  assert.equal(facets.length, 28);
  assert.deepEqual(having("mentioned"), ["token handling"]);
  assert.deepEqual(having("stated"), [
    ...["purpose", "behaviour", "fields", "types"],
    ...["request payloads", "response payloads", "scheme", "credentials"],
    ...["events", "notifications", "versioning scheme"],
  ]);
});

test("a scheme of 2.x that is not defined is told at its name", () => {
  const text = "asyncapi: 2.6.0\nchannels: {a: {publish: {security: [{key: []}]}}}\n";
  const cause = survey(described(text)).causes.find(({ code }) => code === "scheme-unknown");
  assert.equal(cause?.places[0]?.start, text.indexOf("key"));
});

const odd: readonly string[] = [
  "asyncapi: 3.0.0",
  "asyncapi: 2.0.0\nchannels: {a: {publish: {message: {oneOf: [1, {oneOf: 2}]}, security: [1]}}}",
  "asyncapi: 3.0.0\noperations: {b: {action: send}, c: {action: send, channel: 3, reply: 4}}",
  "asyncapi: 3.0.0\nchannels: {a: {$ref: '#/channels/a'}, b: {bindings: {kafka: {topicConfiguration: 1}}}}",
];

for (const text of odd) {
  test(`no form of a file ends the survey: ${text.replaceAll("\n", " ").slice(0, 70)}`, () => {
    assert.equal(survey(described(text)).parts.length, 9);
  });
}
