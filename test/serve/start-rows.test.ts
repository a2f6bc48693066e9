/** Rows that the operator gives at the start are judged as if requests had made them. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { serve } from "../../src/serve/index.ts";
import { document as passages } from "../run/document.ts";
import { document } from "./document.ts";

const { plan } = document(
  passages({
    about: "- One request: all or nothing, as if alone",
    resources: `### \`Person\`, many \`people\`

- Rows at the start: given when the service starts
- Always: \`it.age > 0\`, else \`refused\`
- Always: \`it.boss == null || it.boss.age >= it.age\`, else \`refused\`

| Field | Type | Create | Update | Read | Rules |
|---|---|---|---|---|---|
| \`name\` | string | required | no | yes | key; unique in any case, else \`taken\` |
| \`age\` | integer | required | no | yes | none |
| \`boss\` | \`Person\` or null | required | no | yes | starts \`null\` |
`,
    states: "States and transitions: none.\n\n- No states: `Person`",
    endpoints: `### \`GET /people\`

1. Respond \`204\` with no body.`,
  }),
);

const ANN = { name: "ann", age: 3, boss: null };

const cases: readonly (readonly [string, readonly object[], RegExp | undefined])[] = [
  ["rows that agree", [ANN, { name: "bob", age: 2, boss: "ann" }], undefined],
  ["one name twice", [ANN, ANN], /refused with `taken`/],
  ["one name in two cases", [ANN, { ...ANN, name: "Ann" }], /refused with `taken`/],
  ["a row that may not be", [ANN, { ...ANN, name: "bob", age: 0 }], /refused with `refused`/],
  ["two rows that disagree", [ANN, { name: "bob", age: 4, boss: "ann" }], /`refused`/],
];

for (const isKept of [false, true]) {
  for (const [what, people, wrong] of cases) {
    test(`at the start: ${what} (${isKept})`, async (t) => {
      const folder = mkdtempSync(join(tmpdir(), "lacuna-start-"));
      t.after(() => rmSync(folder, { recursive: true, force: true }));
      const store = isKept ? { file: join(folder, "a.sqlite") } : { memory: true };
      const started = serve(plan, { ...store, startRows: JSON.stringify({ Person: people }) });
      if (wrong === undefined) await (await started).stop();
      else await assert.rejects(started, wrong);
    });
  }
}
