/** Which reads begin a transaction: those alone that have asked for more behind first answers. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Ahead } from "../../src/store/postgres/ahead.ts";
import { together } from "../../src/store/postgres/together.ts";

test("a read of one round trip begins none, though one beside it has asked for more", () => {
  const longer = new Set<string>();
  /** What is sent together, behind `BEGIN` where a transaction begins. */
  const sent = (runs: readonly (readonly string[])[]): readonly string[] => {
    let ahead: Ahead | undefined;
    const within = <R>(one: Ahead, run: () => R): R => {
      ahead = one;
      return run();
    };
    const asking = together(
      runs.map((all) => () => all.map((sql) => ahead?.ask(sql, []))),
      { within, longer },
    );
    const trips: string[] = [];
    for (let next = asking.next(); next.done !== true; ) {
      const { asked, begins } = next.value;
      trips.push([...(begins ? ["BEGIN"] : []), ...asked.map(({ sql }) => sql)].join(" "));
      next = asking.next({ rows: asked.map(() => []) });
    }
    return trips;
  };
  assert.deepEqual(sent([["c"]]), ["c"]);
  assert.deepEqual(sent([["a", "b"], ["c"]]), ["a c", "BEGIN a c b"]);
  assert.deepEqual(sent([["c"]]), ["c"]);
  assert.deepEqual(sent([["a", "b"]]), ["BEGIN a", "b"]);
});
