/** What many operations share is there once, so that a large description costs no more than it is. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { described } from "./described.ts";
import { growing } from "./growing.ts";

const of = (name: string, count: number) => described(JSON.stringify(growing[name]?.(count)));

test("operations without requirements of their own share those of the file", () => {
  const lists = new Set(of("requirements for all", 20).operations.map((one) => one.security));
  assert.equal(lists.size, 1);
  assert.equal([...lists][0]?.length, 20);
});

test("a circle of references is told once for each place", () => {
  const found = of("a ring of references", 100).problems();
  const places = new Set(found.map(({ code, place }) => `${code} ${place.start}`));
  assert.equal(places.size, found.length);
});

for (const name of Object.keys(growing)) {
  test(`a description that is large in ${name} is read`, () => {
    assert.ok(of(name, 3).root.keys.includes("openapi"));
  });
}
