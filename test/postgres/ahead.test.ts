/** Answers that were asked for ahead: which are known behind what was written since. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Ahead, NOT_THERE_YET, since } from "../../src/store/postgres/ahead.ts";
import { type Change, type Depends, rowsBehind, where } from "../../src/store/postgres/depends.ts";
import type { HeldRow } from "../../src/store/postgres/wire.ts";

const SQL = "SELECT";
/** Rows whose column is `a`. */
const IS_A: Depends = { table: "t", only: [where("c", "a")] };

/** A row gets a value; `was`: the one before, null: there was no row, undefined: nobody knows. */
function written(key: number, now: string | undefined, was?: string | null): Change {
  return {
    table: "t",
    key,
    ...(now !== undefined && { now: () => now, row: () => [String(key), now] }),
    ...(was !== undefined && { was: was === null ? undefined : () => was }),
  };
}

/** What is known of a statement behind changes. */
function behind(
  depends: Depends,
  rows: readonly HeldRow[],
  changes: readonly (Change | undefined)[],
  asked: Depends = depends,
): readonly HeldRow[] | undefined {
  const ahead = asking(depends, rows);
  for (const one of changes) ahead.changed(one);
  return ahead.find(SQL, ["x"], asked);
}

/** One statement has been asked. */
function asking(depends: Depends, rows: readonly HeldRow[]): Ahead {
  const ahead = new Ahead();
  assert.throws(() => ahead.ask(SQL, ["x"], depends), NOT_THERE_YET);
  ahead.wanted();
  ahead.take([rows]);
  return ahead;
}

test("an answer without rows is known again when a row that came is out of it", () => {
  const [comes, goes] = [written(5, "a", null), written(5, "b")];
  assert.deepEqual(behind(IS_A, [], [written(5, "b", null)]), []);
  assert.equal(behind(IS_A, [], [comes]), undefined);
  assert.deepEqual(behind(IS_A, [], [comes, goes]), []);
  assert.equal(behind(IS_A, [], [comes, goes, comes]), undefined);
  assert.deepEqual(behind(IS_A, [], [comes, written(5, undefined)]), []);
});

test("what may have been in an answer leaves nothing known of it", () => {
  assert.equal(behind(IS_A, [], [written(5, "b")]), undefined);
  assert.equal(behind(IS_A, [], [written(5, "b", "a")]), undefined);
  assert.equal(behind(IS_A, [], [undefined]), undefined);
  assert.equal(behind(IS_A, [], [{ table: "t" }]), undefined);
});

test("what is undone leaves all as it was before", () => {
  const rows: Depends = {
    ...IS_A,
    givesRows: true,
    behind: rowsBehind({ isIn: ({ now }) => now?.("c") === "a", most: 9, isByKey: true }),
  };
  const changes = [
    ...[written(5, "a", null), written(5, "b"), written(5, undefined), written(1, "b", "a")],
    ...[{ table: "t" }, { table: "other", key: 1 }, undefined],
  ];
  for (const depends of [rows, IS_A, { ...IS_A, without: 5 }]) {
    for (const [first, second, third] of triples(changes)) {
      const ahead = asking(depends, depends === rows ? [["1", "a"]] : []);
      ahead.changed(first);
      const [found, row] = [ahead.find(SQL, ["x"], depends), ahead.row("t", 1)];
      const { mark } = ahead;
      for (const one of [second, third]) ahead.changed(one);
      ahead.undone(mark);
      assert.deepEqual(ahead.find(SQL, ["x"], depends), found);
      assert.deepEqual(ahead.row("t", 1), row);
    }
  }
});

test("an answer that has become another one is asked for again, and counted", () => {
  const ahead = asking(IS_A, []);
  ahead.changed(undefined);
  assert.equal(ahead.find(SQL, ["x"], IS_A), undefined);
  assert.throws(() => ahead.want(SQL, ["x"], IS_A), NOT_THERE_YET);
  assert.equal(ahead.wanted().length, 1);
  ahead.take([[["7", "a"]]]);
  assert.deepEqual(ahead.find(SQL, ["x"], IS_A), [["7", "a"]]);
  assert.equal(ahead.again, 1);
});

test("whoever asks without a row hears nothing of it, and of all others", () => {
  const without = (key: number): Depends => ({ ...IS_A, without: key });
  const changes = [written(5, "a", null)];
  assert.deepEqual(behind(without(5), [], changes), []);
  assert.deepEqual(behind(without(4), [], changes, without(5)), []);
  assert.equal(behind(without(5), [], changes, without(6)), undefined);
  const others = { ...without(5), others: ["t"] };
  assert.equal(behind(others, [], changes), undefined);
});

test("rows are known as they are written, and those of a new row without being asked", () => {
  const isIn = ({ now }: Change) => now?.("c") === "a";
  const rows: Depends = {
    ...IS_A,
    behind: rowsBehind({ isIn, most: 9, isByKey: true }),
  };
  const changes = [written(5, "a", null), written(6, "a", null), written(5, "b", "a")];
  const expected = [["6", "a"]];
  assert.deepEqual(behind(rows, [], changes), expected);
  assert.deepEqual(since({ ...rows, atFirst: [] }, changes), expected);
  assert.equal(since({ ...rows, atFirst: [] }, [...changes, undefined]), undefined);
  assert.equal(since(rows, changes), undefined);
});

test("one of several that need one answer asks", () => {
  const ahead = new Ahead();
  for (const value of ["1", "2"]) {
    assert.throws(() => ahead.ask(SQL, [value], { table: "t", once: "both" }), NOT_THERE_YET);
  }
  assert.deepEqual(
    ahead.wanted().map(({ values }) => values),
    [["1"]],
  );
});

/** Three of them after each other, each as often as wished. */
function triples<T>(all: readonly T[]): readonly (readonly [T, T, T])[] {
  return all.flatMap((a) => all.flatMap((b) => all.map((c) => [a, b, c] as const)));
}
