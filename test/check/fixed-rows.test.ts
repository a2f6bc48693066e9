/** Rows of a `fixed` resource never change: whatever would touch them is refused. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { base, checked, edited } from "./sample.ts";

const shops = `### \`Shop\`, many \`shops\`, fixed

- Rows at the start: block \`shops\`

| Field | Type | Rules |
|---|---|---|
| \`id\` | string | key |
| \`town\` | string | unique |

\`\`\`json rows shops
[{"id": "a", "town": "Ulm"}]
\`\`\`

## States and transitions

- No states: \`Shop\``;

const endpoint = (step: string): string => `### \`PUT /shops/{id}\`

- Body: \`town\`, string
- Path \`id\`: \`shop\`, the \`Shop\` by \`id\`, else \`not_found\`

1. ${step}
2. Respond \`204\` with no body.

## Authentication`;

const codesOf = (step: string): string[] => {
  const text = edited(
    edited(base, "## States and transitions", shops),
    "## Authentication",
    endpoint(step),
  );
  return checked(text)
    .findings.filter(({ severity }) => severity === "error")
    .map(({ code }) => code);
};

const TOUCHING: readonly string[] = [
  "Set `shop.town` = `body.town`.",
  'Create a `Shop` with `id` = `"b"` and `town` = `body.town`.',
  "Delete `shop`.",
  "Delete every `Shop` where `town` is `body.town`.",
];

for (const step of TOUCHING) {
  test(`fixed: ${step}`, () => assert.deepEqual(codesOf(step), ["invariant-broken"]));
}

test("fixed: a step that only reads is right", () => {
  assert.deepEqual(codesOf("Require `shop.town == body.town`, else `invalid` on `town`."), []);
});
