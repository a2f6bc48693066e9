/** Names that nothing uses are told, each kind by itself; what uses one, or may, keeps it silent. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { base, checked, edited } from "./sample.ts";

const TABLE = "| Field | Type | Create | Update | Read | Rules |\n|---|---|---|---|---|---|\n";
const RESOURCES = "## States and transitions\n";
const ENDPOINTS = "### Every endpoint\n";
const TITLE = "| `title` | string | required | optional | yes | none |\n";
const FINISH = "1. Fire `finish` on `note`.\n2. Respond `204` with no body.\n";
const ABOUT = "- Base path: none\n";

type Edit = readonly [from: string, to: string];

/** How each kind of name is stated, where it is used, and where a gap may be its use. */
const KINDS: Readonly<
  Record<string, { stated: readonly Edit[]; used: readonly Edit[]; gap?: Edit }>
> = {
  setting: {
    stated: [[ABOUT, `${ABOUT}- Setting \`lost\`: string\n`]],
    used: [
      [
        FINISH,
        '1. Require `setting.lost != ""`, else `invalid`.\n2. Fire `finish` on `note`.\n3. Respond `204` with no body.\n',
      ],
    ],
    gap: [ABOUT, "- Base path: not shown\n"],
  },
  part: {
    stated: [
      [
        RESOURCES,
        `### \`Lost\`, a part\n\n${TABLE}| \`of\` | string | required | optional | yes | none |\n` +
          `| \`next\` | list of \`Lost\` | optional | optional | yes | in the order given; starts \`[]\` |\n\n${RESOURCES}`,
      ],
    ],
    used: [
      [TITLE, `${TITLE}| \`lost\` | \`Lost\` or absent | optional | optional | yes | none |\n`],
    ],
    gap: [TITLE, `${TITLE}| \`other\` | not shown | optional | optional | yes | none |\n`],
  },
  view: {
    stated: [
      [
        RESOURCES,
        "### `Lost`, a view of `Note`\n\n| Field | Type | Value |\n|---|---|---|\n" +
          `| \`title\` | string | \`it.title\` |\n\n${RESOURCES}`,
      ],
    ],
    used: [
      [
        "1. Fire `finish` on `note`.\n2. Respond `204` with no body.",
        "1. Fire `finish` on `note`.\n2. Respond `200` with `Lost` of `note`.",
      ],
    ],
    gap: [
      "2. Respond `204` with no body.\n",
      "2. Answer: not shown.\n3. Respond `204` with no body.\n",
    ],
  },
  shape: {
    stated: [
      [
        RESOURCES,
        "### `Lost`, a shape\n\n| Field | Type | Value |\n|---|---|---|\n" +
          `| \`error\` | string | \`"x"\` |\n\n${RESOURCES}`,
      ],
    ],
    used: [["| `invalid` | 400 | none |", "| `invalid` | 400 | `Lost` |"]],
    gap: ["| `invalid` | 400 | none |", "| `invalid` | 400 | not shown |"],
  },
  call: {
    stated: [
      [
        ENDPOINTS,
        "### `lost`, a call\n\n- Kind: pure\n- Time-out: none\n- Stand-in: `ok`\n\n" +
          `| Says | Data | Meaning |\n|---|---|---|\n| \`ok\` | none | well |\n\n${ENDPOINTS}`,
      ],
    ],
    used: [
      [FINISH, "1. Call `lost`.\n2. Fire `finish` on `note`.\n3. Respond `204` with no body.\n"],
    ],
    gap: [
      "2. Respond `204` with no body.\n",
      "2. Answer: not shown.\n3. Respond `204` with no body.\n",
    ],
  },
  steps: {
    stated: [
      [
        ENDPOINTS,
        '### `lost`, steps\n\n- Given `row`: `Note`\n\n1. Set `row.title` = `"lost"`.\n\n' +
          ENDPOINTS,
      ],
    ],
    used: [
      [
        FINISH,
        "1. Do `lost` with `row` = `note`.\n2. Fire `finish` on `note`.\n3. Respond `204` with no body.\n",
      ],
    ],
    gap: [
      "2. Respond `204` with no body.\n",
      "2. Answer: not shown.\n3. Respond `204` with no body.\n",
    ],
  },
  actor: {
    stated: [
      [
        "Authentication scheme, credentials, headers and token handling: none.",
        "Authentication scheme, credentials, headers and token handling: none.\n\n" +
          "| Actor | Holds when |\n|---|---|\n| `lost` | always |",
      ],
    ],
    used: [["- Who: none", "- Who: `lost`"]],
    gap: ["- Who: none", "- Who: not shown"],
  },
};

const of = (...edits: readonly Edit[]): string =>
  edits.reduce((text, [from, to]) => edited(text, from, to), base);

const told = (text: string): readonly string[] =>
  checked(text)
    .findings.filter(({ severity }) => severity === "error" || severity === "warning")
    .map(({ code, message }) => `${code} ${message}`);

for (const [kind, { stated, used, gap }] of Object.entries(KINDS)) {
  const name = kind === "part" || kind === "view" || kind === "shape" ? "Lost" : "lost";
  test(`${kind}: told where nothing uses it, and alone`, () => {
    assert.deepEqual(told(of(...stated)), [`never-used Nothing uses the ${kind} \`${name}\`.`]);
  });
  test(`${kind}: not told where it is used`, () => {
    assert.deepEqual(told(of(...stated, ...used)), []);
  });
  test(`${kind}: its misspelt use has one finding`, () => {
    const misspelt = used.map(([from, to]): Edit => [from, to.replace(name, `${name}t`)]);
    const all = told(of(...stated, ...misspelt));
    assert.equal(all.length, 1, all.join("\n"));
    assert.match(all[0] ?? "", /^unknown-name/);
  });
  if (gap !== undefined) {
    test(`${kind}: not told where a gap may be its use`, () => {
      const all = told(of(...stated, gap));
      assert.ok(
        all.every((one) => !one.startsWith("never-used")),
        all.join("\n"),
      );
    });
  }
}
