/** Data of one name have one type, whatever word of a call they come with. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { check } from "../../src/check/index.ts";
import { read } from "../../src/read/index.ts";
import { document } from "../run/document.ts";

const CASES: readonly (readonly [first: string, second: string, step: string, codes: string[]])[] =
  [
    ["string", "string", "When `has(said.value)`, set `thing.text` = `said.value`", []],
    [
      "string or null",
      "string",
      'When `said.word == "b"`, set `thing.text` = `said.value`',
      ["unguarded"],
    ],
    [
      "boolean",
      "string",
      "When `has(said.value)`, set `thing.text` = `said.value`",
      ["wrong-type"],
    ],
  ];

for (const [first, second, step, codes] of CASES) {
  test(`a word with ${first} and a word with ${second}: ${codes.join() || "right"}`, () => {
    const text = document({
      about: "- One request: all or nothing, as if alone\n- Cross-origin: none",
      resources:
        '### `Thing`, many `things`\n\n| Field | Type | Create | Update | Read | Rules |\n|---|---|---|---|---|---|\n| `text` | string | no | no | yes | starts `""` |',
      states: "- No states: `Thing`",
      endpoints: `### \`POST /things\`\n\n- Body: none\n\n1. Create a \`Thing\` as \`thing\`.\n2. Call \`ask\` as \`said\`.\n3. ${step}.\n4. Respond \`204\` with no body.\n\n### \`ask\`, a call\n\n- Kind: pure\n- Time-out: none\n- Stand-in: none\n\n| Says | Data | Meaning |\n|---|---|---|\n| \`a\` | \`value\`: ${first} | one |\n| \`b\` | \`value\`: ${second} | other |`,
    });
    const { findings } = check(read(new TextEncoder().encode(text)));
    const found = findings.filter((one) => ["wrong-type", "unguarded"].includes(one.code));
    assert.deepEqual([...new Set(found.map((one) => one.code))], codes);
  });
}
