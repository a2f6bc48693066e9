/**
 * An integer past 64 bits in a field that holds fewer: `check` refuses one that a client chooses;
 * one that grew there from request to request is a fault, on both stores.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { check } from "../../src/check/index.ts";
import { read } from "../../src/read/index.ts";
import { doStep, open } from "../histories/history.ts";
import { planOfText, subjectFor } from "../histories/subjects.ts";
import { documentText, FIELDS, failureRows, INPUTS, table } from "../places/frame.ts";

const THING = `### \`Thing\`, many \`things\`

- Rows at the start: none

${table(FIELDS, [
  "| `n` | integer | no | no | yes | counts up from 1 |",
  "| `small` | integer or absent | optional | no | yes | 0 to 9 |",
  "| `large` | integer or absent | optional | no | yes | at least 0 |",
])}`;

const NAMES = ["n", "small", "large"] as const;
type Name = (typeof NAMES)[number];

const SUM = `### \`Sum\`, many \`sums\`

- Rows at the start: none

${table(FIELDS, [
  "| `number` | integer | no | no | yes | key; counts up from 1 |",
  "| `v` | integer | no | no | yes | starts `0` |",
])}`;

const BY = "- Path `number`: `sum`, the `Sum` by `number`, else `not_found`";
const NUMBER = "| `number` | path | integer | yes | none |";

const GROWN = documentText(
  {
    stateless: ["Thing", "Sum"],
    resources: `${SUM}

${THING}`,
    endpoints: `### \`POST /sums\`: one

- Body: none

1. Create a \`Sum\` as \`sum\`.
2. Respond \`201\` with \`{"n": sum.number}\`.

### \`POST /sums/{number}/shift\`: 31 bits more

${BY}

${table(INPUTS, [NUMBER, "| `v` | body | integer | yes | 0 to 2147483647 |"])}
1. Set \`sum.v\` = \`sum.v * 2147483648 + body.v\`.
2. Respond \`200\` with \`{"n": sum.v}\`.

### \`POST /sums/{number}/turn\`: below zero

${BY}
- Body: none

${table(INPUTS, [NUMBER])}
1. Set \`sum.v\` = \`-sum.v - 1\`.
2. Respond \`200\` with \`{"n": sum.v}\`.

${NAMES.map(
  (name) => `### \`POST /sums/{number}/${name}\`: one

${BY}
- Body: none

${table(INPUTS, [NUMBER])}
1. Create a \`Thing\` as \`thing\` with \`${name}\` = \`sum.v\`.
2. Respond \`201\` with \`{"n": thing.n}\`.
`,
).join("\n")}`,
  },
  failureRows(),
);

for (const store of ["sqlite", "memory"] as const) {
  test(`integers that grew past 64 bits, ${store}`, async () => {
    const plan = planOfText(GROWN);
    const sides = await open(subjectFor("narrow", plan, {}), store);
    const statuses = new Map<string, number>();
    const send = async (target: string, json = ""): Promise<readonly string[]> => {
      statuses.clear();
      const headers = json === "" ? [] : ([["Content-Type", "application/json"]] as const);
      const request = { method: "POST", target, headers, body: json };
      const step = { is: "request", request, seed: 1 } as const;
      assert.equal(await doStep(sides, step, { unsupported: new Map(), statuses }), undefined);
      return [...statuses.keys()];
    };
    let made = 0;
    const asked = async (name: Name, v: bigint): Promise<readonly string[]> => {
      assert.deepEqual(await send("/sums"), ["201"]);
      const at = `/sums/${++made}`;
      const positive = v < 0n ? -v - 1n : v;
      for (const bits of [62n, 31n, 0n]) {
        const digit = (positive >> bits) % 2n ** 31n;
        assert.deepEqual(await send(`${at}/shift`, `{"v":${digit}}`), ["200"]);
      }
      if (v < 0n) assert.deepEqual(await send(`${at}/turn`), ["200"]);
      return await send(`${at}/${name}`);
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

const chosen = (name: Name, range: string): string =>
  documentText(
    {
      stateless: ["Thing"],
      resources: THING,
      endpoints: `### \`POST /things\`: one

${table(INPUTS, [`| \`v\` | body | integer | yes | ${range} |`])}
1. Create a \`Thing\` as \`thing\` with \`${name}\` = \`body.v\`.
2. Respond \`201\` with \`{"n": thing.n}\`.
`,
    },
    failureRows(),
  );

test("integers past 64 bits that a client chooses are refused where fewer are held", () => {
  const codesOf = (text: string) =>
    check(read(Buffer.from(text))).findings.flatMap(({ code, severity }) =>
      severity === "error" ? [code] : [],
    );
  const past = 2n ** 63n;
  for (const name of NAMES) {
    const isNarrow = name !== "large";
    assert.deepEqual(codesOf(chosen(name, "none")), isNarrow ? ["overflow"] : [], name);
    assert.deepEqual(codesOf(chosen(name, `0 to ${past}`)), isNarrow ? ["overflow"] : [], name);
    assert.deepEqual(codesOf(chosen(name, `0 to ${past - 1n}`)), [], name);
  }
});
