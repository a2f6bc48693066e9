/** Checks whose order is not stated: what is answered where two of them fail, and how it is told. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { check, plan } from "../../src/check/index.ts";
import { read } from "../../src/read/index.ts";
import { document } from "./document.ts";
import { conversation } from "./replay.ts";

const INPUTS = `| Input | In | Type | Needed | Rules |
|---|---|---|---|---|
| \`a\` | query | boolean | yes | none |
| \`b\` | query | boolean | yes | none |`;

const withChecks = (...tails: readonly string[]): string =>
  document({
    endpoints: `### \`GET /probe\`

${INPUTS}

1. In any order:
${tails.map((tail, i) => `   ${i + 1}. Require \`query.${"ab"[i]}\`, else ${tail}.`).join("\n")}
2. Respond \`204\` with no body.`,
  });

const gapsOf = (text: string) =>
  check(read(new TextEncoder().encode(text))).gaps.filter((gap) => gap.id.endsWith("/order"));

const ERROR = "| `bad` | 400 | `Problem` |";
const GIVING = "| `said` | 400 | `Given` |";
const GIVEN =
  "### `Given`, a shape\n\n| Field | Type | Value |\n|---|---|---|\n| `n` | integer | `given.n` |";

/** The document, in which one error shows a value that is given with it. */
const giving = (text: string): string =>
  text
    .replace(ERROR, `${ERROR}\n${GIVING}`)
    .replace("### `Problem`", `${GIVEN}\n\n### \`Problem\``);

const turns = (both: number) => [
  { send: "GET /probe?a=true&b=true", status: 204 },
  { send: "GET /probe?a=false&b=false", status: both },
];

const cases: readonly (readonly [name: string, text: string, isGap: boolean])[] = [
  ["one error", withChecks("`bad`", "`bad`"), false],
  ["two errors", withChecks("`bad`", "`gone`"), true],
  ["one error on two words", withChecks("`bad` on `a`", "`bad` on `b`"), true],
  [
    "one error with one value",
    giving(withChecks("`said` with `n` = `1`", "`said` with `n` = `1`")),
    false,
  ],
  [
    "one error with two values",
    giving(withChecks("`said` with `n` = `1`", "`said` with `n` = `2`")),
    true,
  ],
];

for (const [name, text, isGap] of cases) {
  conversation(`checks in any order: ${name}`, text, turns(isGap ? 501 : 400));
  test(`checks in any order: ${name}: the gap is counted and named`, () => {
    const gaps = gapsOf(text);
    assert.equal(gaps.length, isGap ? 1 : 0);
    for (const { sentence, silent, blocking, subject, part } of gaps) {
      assert.deepEqual(
        { sentence, silent, blocking, subject, part },
        {
          sentence: "In any order:",
          silent: false,
          blocking: true,
          subject: "which error a request gets that fails two of these checks",
          part: "Endpoints",
        },
      );
    }
  });
}

test("a request that meets it is told the sentence and its line", () => {
  const text = withChecks("`bad`", "`gone`");
  const checked = check(read(new TextEncoder().encode(text)));
  const made = plan(checked);
  const [gap] = made?.plan.gaps.filter((one) => one.id.endsWith("/order")) ?? [];
  assert.equal(gap?.sentence, "In any order:");
  assert.ok(made?.origins.get(gap.id), "its place is known");
});
