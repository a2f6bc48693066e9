/** A small environment that the tests of expressions share: articles, users, a query. */
import type { Environment, Member, Type } from "../../src/expr/index.ts";

const USER: Type = { kind: "row", resource: "User" };

function members(types: Readonly<Record<string, Type>>, absent = false): Map<string, Member> {
  return new Map(Object.entries(types).map(([name, type]) => [name, { type, absent }]));
}

export const FIELDS: ReadonlyMap<string, ReadonlyMap<string, Member>> = new Map([
  [
    "Article",
    members({
      id: { kind: "integer" },
      title: { kind: "string" },
      author: { kind: "nullable", of: USER },
      editor: USER,
      price: { kind: "decimal", places: 2 },
      status: { kind: "string", oneOf: ["draft", "published"] },
      tags: { kind: "list", of: { kind: "string" } },
      created: { kind: "timestamp" },
      due: { kind: "date" },
      rating: { kind: "number" },
      note: { kind: "nullable", of: { kind: "string" } },
    }),
  ],
  [
    "User",
    members({
      username: { kind: "string" },
      password: { kind: "secret" },
      manager: { kind: "nullable", of: USER },
    }),
  ],
]);

export const OBJECTS: ReadonlyMap<string, ReadonlyMap<string, Member>> = new Map([
  [
    "query",
    members(
      {
        tag: { kind: "string" },
        limit: { kind: "integer" },
        offset: { kind: "nullable", of: { kind: "integer" } },
      },
      true,
    ),
  ],
  ["header", members({ "if-match": { kind: "string" } }, true)],
]);

export const NAMES: ReadonlyMap<string, Type> = new Map<string, Type>([
  ["it", { kind: "row", resource: "Article" }],
  ["caller", USER],
  ["query", { kind: "object", name: "query" }],
  ["header", { kind: "object", name: "header" }],
  ["now", { kind: "timestamp" }],
  ["found", { kind: "nullable", of: { kind: "row", resource: "Article" } }],
  ["counts", { kind: "map", of: { kind: "integer" } }],
]);

export const environment: Environment = {
  names: NAMES,
  collections: new Map([
    ["articles", "Article"],
    ["users", "User"],
  ]),
  members: ({ kind, name }) => (kind === "row" ? FIELDS : OBJECTS).get(name),
};
