/** Descriptions of any size, each large in one way: what they cost is to grow as they do. */

type Json = Record<string, unknown>;

const OK = { "200": { description: "ok" } };
const METHODS = ["get", "put", "post", "delete", "options", "head", "patch"];

const many = <T>(count: number, make: (at: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => make(at));
const named = (count: number, make: (at: number) => readonly [string, unknown]): Json =>
  Object.fromEntries(many(count, make));
const file = (members: Json): Json => ({
  openapi: "3.1.0",
  info: { title: "Large", version: "1" },
  paths: {},
  ...members,
});
const get = (at: number, more: Json = {}): readonly [string, Json] => [
  `/a${at}`,
  { get: { responses: OK, ...more } },
];
const schemas = (all: Json): Json => ({ components: { schemas: all } });
const ref = (name: string): Json => ({ $ref: `#/components/schemas/${name}` });
const json = (schema: Json, more: Json = {}): Json => ({
  content: { "application/json": { schema, ...more } },
});
const query = (name: string, more: Json = {}): Json => ({
  name,
  in: "query",
  schema: { type: "string" },
  ...more,
});
const posted = (schema: Json, more: Json = {}): Json => ({
  "/a": { post: { requestBody: json(schema, more), responses: OK } },
});

/** By what it is large in; `count`: of how many. */
export const growing: Readonly<Record<string, (count: number) => Json>> = {
  operations: (n) => file({ paths: named(n, (i) => get(i)) }),
  "requirements for all": (n) =>
    file({
      security: many(n, (i) => ({ [`s${i}`]: [] })),
      components: {
        securitySchemes: named(n, (i) => [`s${i}`, { type: "http", scheme: "bearer" }]),
      },
      paths: named(n, (i) => get(i)),
    }),
  "parameters of a path": (n) =>
    file({
      paths: {
        "/a": {
          parameters: many(n, (i) => query(`p${i}`)),
          ...Object.fromEntries(
            METHODS.map((one) => [
              one,
              { responses: OK, parameters: many(n, (i) => query(`q${i}`)) },
            ]),
          ),
        },
      },
    }),
  "references to one schema": (n) =>
    file({
      ...schemas({ X: { type: "object", properties: named(200, (i) => [`m${i}`, {}]) } }),
      paths: named(n, (i) => get(i, { requestBody: json(ref("X")) })),
    }),
  "a chain of references": (n) =>
    file({
      components: {
        parameters: named(n, (i) => [
          `S${i}`,
          i + 1 < n ? { $ref: `#/components/parameters/S${i + 1}` } : query("x"),
        ]),
      },
      paths: named(n, (i) => get(i, { parameters: [{ $ref: `#/components/parameters/S${i}` }] })),
    }),
  "a ring of references": (n) =>
    file({
      ...schemas(named(n, (i) => [`S${i}`, ref(`S${(i + 1) % n}`)])),
      paths: named(1, (i) => get(i, { parameters: [query("q", { schema: ref("S0") })] })),
    }),
  "schemas that name one another": (n) =>
    file({
      ...schemas(
        named(n, (i) => [
          `S${i}`,
          { type: "object", properties: { a: ref(`S${(i + 1) % n}`), b: ref(`S${(i * 7) % n}`) } },
        ]),
      ),
      paths: posted(ref("S0")),
    }),
  "a lattice of allOf": (n) =>
    file({
      ...schemas(
        named(n, (i) => [
          `S${i}`,
          i + 1 < n ? { allOf: [ref(`S${i + 1}`), ref(`S${i + 1}`)] } : { type: "object" },
        ]),
      ),
      paths: posted(ref("S0"), { example: { a: 1 } }),
    }),
  "values of an enum": (n) =>
    file({
      ...schemas({ E: { type: "string", enum: many(n, (i) => `v${i}`), default: "v1" } }),
      paths: named(1, (i) => get(i, { parameters: [query("q", { schema: ref("E") })] })),
    }),
  tags: (n) =>
    file({
      tags: many(n, (i) => ({ name: `t${i}` })),
      paths: named(n, (i) => get(i, { tags: [`t${i}`, `t${(i * 3) % n}`] })),
    }),
  servers: (n) =>
    file({ servers: many(n, (i) => ({ url: `http://h${i}` })), paths: named(n, (i) => get(i)) }),
  "examples of an answer": (n) =>
    file({
      paths: named(1, (i) =>
        get(i, {
          responses: {
            "200": {
              description: "x",
              ...json(
                { type: "object", properties: named(20, (k) => [`m${k}`, { type: "integer" }]) },
                { examples: named(n, (k) => [`e${k}`, { value: { m1: k } }]) },
              ),
            },
          },
        }),
      ),
    }),
  answers: (n) =>
    file({
      paths: named(n, (i) =>
        get(i, {
          responses: named(20, (k) => [
            String(400 + k),
            { description: "d", ...json({ type: "string" }) },
          ]),
        }),
      ),
    }),
  callbacks: (n) =>
    file({
      paths: {
        "/a": {
          post: {
            responses: OK,
            callbacks: named(n, (i) => [
              `c${i}`,
              { "{$request.body#/u}": { post: { responses: OK } } },
            ]),
          },
        },
      },
    }),
  prose: (n) =>
    file({
      info: {
        title: "Large",
        version: "1",
        description: "a rate limit of 100 a minute. ".repeat(n),
      },
      paths: named(n, (i) => get(i, { description: "The rate limit is 5 a second; retry." })),
    }),
  extensions: (n) =>
    file({
      "x-a": named(n, (i) => [`k${i}`, { "x-b": i }]),
      paths: named(n, (i) => get(i, { "x-d": { e: i } })),
    }),
  "variants of a discriminator": (n) =>
    file({
      ...schemas({
        B: {
          oneOf: many(n, (i) => ref(`V${i}`)),
          discriminator: {
            propertyName: "k",
            mapping: named(n, (i) => [`v${i}`, `#/components/schemas/V${i}`]),
          },
        },
        ...named(n, (i) => [
          `V${i}`,
          { type: "object", properties: { k: { type: "string" } }, required: ["k"] },
        ]),
      }),
      paths: posted(ref("B"), { example: { k: "v1" } }),
    }),
  "properties of a schema": (n) =>
    file({
      ...schemas({
        O: {
          type: "object",
          required: many(n, (i) => `p${i}`),
          properties: named(n, (i) => [`p${i}`, { type: "integer", minimum: 1 }]),
        },
      }),
      paths: posted(ref("O")),
    }),
  "the same mistake": (n) =>
    file({
      paths: named(n, (i) =>
        get(i, {
          operationId: "same",
          parameters: [
            { name: "nope", in: "path", schema: { type: "wrong" } },
            { $ref: "#/components/parameters/missing" },
          ],
          responses: { default: { $ref: "#/components/responses/none" } },
        }),
      ),
    }),
  "paths that are one": (n) =>
    file({ paths: named(n, (i) => [`/a/{p${i}}`, { get: { responses: OK } }]) }),
  webhooks: (n) =>
    file({
      webhooks: named(n, (i) => [
        `w${i}`,
        { post: { requestBody: json({ type: "object" }), responses: OK } },
      ]),
    }),
};
