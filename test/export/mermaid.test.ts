/** Diagrams of states and resources name what the document states, and gaps as gaps. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { exported } from "./exported.ts";

test("states and transitions of the orders example stand in the diagram", () => {
  const text = exported("examples/orders/spec.md", "mermaid");
  assert.match(text, /stateDiagram-v2/);
  assert.match(text, /\[\*\] --> open/);
});

test("a document in which nothing is shown has no diagram", () => {
  assert.equal(exported("examples/blank/spec.md", "mermaid"), "");
});
