/** What a finding advises where an author is likely to go wrong: each piece of advice is right. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { check } from "../../src/check/index.ts";
import { read } from "../../src/read/index.ts";
import { document } from "../run/document.ts";

const RESOURCES = `### \`Size\`, a part

| Field | Type | Create | Update | Read | Rules |
|---|---|---|---|---|---|
| \`width\` | integer | required | no | yes | none |

### \`Box\`, many \`boxes\`

| Field | Type | Create | Update | Read | Rules |
|---|---|---|---|---|---|
| \`id\` | id | no | no | yes | none |
| \`size\` | \`Size\` | required | no | yes | none |
| \`words\` | list of string or null | no | no | yes | starts \`[]\`; in the order given |
| \`note\` | string or absent | no | no | yes | none |

### \`Info\`, a shape

| Field | Type | Value |
|---|---|---|
| \`name\` | string | \`"boxes"\` |
`;

const INPUTS = `| Input | In | Type | Needed | Rules |
|---|---|---|---|---|
| \`a\` | query | string | no | none |
| \`b\` | query | string | no | none |
| \`c\` | query | one of \`red\`, \`blue\` | yes | none |
`;

function findingsOf(steps: readonly string[], more = ""): readonly string[] {
  const all = ["Let `found` be every `Box`.", "Order `found` by `it.id` ascending.", ...steps];
  const text = document({
    resources: RESOURCES + more,
    states: "- No states: `Box`",
    endpoints: `### \`GET /probe\`: tried\n\n${INPUTS}\n${all.map((one, i) => `${i + 1}. ${one}`).join("\n")}\n`,
  });
  const { findings } = check(read(new TextEncoder().encode(text)));
  const errors = findings.filter((one) => one.severity === "error" && one.code !== "silent");
  return errors.map(({ code, message, hint = "" }) => `${code}: ${message} ${hint}`);
}

interface Case {
  readonly name: string;
  /** Steps with the mistake, and what is advised. */
  readonly wrong: readonly string[];
  readonly says: RegExp;
  /** The steps when the advice is followed. */
  readonly right: readonly string[];
}

const OK = "Respond `204` with no body.";

const CASES: readonly Case[] = [
  {
    name: "a shape that is given nothing",
    wrong: ["Respond `200` with `Info` of `null`."],
    says: /`Info` has no Given names\. .*with `Info`/,
    right: ["Respond `200` with `Info`."],
  },
  {
    name: "a word of a By bullet that is not quoted",
    wrong: ['By `query.c`:\n   - `red`: do nothing.\n   - `"blue"`: do nothing.', OK],
    says: /A text is quoted: `"red"`/,
    right: ['By `query.c`:\n   - `"red"`: do nothing.\n   - `"blue"`: do nothing.', OK],
  },
  {
    name: "two word forms as one condition",
    wrong: ["When `query.a` is given and `query.b` is given, do nothing.", OK],
    says: /`has\(body.a\) && has\(body.b\)`/,
    right: ["When `has(query.a) && has(query.b)`, do nothing.", OK],
  },
  {
    name: "a member of a part that has a name",
    wrong: [
      "For each `one` in `found`:\n   1. Let `p` be `one.size`.\n   2. Set `p.width` = `2`.",
      OK,
    ],
    says: /`p` is no row\. A part is set as a whole, by the field that holds it/,
    right: ['For each `one` in `found`:\n   1. Set `one.size` = `{"width": 2}`.', OK],
  },
  {
    name: "a member of a part below its row",
    wrong: ["For each `one` in `found`:\n   1. Set `one.size.width` = `2`.", OK],
    says: /A part is set as a whole.*Set `one.size` = /,
    right: ['For each `one` in `found`:\n   1. Set `one.size` = `{"width": 2}`.', OK],
  },
  {
    name: "null for a list whose items may be null",
    wrong: ["For each `one` in `found`:\n   1. Set `one.words` = `null`.", OK],
    says: /`or null` behind `list of` is said of the items/,
    right: ["For each `one` in `found`:\n   1. Set `one.words` = `[null]`.", OK],
  },
  {
    name: "the last item of a list that may be empty",
    wrong: ["Respond `200` with `Box` of `found[size(found) - 1]`."],
    says: /Guard it: `size\(found\) > 0 && \.\.\.`/,
    right: [
      "Require `size(found) > 0`, else `gone`.",
      "Respond `200` with `Box` of `found[size(found) - 1]`.",
    ],
  },
  {
    name: "a value or nothing at all",
    wrong: ["Respond `200` with `Info` where `name` = `found`."],
    says: /name/,
    right: ["Respond `200` with `Info`."],
  },
  {
    name: "members of several types",
    wrong: ['Respond `200` with `{"count": size(found), "of": "boxes"}`.'],
    says: /state a shape and show that; where JSON is meant, write `json\(\{\.\.\.\}\)`/,
    right: ['Respond `200` with `json({"count": size(found), "of": "boxes"})`.'],
  },
];

for (const { name, wrong, says, right } of CASES) {
  test(`advice that works: ${name}`, () => {
    const found = findingsOf(wrong);
    assert.equal(found.length, 1, found.join("\n"));
    assert.match(found[0] ?? "", says);
    assert.deepEqual(findingsOf(right), []);
  });
}

test("positions out of a list that is written down need no guard below zero", () => {
  const found = findingsOf([
    "Require `[0, 1, 2].all(i, i >= size(found) || found[i].size.width > i)`, else `gone`.",
    OK,
  ]);
  assert.deepEqual(found, []);
  const below = findingsOf([
    "Require `[-1, 1].all(i, i >= size(found) || found[i].size.width > i)`, else `gone`.",
    OK,
  ]);
  assert.match(below.join(), /i >= 0/);
});
