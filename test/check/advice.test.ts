/** The advice of a finding works: followed to the letter, the finding is gone and none is new. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Finding } from "../../src/base/index.ts";
import { type CheckCode, checkCodes } from "../../src/check/index.ts";
import { placed, places } from "./places.ts";
import { checked } from "./sample.ts";

/** The text with what the finding advises done; undefined where only a person can do it. */
function followed(text: string, { fix, hint = "", span }: Finding): string | undefined {
  if (fix !== undefined) return text.slice(0, fix.at) + fix.insert + text.slice(fix.at);
  const word = /Nearest: (?:`([^`]+)`|([^`]+?))\.(?: |$)/.exec(hint);
  const near = word?.[1] ?? word?.[2];
  if (near === undefined) return undefined;
  return text.slice(0, span.start) + near + text.slice(span.end);
}

/** Errors and warnings, each by its code and message. */
const told = (text: string): string[] =>
  checked(text)
    .findings.filter(({ severity }) => severity === "error" || severity === "warning")
    .map(({ code, message }) => `${code} ${message}`);

let tried = 0;

for (const code of Object.keys(places) as CheckCode[]) {
  const text = placed(code, checkCodes[code].wrong);
  const before = new Set(told(text));
  for (const finding of checked(text).findings) {
    const mended = followed(text, finding);
    if (mended === undefined) continue;
    tried++;
    test(`the advice of ${finding.code} works: ${finding.message}`, () => {
      const after = told(mended);
      assert.ok(!after.includes(`${finding.code} ${finding.message}`), finding.hint);
      assert.deepEqual(
        after.filter((one) => !before.has(one)),
        [],
      );
    });
  }
}

test("some findings have advice that can be followed to the letter", () => assert.ok(tried > 5));

/**
 * What a right sample may be told that its wrong one was not: a rule opens questions of its own,
 * and what is taken away may have been the one use of a name.
 */
const isBehind = ({ code }: Finding): boolean => code === "silent" || code === "never-used";

for (const code of Object.keys(places) as CheckCode[]) {
  const { wrong, right, severity } = checkCodes[code];
  const review = severity === "review";
  test(`${code}: what its page advises takes it away, and brings nothing`, () => {
    const isTold = (one: Finding) =>
      one.severity === "error" || one.severity === "warning" || one.code === code;
    const before = checked(placed(code, wrong), { review }).findings.filter(isTold);
    const after = checked(placed(code, right), { review }).findings.filter(isTold);
    assert.equal(before.filter((one) => one.code === code).length, 1);
    const had = new Set(before.map((one) => one.code));
    const fresh = after.filter(
      (one) => one.code === code || (!had.has(one.code) && !isBehind(one)),
    );
    assert.deepEqual(
      fresh.map((one) => `${one.code} ${one.message}`),
      [],
    );
  });
}
