/** What is known of a value while a document is checked is no part of its plan, which is JSON. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { document } from "../run/document.ts";
import { planOf } from "../run/service.ts";

const TYPES = [
  "integer",
  "decimal 2",
  "number",
  "timestamp in microseconds",
  "date",
  "duration",
  "integer or null",
  "list of integer",
];

/** The path of the first value in it that is a big integer, or a bound. */
function boundIn(value: unknown, path = ""): string | undefined {
  if (typeof value === "bigint") return path;
  if (typeof value !== "object" || value === null) return undefined;
  if ("least" in value || "nonZero" in value) return path;
  for (const [name, one] of Object.entries(value)) {
    const found = boundIn(one, `${path}/${name}`);
    if (found !== undefined) return found;
  }
  return undefined;
}

for (const type of TYPES) {
  test(`no bound is in a plan: ${type}`, () => {
    const plan = planOf(
      document({
        about: "- One request: all or nothing, as if alone\n- Cross-origin: none",
        resources: `### \`Thing\`, many \`things\`

| Field | Type | Create | Update | Read | Rules |
|---|---|---|---|---|---|
| \`id\` | id | no | no | yes | none |
| \`v\` | ${type} | required | optional | yes | none |
| \`w\` | ${type} or absent | optional | no | yes | none |`,
        states: "- No states: `Thing`",
        endpoints: `### \`PUT /find\`

| Input | In | Type | Needed | Rules |
|---|---|---|---|---|
| \`v\` | body | ${type} | yes | none |

1. When a \`Thing\` with \`v\` = \`body.v\` and \`w\` = \`body.v\` is there:
   1. Respond \`200\` with \`[body.v]\`.
2. Let \`all\` be every \`Thing\` where \`it.v == body.v || [body.v] == [it.v]\`.
3. Respond \`200\` with \`[body.v]\`.`,
      }),
    );
    assert.equal(boundIn(plan), undefined);
  });
}
