/** `http` blocks: how they are parsed, and how they are compared with the statements. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { parseExample, placeholdersIn } from "../../src/spec/index.ts";
import { base, checked, edited, pointed } from "./sample.ts";

const TEXT = `At 2026-01-01T00:00:00Z

POST /notes?x=1
Content-Type: application/json

{"title":

 "a"}

HTTP/1.1 201 Created
Location: /notes/{{id}}

{"id": "{{id}}"}

After 1.5 min
After 2 days

DELETE /notes/{{id}}

HTTP/1.1 204
`;

for (const [name, end] of [
  ["LF", "\n"],
  ["CRLF", "\r\n"],
] as const) {
  test(`a block with all that it can have, lines ending in ${name}`, () => {
    const text = TEXT.replaceAll("\n", end);
    const { clock, exchanges, moves, problems } = parseExample(text);
    assert.deepEqual(problems, []);
    assert.equal(clock?.text, "2026-01-01T00:00:00Z");
    assert.deepEqual(
      moves.map((one) => [one.before, one.durationText]),
      [
        [1, "1.5 min"],
        [1, "2 days"],
      ],
    );
    assert.deepEqual(
      exchanges.map((one) => [
        one.request.method.text,
        one.request.target.text,
        one.response.status,
      ]),
      [
        ["POST", "/notes?x=1", 201],
        ["DELETE", "/notes/{{id}}", 204],
      ],
    );
    const [first, second] = exchanges;
    assert.deepEqual(JSON.parse(first?.request.body?.text ?? ""), { title: "a" });
    assert.equal(second?.request.body, undefined);
    assert.equal(second?.response.body, undefined);
    const header = first?.response.headers[0];
    assert.deepEqual([header?.name.text, header?.value.text], ["Location", "/notes/{{id}}"]);
    for (const piece of [first?.request.target, header?.name, header?.value, clock]) {
      assert.equal(text.slice(piece?.start, piece?.end), piece?.text);
    }
  });
}

test("what has no form is told at its place, and never thrown", () => {
  const wrong: [text: string, place: string][] = [
    ["GET /a\n", "GET /a"],
    ["hello\n", "hello"],
    ["GET /a\n\nHTTP/1.1 20\n", "GET /a"],
    ["GET /a\nno field\n\nHTTP/1.1 200\n", "no field"],
    ["GET /a\n\nHTTP/1.1 200\n\nAt 2026-01-01T00:00:00Z\n", "At 2026-01-01T00:00:00Z"],
    ["After 3 weeks\n\nGET /a\n\nHTTP/1.1 200\n", "After 3 weeks"],
  ];
  for (const [text, place] of wrong) {
    const { problems } = parseExample(text);
    assert.deepEqual(
      problems.map((one) => text.slice(one.start, one.end)),
      [place],
      text,
    );
  }
  assert.equal(parseExample("").problems.length, 1);
});

test("placeholders", () => {
  assert.deepEqual(placeholdersIn("/a/{{b}}/{{c_1}}?{{*}}{{ no }}"), ["b", "c_1", "*"]);
});

/** Codes with the text they point at, in the small document with one example. */
function judged(block: string): [code: string, at: string][] {
  const text = edited(
    base,
    "## Authentication\n",
    `\`\`\`http one\n${block}\n\`\`\`\n\n## Authentication\n`,
  );
  return checked(text).findings.map((one) => [one.code, pointed(text, one)]);
}

const JSON_TYPE = "Content-Type: application/json";
const GOOD = `POST /notes\n${JSON_TYPE}\n\n{"title": "a"}\n\nHTTP/1.1 201\n\n{"id": "{{id}}"}`;

const cases: [title: string, block: string, expected: [code: string, at: string][]][] = [
  ["right", GOOD, []],
  ["a name of an earlier answer", `${GOOD}\n\nPOST /notes/{{id}}/finish\n\nHTTP/1.1 204`, []],
  [
    "a name that no answer has",
    "POST /notes/{{id}}/finish\n\nHTTP/1.1 204",
    [["example-form", "/notes/{{id}}/finish"]],
  ],
  ["an unknown path, answered as stated", "GET /nothing\n\nHTTP/1.1 404", []],
  [
    "an unknown path, answered otherwise",
    "GET /nothing\n\nHTTP/1.1 200",
    [["example-request", "/nothing"]],
  ],
  ["an unknown method", "GET /notes\n\nHTTP/1.1 200", [["example-request", "/notes"]]],
  [
    "a status that no path gives",
    "POST /notes/a/finish\n\nHTTP/1.1 202",
    [["example-status", "202"]],
  ],
  [
    "a body where none is taken",
    `POST /notes/a/finish\n${JSON_TYPE}\n\n{}\n\nHTTP/1.1 204`,
    [["example-body", "{}"]],
  ],
  [
    "a body where none is given",
    "POST /notes/a/finish\n\nHTTP/1.1 204\n\n{}",
    [["example-body", "{}"]],
  ],
  [
    "an unknown member, sent",
    GOOD.replace('"title"', '"titel"'),
    [["example-body", '{"titel": "a"}']],
  ],
  [
    "an unknown member, sent and refused",
    `POST /notes\n${JSON_TYPE}\n\n{"titel": "a"}\n\nHTTP/1.1 400`,
    [],
  ],
  [
    "a hidden member, shown",
    GOOD.replace('"id": "{{id}}"', '"hidden": "x"'),
    [["example-body", '{"hidden": "x"}']],
  ],
  ["a list for an object", GOOD.replace('{"id": "{{id}}"}', "[]"), [["example-body", "[]"]]],
  [
    "a header that is not stated",
    "POST /notes/a/finish\n\nHTTP/1.1 204\nX-A: b",
    [["example-header", "X-A"]],
  ],
];
for (const [title, block, expected] of cases) {
  test(`an example with ${title}`, () => assert.deepEqual(judged(block), expected));
}

test("an example is judged where it meets no gap itself", () => {
  const wrong = "POST /notes/a/finish\n\nHTTP/1.1 202";
  const codes = (from: string, to: string): string[] => {
    const text = edited(
      edited(base, from, to),
      "## Authentication\n",
      `\`\`\`http one\n${wrong}\n\`\`\`\n\n## Authentication\n`,
    );
    return checked(text).findings.flatMap(({ code }) => (code.startsWith("example") ? [code] : []));
  };
  const created = "2. Respond `201` with `Note` of `note`.";
  assert.deepEqual(codes(created, "2. What it gets: not shown."), ["example-status"]);
  const finished = "2. Respond `204` with no body.";
  assert.deepEqual(codes(finished, "2. What it gets: not shown."), []);
});
