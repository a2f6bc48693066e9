/** Bounds of the host on the command line. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { boundOf, boundsBehind } from "../../src/cli/bounds.ts";

const root = join(import.meta.dirname, "../..");

function lacuna(...args: readonly string[]): { status: number | null; out: string; err: string } {
  const main = join(root, "src/cli/main.ts");
  const made = spawnSync(process.execPath, [main, ...args], { encoding: "utf8" });
  return { status: made.status, out: made.stdout, err: made.stderr };
}

test("a bound is set by its name; another name, and what is no number, are refused", () => {
  assert.deepEqual(boundOf("body-bytes", "10"), { key: "bodyBytesMax", value: 10 });
  assert.deepEqual(boundOf("idle-time", "5"), { key: "keepAliveTimeoutMs", value: 5 });
  assert.match(String(boundOf("body-byte", "10")), /did you mean `body-bytes`\?/);
  for (const wrong of ["", "x", "0", "1=2", "1.5", "-1", "1e3", "2147483648"]) {
    assert.equal(typeof boundOf("body-bytes", wrong), "string", wrong);
  }
});

test("a wrong bound, and one narrower than a stated limit, keep the service from starting", () => {
  const orders = join(root, "examples/orders/spec.md");
  const wrong = lacuna("serve", orders, "--memory", "--port", "0", "--bound", "bodies=1");
  assert.equal(wrong.status, 2);
  assert.match(wrong.err, /`bodies` is no bound; the bounds are target-bytes/);
  const narrow = lacuna("serve", orders, "--memory", "--port", "0", "--bound", "body-bytes=9");
  assert.equal(narrow.status, 2);
  assert.match(narrow.err, /`body-bytes` is 9, and the document states 65536 \(limit `body`\)/);
});

test("where a document says that there is no size limit, check prints the host's bounds", () => {
  const { out } = lacuna("check", join(root, "examples/todo/spec.md"), "--no-color");
  assert.match(out, /time-outs: none but the host's own bounds/);
  assert.match(boundsBehind("size limits") ?? "", /body-bytes 8,388,608/);
  assert.equal(boundsBehind("quotas"), undefined);
});
