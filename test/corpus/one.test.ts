/** One mistake has one finding: each wrong document has one edit, and what it is told is counted. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Finding } from "../../src/base/index.ts";
import { checkCodes } from "../../src/check/codes.ts";
import { baseText, checked, textOf } from "./documents.ts";
import { corpus } from "./wrong/index.ts";

const MISSING = "what stood there before is missing where it is used";
const SWAPPED = "the edit puts one step in place of another, which is missed";
const UNDONE = "what is not stated is not done either, and others wait for it";
const BOTH = "two statements of the document are at odds, each in its own way";
const UNUSED = "the edit takes away the one use of a name, which nothing uses then";
const USED = "what is wrong where it is stated is wrong where it is used, in another way";

/** Findings beside the one that is expected, each with the reason: `code: other`. */
const MORE: Readonly<Record<string, string>> = {
  "second-name: wrong-type": MISSING,
  "second-name: unreachable-step": MISSING,
  "second-name: silent": MISSING,
  "unknown-name: silent": MISSING,
  "unknown-bullet: unknown-name": MISSING,
  "unknown-table: never-delivers": MISSING,
  "otherwise-alone: unknown-name": MISSING,
  "never-delivers: unknown-name": MISSING,
  "idle-check: missing-check": SWAPPED,
  "indent: empty-block": SWAPPED,
  "nested-statement: step-number": SWAPPED,
  "silent: never-sent": UNDONE,
  "silent: never-emitted": UNDONE,
  "silent: never-given": UNDONE,
  "silent: never-made": UNDONE,
  "silent: never-occurs": UNDONE,
  "silent: unreachable-state": UNDONE,
  "never-made: idle-answer": UNDONE,
  "call-first: never-used": UNUSED,
  "case-missing: never-fired": UNDONE,
  "no-first-row: silent": UNDONE,
  "wrong-rule: silent": BOTH,
  "guard-undecided: guard-gap": BOTH,
  "wrong-rule: wrong-type": USED,
  "wrong-rule: unguarded": USED,
  "hidden-field: wrong-type": USED,
  "not-sendable: wrong-type": USED,
  "beyond-rows: rows-open": "whoever sends no credentials is asked for nothing, either",
};

/** Codes of which one edit is told at several places, each with the reason. */
const SEVERAL: Readonly<Record<string, string>> = {
  silent: "a bullet that answers several questions is taken away",
  indent: "each line of the block is indented otherwise",
  "step-number": "a number that is left out moves all that follow",
  "rows-open": "each endpoint that needs no credentials is told",
  "beyond-rows": "each endpoint that needs no credentials is told",
  "no-key": "each reference to the rows is told",
  "wrong-type": "two cells of one row contradict what it counts",
};

const isTold = ({ severity }: Finding): boolean => severity === "error" || severity === "warning";
const keyOf = ({ code, message }: Finding): string => `${code} ${message}`;

const before = new Map<string, ReadonlySet<string>>();
function knownOf(base: string): ReadonlySet<string> {
  let known = before.get(base);
  known ??= new Set(checked(baseText(base)).findings.filter(isTold).map(keyOf));
  before.set(base, known);
  return known;
}

const severities = new Map<string, string>(
  Object.entries(checkCodes).map(([code, { severity }]) => [code, severity]),
);

let single = 0;
let judged = 0;
const met = new Set<string>();

for (const wrong of corpus) {
  if (severities.get(wrong.code) === "review") continue;
  test(`one finding: ${wrong.code}: ${wrong.base}: ${(wrong.put || wrong.find).slice(0, 70)}`, () => {
    const known = knownOf(wrong.base);
    const told = checked(textOf(wrong)).findings.filter(
      (one) => isTold(one) && !known.has(keyOf(one)),
    );
    judged++;
    if (told.length <= 1) {
      single++;
      return;
    }
    const list = told.map(keyOf).join("\n");
    const others = new Set(told.map(({ code }) => code).filter((code) => code !== wrong.code));
    for (const other of others) {
      met.add(`${wrong.code}: ${other}`);
      assert.ok(`${wrong.code}: ${other}` in MORE, list);
    }
    const same = told.filter(({ code }) => code === wrong.code).length;
    assert.ok(same < 2 || others.size > 0 || wrong.code in SEVERAL, list);
  });
}

test("nearly all edits have one finding, and no reason is given for nothing", (t) => {
  t.diagnostic(`${single} of ${judged} edits have one finding`);
  assert.ok(single / judged > 0.94);
  assert.deepEqual(
    Object.keys(MORE).filter((pair) => !met.has(pair)),
    [],
  );
});
