/** The advice of findings works in the whole corpus: done to the letter, it mends and harms not. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Finding } from "../../src/base/index.ts";
import { cases } from "../whole.ts";
import { checked, textOf } from "./documents.ts";
import { corpus } from "./wrong/index.ts";

/** The text with what the finding advises done; undefined where only a person can do it. */
function followed(text: string, { fix, hint = "", span }: Finding): string | undefined {
  if (fix !== undefined) return text.slice(0, fix.at) + fix.insert + text.slice(fix.at);
  const word = /(?:Nearest: |[Dd]id you mean )(?:`([^`]+)`|([^`\s]+))[.?](?: |$)/.exec(hint);
  const near = word?.[1] ?? word?.[2];
  return near === undefined ? undefined : text.slice(0, span.start) + near + text.slice(span.end);
}

/** Errors and warnings. */
const toldOf = (text: string): readonly Finding[] =>
  checked(text).findings.filter(({ severity }) => severity === "error" || severity === "warning");
const keyOf = ({ code, message }: Finding): string => `${code} ${message}`;
const countOf = (all: readonly Finding[], key: string): number =>
  all.filter((one) => keyOf(one) === key).length;

/** What only then can be seen: the edit leaves something unused, or compares with another type. */
const BEHIND: ReadonlySet<string> = new Set(["input-unused", "wrong-type"]);

/** Documents with more are long to mend one by one, and have the same kinds of findings. */
const TOLD_MAX = 30;

let tried = 0;

for (const wrong of corpus) {
  const text = textOf(wrong);
  const before = text.includes("\uF8FF") ? [] : toldOf(text);
  const known = new Set(before.map(keyOf));
  for (const finding of before.length > cases(TOLD_MAX, Number.POSITIVE_INFINITY) ? [] : before) {
    const mended = followed(text, finding);
    if (mended === undefined) continue;
    tried++;
    test(`advice: ${wrong.base}: ${finding.code} ${finding.message.slice(0, 80)}`, () => {
      const after = toldOf(mended);
      const key = keyOf(finding);
      assert.ok(countOf(after, key) < countOf(before, key), finding.hint ?? "");
      const fresh = after.filter((one) => !known.has(keyOf(one)) && !BEHIND.has(one.code));
      assert.deepEqual(fresh.map(keyOf), []);
    });
  }
}

test("much of the advice can be followed to the letter", (t) => {
  t.diagnostic(`${tried} pieces of advice followed`);
  assert.ok(tried > 100);
});

test("hints name things in code spans that are whole, and no slots of the tables", () => {
  for (const wrong of corpus) {
    for (const { hint = "", message } of checked(textOf(wrong)).findings) {
      for (const said of [hint, message]) assert.doesNotMatch(said, /\{\w+:\w+\}/);
      assert.doesNotMatch(hint, /`[A-Z][a-z]+ `/);
    }
  }
});
