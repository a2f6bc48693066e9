/** What may not stand in a part, or cannot be done with one, is said where it is written. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { check } from "../../src/check/index.ts";
import { read } from "../../src/read/index.ts";
import { document } from "../run/document.ts";

const HEAD = "| Field | Type | Create | Update | Read | Rules |\n|---|---|---|---|---|---|";

interface Case {
  /** A row of the part's table. */
  readonly row?: string;
  readonly steps?: string;
  readonly code: string;
  readonly says: RegExp;
}

const CASES: Readonly<Record<string, Case>> = {
  unique: {
    row: "| `u` | string | required | no | yes | unique, else `taken` |",
    code: "wrong-rule",
    says: /does not stand at a field of a part; it stands at a field of a resource/,
  },
  "counts up": {
    row: "| `u` | integer | no | no | yes | counts up from 1 |",
    code: "wrong-rule",
    says: /does not stand at a field of a part/,
  },
  key: {
    row: "| `u` | string | required | no | yes | key |",
    code: "wrong-rule",
    says: /does not stand at a field of a part/,
  },
  "absent means": {
    row: '| `u` | string | optional | no | yes | absent means `"x"` |',
    code: "wrong-rule",
    says: /it stands at an input of an endpoint/,
  },
  "a member that nobody gives": {
    row: "| `u` | string | no | no | yes | none |",
    code: "not-filled",
    says: /A `P` that a client gives gets no value for `u`/,
  },
  "what is stored is not said": {
    row: "| `u` | string | optional | no | yes | none |",
    code: "silent",
    says: /What is stored when it is not given/,
  },
  "a secret that is kept nohow": {
    row: "| `u` | secret | required | no | no | none |",
    code: "silent",
    says: /kept/,
  },
  "a secret that is read": {
    row: "| `u` | secret | required | no | yes | kept as SHA-256 |",
    code: "secret-shown",
    says: /`P.u` is a secret/,
  },
  "a part without end": {
    row: "| `u` | `P` | required | no | yes | none |",
    code: "endless-part",
    says: /Every `P` must hold a `P`/,
  },
  "one member is set": {
    steps: '1. Create a `Note` as `note` from `body`.\n2. Set `note.p.a` = `"x"`.',
    code: "wrong-type",
    says: /A part is set as a whole/,
  },
  "a body is no answer": {
    steps: "1. Respond `200` with `body`.",
    code: "hidden-field",
    says: /has no form in an answer/,
  },
};

for (const [name, { row = "", steps, code, says }] of Object.entries(CASES)) {
  test(`a part: ${name}`, () => {
    const text = document({
      resources: `### \`Note\`, many \`notes\`\n\n${HEAD}
| \`n\` | integer | required | no | yes | key |
| \`p\` | \`P\` | required | no | yes | none |

### \`P\`, a part\n\n${HEAD}
| \`a\` | string | required | no | yes | none |
${row}`,
      states: "- No states: `Note`",
      endpoints: `### \`POST /notes\`\n\n- Body: new \`Note\`\n\n${
        steps ??
        "1. Create a `Note` as `note` from `body`.\n2. Respond `201` with `Note` of `note`."
      }`,
    });
    const { findings } = check(read(Buffer.from(text)));
    const mine = findings.filter((one) => one.code === code).map((one) => one.message);
    assert.ok(
      mine.some((message) => says.test(message)),
      `${mine.join("\n")}\n${findings.map((one) => one.code).join()}`,
    );
  });
}
