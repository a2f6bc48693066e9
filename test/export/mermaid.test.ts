/** Diagrams of states and resources name what the document states, and gaps as gaps. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { exported } from "./exported.ts";

test("states and transitions of the orders example stand in the diagram", () => {
  const text = exported("examples/orders/spec.md", "mermaid");
  assert.match(text, /stateDiagram-v2/);
  assert.match(text, /\[\*\] --> s_open/);
  assert.match(text, /s_shipped --> \[\*\]/);
});

test("a transition says what causes it and under which condition", () => {
  const text = exported("examples/bank/spec.md", "mermaid");
  assert.match(text, /s_waiting --> s_done: book<br\/>if it\.runAt #60;= now$/m);
  assert.match(text, /s_waiting --> s_done: run<br\/>at runAt$/m);
  assert.match(text, /s_waiting --> s_failed: miss<br\/>when run is refused$/m);
});

test("a resource has its keys, and references with how many they can be", () => {
  const text = exported("examples/orders/spec.md", "mermaid");
  assert.match(text, /^ {4}id id PK$/m);
  assert.match(text, /^ {4}reference customer FK$/m);
  assert.match(text, /^ {4}string_or_null payment$/m);
  assert.match(text, /^ {2}Order \}o--\|\| Account : "customer"$/m);
});

test("a document in which nothing is shown has no diagram", () => {
  assert.equal(exported("examples/blank/spec.md", "mermaid"), "");
});
