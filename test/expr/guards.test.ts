/** What may fault for some value needs a guard: what guards it, and what does not. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { check, type Member, noFacts, type Type } from "../../src/expr/index.ts";

const integer: Type = { kind: "integer" };
const text: Type = { kind: "string" };
const query = new Map<string, Member>(
  Object.entries({
    i: integer,
    page: { kind: "integer", least: 1n },
    rate: { kind: "decimal", places: 2 },
    x: { kind: "number" },
    q: text,
    kind: { kind: "string", oneOf: ["1", "20"] } as Type,
    by: { kind: "string", oneOf: ["name", "id"] } as Type,
    list: { kind: "list", of: integer } as Type,
    some: { kind: "list", of: integer, least: 2n } as Type,
    map: { kind: "map", of: integer } as Type,
  } satisfies Record<string, Type>).map(([name, type]) => [name, { type, absent: false }]),
);

const environment = {
  names: new Map<string, Type>([["query", { kind: "object", name: "query" }]]),
  collections: new Map([["notes", "Note"]]),
  members: ({ name }: { name: string }) =>
    name === "query" ? query : new Map([["n", { type: integer, absent: false }]]),
  guarded: true,
};

/** Expressions that are right, by what they guard, and the same without the guard. */
const cases: readonly (readonly [right: string, wrong: string])[] = [
  ["size(query.list) > 1 ? query.list[1] : 0", "query.list[1]"],
  ["size(query.list) > 0 ? query.list[0] : 0", "size(query.list) >= 0 ? query.list[0] : 0"],
  ["size(query.list) == 0 ? 0 : query.list[0]", "size(query.list) == 1 ? 0 : query.list[0]"],
  ["query.list != [] && query.list[0] > 1", "query.list != [1] && query.list[0] > 1"],
  ["query.some[0] + query.some[1]", "query.some[2]"],
  ["query.some[size(query.some) - 2]", "query.some[size(query.some) - 3]"],
  [
    "size(query.list) > 0 && query.list[size(query.list) - 1] > 0",
    "size(query.some) > 0 && query.list[size(query.list) - 1] > 0",
  ],
  [
    "query.i >= 0 && query.i < size(query.list) && query.list[query.i] > 0",
    "query.i < size(query.list) && query.list[query.i] > 0",
  ],
  [
    "query.page < size(query.list) && query.list[query.page] > 0",
    "query.page <= size(query.list) && query.list[query.page] > 0",
  ],
  [
    "query.list.exists(n, n > 1) && query.list[0] > 1",
    "query.list.all(n, n > 1) && query.list[0] > 1",
  ],
  ["3 in query.list && query.list[0] > 1", "!(3 in query.list) && query.list[0] > 1"],
  ["query.q.split(',')[0] == ''", "query.q.split('')[0] == ''"],
  ["size(query.q.split(',')) > 1 && query.q.split(',')[1] == ''", "query.q.split(',')[1] == ''"],
  [
    "size(notes.filter(n, n.n > 1)) > 0 && notes.filter(n, n.n > 1)[0].n > 1",
    "size(notes.filter(n, n.n > 1)) > 0 && notes.filter(n, n.n > 2)[0].n > 1",
  ],
  ["'a' in query.map && query.map['a'] > 0", "'b' in query.map && query.map['a'] > 0"],
  ["query.q in query.map && query.map[query.q] > 0", "query.map[query.q] > 0"],
  ["query.map.all(k, query.map[k] > 0)", "query.some.all(k, query.map[string(k)] > 0)"],
  ["{'name': 1, 'id': 2}[query.by] == 1", "{'name': 1}[query.by] == 1"],
  ["{'a': 1}['a'] == 1", "{'a': 1}['b'] == 1"],
  ["query.i != 0 && 1 / query.i > 0", "query.i != 1 && 1 / query.i > 0"],
  ["query.i > 0 && 1 % query.i == 0", "query.i > -1 && 1 % query.i == 0"],
  [
    "query.i < 0 || query.i > 0 ? 1 / query.i == 0 : false",
    "query.i < 1 ? 1 / query.i == 0 : false",
  ],
  ["1 / query.page == 0", "1 / (query.page - 1) == 0"],
  ["10 / (query.page * 2 + 1) == 0", "10 / (query.page - query.i) == 0"],
  ["query.x != 0e0 && 1e0 / query.x > 0e0", "1e0 / query.x > 0e0"],
  [
    "query.rate > 0.00 && divide(1, query.rate, 2, 'down') > 0.00",
    "query.rate >= 0.00 && divide(1, query.rate, 2, 'down') > 0.00",
  ],
  ["size(query.list) > 0 ? max(query.list) : 0", "max(query.list)"],
  ["min(query.some.map(n, n * 2))", "min(query.some.filter(n, n > 2))"],
  ["max(query.list + [0])", "max(query.list + query.list)"],
  ["int(query.kind) > 0", "int(query.by) > 0"],
  ["int_or_null(query.q) != null && int_or_null(query.q) > 0", "int(query.q) > 0"],
  ["int_or_null(query.q) != null", "int_or_null(query.q) > 0"],
  [
    "timestamp_or_null(query.q) == null || timestamp_or_null(query.q) > timestamp('2024-01-01T00:00:00Z')",
    "timestamp(query.q) > timestamp('2024-01-01T00:00:00Z')",
  ],
  ["date_or_null(query.q) != date('2024-01-01')", "date(query.q) != date('2024-01-01')"],
  ["duration_or_null(query.q) == null", "duration(query.q) == duration('1h')"],
  ["slice(query.list, query.i, 9) == []", "query.list[query.i] == 9"],
];

for (const [right, wrong] of cases) {
  test(`guarded: ${right}`, () => {
    assert.deepEqual(check(right, environment, noFacts()).problems, []);
    const { problems } = check(wrong, environment, noFacts());
    assert.deepEqual(
      problems.map(({ code }) => code),
      ["unguarded"],
      `${wrong}: ${JSON.stringify(problems)}`,
    );
    assert.ok(problems[0]?.hint, "it says what to do");
  });
}

test("what is known of numbers is no part of code", () => {
  const { code } = check("query.page * 2 + size(query.some)", environment, noFacts());
  assert.doesNotThrow(() => JSON.stringify(code));
  assert.ok(!JSON.stringify(code).includes("least"));
});
