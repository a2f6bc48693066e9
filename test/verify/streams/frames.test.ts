/** `text/event-stream` is read as clients read it, however it is cut to pieces. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Frame, FrameReader } from "../../../src/verify/streams/frames.ts";

const cases: readonly (readonly [name: string, text: string, frames: readonly unknown[]])[] = [
  ["one event", "id: 1\nevent: made\ndata: {}\n\n", [["1", "made", "{}"]]],
  ["without a name it is a message", "data: a\n\n", [[undefined, "message", "a"]]],
  ["data in lines", "data: a\ndata\ndata:b\n\n", [[undefined, "message", "a\n\nb"]]],
  ["other ends of lines", "data: a\r\rdata: b\r\n\r\n", ["a", "b"]],
  ["comments and unknown fields", ": beat\nretry: 5\nx: y\ndata: a\n\n", ["a"]],
  ["without data it is none", "event: made\n\ndata: a\n\n", ["a"]],
  [
    "an id stays",
    "id: 1\ndata: a\n\ndata: b\n\n",
    [
      ["1", "message", "a"],
      ["1", "message", "b"],
    ],
  ],
  ["a mark of order is passed over", "\uFEFFdata: a\n\n", ["a"]],
  ["what is not ended is none", "data: a\n", []],
];

for (const [name, text, frames] of cases) {
  test(name, () => {
    for (const size of [1, 3, text.length]) {
      const found: Frame[] = [];
      const reader = new FrameReader((frame) => found.push(frame));
      for (let i = 0; i < text.length; i += size) reader.read(text.slice(i, i + size), 0n);
      const shown = found.map(({ id, event, data }, i) =>
        typeof frames[i] === "string" ? data : [id, event, data],
      );
      assert.deepEqual(shown, frames, `in pieces of ${size}`);
    }
  });
}
