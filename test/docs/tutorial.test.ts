/** The tutorial runs as it stands: each paste, edit, command and request; and it is short. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { samples } from "./prose.ts";
import { Session } from "./session.ts";

const path = "docs/tutorial/twenty-minutes.md";
const blocks = samples().filter(({ place }) => place.startsWith(path));
/** Words that one reads in a minute. */
const PACE = 200;

test("every paste, edit, command and request of the tutorial does what the page says", async () => {
  const session = new Session("library.md");
  try {
    for (const block of blocks) await session.does(block);
  } finally {
    await session.end();
  }
});

test("the tutorial takes twenty minutes: its words, and a minute for each paste", (context) => {
  const text = readFileSync(join(import.meta.dirname, "../..", path), "utf8");
  const pastes = blocks.filter(({ info }) => !info.startsWith("console")).length;
  const minutes = text.split(/\s+/).length / PACE + pastes;
  context.diagnostic(`${minutes.toFixed(1)} minutes`);
  assert.ok(minutes <= 20, String(minutes));
});
