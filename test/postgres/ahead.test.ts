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
  changes: readonly (Change | undefined | "undone")[],
  asked: Depends = depends,
): readonly HeldRow[] | undefined {
  const ahead = new Ahead();
  assert.throws(() => ahead.ask(SQL, ["x"], depends), NOT_THERE_YET);
  ahead.wanted();
  ahead.take([rows]);
  for (const one of changes) {
    if (one === "undone") ahead.undone();
    else ahead.changed(one);
  }
  return ahead.find(SQL, ["x"], asked);
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

test("what was made of what is undone is not known", () => {
  const [comes, goes] = [written(5, "a", null), written(5, "b")];
  assert.equal(behind(IS_A, [], [comes, goes, "undone"]), undefined);
  assert.deepEqual(behind(IS_A, [], [written(5, "b", null), "undone"]), []);
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
