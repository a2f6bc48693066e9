/** Rows that stand in the document: their parts have three columns, and Read may show them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { check } from "../../src/check/index.ts";
import { read } from "../../src/read/index.ts";
import { document } from "./document.ts";
import { conversation } from "./replay.ts";

const shops = (columns: string, row: (field: string, type: string, rules: string) => string) =>
  document({
    resources: `### \`Shop\`, many \`shops\`, fixed

- Rows at the start: block \`shops\`

${columns}
${row("id", "string", "key")}
${row("place", "`Place`", "none")}

\`\`\`json rows shops
[{"id": "a", "place": {"town": "Ulm"}}, {"id": "b", "place": {"town": "Bern"}}]
\`\`\`

### \`Place\`, a part

${columns}
${row("town", "string", "none")}

### \`Door\`, a view of \`Shop\`

| Field | Type | Value |
|---|---|---|
| \`at\` | string | \`it.place.town\` |`,
    states: "- No states: `Shop`",
    endpoints: `### \`GET /towns/{town}\`: whether there is a shop

1. Require \`shops.exists(s, s.place.town == path.town)\`, else \`gone\`.
2. Respond \`204\` with no body.

### \`GET /doors\`: all

1. Let \`found\` be every \`Shop\`.
2. Order \`found\` by \`it.id\` descending.
3. Respond \`200\` with list of \`Door\` of \`found\`.

### \`GET /shops\`: all, as they are

1. Let \`found\` be every \`Shop\`.
2. Order \`found\` by \`it.id\` ascending.
3. Respond \`200\` with list of \`Shop\` of \`found\`.`,
  });

const TURNS = [
  { send: "GET /towns/Ulm", status: 204 },
  { send: "GET /towns/Rom", status: 404 },
  { send: "GET /doors", status: 200, json: [{ at: "Bern" }, { at: "Ulm" }] },
] as const;

/** Without a Read column nothing of a row is shown, and the endpoint that shows it is refused. */
const withoutShown = (text: string): string => {
  const at = text.indexOf("### `GET /shops`");
  return `${text.slice(0, at)}${text.slice(text.indexOf("\n## ", at))}`;
};

conversation(
  "fixed rows and their parts, by three columns",
  withoutShown(
    shops(
      "| Field | Type | Rules |\n|---|---|---|",
      (field, type, rules) => `| \`${field}\` | ${type} | ${rules} |`,
    ),
  ),
  TURNS,
);

conversation(
  "fixed rows that a Read column shows",
  shops(
    "| Field | Type | Create | Update | Read | Rules |\n|---|---|---|---|---|---|",
    (field, type, rules) => `| \`${field}\` | ${type} | no | no | yes | ${rules} |`,
  ),
  [
    ...TURNS,
    {
      send: "GET /shops",
      status: 200,
      json: [
        { id: "a", place: { town: "Ulm" } },
        { id: "b", place: { town: "Bern" } },
      ],
    },
  ],
);

const UNIQUE: readonly (readonly [what: string, bullet: string, rule: string])[] = [
  ["a rule", "", "unique"],
  ["a rule within another field", "", "unique within `land`"],
  ["a bullet", "- Unique: `town`, `land`\n", "none"],
  ["a bullet with a condition", "- Unique: `town` where `it.land != null`\n", "none"],
];

const towns = (kind: string, bullet: string, rule: string): string =>
  document({
    resources: `### \`Town\`, many \`towns\`${kind}

- Rows at the start: block \`towns\`
${bullet}
| Field | Type | ${kind === "" ? "Create | Update | Read | " : ""}Rules |
|---|---|${kind === "" ? "---|---|---|" : ""}---|
| \`id\` | string | ${kind === "" ? "required | no | yes | " : ""}key |
| \`town\` | string | ${kind === "" ? "required | no | yes | " : ""}${rule} |
| \`land\` | string or null | ${kind === "" ? "required | no | yes | " : ""}none |

\`\`\`json rows towns
[{"id": "a", "town": "Ulm", "land": null}, {"id": "b", "town": "Bern", "land": "CH"}]
\`\`\``,
    states: "- No states: `Town`",
    endpoints: `### \`GET /towns/{town}\`: whether it is there

1. Require \`towns.exists(t, t.town == path.town)\`, else \`gone\`.
2. Respond \`204\` with no body.`,
  });

const asked = (text: string): number =>
  check(read(new TextEncoder().encode(text))).findings.filter(
    ({ code, message }) => code === "silent" && message.includes("store the value twice"),
  ).length;

for (const [what, bullet, rule] of UNIQUE) {
  test(`unique, ${what}: what stores a value twice is asked where rows are made alone`, () => {
    assert.equal(asked(towns("", bullet, rule)), 1);
    assert.equal(asked(towns(", fixed", bullet, rule)), 0);
  });
  conversation(`unique, ${what}, of a fixed resource`, towns(", fixed", bullet, rule), [
    { send: "GET /towns/Ulm", status: 204 },
    { send: "GET /towns/Rom", status: 404 },
  ]);
}
