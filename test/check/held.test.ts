/** One mistake has one finding: what follows from a misspelt heading or name is not told. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { base, checked, edited } from "./sample.ts";

const misspelt: [what: string, from: string, to: string, code: string, hint: RegExp][] = [
  ["a part", "## Resources and their fields", "## Resources and fields", "unknown-part", /their/],
  ["a heading", "`Note`, many `notes`", "`Note`, mny `notes`", "unknown-heading", /many/],
  ["a type", "| string | required", "| strng | required", "unknown-type", /`string`/],
  ["a rule", "yes | none |\n| `hidden`", "yes | trimed |\n| `hidden`", "unknown-rule", /`trimmed`/],
  ["a bullet", "- Body: new", "- Bdy: new", "unknown-bullet", /`Body`/],
  ["a step", "1. Create a", "1. Creat a", "unknown-step", /`Create`/],
  ["a resource in a path", "the `Note` by `id`", "the `Nte` by `id`", "unknown-name", /`Note`/],
  ["a transition", "Fire `finish`", "Fire `finsh`", "unknown-name", /`finish`/],
];

for (const [what, from, to, code, hint] of misspelt) {
  test(`${what} that is misspelt has one finding, with the nearest word`, () => {
    const findings = checked(edited(base, from, to)).findings.filter(
      ({ severity }) => severity === "error" || severity === "warning",
    );
    assert.deepEqual(
      findings.map((one) => one.code),
      [code],
      findings.map((one) => one.message).join("\n"),
    );
    assert.match(findings[0]?.hint ?? "", hint);
    assert.doesNotMatch(findings[0]?.hint ?? "", /\{\w+:/);
  });
}
