/** Gaps are met where what they hide would be come to: before what may hang on it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { ruleKinds } from "../../src/plan/index.ts";
import { answersOf } from "./both.ts";
import { document } from "./document.ts";

const ABOUT = "- One request: all or nothing, as if alone\n- Cross-origin: none";

const withField = (type: string, needed: string): string =>
  document({
    about: ABOUT,
    endpoints: `### \`POST /taken\`

| Input | In | Type | Needed | Rules |
|---|---|---|---|---|
| \`x\` | body | ${type} | ${needed} | not shown |

1. Respond \`204\` with no body.`,
  });

/** Types, what is sent that they do not take, and which rules would make something else of it. */
const sent: readonly [type: string, kind: string, value: unknown, rules: readonly string[]][] = [
  ["email", "email", "", ["empty becomes null", "empty means absent"]],
  ["email", "email", " a@b.example ", ["trimmed"]],
  ["email", "email", "none", []],
  ["uri", "uri", "", ["empty becomes null", "empty means absent"]],
  ["uri", "uri", " https://a.example/", ["trimmed"]],
  ["date", "date", "", ["empty becomes null"]],
  ["date", "date", " 2026-01-01", ["trimmed"]],
  ["integer", "integer", "", ["empty becomes null"]],
  ["map of email", "map", { a: "" }, ["empty becomes null"]],
  ["map of email", "map", { a: "none" }, []],
  ["string", "string", 7, []],
];

for (const [type, kind, value, rules] of sent) {
  const isOpen = rules.some((name) => {
    const { types } = ruleKinds[name as keyof typeof ruleKinds];
    return (types as readonly string[]).includes(kind);
  });
  const text = JSON.stringify(value);
  test(`${text} for ${type} of hidden rules: ${isOpen ? "the gap" : "refused"}`, async () => {
    const [answer] = await answersOf(withField(type, "yes"), [
      { of: "POST /taken", body: { x: value } },
    ]);
    assert.equal(answer?.status, isOpen ? 501 : 400, answer?.text);
  });
}

const PATHS = document({
  about: ABOUT,
  resources: `### \`Note\`, many \`notes\`

| Field | Type | Create | Update | Read | Rules |
|---|---|---|---|---|---|
| \`name\` | string | required | no | yes | key; unique, else \`taken\` |`,
  states: "- No states: `Note`",
  every: "- Who: none\n\n1. Check the paths.\n2. Check the inputs.",
  endpoints: `### \`POST /notes\`

- Body: new \`Note\`

1. Create a \`Note\` as \`note\` from \`body\`.
2. Respond \`204\` with no body.

### \`POST /notes/{name}/of/{other}\`

- Path \`name\`: \`note\`, the \`Note\` by \`name\`, else \`gone\`
- Path \`other\`: not shown

| Input | In | Type | Needed | Rules |
|---|---|---|---|---|
| \`x\` | body | integer | yes | none |

1. Respond \`204\` with no body.`,
});

test("a path that is not shown is met behind the rows before it, and before the inputs", async () => {
  const body = { x: "no integer" };
  const answers = await answersOf(PATHS, [
    { of: "POST /notes", body: { name: "a" } },
    { of: "POST /notes/none/of/b", body },
    { of: "POST /notes/a/of/b", body },
  ]);
  const found = answers.map(({ status }) => status);
  assert.deepEqual(found, [204, 404, 501]);
  assert.match(answers[2]?.text ?? "", /path `other`|path other|Path `other`/i);
});
