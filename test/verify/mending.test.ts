/** Requests that chance hardly makes are mended in the model until they are taken. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { compiled, documentOf, trial } from "./clauses/trial.ts";

const TODO = documentOf("todo");
const BEFORE = "| `createdAt` | timestamp |";
const PART = `### \`Share\`, a part

| Field | Type | Create | Update | Read | Rules |
|---|---|---|---|---|---|
| \`of\` | string | required | no | yes | 1 to 9 characters |
| \`weight\` | integer | required | no | yes | 0 to 100 |

### \`Todo\`, many`;

/** Rules of a list of weights from 0 to 100. */
const RULES = [
  "size(value) == 2 && sum(value.map(w, w.weight)) == 187",
  "size(value) == 3 && sum(value.map(w, w.weight)) == 100",
  "value.all(w, w.weight == 83)",
];

/** The strict document, and what is said of weights that are not let in. */
function strict(rule: string): string {
  const rules = `1 to 20 items; in the order given; holds \`${rule}\`, else \`already_done\``;
  const row = `| \`shares\` | list of \`Share\` | required | no | yes | ${rules} |\n`;
  const [first = "", ...rest] = TODO.text.split("### `Todo`, many");
  assert.ok(rest.length === 1 && TODO.text.includes(BEFORE));
  return (first + PART + rest[0]).replace(BEFORE, () => row + BEFORE);
}

for (const rule of RULES) {
  test(`a to-do is made under the rule ${rule}`, async () => {
    const judged = compiled(strict(rule));
    assert.ok(judged !== undefined);
    const bounds = { seed: 1, requests: 150, seconds: 20 };
    const { session } = (await trial(TODO, { served: judged, judged }, bounds)) ?? {};
    const made = session?.exchanges.filter(({ answer }) => answer.status === 201) ?? [];
    assert.deepEqual(session?.breaks, []);
    assert.ok(made.length > 0, `${session?.requests} requests, none of which was taken`);
  });
}
