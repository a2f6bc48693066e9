/** Drawings of states: nothing lies on anything else, and any number of states ends at once. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type GraphEdge, layout } from "../../../src/export/html/states/layout.ts";
import { randomFrom, testSeed } from "../../random.ts";

const size = { width: 60, height: 20 };

test("no two nodes or labels of a layer overlap, whatever leads where", () => {
  const random = randomFrom(testSeed);
  const below = (most: number): number => Math.floor(random() * most);
  for (let round = 0; round < 200; round++) {
    const count = 1 + below(9);
    const edges: GraphEdge[] = Array.from({ length: below(18) }, () => {
      return { from: below(count), to: below(count), size: { width: 30 + below(90), height: 16 } };
    });
    const laid = layout(
      Array.from({ length: count }, () => size),
      edges,
    );
    assert.ok(laid !== undefined);
    const boxes = [
      ...laid.nodes.map((middle) => ({ middle, width: size.width })),
      ...edges.flatMap((edge, i) => {
        const middle = laid.edges[i]?.label;
        return middle && edge.from !== edge.to ? [{ middle, width: edge.size.width }] : [];
      }),
    ];
    for (const [i, { middle, width }] of boxes.entries()) {
      assert.ok(Number.isFinite(middle.x) && Number.isFinite(middle.y));
      assert.ok(middle.x - width / 2 >= 0 && middle.x + width / 2 <= laid.width);
      for (const other of boxes.slice(i + 1)) {
        if (other.middle.y !== middle.y) continue;
        const apart = Math.abs(other.middle.x - middle.x);
        assert.ok(apart >= (width + other.width) / 2 - 0.01, "apart");
      }
    }
  }
});

test("a long chain is laid out, and what would need too many places is not", () => {
  const nodes = (count: number) => Array.from({ length: count }, () => size);
  const chain = (count: number): GraphEdge[] =>
    Array.from({ length: count - 1 }, (_, from) => ({ from, to: from + 1, size }));
  assert.equal(layout(nodes(1500), chain(1500))?.nodes.length, 1500);
  const far = Array.from({ length: 500 }, (_, from) => ({ from, to: 999, size }));
  assert.equal(layout(nodes(1000), [...chain(1000), ...far]), undefined);
});
