/** Words of other notations: none is a word of this one, and each hint leads to a form. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { check } from "../../src/check/index.ts";
import { rules, steps, synonyms, types } from "../../src/language/index.ts";
import { read } from "../../src/read/index.ts";

const tables = { type: types, rule: rules, step: steps };

test("no synonym begins a form of its kind", () => {
  for (const [kind, table] of Object.entries(tables)) {
    const first = new Set(
      table.map(({ form }) => (/^[A-Za-z]+/.exec(form)?.[0] ?? "").toLowerCase()),
    );
    for (const word of Object.keys(synonyms[kind] ?? {})) {
      assert.ok(!first.has(word), `${kind} ${word}`);
    }
  }
});

test("a word of another notation is answered with the word here", () => {
  const text = `# T

## What the service does

## Resources and their fields

### \`Thing\`

| Field | Type | Create | Update | Read | Rules |
|---|---|---|---|---|---|
| \`a\` | int | no | no | yes | none |
| \`b\` | string | no | no | yes | max 80 characters |

## States and transitions

## Endpoints

### \`GET /things/:id\`: one

1. If \`true\`, respond \`204\` with no body.
`;
  const { findings } = check(read(new TextEncoder().encode(text)));
  const hints = findings.map(({ code, hint }) => `${code}: ${hint ?? ""}`);
  assert.ok(hints.includes("unknown-type: Write here: integer"), hints.join("\n"));
  assert.ok(hints.some((hint) => /^unknown-rule: Write here: at most 99/.test(hint)));
  assert.ok(hints.includes("unknown-step: Write here: When `condition`, ..."));
  assert.ok(hints.includes("bad-endpoint: Write a parameter as `{id}`."));
});
