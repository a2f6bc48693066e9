/** What findings say to people: what is wrong is named, and the advice is one that can be taken. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { base, checked, edited } from "./sample.ts";

const FIELD = "| `title` | string | required | optional | yes | none |";
const FINISH = "1. Fire `finish` on `note`.\n2. Respond `204` with no body.";
const SHAPES = "## States and transitions";
const MUCH = Array(12).fill("size(a.title)").join(" + ");
const INFO =
  '### `Info`, a shape\n\n| Field | Type | Value |\n|---|---|---|\n| `name` | string | `"x"` |';
const PART =
  "### `Part`, a part\n\n| Field | Type | Create | Update | Read | Rules |\n|---|---|---|---|---|---|\n" +
  "| `a` | string | required | optional | no | none |";
const VIEW =
  "### `Inner`, a view of `Note`\n\n| Field | Type | Value |\n|---|---|---|\n| `x` | string | `it.p.a` |";

type Edit = readonly [from: string, to: string];
const after = (from: string, more: string): Edit => [from, `${from}\n${more}`];
const steps = (text: string): Edit => [FINISH, text];
const above = (text: string): Edit => [SHAPES, `${text}\n\n${SHAPES}`];

/** Of each: the edits, the code, and what the message and the hint together must say. */
const cases: readonly (readonly [
  what: string,
  edits: readonly Edit[],
  code: string,
  says: RegExp,
])[] = [
  [
    "a list that would begin as null",
    [
      after(
        FIELD,
        "| `tags` | list of string or null | optional | no | yes | in any order; starts `null` |",
      ),
    ],
    "wrong-type",
    /said of the items: no list is null/,
  ],
  [
    "a member of a part that is set by itself",
    [
      after(FIELD, "| `p` | `Part` | required | optional | yes | none |"),
      above(PART),
      steps('1. Set `note.p.a` = `"x"`.\n2. Respond `204` with no body.'),
    ],
    "wrong-type",
    /set as a whole.*`note\.p`/,
  ],
  [
    "a part that is taken for a row",
    [
      after(FIELD, "| `p` | `Part` | required | optional | yes | none |"),
      above(PART),
      steps('1. Let `p` be `note.p`.\n2. Set `p.a` = `"x"`.\n3. Respond `204` with no body.'),
    ],
    "wrong-type",
    /set as a whole/,
  ],
  [
    "a shape without a Given name",
    [above(INFO), steps("1. Respond `200` with `Info` of `note`.")],
    "not-given",
    /has no Given names.*with `Info`/,
  ],
  [
    "a name that a shape is not given",
    [above(INFO), steps("1. Respond `200` with `Info` where `x` = `1`.")],
    "unknown-name",
    /`Info` has no Given name `x`/,
  ],
  [
    "a column that some errors leave empty",
    [
      [
        "| Error | Status | Body |\n|---|---|---|",
        "| Error | Status | `code` | Body |\n|---|---|---|---|",
      ],
      ["| `broken` | 500 | none |", "| `broken` | 500 | `B` | `P` |"],
      ["| `invalid` | 400 | none |", "| `invalid` | 400 | none | `P` |"],
      ["| `not_found` | 404 | none |", "| `not_found` | 404 | `N` | none |"],
      ["| `wrong_state` | 409 | none |", "| `wrong_state` | 409 | `W` | none |"],
      [
        "\n## Limits",
        "\n### `P`, a shape\n\n| Field | Type | Value |\n|---|---|---|\n| `code` | string | `error.code` |\n\n## Limits",
      ],
    ],
    "unguarded",
    /`invalid` has none in the column `code`/,
  ],
  [
    "a bullet with a full stop",
    [["- Cross-origin: none", "- Cross-origin: none."]],
    "unknown-bullet",
    /no full stop/,
  ],
  [
    "a heading without code spans",
    [["### `Note`, many `notes`", "### Note, many notes"]],
    "unknown-heading",
    /code span: `Note`/,
  ],
  [
    "an endpoint without its code span",
    [["### `POST /notes`\n", "### POST /notes\n"]],
    "unknown-heading",
    /one code span: `POST \/notes`/,
  ],
  [
    "a field without its code span",
    [["| `title` |", "| title |"]],
    "unknown-cell",
    /code span: `title`/,
  ],
  [
    "a bullet of another mark",
    [["- Base path: none", "* Base path: none"]],
    "other-markdown",
    /begins with `- `/,
  ],
  [
    "a plural",
    [["| string | required", "| list of strings | required"]],
    "unknown-type",
    /`string`/,
  ],
  [
    "a word with a space",
    [["| string | required | optional | yes |", "| string | required | optional | `front desk` |"]],
    "unknown-cell",
    /`front_desk`/,
  ],
  [
    "a time divided by a time",
    [
      steps(
        '1. Require `(now - note.createdAt) / duration("1h") > 2`, else `wrong_state`.\n2. Respond `204` with no body.',
      ),
    ],
    "wrong-type",
    /\(now - note\.createdAt\)\.getHours\(\)/,
  ],
  [
    "two conditions in words",
    [
      steps(
        "1. When `note.title` is given and `note.hidden` is given, delete `note`.\n2. Respond `204` with no body.",
      ),
    ],
    "unknown-step",
    /one expression/,
  ],
  [
    "a map of values of two types",
    [steps('1. Let `m` be `{"c": "a", "d": 1}`.\n2. Respond `200` with `{"n": size(m)}`.')],
    "wrong-type",
    /the string "a" and an integer/,
  ],
  [
    "a long value with a name that may be zero",
    [
      above(`### \`much\`, a value\n\n- Given \`a\`: \`Note\`\n- Is: \`${MUCH}\``),
      steps("1. Require `7 / much(note) > 1`, else `not_found`.\n2. Respond `204` with no body."),
    ],
    "unguarded",
    /Guard it: `size[^`]{70,} … [^`]* != 0 && [.]{3}`/,
  ],
  [
    "a segment with two parameters",
    [["### `POST /notes/{id}/finish`", "### `POST /notes/{id}{finish}`"]],
    "bad-endpoint",
    /A segment is literal text, one parameter/,
  ],
];

for (const [what, edits, code, says] of cases) {
  test(`${what}: one finding, which says what to do`, () => {
    const text = edits.reduce((now, [from, to]) => edited(now, from, to), base);
    const told = checked(text).findings.filter(({ severity }) => severity !== "note");
    const errors = told.filter((one) => one.severity === "error");
    const list = told.map((one) => `${one.code} ${one.message} → ${one.hint}`).join("\n");
    assert.deepEqual([...new Set(errors.map((one) => one.code))], [code], list);
    assert.ok(!told.some((one) => one.severity === "gap"), list);
    assert.match(`${errors[0]?.message} ${errors[0]?.hint}`, says);
  });
}

test("a bound of a binary64 number may have an exponent", () => {
  const text = edited(
    base,
    FIELD,
    `${FIELD}\n| \`w\` | number | optional | no | no | -1e0 to 1e0; starts \`0e0\` |`,
  );
  const codes = checked(text).findings.map((one) => one.code);
  assert.ok(
    codes.every((code) => code === "silent"),
    codes.join(" "),
  );
});

test("a view that shows a hidden member of a part is pointed out", () => {
  const parted = edited(
    base,
    FIELD,
    `${FIELD}\n| \`p\` | \`Part\` | required | optional | no | none |`,
  );
  const text = edited(parted, SHAPES, `${PART}\n\n${VIEW}\n\n${SHAPES}`);
  const found = checked(text).findings.filter((one) => one.code === "hidden-shown");
  assert.match(found[0]?.message ?? "", /`Part\.a`/);
});

for (const [divisor, isSafe] of [
  ["(size(note.title) == 0 ? 2 : 5)", true],
  ["(size(note.title) == 0 ? 2 : 0)", false],
  ["max(size(note.title) == 0 ? 0 : 1, 1)", true],
] as const) {
  test(`7 / ${divisor} is ${isSafe ? "safe" : "not safe"}`, () => {
    const text = edited(
      base,
      FINISH,
      `1. Require \`7 / ${divisor} > 1\`, else \`wrong_state\`.\n2. Delete \`note\`.\n3. Respond \`204\` with no body.`,
    );
    const found = checked(text).findings.filter((one) => one.code === "unguarded");
    assert.equal(found.length, isSafe ? 0 : 1);
    const guard = /`(.*) && \.\.\.`/.exec(found[0]?.hint ?? "")?.[1];
    if (guard === undefined) return;
    const guarded = edited(text, "`7 /", `\`${guard} && 7 /`);
    assert.equal(checked(guarded).findings.filter((one) => one.code === "unguarded").length, 0);
  });
}

test("a Read cell that is not shown is a gap, and says what is written where nobody is shown it", () => {
  const text = edited(base, "| optional | yes | none |", "| optional | not shown | none |");
  const { findings, gaps, sound } = checked(text);
  assert.ok(sound);
  assert.equal(gaps.length, 1);
  assert.equal(gaps[0]?.blocking, true);
  const told = findings.filter(({ severity }) => severity !== "note");
  assert.deepEqual(
    told.map(({ code, hint }) => [code, hint]),
    [["gap", "It is not known who is shown the field. Where nobody is, write `no`."]],
  );
});

test("a type that is not known may be a time zone: nothing follows from it", () => {
  const zoned = (type: string): readonly string[] => {
    const text = edited(
      edited(base, "- Base path: none", `- Base path: none\n- Setting \`zone\`: ${type}`),
      FINISH,
      '1. Require `start_of(date("2026-01-01"), setting.zone) < now`, else `invalid`.\n' +
        "2. Fire `finish` on `note`.\n3. Respond `204` with no body.",
    );
    return checked(text)
      .findings.filter(({ severity }) => severity === "error" || severity === "warning")
      .map(({ code }) => code);
  };
  assert.deepEqual(zoned("time zone"), []);
  assert.deepEqual(zoned("not shown"), []);
  assert.deepEqual(zoned("timezone"), ["unknown-bullet"]);
});
