/** A long call's answer moves the rows that it was given, in whichever form they were given. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { answersOf } from "./both.ts";
import { document } from "./document.ts";

/** A type that a call is given, and a value of it that names the row `job`. */
const FORMS: Readonly<Record<string, readonly [type: string, value: string]>> = {
  "a row": ["`Job`", "job"],
  "a list of rows": ["list of `Job`", "[job]"],
  "a map of rows": ["map of `Job`", '{"a": job}'],
  "a part": ["`Seat`", '{"job": job, "more": []}'],
  "a list in a part": ["`Seat`", '{"job": null, "more": [job]}'],
  "a map of parts": ["map of `Seat`", '{"a": {"job": job, "more": []}}'],
};

const FIELDS = "| Field | Type | Create | Update | Read | Rules |\n|---|---|---|---|---|---|";

function documentOf(type: string, value: string): string {
  return document({
    about: "- One request: all or nothing, as if alone\n- Cross-origin: none",
    resources: `### \`Job\`

${FIELDS}
| \`id\` | integer | required | no | yes | key; unique, else \`taken\` |
| \`stage\` | state | no | no | yes | none |

### \`Seat\`, a part

| Field | Type | Rules |
|---|---|---|
| \`job\` | \`Job\` or null | none |
| \`more\` | list of \`Job\` | in the order given |
`,
    states: `### \`Job\`

- Held in: \`stage\`
- States: \`begun\` (initial), \`done\` (final)
- Any other transition: refused with \`taken\`

| Transition | From | To | On | When | Then |
|---|---|---|---|---|---|
| \`finish\` | \`begun\` | \`done\` | call \`work\` says \`ready\` | none | none |
`,
    endpoints: `### \`POST /jobs\`: begin one

- Body: new \`Job\`

1. Create a \`Job\` as \`job\` from \`body\`.
2. Call \`work\` with \`what\` = \`${value}\`.
3. Respond \`204\` with no body.

### \`GET /jobs/{id}\`: how it stands

- Path \`id\`: \`job\`, the \`Job\` by \`id\`, else \`gone\`

1. Respond \`200\` with \`Job\` of \`job\`.

### \`work\`, a call

- Given \`what\`: ${type}
- Kind: long
- Same key: first answer again
- Time-out: none
- Stand-in: \`ready\`

| Says | Data | Meaning |
|---|---|---|
| \`ready\` | none | it is done |
`,
  });
}

for (const [name, [type, value]] of Object.entries(FORMS)) {
  test(`the answer of a long call moves what it was given: ${name}`, async () => {
    const [, found] = await answersOf(documentOf(type, value), [
      { of: "POST /jobs", body: { id: 7 } },
      "GET /jobs/7",
    ]);
    assert.deepEqual(found?.json, { id: 7, stage: "done" });
  });
}
