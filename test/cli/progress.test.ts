/** What is being done with a large document is said on a terminal, and nowhere else. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { blankDocument } from "../../src/write/index.ts";
import { lacuna } from "./world.ts";

const large = `${blankDocument("Large")}\n${"> A line that says nothing of the service.\n".repeat(25_000)}`;

test("a large document shows how far its check is, and leaves nothing behind", async () => {
  const seen = await lacuna(["check", "-", "--no-color"], { stdin: large, isTerminal: true });
  const lines = seen.err.split("\r\u001b[2K");
  assert.deepEqual(lines, ["", "reading - (1.1 MB) …", "checking - (1.1 MB) …", ""]);
  assert.equal((await lacuna(["check", "-"], { stdin: large })).err, "");
  const small = await lacuna(["check", "-", "--no-color"], {
    stdin: blankDocument("Small"),
    isTerminal: true,
  });
  assert.equal(small.err, "");
});
