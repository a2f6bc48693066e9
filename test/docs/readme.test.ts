/** The first screen of README.md: its document is served, asked about, answered and served on. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { samples } from "./prose.ts";
import { Session } from "./session.ts";

const screen = samples().filter(
  ({ info, place }) => place.startsWith("README.md") && info.endsWith(" first"),
);

test("the first 60 lines hold the document, its gap, the question and the answer", () => {
  assert.deepEqual(
    screen.map(({ info }) => info),
    ["markdown first", "console first", "diff first", "console first"],
  );
  const last = screen.at(-1);
  const end = Number(last?.place.split(":")[1]) + (last?.text.split("\n").length ?? 0);
  assert.ok(end <= 60, `it ends in line ${end}`);
  assert.equal(screen[0]?.text.trimEnd().split("\n").length, 20);
});

test("a request meets the gap of the first screen, and the answer to it is served", async () => {
  const session = new Session("notes.md");
  try {
    for (const sample of screen) await session.does(sample);
  } finally {
    await session.end();
  }
});
