/**
 * Data of one name come with several words of a call: of one type whatever is said, or of the type
 * that a guard on the word picks.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { check } from "../../src/check/index.ts";
import { read } from "../../src/read/index.ts";
import { document } from "../run/document.ts";
import { Service } from "../run/service.ts";

/** A type, the field that takes its values, and one of these. */
const TYPES: Readonly<Record<string, { readonly field: string; readonly value: unknown }>> = {
  string: { field: "text", value: "x" },
  "string or null": { field: "maybe", value: null },
  boolean: { field: "flag", value: true },
  integer: { field: "number", value: 7 },
  "list of string": { field: "texts", value: ["x", "y"] },
};

const FIELDS = `### \`Thing\`, many \`things\`

| Field | Type | Create | Update | Read | Rules |
|---|---|---|---|---|---|
| \`text\` | string | no | no | yes | starts \`""\` |
| \`maybe\` | string or null | no | no | yes | starts \`"none"\` |
| \`flag\` | boolean | no | no | yes | starts \`false\` |
| \`number\` | integer | no | no | yes | starts \`0\` |
| \`texts\` | list of string | no | no | yes | starts \`[]\`; in the order given |
`;

const STEPS = ["Create a `Thing` as `thing`.", "Call `ask` as `said`."];

function documentOf(first: string, second: string, steps: readonly string[]): string {
  const all = [...STEPS, ...steps, "Respond `200` with `Thing` of `thing`."];
  return document({
    about: "- One request: all or nothing, as if alone\n- Cross-origin: none",
    resources: FIELDS,
    states: "- No states: `Thing`",
    endpoints: `### \`POST /things\`

- Body: none

${all.map((one, i) => `${i + 1}. ${one}`).join("\n")}

### \`ask\`, a call

- Kind: pure
- Time-out: none
- Stand-in: none

| Says | Data | Meaning |
|---|---|---|
| \`a\` | \`value\`: ${first} | one |
| \`b\` | \`value\`: ${second} | other |
| \`c\` | none | nothing |
`,
  });
}

const setTo = (type: string) => `set \`thing.${TYPES[type]?.field}\` = \`said.value\``;

/** Every way in which a word guards what comes with it. */
const GUARDS: Readonly<Record<string, (first: string, second: string) => readonly string[]>> = {
  "a When": (first, second) => [
    `When \`said.word == "a"\`, ${setTo(first)}.`,
    `When \`said.word == "b"\`, ${setTo(second)}.`,
  ],
  "a case of By": (first, second) => [
    `By \`said.word\`:\n   - \`"a"\`: ${setTo(first)}.\n   - \`"b"\`: ${setTo(second)}.\n   - any other: do nothing.`,
  ],
  "a condition": (first, second) =>
    [
      ["a", first],
      ["b", second],
    ].map(([word, type = ""]) => {
      const field = `thing.${TYPES[type]?.field}`;
      return `Set \`${field}\` = \`said.word == "${word}" ? said.value : ${field}\`.`;
    }),
};

const PAIRS = Object.keys(TYPES).flatMap((first) =>
  Object.keys(TYPES)
    .filter((second) => second !== first && !(first + second).includes("or null"))
    .map((second) => [first, second] as const),
);

function findingsOf(text: string): readonly string[] {
  const { findings } = check(read(new TextEncoder().encode(text)));
  const wrong = findings.filter((one) => /^(wrong-type|unguarded)$/.test(one.code));
  return wrong.map(({ code, message, hint }) => `${code}: ${message} ${hint ?? ""}`);
}

for (const [name, guard] of Object.entries(GUARDS)) {
  test(`a word picks the type of what comes with it: ${name}`, () => {
    for (const [first, second] of PAIRS) {
      const text = documentOf(first, second, guard(first, second));
      assert.deepEqual(findingsOf(text), [], text);
      for (const [word, type] of [
        ["a", first],
        ["b", second],
      ] as const) {
        const { field, value } = TYPES[type] ?? assert.fail(type);
        const answer = { text: JSON.stringify({ word, value }) };
        const service = new Service(text, {
          hooks: { call: () => ({ is: "said", answer }) as never },
        });
        const { status, json } = service.request("POST", "/things");
        assert.equal(status, 200);
        assert.deepEqual((json as Record<string, unknown>)[field], value);
        service.close();
      }
    }
  });
}

test("without the word nothing is known of the type", () => {
  for (const [first, second] of PAIRS) {
    for (const guard of ["has(said.value)", 'said.word == "a" || said.word == "b"']) {
      const [found = "", ...more] = findingsOf(
        documentOf(first, second, [`When \`${guard}\`, ${setTo(second)}.`]),
      );
      assert.match(found, /unguarded: `said.value` is .* or .*`said.word == "a" && ...`/);
      assert.deepEqual(more, []);
    }
    const [other = ""] = findingsOf(
      documentOf(first, second, [`When \`said.word == "a"\`, ${setTo(second)}.`]),
    );
    assert.match(other, /wrong-type/);
  }
});

test("a type that one of the words makes null is null unless it is guarded", () => {
  const both = documentOf("string or null", "string", [
    'When `said.word == "b"`, set `thing.text` = `said.value`.',
  ]);
  assert.match(findingsOf(both).join(), /unguarded: `said.value` may be null/);
  const plain = documentOf("string", "string", [
    "When `has(said.value)`, set `thing.text` = `said.value`.",
  ]);
  assert.deepEqual(findingsOf(plain), []);
});
