/** Rules, at the edges that the samples of the codes do not show. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { assignments, casesOf, holds } from "../../src/check/rules/cases.ts";
import type { Code, Type } from "../../src/expr/index.ts";
import { check as checkExpression, noFacts } from "../../src/expr/index.ts";
import { base, checked, edited, found, pointed } from "./sample.ts";

const ROW = "| `finish` | `open` | `done` | step | none | none |";
const FINISH = "1. Fire `finish` on `note`.\n2. Respond `204` with no body.";
const FIELD = "| `title` | string | required | optional | yes | none |";

const names = new Map<string, Type>([
  ["n", { kind: "integer" }],
  ["m", { kind: "integer" }],
  ["d", { kind: "decimal", places: 2 }],
  ["b", { kind: "boolean" }],
  ["k", { kind: "string", oneOf: ["x", "y", "z"] }],
  ["o", { kind: "nullable", of: { kind: "integer" } }],
  ["t", { kind: "string" }],
]);

function code(text: string): Code {
  const checkedText = checkExpression(
    text,
    { names, collections: new Map(), members: () => undefined },
    noFacts(),
  );
  assert.ok(checkedText.code, `${text}: ${checkedText.problems[0]?.message}`);
  return checkedText.code;
}

/** Whether some case makes two guards hold, and whether some case makes none hold. */
function judged(...guards: string[]): { overlap: boolean; gap: boolean; sure: boolean } {
  const codes = guards.map(code);
  const cases = casesOf(codes);
  assert.ok(cases);
  const held = [...assignments(cases)].map(
    (given) => codes.filter((one) => holds(one, cases, given)).length,
  );
  return { overlap: held.some((count) => count > 1), gap: held.includes(0), sure: cases.sure };
}

const guardCases: [guards: string[], overlap: boolean, gap: boolean, sure: boolean][] = [
  [["b", "!b"], false, false, true],
  [["n > 3", "n <= 3"], false, false, true],
  [["n > 3", "n < 3"], false, true, true],
  [["n > 3", "n < 5"], true, false, true],
  [["n > 3", "n < 4"], false, false, true],
  [["d > 3.00", "d < 3.01"], true, false, true],
  [["n >= 3", "n <= 3"], true, false, true],
  [["n != 1", "n != 2"], true, false, true],
  [['k == "x"', 'k == "y"'], false, true, true],
  [['k == "x"', 'k in ["y", "z"]'], false, false, true],
  [['k != "x"', 'k == "x"'], false, false, true],
  [['t == "a"', 't == "b"'], false, true, true],
  [["o == null", "o != null"], false, false, true],
  [["o == null", "o != null && o > 1"], false, true, true],
  [["n < m", "n >= m"], false, false, true],
  [["n < m", "m < n"], false, true, true],
  [["b && n > 1", "!b && n > 1", "n <= 1"], false, false, true],
  [["size(t) > 1", 't.contains("a")'], true, true, false],
  [["size(t) > 1", "!(size(t) > 1)"], false, false, true],
];
for (const [guards, overlap, gap, sure] of guardCases) {
  test(`guards ${guards.join(" and ")}`, () => {
    assert.deepEqual(judged(...guards), { overlap, gap, sure });
  });
}

test("a finding of a guard stands at the second row and names the first", () => {
  const text = edited(
    base,
    ROW,
    `${ROW}\n| \`finish\` | \`open\` | \`open\` | step | none | none |`,
  );
  const [one] = found(text, "guard-overlap");
  assert.equal(pointed(text, one), "finish");
  assert.equal(one?.related?.length, 1);
});

const pins: [title: string, where: string, isOne: boolean][] = [
  ["the key", '`it.id == "a"`', true],
  ["the key, with more", '`it.title == "x" && "a" == it.id`', true],
  ["the row itself", "`it == note`", true],
  ["a field that is not unique", '`it.title == "x"`', false],
  ["the key, or something else", '`it.id == "a" || it.title == "x"`', false],
  ["the key, compared with itself", "`it.id == it.title`", false],
  ["the key, but not equal", '`it.id != "a"`', false],
  ["a word form", '`id` is `"a"`', true],
];
for (const [title, where, isOne] of pins) {
  test(`one row by ${title}`, () => {
    const text = edited(
      base,
      FINISH,
      `1. Let \`one\` be the \`Note\` where ${where}, or null.\n2. Respond \`204\` with no body.`,
    );
    assert.deepEqual(
      checked(text)
        .findings.filter((one) => one.severity === "error")
        .map((one) => one.code),
      isOne ? [] : ["not-one"],
    );
  });
}

test("a field of a Unique invariant names one row only with its fellows", () => {
  const stated = edited(
    base,
    "### `Note`, many `notes`\n",
    "### `Note`, many `notes`\n\n- Unique: `title` and `hidden`, else `wrong_state`\n",
  );
  const step = (where: string) =>
    edited(
      stated,
      FINISH,
      "1. Let `one` be the `Note` where " +
        `\`${where}\`, or null.\n2. Respond \`204\` with no body.`,
    );
  assert.equal(found(step('it.title == "a" && it.hidden == "b"'), "not-one").length, 0);
  assert.equal(found(step('it.title == "a"'), "not-one").length, 1);
});

test("what no row answers is asked once, and the fix of each is a row of the table", () => {
  const text = edited(edited(base, "| absent | `invalid` |\n", ""), "| null | `invalid` |\n", "");
  const asked = checked(text).findings.filter((one) => one.code === "silent");
  assert.deepEqual(
    asked.map((one) => /'(.*?)'/.exec(one.message)?.[1]),
    ["absent", "null"],
  );
  const at = asked[0]?.fix?.at ?? 0;
  assert.ok(asked.every((one) => one.fix?.at === at));
  const mended = text.slice(0, at) + asked.map((one) => one.fix?.insert).join("") + text.slice(at);
  const after = checked(mended);
  assert.deepEqual(
    after.findings.filter((one) => one.severity === "error"),
    [],
  );
  assert.equal(after.gaps.length, 2);
});

test("without a failure table, the fixes together make one", () => {
  const table = base.slice(base.indexOf("\n| Failure | Error |"), base.indexOf("\n## Limits"));
  const text = edited(base, table, "");
  const asked = checked(text).findings.filter((one) => one.code === "silent");
  assert.equal(asked.length, table.trim().split("\n").length - 2);
  const at = asked[0]?.fix?.at ?? 0;
  const mended = text.slice(0, at) + asked.map((one) => one.fix?.insert).join("") + text.slice(at);
  assert.deepEqual(
    checked(mended).findings.filter((one) => one.severity === "error"),
    [],
  );
});

test("where error codes are not shown, no condition is asked about", () => {
  const from = base.indexOf("- Failures reported");
  const text =
    `${base.slice(0, from)}Error codes, status codes and error payloads: not shown.\n\n` +
    `- Failures reported: not shown\n${base.slice(base.indexOf("\n## Limits"))}`;
  assert.deepEqual(
    checked(text).findings.filter((one) => one.code === "silent"),
    [],
  );
});

test("conditions follow from rules and types of what is read", () => {
  const cases: [field: string, condition: string][] = [
    ["| `title` | string | required | optional | yes | 1 to 80 characters |", "too short"],
    ["| `title` | one of `a`, `b` | required | optional | yes | none |", "not one of"],
    ["| `title` | string | required | optional | yes | matches `a+` |", "not matching"],
    [
      "| `title` | list of string | required | optional | yes | in any order; different items |",
      "repeated item",
    ],
  ];
  for (const [row, condition] of cases) {
    const asked = found(edited(base, FIELD, row), "silent").map((one) => one.message);
    assert.ok(
      asked.some((message) => message.startsWith(`'${condition}'`)),
      condition,
    );
  }
});

const LIST = `### \`GET /notes/{town}\`

| Input | In | Type | Needed | Rules |
|---|---|---|---|---|
| \`kind\` | query | string | no | none |
| \`X-Api\` | header | string | no | matches \`2.*\` |

STEP
2. Respond \`204\` with no body.
`;

/** The findings of the small document with one more endpoint that reads three inputs. */
function reading(step: string): string[] {
  const put = LIST.replace("STEP", step);
  const text = edited(base, "## Authentication", `${put}\n## Authentication`);
  return checked(text).findings.map(({ code }) => code);
}

test("what is unused is told where nothing else is wrong at the endpoint", () => {
  const unused = reading("1. Do nothing.").filter((code) => code.endsWith("unused"));
  assert.deepEqual(unused, ["path-unused", "input-unused"]);
  for (const step of [
    '1. When `has(query.kind) && size(query.kind) + path.town == ""`, refuse with `not_found`.',
    "1. Whenever `query.kind` is given, refuse with `not_found`.",
    "1. When `query.kind` is given and `path.town` is given, refuse with `not_found`.",
  ]) {
    const codes = reading(step);
    assert.ok(codes.length > 0, step);
    assert.deepEqual(
      codes.filter((code) => code.endsWith("unused")),
      [],
      step,
    );
  }
});
