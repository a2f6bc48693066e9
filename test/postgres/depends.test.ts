/** What queries depend on, and which answers a change leaves as they were. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Code, callOf, nameOf, render, type Type } from "../../src/expr/index.ts";
import type { Query, Value } from "../../src/run/index.ts";
import { schemaOf } from "../../src/store/index.ts";
import {
  type Change,
  Dependence,
  type Depends,
  isChanged,
  rowsBehind,
  where,
} from "../../src/store/postgres/depends.ts";
import { planOf } from "../histories/subjects.ts";

const TODO: Type = { kind: "row", resource: "Todo" };
const TEXT: Type = { kind: "string" };
const it = nameOf("it", TODO);
const field = (of: Code, member: string): Code => ({ op: "get", type: TEXT, of, member });
const given = (place: number, type: Type): Code => nameOf(`$${place}`, type);
const isGivenId = callOf("==", field(it, "id"), given(0, TEXT));

const dependence = new Dependence(schemaOf(planOf("examples/todo/spec.md")).tables);
let queries = 0;
function reach(of: Partial<Query>) {
  const query = { id: queries++, resource: "Todo", as: "it", where: [], order: [], ...of };
  return dependence.reach(query);
}

test("a query by fields alone gives whole rows, and one with other conditions does not", () => {
  const id = { column: "id", value: given(0, TEXT) };
  assert.deepEqual(reach({ where: [isGivenId] }).by, [id]);
  const isGivenTitle = callOf("==", field(it, "title"), given(1, TEXT));
  const title = { column: "title", value: given(1, TEXT) };
  assert.deepEqual(reach({ where: [isGivenId, isGivenTitle] }).by, [id, title]);
  const isOpen = callOf("==", field(it, "title"), field(it, "status"));
  assert.deepEqual(reach({ where: [isGivenId, isOpen] }).by, undefined);
  assert.deepEqual(reach({ where: [isGivenId], columns: [field(it, "title")] }).by, undefined);
  const inLower: Code = { op: "call", type: TEXT, fn: "lower", args: [field(it, "id")] };
  const isAnyCase = callOf("==", inLower, given(0, TEXT));
  const { by: none, only } = reach({ where: [isAnyCase] });
  assert.deepEqual({ none, only }, { none: undefined, only: [] });
});

test("a query knows the row that it is without, and the resources that it reads besides", () => {
  const others = callOf("!=", it, given(1, TODO));
  assert.equal(reach({ where: [isGivenId, others] }).without, 1);
  const of = (row: Value) => {
    const where = [isGivenId, others];
    const query = { id: queries++, resource: "Todo", as: "it", where, order: [] };
    return dependence.of(query, ["a", row])?.without;
  };
  assert.equal(of({ resource: "Todo", key: 7, values: [] }), 7);
  assert.equal(of(null), undefined);
  const all: Code = {
    op: "each",
    macro: "exists",
    type: { kind: "boolean" },
    over: { op: "rows", type: { kind: "list", of: TODO }, resource: "Other" },
    as: "other",
    body: callOf("==", nameOf("other", TODO), it),
  };
  const { only: _, ...found } = reach({ columns: [all] });
  assert.deepEqual(found, { others: ["Other"], isOfKeys: true });
  const owner = field({ ...field(it, "owner"), type: { kind: "row", resource: "Other" } }, "name");
  const isOwned = callOf("==", owner, given(0, TEXT));
  const { others: read, isOfKeys } = reach({ where: [isOwned] });
  assert.deepEqual({ read, isOfKeys }, { read: ["Other"], isOfKeys: false });
});

const TIME: Type = { kind: "timestamp" };
const time: Code = { op: "get", type: TIME, of: it, member: "createdAt" };
const status = field(it, "status");
const literal = (value: string): Code => ({ op: "literal", type: TEXT, value });
const words: Code = {
  op: "list",
  type: { kind: "list", of: TEXT },
  items: [literal("open"), literal("done")],
};
const bound = given(0, TIME);
/** Values that are sure to fail a condition, and others. */
const CONDITIONS: readonly (readonly [
  condition: Code,
  fails: readonly unknown[],
  others: readonly unknown[],
])[] = [
  [callOf("<=", time, bound), [6n, null, undefined], [5n, 4n, "x"]],
  [callOf("<", time, bound), [5n, 6n], [4n]],
  [callOf(">=", time, bound), [4n, null], [5n, 6n]],
  [callOf(">", time, bound), [4n, 5n], [6n]],
  [callOf(">=", bound, time), [6n], [5n, 4n]],
  [callOf("in", status, words), ["gone"], ["open", null]],
  [callOf("==", status, literal("open")), ["done", null], ["open"]],
  [callOf("==", literal("open"), status), ["done", null], ["open"]],
];
for (const [condition, fails, others] of CONDITIONS) {
  test(`what is sure to fail a condition: ${render(condition)}`, () => {
    const only = reach({ where: [condition] }).only[0]?.([5n]) ?? assert.fail("none");
    for (const one of fails) assert.equal(only.fails(one), true, String(one));
    for (const one of others) assert.equal(only.fails(one), false, String(one));
  });
}

test("a condition of which nothing is known lets all values through", () => {
  const none = [
    callOf("==", time, bound),
    callOf("!=", status, literal("open")),
    callOf("<=", status, literal("open")),
    callOf("||", callOf("==", status, literal("open")), callOf("<=", time, bound)),
  ];
  for (const one of none) assert.deepEqual(reach({ where: [one] }).only, [], render(one));
});

/** A row that is written, with what it has in its column. */
function change(key: number, now: string | undefined, was?: string): Change {
  return {
    table: "t",
    key,
    ...(now !== undefined && { now: () => now }),
    ...(was !== undefined && { was: () => was }),
  };
}

/** Rows of keys behind a change of one of them, by whether it is one of them then. */
const BEHIND: readonly (readonly [
  of: string,
  given: { most?: number; isByKey?: boolean },
  rows: readonly number[],
  change: { key: number; isIn: boolean | undefined; isGone?: boolean },
  behind: readonly string[] | undefined,
])[] = [
  ["one that stays", {}, [1, 2], { key: 1, isIn: true }, ["1 new", "2"]],
  ["one that comes", {}, [1, 3], { key: 2, isIn: true }, ["1", "2 new", "3"]],
  ["one that comes first", {}, [], { key: 2, isIn: true }, ["2 new"]],
  ["one that leaves", {}, [1, 2], { key: 1, isIn: false }, ["2"]],
  ["one that is gone", {}, [1, 2], { key: 2, isIn: true, isGone: true }, ["1"]],
  ["one that was never there", {}, [1], { key: 2, isIn: false }, ["1"]],
  ["one of which it is not known", {}, [1], { key: 1, isIn: undefined }, undefined],
  ["one that stays before a cut", { most: 2 }, [1, 2], { key: 1, isIn: true }, ["1 new", "2"]],
  ["one that comes before a cut", { most: 2 }, [1, 3], { key: 2, isIn: true }, undefined],
  ["one that leaves before a cut", { most: 2 }, [1, 2], { key: 1, isIn: false }, undefined],
  ["one that is gone behind a cut", { most: 2 }, [1, 2], { key: 5, isIn: false }, ["1", "2"]],
  ["the only one in an order", { isByKey: false }, [1], { key: 1, isIn: true }, ["1 new"]],
  [
    "the first in an order, before a cut",
    { isByKey: false, most: 1 },
    [1],
    { key: 1, isIn: true },
    undefined,
  ],
  ["one of several in an order", { isByKey: false }, [1, 2], { key: 1, isIn: true }, undefined],
  ["one that comes into an order", { isByKey: false }, [1], { key: 2, isIn: true }, undefined],
];

for (const [of, { most = 9, isByKey = true }, keys, { key, isIn, isGone }, behind] of BEHIND) {
  test(`rows behind a change: ${of}`, () => {
    const told = rowsBehind({ isIn: () => isIn, most, isByKey });
    const row = isGone === true ? {} : { row: () => [String(key), " new"] };
    const rows = keys.map((one) => [String(one)]);
    const found = told({ table: "t", key, ...row }, rows);
    assert.deepEqual(
      found?.map((all) => all.join("")),
      behind,
    );
  });
}

const BY: Depends = { table: "t", only: [where("c", "a")] };
const CASES: readonly (readonly [
  of: string,
  depends: Depends | undefined,
  change: Change | undefined,
  keys: readonly number[],
  isChanged: boolean,
])[] = [
  ["all that may be written", undefined, { table: "other" }, [], true],
  ["a table of which nothing is known", { table: "t" }, undefined, [], true],
  ["a table", { table: "t" }, { table: "other" }, [], false],
  ["a table", { table: "t" }, { table: "t" }, [], true],
  ["another table", { table: "t", others: ["other"] }, { table: "other" }, [], true],
  ["a row", { table: "t", keys: [1] }, change(1, "b"), [1], true],
  ["a row", { table: "t", keys: [1] }, change(2, "b"), [1], false],
  ["a value that comes", BY, change(2, "a", "b"), [], true],
  ["a value that goes", BY, change(2, "b", "a"), [], true],
  ["a value that neither comes nor goes", BY, change(2, "b", "c"), [], false],
  ["a value that may have been there", BY, change(2, "b"), [], true],
  ["a value of rows that are known", { ...BY, isRows: true }, change(2, "b"), [1], false],
  ["a value of rows that are known", { ...BY, isRows: true }, change(1, "b"), [1], true],
  ["a row that goes", { ...BY, isRows: true }, change(1, undefined), [1], true],
  ["a row that goes", { ...BY, isRows: true }, change(2, undefined), [1], false],
  ["keys", { table: "t", isOfKeys: true }, { ...change(1, "b"), stays: true }, [1], false],
  ["keys", { table: "t", isOfKeys: true }, change(1, undefined), [1], true],
];

for (const [of, depends, one, keys, is] of CASES) {
  const told =
    one === undefined ? "an unknown change" : JSON.stringify({ ...one, now: one.now?.("c") });
  test(`an answer that depends on ${of} is ${is ? "another" : "the same"} behind ${told}`, () => {
    const rows = keys.map((key) => [String(key)]);
    assert.equal(isChanged(depends, one, rows), is);
  });
}
