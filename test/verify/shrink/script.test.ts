/** What a script reads of an answer: members of an item of a list, whatever stands around them. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { HEAD, ITEM } from "../../../src/verify/shrink/script.ts";
import { folder } from "../../cli/world.ts";

const order = (id: string, more: object = {}): object => ({
  lines: [{ sku: "a", status: "packed", sizes: [1, 2] }, { sku: "b" }],
  address: { city: "Bern", of: { id: "x" } },
  note: 'a "}" {[ \\',
  id,
  status: "open",
  tags: ["one", "two"],
  ...more,
});

/** A body, the text of an item, a member of it, and what is printed of it. */
const cases: readonly (readonly [string, unknown, string, string, string])[] = [
  [
    "behind parts",
    { orders: [order("o_1"), order("o_2", { status: "paid" })] },
    "o_2",
    "status",
    '"paid"',
  ],
  [
    "of the first",
    { orders: [order("o_1"), order("o_2", { status: "paid" })] },
    "o_1",
    "status",
    '"open"',
  ],
  ["before its name", [{ status: "paid", id: "o_1" }, order("o_2")], "o_1", "status", '"paid"'],
  ["a part", [order("o_1"), order("o_2")], "o_2", "address", "(more)"],
  ["a list", [order("o_1"), order("o_2")], "o_2", "tags", "(more)"],
  ["none of that name but in a part", [order("o_1")], "o_1", "city", ""],
  ["no such item", [order("o_1")], "o_2", "status", ""],
  ["the last member", [order("o_1", { done: true })], "o_1", "done", "true"],
];

for (const indent of [undefined, 2]) {
  for (const [name, body, text, member, printed] of cases) {
    test(`${name}, ${indent === undefined ? "in one line" : "in several lines"}`, (t) => {
      const place = folder(t);
      writeFileSync(join(place, "body"), JSON.stringify(body, undefined, indent));
      const lines = [HEAD, ITEM, `cp "$1/body" "$dir"`, `item "$2"; member "$3" 1 "$dir/item"`];
      const script = join(place, "script");
      writeFileSync(script, lines.join("\n"));
      const found = execFileSync("sh", [script, place, text, member], { encoding: "utf8" });
      assert.equal(found.trim(), printed);
    });
  }
}

test("an item that is a text", (t) => {
  const place = folder(t);
  writeFileSync(join(place, "body"), '["a","b"]');
  writeFileSync(
    join(place, "script"),
    `${HEAD}\n${ITEM}\ncp "$1/body" "$dir"\nitem "$2"; cat "$dir/item"`,
  );
  const shown = (text: string): string =>
    execFileSync("sh", [join(place, "script"), place, text], { encoding: "utf8" }).trim();
  assert.deepEqual([shown("b"), shown("c")], ['"b"', ""]);
});
