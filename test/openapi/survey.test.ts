/** What a survey says: counted causes at lines of the file, facets, and hostile forms. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { load } from "js-yaml";
import { survey } from "../../src/openapi/index.ts";
import { lacuna } from "../cli/world.ts";
import { countsOf } from "./count.ts";
import { described } from "./described.ts";

const SHOP = new URL("./shop.yaml", import.meta.url);
const shop = readFileSync(SHOP, "utf8");

const head = "openapi: 3.0.3\ninfo: {title: T, version: '1'}\n";

const causesOf = (text: string): Map<string, string> =>
  new Map(survey(described(text)).causes.map((each) => [each.code, each.message]));

test("the counts of a description are those of an independent count", () => {
  const { source } = described(shop);
  assert.deepEqual({ ...source }, countsOf(load(shop) as never));
});

test("each cause is told once, with how many of how many, at lines of the file", () => {
  const found = survey(described(shop));
  const messages = causesOf(shop);
  assert.equal(messages.get("error-body"), "3 of 4 operations say nothing of the body of a 4xx.");
  assert.equal(messages.get("who"), "1 of 4 operations say nothing of who may ask.");
  assert.equal(
    messages.get("scheme-unknown"),
    "1 of 4 operations name a security scheme that the file does not define.",
  );
  assert.equal(
    messages.get("bounds-crossed"),
    "1 of 1 ranges allow nothing: the least is above the greatest.",
  );
  const codes = found.causes.map((each) => each.code);
  assert.equal(new Set(codes).size, codes.length);
});

test("a question names the operation that tells most, each another one while there is one", () => {
  const { causes } = survey(described(shop));
  const asked = new Map(causes.map((each) => [each.code, each]));
  assert.equal(
    asked.get("effect")?.question,
    "What does `POST /orders` (and 3 more) keep, change or read?",
  );
  assert.equal(asked.get("effect")?.subject, "`POST /orders`");
  assert.equal(
    asked.get("errors-unstated")?.question,
    "What does `GET /orders` (and 1 more) answer to wrong inputs, bad credentials, and when nothing " +
      "is there?",
  );
  assert.equal(
    asked.get("resources")?.question,
    "What does the service keep behind `/orders` and `/orders/{id}`, and which schema shows it?",
  );
  assert.equal(
    asked.get("transitions")?.question,
    "Which operation moves `status` of schema `Order` from which state to which?",
  );
  const [first] = asked.get("effect")?.places ?? [];
  assert.equal(shop.slice(first?.start, first?.end), "post");
});

test("places are called by what they are in", () => {
  const text = `${head}paths:
  /a/{x}:
    parameters: [{name: x, in: path, required: true, schema: {type: string}}]
    get:
      responses:
        '200':
          description: d
          content: {application/json: {schema: {properties: {b: {properties: {c: {type: text}}}}}}}
components:
  schemas: {S: {properties: {list: {items: {properties: {d: {type: text}}}}}}}
  parameters: {P: {name: p, in: query}}
`;
  const { nameOf } = survey(described(text));
  const named = (words: string, from = 0): string => {
    const start = text.indexOf(words, from);
    return nameOf({ file: 0, start, end: start + 1 });
  };
  assert.equal(named("type: text"), "`b.c` of answer `200` of `GET /a/{x}`");
  assert.equal(named("{name: x"), "parameter `x` of path `/a/{x}`");
  assert.equal(named("d: {type"), "`list.d` of schema `S`");
  assert.equal(named("name: p,"), "parameter `P`");
  assert.equal(named("title"), "`info`");
  assert.equal(named("openapi"), "the file");
});

test("an operation without errors is asked for them once, and not for each", () => {
  const one = (answers: string): string => `{get: {responses: {${answers}}}}`;
  const none = causesOf(`${head}paths: {/a: ${one("'200': {description: d}")}}`);
  assert.equal(
    none.get("error-body"),
    "1 of 1 operations say nothing of the body of a 4xx: they state no error at all.",
  );
  assert.equal(none.get("errors-unstated"), undefined);
  assert.equal(none.get("server-error"), undefined);
  const both = causesOf(
    `${head}paths: {/a: ${one("'200': {description: d}")}, /b: ${one("'404': {description: d}")}}`,
  );
  assert.equal(both.get("error-body"), "2 of 2 operations say nothing of the body of a 4xx.");
  assert.match(both.get("errors-unstated") ?? "", /^1 of 2 operations state no error at all/);
  assert.match(both.get("server-error") ?? "", /^1 of 1 operations with errors/);
});

const PROSE: readonly (readonly [text: string, facet: string, quote: string | undefined])[] = [
  [
    "At most 5 MB. **Calls** are limited to 100 requests per minute.",
    "rate limits",
    "Calls are limited to 100 requests per minute",
  ],
  ["Pass it to throttle the outgoing mail.", "rate limits", undefined],
  [
    "Tokens expire after 30 days; see <a href='/x'>more</a>",
    "token handling",
    "Tokens expire after 30 days",
  ],
  ["The next page token is invalid or has expired.", "token handling", undefined],
  ["Bodies are limited to 5 MB.", "size limits", "Bodies are limited to 5 MB"],
  ["The name of a JSONP callback function.", "events", undefined],
  ["Kept for backwards compatibility.", "compatibility rules", undefined],
  ["See [more](https://a.example/webhooks).", "events", undefined],
];

for (const [text, facet, quote] of PROSE) {
  test(`prose about ${facet}: ${text}`, () => {
    const file = `${head.replace("title: T", `title: T, description: ${JSON.stringify(text)}`)}
security: [{s: []}]
paths: {/a: {get: {responses: {'200': {description: d}}}}}
components: {securitySchemes: {s: {type: http, scheme: bearer}}}
`;
    const { parts, causes } = survey(described(file));
    const found = parts.flatMap((part) => part.facets).find(({ name }) => name === facet);
    assert.equal(found?.status, quote === undefined ? "silent" : "mentioned");
    const told = causes.some((each) => each.message.includes(`Prose mentions it: “${quote}”.`));
    assert.equal(told, quote !== undefined);
  });
}

test("paths are the same whose names of parameters alone differ, whatever their methods", () => {
  const one = (method: string): string => `{${method}: {responses: {'204': {description: d}}}}`;
  const text = `${head}paths:
  /a/{x}: ${one("get")}
  /a/{y}: ${one("post")}
  /a/{y}/b: ${one("get")}
  /a/x: ${one("get")}
`;
  const found = survey(described(text)).causes.find((each) => each.code === "same-path");
  assert.match(found?.message ?? "", /^1 of 4 paths are the same as another/);
  assert.deepEqual(
    found?.places.map(({ start, end }) => text.slice(start, end)),
    ["/a/{y}"],
  );
});

test("what prose mentions is mentioned, and not stated", () => {
  const facets = survey(described(shop)).parts.flatMap((part) => part.facets);
  const status = (name: string): string | undefined =>
    facets.find((each) => each.name === name)?.status;
  assert.equal(status("rate limits"), "mentioned");
  assert.equal(status("quotas"), "silent");
  assert.equal(status("states"), "mentioned");
  assert.equal(status("scheme"), "stated");
  assert.equal(facets.length, 28);
});

test("lacuna check takes a description, and its JSON has the counts", async () => {
  const file = SHOP.pathname;
  const text = await lacuna(["check", file]);
  assert.equal(text.code, 1, text.err);
  assert.match(text.out, /Open questions: The 10 that block most/);
  const json = await lacuna(["check", file, "--format", "json"]);
  const report = JSON.parse(json.out) as { source: object; findings: { line: number }[] };
  assert.deepEqual(report.source, countsOf(load(shop) as never));
  assert.ok(report.findings.every((each) => each.line >= 1));
});

test("members that the version does not have are told with the nearest name", () => {
  const text = `${head}paths: {}
components:
  schemas:
    A: {type: object, requied: [a], properties: {a: {type: string, x-b: 1}}}
    B: {const: 1}
`;
  const found = survey(described(text)).causes.find((each) => each.code === "member-unknown");
  assert.equal(
    found?.message,
    "2 of 13 members are none of OpenAPI 3.0's: nobody reads them (`requied`, `const`).",
  );
  const typo = text.replace(/\n {4}B: .*/, "");
  const causes = survey(described(typo)).causes;
  const hint = causes.find((each) => each.code === "member-unknown")?.hint;
  assert.equal(hint, "Did you mean `required`?");
});

test("members of 3.1 are known there, and JSON Schema's keywords", () => {
  const text = `${head.replace("3.0.3", "3.1.0")}components:
  schemas:
    A: {const: 1, $defs: {B: {nullable: true}}, if: {unevaluatedProperties: false}}
`;
  assert.match(causesOf(text).get("member-unknown") ?? "", /\(`nullable`\)/);
});

test("examples are judged by their schemas, behind references and in alternatives", () => {
  const text = `${head}paths: {}
components:
  schemas:
    A: {type: object, required: [id], properties: {id: {type: integer, maximum: 9}}}
    Good: {allOf: [{$ref: '#/components/schemas/A'}], example: {id: 9}}
    Large: {allOf: [{$ref: '#/components/schemas/A'}], example: {id: 10}}
    Lacks: {oneOf: [{$ref: '#/components/schemas/A'}, {type: string}], example: {}}
    Null: {type: string, nullable: true, example: null}
    Round: {type: object, properties: {a: {$ref: '#/components/schemas/Round'}}, example: {a: {}}}
`;
  assert.equal(
    causesOf(text).get("example-outside"),
    "2 of 5 examples are no value that their schema allows.",
  );
});

test("a reference to another kind than what stands there is an error", () => {
  const text = `${head}paths: {}
components:
  parameters: {p: {name: p, in: query, schema: {type: string}}}
  schemas:
    A: {properties: {p: {$ref: '#/components/parameters/p'}}}
    B: {properties: {p: {$ref: '#/components/parameters/p/schema'}}}
`;
  assert.match(causesOf(text).get("ref-kind") ?? "", /^1 of 2 references/);
});

const odd: readonly string[] = [
  "openapi: 3.1.0",
  "openapi: 3.1.0\npaths: []",
  "openapi: 3.1.0\npaths: {/a: 1, /b: {get: 2, post: {parameters: 3, responses: 4}}}",
  "openapi: 3.1.0\npaths: {/a: {get: {parameters: [1, {}, {name: a, in: b}], responses: {x: 1}}}}",
  "openapi: 3.1.0\ncomponents: 1\nwebhooks: 2\nsecurity: 3\ninfo: 4",
  "swagger: 2.0\npaths: {/a: {get: {consumes: 1, parameters: [{name: b, in: body}]}}}",
  "openapi: 3.1.0\ncomponents: {schemas: {A: {$ref: '#/components/schemas/A'}, B: {allOf: 1}}}",
  "openapi: 3.1.0\ncomponents: {schemas: {A: {properties: {a: {$ref: '#/components/schemas/A'}}}}}",
];

for (const text of odd) {
  test(`no form of a file ends the survey: ${text.replaceAll("\n", " ").slice(0, 70)}`, () => {
    assert.equal(survey(described(text)).parts.length, 9);
  });
}
