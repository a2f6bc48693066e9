/** Options of campaigns: a wrong one is told, never read as if it were not there. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { optionsIn, WrongUse } from "./options.ts";

const kinds = { only: "text", limit: "count", line: "counts", part: "part", list: "flag" } as const;

test("options are read", () => {
  assert.deepEqual(
    optionsIn(
      ["--only", "todo", "--limit", "3", "--line", "4,5", "--part", "2/5", "--list"],
      kinds,
    ),
    {
      only: "todo",
      limit: 3,
      line: new Set([4, 5]),
      part: { part: 2, of: 5 },
      list: true,
    },
  );
  assert.deepEqual(optionsIn([], kinds), {
    only: undefined,
    limit: undefined,
    line: undefined,
    part: undefined,
    list: false,
  });
});

const wrong: readonly (readonly string[])[] = [
  ["--line", "abc"],
  ["--line", "4,"],
  ["--limit", "0"],
  ["--limit", "1.5"],
  ["--limit"],
  ["--lines", "4"],
  ["--part", "3/2"],
  ["--part", "1"],
  ["todo"],
];

for (const args of wrong) {
  test(`wrong: ${args.join(" ")}`, () => {
    assert.throws(() => optionsIn(args, kinds), WrongUse);
  });
}
