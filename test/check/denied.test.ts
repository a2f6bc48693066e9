/**
 * `none` beside a use is a finding: for each answer that may be `none`, and each use that the
 * tables name of it, a document that uses the thing is right, and wrong once it says `none`.
 */
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { CheckCode } from "../../src/check/index.ts";
import { bullets, parts, tables, type Use, uses } from "../../src/language/index.ts";
import { base, checked, edited } from "./sample.ts";

const root = join(import.meta.dirname, "../..");
const file = (path: string): string => readFileSync(join(root, path), "utf8");

/** A right document with the use in it, and what is found once there is none of the thing. */
interface Case {
  readonly text: string;
  /** What stands above the answer: the first one below it is meant. Default: the document. */
  readonly below?: string;
  /** First cell of the row whose cell is the answer. */
  readonly row?: string;
  readonly code: CheckCode;
}

const FINISH = "1. Fire `finish` on `note`.\n2. Respond `204`";
const PATCH = "### `PATCH /notes/{id}`";

const versioned = edited(
  edited(base, "- This version: none", "- This version: `1`"),
  "| fault inside | `broken` |",
  "| no version | `invalid` |\n| unknown version | `invalid` |\n| fault inside | `broken` |",
);
const inHeader = edited(versioned, "- Chosen by: none", "- Chosen by: header `Api-Version`");

const judged = edited(
  edited(
    base,
    "### `POST /notes/{id}/finish`\n\n- Body: none",
    "### `POST /notes/{id}/finish`\n\n- Body: `why`, string",
  ),
  FINISH,
  "1. Require `body.why != note.title`, else `invalid`.\n2. Fire `finish` on `note`.\n3. Respond `204`",
).replace("| body not expected | `invalid` |\n", "");

const ROW =
  "| Input | In | Type | Needed | Rules |\n|---|---|---|---|---|\n| `how` | body | string | yes | none |\n\n";
const withRow = edited(
  judged,
  "1. Require `body.why != note.title`",
  `${ROW}1. Require \`body.why != body.how\``,
);

const cases: Readonly<Record<Use, Case>> = {
  "version in the path": {
    text: edited(
      edited(
        edited(base, "- This version: none", "- This version: `1`"),
        "- Chosen by: none",
        "- Chosen by: path `/v1`",
      ),
      "- Base path: none",
      "- Base path: `/v1`",
    ),
    code: "version-path",
  },
  body: { text: base, code: "contradiction" },
  "start rows": {
    text: edited(
      base,
      "| `status` | state | no | no | yes | none |\n",
      "| `status` | state | no | no | yes | none |\n\n- Rows at the start: block `first`\n\n```json rows first\n[]\n```\n",
    ),
    below: "### `Note`, many",
    code: "idle-answer",
  },
  "late answer": { text: file("examples/payments/spec.md"), code: "idle-answer" },
  "caller read": {
    text: file("examples/orders/spec.md"),
    below: "### `POST /orders`",
    code: "unknown-name",
  },
  "caller's keys": {
    text: file("examples/bank/spec.md"),
    below: "### `POST /transfers`",
    code: "contradiction",
  },
  "body read": { text: judged, below: "### `POST /notes/{id}/finish`", code: "unknown-name" },
  "body row": { text: withRow, below: "### `POST /notes/{id}/finish`", code: "contradiction" },
  "format of a body": {
    text: edited(
      base,
      `${PATCH}\n\n`,
      `${PATCH}\n\n- Body format: \`application/merge-patch+json\`\n`,
    ),
    below: PATCH,
    code: "contradiction",
  },
  "terms of keys": {
    text: file("examples/bank/spec.md"),
    below: "### `POST /transfers`",
    code: "idle-answer",
  },
  "subject read": { text: file("test/unseen/auth.md"), code: "contradiction" },
  "listener read": {
    text: file("examples/bank/spec.md"),
    below: "- Path: `GET /feed`",
    code: "unknown-name",
  },
  "version chosen": { text: inHeader, code: "contradiction" },
  "version refused": { text: inHeader, code: "never-occurs" },
  "data of an answer": {
    text: file("examples/payments/spec.md"),
    row: "`arrived`",
    below: "### `deliver`, a call",
    code: "unknown-name",
  },
  "retry time": { text: file("examples/orders/spec.md"), row: "`burst`", code: "wrong-type" },
  "error with values": {
    text: file("test/unseen/payments.md"),
    row: "`card_declined`",
    below: "## Errors",
    code: "contradiction",
  },
};

/** The text with an answer replaced by `none`. */
function denied({ text, below, row }: Case, title: string): string {
  const from = below === undefined ? 0 : text.indexOf(below);
  assert.notEqual(from, -1, `the document has '${below}'`);
  const [head, tail] = [text.slice(0, from), text.slice(from)];
  if (row === undefined) {
    const bullet = new RegExp(`^- ${title}:.*$`, "m");
    assert.match(tail, bullet);
    return head + tail.replace(bullet, `- ${title}: none`);
  }
  const lines = tail.split("\n");
  const at = lines.findIndex((line) => line.startsWith(`| ${row} `));
  const column = lines
    .slice(0, at)
    .findLast((line) => line.split("|").some((cell) => cell.trim() === title))
    ?.split("|")
    .findIndex((cell) => cell.trim() === title);
  assert.ok(at >= 0 && column !== undefined, `the document has a row ${row} with ${title}`);
  const cells = (lines[at] ?? "").split("|");
  cells[column] = " none ";
  lines[at] = cells.join("|");
  return head + lines.join("\n");
}

const wrong = (text: string): string[] =>
  checked(text).findings.flatMap(({ severity, code }) =>
    severity === "error" || severity === "warning" ? [code] : [],
  );

const titleOf = (form: string): string => form.slice(0, form.indexOf(":"));

const denials = [
  ...bullets.map(({ form, none }) => ({ title: titleOf(form), none })),
  ...tables.flatMap(({ columns }) => columns.map(({ title, none }) => ({ title, none }))),
];

for (const { title, none } of denials) {
  if (none === false || !("usedBy" in none)) continue;
  for (const use of none.usedBy) {
    test(`\`${title}\` is none beside ${uses[use]}`, () => {
      const { text, code } = cases[use];
      assert.ok(!wrong(text).includes(code), `${code} is not found before`);
      const found = wrong(denied(cases[use], title));
      assert.ok(found.includes(code), `${code} is among ${found.join(", ")}`);
    });
  }
}

test("each use contradicts some `none`", () => {
  const used = new Set(
    denials.flatMap(({ none }) => (none && "usedBy" in none ? none.usedBy : [])),
  );
  assert.deepEqual(
    Object.keys(uses).filter((one) => !used.has(one as Use)),
    [],
  );
});

const documents = readdirSync(join(root, "examples"))
  .map((name) => join("examples", name, "spec.md"))
  .filter((path) => existsSync(join(root, path)));

for (const part of parts) {
  for (const { name } of part.facets) {
    test(`'${name}' is none beside what states it`, () => {
      const isStated = (text: string): boolean =>
        checked(text)
          .parts.flatMap(({ facets }) => facets)
          .some((facet) => facet.name === name && facet.status === "stated");
      const text = documents.map(file).find(isStated);
      assert.ok(text, "an example states it");
      const sentence = `${name.charAt(0).toUpperCase()}${name.slice(1)}: none.`;
      const found = wrong(edited(text, `## ${part.title}\n`, `## ${part.title}\n\n${sentence}\n`));
      assert.ok(found.includes("contradiction"), found.join(", "));
    });
  }
}
