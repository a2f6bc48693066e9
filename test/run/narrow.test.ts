/** An integer past 64 bits in a field that holds fewer is a fault, on both stores. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { doStep, open } from "../histories/history.ts";
import { planOfText, subjectFor } from "../histories/subjects.ts";
import { documentText, FIELDS, failureRows, INPUTS, table } from "../places/frame.ts";

const TEXT = documentText(
  {
    stateless: ["Thing"],
    resources: `### \`Thing\`, many \`things\`

- Rows at the start: none

${table(FIELDS, [
  "| `n` | integer | no | no | yes | counts up from 1 |",
  "| `small` | integer or absent | optional | no | yes | 0 to 9 |",
  "| `large` | integer or absent | optional | no | yes | at least 0 |",
])}`,
    endpoints: ["n", "small", "large"]
      .map(
        (name) => `### \`POST /${name}\`: one

${table(INPUTS, ["| `v` | body | integer | yes | none |"])}
1. Create a \`Thing\` as \`thing\` with \`${name}\` = \`body.v\`.
2. Respond \`201\` with \`{"n": thing.n}\`.
`,
      )
      .join("\n"),
  },
  failureRows(),
);

for (const store of ["sqlite", "memory"] as const) {
  test(`integers past 64 bits, ${store}`, async () => {
    const plan = planOfText(TEXT);
    const sides = await open(subjectFor("narrow", plan, {}), store);
    const statuses = new Map<string, number>();
    const asked = async (name: string, v: bigint): Promise<readonly string[]> => {
      statuses.clear();
      const request = {
        method: "POST",
        target: `/${name}`,
        headers: [["Content-Type", "application/json"]] as const,
        body: `{"v":${v}}`,
      };
      const unsupported = new Map<string, number>();
      const step = { is: "request", request, seed: 1 } as const;
      assert.equal(await doStep(sides, step, { unsupported, statuses }), undefined);
      return [...statuses.keys()];
    };
    try {
      const past = 2n ** 63n;
      assert.deepEqual(await asked("n", past - 10n), ["201"]);
      assert.deepEqual(await asked("n", past), ["500"]);
      assert.deepEqual(await asked("small", past - 1n), ["201"]);
      assert.deepEqual(await asked("small", past), ["500"]);
      assert.deepEqual(await asked("small", -past - 1n), ["500"]);
      assert.deepEqual(await asked("large", past), ["201"]);
    } finally {
      await sides.engine.close();
    }
  });
}
