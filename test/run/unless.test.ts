/**
 * `unless one is there` takes the row that a unique rule would refuse to have twice, whichever way
 * the value of the unique field comes.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { answersOf, RESTART } from "./both.ts";
import { document } from "./document.ts";

interface Way {
  /** Rows of the field table besides `name`. */
  readonly fields: readonly string[];
  /** Bullets of the resource. */
  readonly bullets?: readonly string[];
  readonly with?: string;
  /** Whether the client gives it, as it gives the name. */
  readonly gives?: true;
  /** Names given one after the other, each with the place of the first that is the same row. */
  readonly names: readonly (readonly [name: string, same: number])[];
}

const UNIQUE = "unique, else `taken`";
const ALIKE = [
  ["x", 0],
  ["X", 0],
  ["y", 2],
  ["x", 0],
] as const;
const EACH = [
  ["x", 0],
  ["x", 1],
] as const;

/** The field `own` is the unique one. */
const WAYS: Readonly<Record<string, Way>> = {
  "set on create": {
    fields: [
      `| \`own\` | string | no | no | yes | set to \`lower(it.name)\` on create; ${UNIQUE} |`,
    ],
    names: ALIKE,
  },
  "set when another changes": {
    fields: [
      `| \`own\` | string | no | no | yes | set to \`lower(it.name)\` when \`name\` changes; ${UNIQUE} |`,
    ],
    names: ALIKE,
  },
  "starts with": {
    fields: [`| \`own\` | string | no | no | yes | starts \`lower(it.name)\`; ${UNIQUE} |`],
    names: ALIKE,
  },
  "made of a made one": {
    fields: [
      "| `low` | string | no | no | yes | set to `lower(it.name)` on create |",
      `| \`own\` | string | no | no | yes | set to \`it.low + "!"\` on create; ${UNIQUE} |`,
    ],
    names: ALIKE,
  },
  "given by the step": {
    fields: [`| \`own\` | string | no | no | yes | starts \`"?"\`; ${UNIQUE} |`],
    with: "`own` = `lower(body.name)`",
    names: ALIKE,
  },
  "within a made one": {
    fields: [
      "| `low` | string | no | no | yes | set to `lower(it.name)` on create |",
      `| \`own\` | integer | no | no | yes | starts \`1\`; unique within \`low\`, else \`taken\` |`,
    ],
    names: ALIKE,
  },
  "an invariant": {
    fields: ["| `own` | string | no | no | yes | set to `lower(it.name)` on create |"],
    bullets: ["- Unique: `own`, else `taken`"],
    names: ALIKE,
  },
  "an invariant that does not concern it": {
    fields: [
      '| `free` | boolean | no | no | yes | set to `it.name == "x"` on create |',
      "| `own` | string | no | no | yes | set to `lower(it.name)` on create |",
    ],
    bullets: ["- Unique: `own` where `!it.free`, else `taken`"],
    names: [
      ["x", 0],
      ["x", 1],
      ["X", 2],
      ["X", 2],
      ["x", 4],
    ],
  },
  "a secret by its hash": {
    fields: [`| \`own\` | secret | required | no | no | kept as SHA-256; ${UNIQUE} |`],
    gives: true,
    names: [
      ["x", 0],
      ["y", 1],
      ["x", 0],
    ],
  },
  "a number that is counted": {
    fields: [`| \`own\` | integer | no | no | yes | counts up from 1; ${UNIQUE} |`],
    names: EACH,
  },
  "random bytes": {
    fields: [`| \`own\` | string | no | no | yes | 8 random bytes as hex; ${UNIQUE} |`],
    names: EACH,
  },
  "made of a number that is counted": {
    fields: [
      "| `nth` | integer | no | no | yes | counts up from 1 |",
      `| \`own\` | string | no | no | yes | set to \`string(it.nth)\` on create; ${UNIQUE} |`,
    ],
    names: EACH,
  },
};

function documentOf({ fields, bullets = [], with: given }: Way): string {
  return document({
    resources: `### \`Note\`, many \`notes\`

${bullets.join("\n")}

| Field | Type | Create | Update | Read | Rules |
|---|---|---|---|---|---|
| \`place\` | integer | no | no | yes | counts up from 0 |
| \`name\` | string | required | no | yes | none |
${fields.join("\n")}
`,
    states: "- No states: `Note`",
    endpoints: `### \`POST /notes\`: one

- Body: new \`Note\`

1. Create a \`Note\` as \`note\` from \`body\`${given === undefined ? "" : ` with ${given}`}, unless one is there.
2. Respond \`200\` with \`{"place": note.place, "all": size(notes)}\`.
`,
  });
}

for (const [name, way] of Object.entries(WAYS)) {
  test(`a row that is there is taken: ${name}`, async () => {
    const asks = way.names.flatMap(([one], i) => {
      const ask = { of: "POST /notes", body: { name: one, ...(way.gives ? { own: one } : {}) } };
      return i === 1 ? [RESTART, ask] : [ask];
    });
    const answers = await answersOf(documentOf(way), asks);
    const rows: number[] = [];
    way.names.forEach(([one, same], i) => {
      const { status, json, text } = answers[i] ?? assert.fail(one);
      assert.equal(status, 200, text);
      rows.push((json as { place: number }).place);
      assert.equal(rows[i] === rows[same] && rows.indexOf(rows[i] ?? -1) === same, true, text);
    });
  });
}
