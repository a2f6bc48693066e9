/** JSON in pieces is the JSON of the whole. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { jsonPieces, lazily } from "../../src/cli/report/pieces.ts";

const many = Array.from({ length: 20_000 }, (_, i) => ({ i, text: `line\n"${i}"`, list: [i, []] }));

test("pieces are what JSON.stringify gives", () => {
  const values: unknown[] = [
    {},
    [],
    null,
    "a\nb",
    { a: undefined, b: null },
    [[], {}, [1, { c: [] }]],
    { many },
  ];
  for (const value of values) {
    assert.equal([...jsonPieces(value)].join(""), `${JSON.stringify(value, null, 2)}\n`);
  }
});

test("a lazy list is written as the list, element by element", () => {
  const none = [...jsonPieces({ none: lazily([], String) })].join("");
  assert.equal(none, `${JSON.stringify({ none: [] }, null, 2)}\n`);
  const pieces = [...jsonPieces([{ deep: { many: lazily(many, (one) => ({ one })) }, last: 1 }])];
  const whole = [{ deep: { many: many.map((one) => ({ one })) }, last: 1 }];
  assert.equal(pieces.join(""), `${JSON.stringify(whole, null, 2)}\n`);
  assert.ok(pieces.length > 10);
});
