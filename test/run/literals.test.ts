/**
 * A part and JSON are written as literals where one is wanted: straight at their place and below
 * each operator, macro and function that hands a value on.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { check } from "../../src/check/index.ts";
import { functionTable } from "../../src/expr/index.ts";
import { read } from "../../src/read/index.ts";
import { answersOf } from "./both.ts";
import { document } from "./document.ts";

/** A value of one type as an expression over `box`, and as the answer shows it. */
interface Sample {
  readonly field: string;
  readonly text: string;
  readonly shown: unknown;
}

const PART: Sample = {
  field: "size",
  text: '{"width": box.n, "label": "x"}',
  shown: { width: 3, label: "x" },
};
const JSON_VALUE: Sample = {
  field: "doc",
  text: '{"n": box.n, "d": box.price, "f": box.share, "t": "x", "l": [box.n, "a", null, true]}',
  shown: { n: 3, d: 2.5, f: 0.25, t: "x", l: [3, "a", null, true] },
};
const DECIMAL: Sample = { field: "price", text: "1.5", shown: 1.5 };

/** What stands above one value: what it gives is that value. */
const ABOVE: Readonly<Record<string, (value: string) => string>> = {
  "straight at its place": (value) => value,
  "in a condition": (value) => `box.n > 0 ? ${value} : null`,
  "in the other branch": (value) => `box.n < 0 ? null : ${value}`,
  "two conditions deep": (value) => `box.n > 0 ? (box.n > 5 ? null : ${value}) : null`,
};

/** What stands above the item of a list that has this one item. */
const LISTS: Readonly<Record<string, (value: string) => string>> = {
  "in a list": (value) => `[${value}]`,
  "added on the right": (value) => `[] + [${value}]`,
  "added on the left": (value) => `[${value}] + []`,
  "in a list in a condition": (value) => `size(box.tags) > 0 ? [${value}] : []`,
  "made of each item": (value) => `box.tags.map(t, ${value})`,
  "made of some items": (value) => `box.tags.map(t, t != "", ${value})`,
  "made of items and added": (value) => `[] + box.tags.map(t, ${value})`,
  "in a condition within map": (value) => `box.tags.map(t, t == "" ? ${value} : ${value})`,
};

/** Functions that give a list of the items that they take. */
const HANDING = functionTable.filter(({ forms }) =>
  forms.some(({ gives }) => gives === "list of T"),
);

const ARGUMENTS: Readonly<Record<string, (list: string) => string>> = {
  distinct: (list) => `distinct(${list})`,
  flatten: (list) => `flatten([${list}])`,
  reverse: (list) => `reverse(${list})`,
  slice: (list) => `slice(${list}, 0, 1)`,
  values: (list) => `values(merge({"a": ${list.slice(1, -1)}}, {"a": ${list.slice(1, -1)}}))`,
};

const FIELDS = `
### \`Size\`, a part

| Field | Type | Create | Update | Read | Rules |
|---|---|---|---|---|---|
| \`width\` | integer | required | no | yes | none |
| \`label\` | string | required | no | yes | none |

### \`Box\`

| Field | Type | Create | Update | Read | Rules |
|---|---|---|---|---|---|
| \`n\` | integer | no | no | no | starts \`3\` |
| \`price\` | decimal 2 or null | no | no | yes | starts \`2.50\` |
| \`share\` | number | no | no | no | starts \`2.5e-1\` |
| \`tags\` | list of string | no | no | no | starts \`["t"]\`; in the order given |
| \`size\` | \`Size\` or null | no | no | yes | starts \`null\` |
| \`sizes\` | list of \`Size\` | no | no | yes | starts \`[]\`; in the order given |
| \`doc\` | json | no | no | yes | starts \`null\` |
| \`docs\` | list of json | no | no | yes | starts \`[]\`; in the order given |
| \`prices\` | list of decimal 2 | no | no | yes | starts \`[]\`; in the order given |
`;

interface Case {
  readonly name: string;
  readonly field: string;
  readonly text: string;
  readonly shown: unknown;
}

function documentOf(cases: readonly Case[]): string {
  const endpoints = cases.map(
    ({ field, text }, i) => `### \`POST /set${i}\`: a value

- Body: none

1. Create a \`Box\` as \`box\` with \`n\` = \`3\` and \`price\` = \`2.50\`.
2. Require \`box.price != null\`, else \`bad\`.
3. Set \`box.${field}\` = \`${text}\`.
4. Respond \`200\` with \`Box\` of \`box\`.
`,
  );
  return document({
    resources: FIELDS,
    states: "- No states: `Box`",
    endpoints: endpoints.join("\n"),
  });
}

async function servesAll(cases: readonly Case[]): Promise<void> {
  const answers = await answersOf(
    documentOf(cases),
    cases.map((_, i) => `POST /set${i}`),
  );
  for (const [i, { name, field, text, shown }] of cases.entries()) {
    const { status, json } = answers[i] ?? assert.fail(name);
    assert.equal(status, 200, `${name}: ${text}`);
    assert.deepEqual((json as Record<string, unknown>)[field], shown, `${name}: ${text}`);
  }
}

test("a literal below operators is of the type that is wanted", async () => {
  await servesAll(
    [PART, JSON_VALUE, DECIMAL].flatMap(({ field, text, shown }) =>
      Object.entries(ABOVE).map(([name, above]) => ({ name, field, text: above(text), shown })),
    ),
  );
});

test("an item of a list below operators is of the type that is wanted", async () => {
  const samples = [
    { ...PART, field: "sizes" },
    { ...JSON_VALUE, field: "docs" },
    { ...JSON_VALUE, field: "doc" },
    { ...DECIMAL, field: "prices" },
  ];
  await servesAll(
    samples.flatMap(({ field, text, shown }) =>
      Object.entries(LISTS).map(([name, list]) => ({
        name,
        field,
        text: list(text),
        shown: [shown],
      })),
    ),
  );
});

test("every function that gives items as they are hands on what is wanted of them", async () => {
  const known = HANDING.map(({ name }) => name).filter((name) => name !== "split");
  assert.deepEqual(known.sort(), Object.keys(ARGUMENTS).sort());
  await servesAll(
    [PART, JSON_VALUE].flatMap(({ field, text, shown }) =>
      Object.entries(ARGUMENTS).map(([name, call]) => ({
        name,
        field: field === "size" ? "sizes" : "docs",
        text: call(`[${text}]`),
        shown: [shown],
      })),
    ),
  );
});

test("JSON is made of numbers with all their digits, anywhere with `json`", async () => {
  const steps = [
    'Let `made` be `json({"n": 12345678901234567890, "d": 1.50, "t": string(now.getFullYear())})`.',
    'Require `made == json({"d": 1.5, "t": "2026", "n": 12345678901234567890})`, else `bad`.',
    'Require `made != {"d": 1.5}`, else `bad`.',
    "Respond `200` with `made`.",
  ];
  const text = document({
    endpoints: `### \`GET /made\`: JSON\n\n${steps.map((one, i) => `${i + 1}. ${one}`).join("\n")}`,
  });
  const [answer] = await answersOf(text, ["GET /made"]);
  assert.equal(answer?.text, '{"n":12345678901234567890,"d":1.50,"t":"2026"}');
});

test("a member of a shape that is JSON takes members of several types", async () => {
  const text = document({
    resources: `### \`Report\`, a shape

- Given \`some\`: list of integer

| Field | Type | Value |
|---|---|---|
| \`all\` | json | \`{"some": some, "count": size(some), "each": some.map(x, {"n": x, "even": x % 2 == 0})}\` |
`,
    endpoints:
      "### `GET /report`: numbers\n\n1. Respond `200` with `Report` where `some` = `[1, 2]`.\n",
  });
  const [answer] = await answersOf(text, ["GET /report"]);
  assert.deepEqual(answer?.json, {
    all: {
      some: [1, 2],
      count: 2,
      each: [
        { n: 1, even: false },
        { n: 2, even: true },
      ],
    },
  });
});

test("what is no JSON is refused with what to write instead", () => {
  const wrong: readonly [text: string, words: RegExp][] = [
    ["now", /`string\(now\)`/],
    ['{"at": now}', /`string\(now\)`/],
    ["box.sizes", /`box.sizes.map\(x, \{"name": x.name\}\)`/],
    ["box", /`\{"name": box.name\}`/],
  ];
  for (const [text, words] of wrong) {
    const checked = check(
      read(Buffer.from(documentOf([{ name: text, field: "doc", text, shown: null }]))),
    );
    const found = checked.findings.filter(({ code }) => code === "wrong-type");
    assert.equal(found.length, 1, text);
    assert.match(found[0]?.hint ?? "", words, text);
  }
});
