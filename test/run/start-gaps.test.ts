/** Rows at the start that meet a gap are not there: who looks for more than is found meets it. */
import { document } from "./document.ts";
import { conversation } from "./replay.ts";

const people = (rules: string, rows: string): string =>
  document({
    about: "- One request: all or nothing, as if alone\n- Cross-origin: none",
    resources: `### \`Person\`, many \`people\`

- Rows at the start: ${rows === "" ? "not shown" : "block `people`"}

| Field | Type | Create | Update | Read | Rules |
|---|---|---|---|---|---|
| \`name\` | string | required | no | yes | key; unique, else \`taken\` |
| \`code\` | secret or null | no | no | no | ${rules} |

${rows === "" ? "" : `\`\`\`json rows people\n${rows}\n\`\`\``}`,
    states: "States and transitions: none.\n\n- No states: `Person`",
    endpoints: `### \`POST /people\`

- Body: new \`Person\`

1. Create a \`Person\` as \`person\` from \`body\` with \`code\` = \`null\`.
2. Respond \`204\` with no body.

### \`GET /people\`

1. Let \`found\` be every \`Person\`.
2. Order \`found\` by \`it.name\` ascending.
3. Respond \`200\` with list of \`Person\` of \`found\`.

### \`GET /people/{name}\`

- Path \`name\`: \`person\`, the \`Person\` by \`name\`, else \`gone\`

1. Respond \`200\` with \`Person\` of \`person\`.`,
  });

const TURNS = [
  { send: "GET /people", status: 501 },
  { send: "GET /people/nobody", status: 501 },
  // A name that nobody is known to have may be that of a row which is not there.
  { send: "POST /people", body: { name: "b" }, status: 501 },
];

conversation(
  "a secret at the start that nobody knows how to keep",
  people("not shown", `[{ "name": "a", "code": "hush" }, { "name": "c", "code": null }]`),
  [...TURNS, { send: "GET /people/c", status: 200, json: { name: "c" } }],
);

conversation("rows at the start that are not shown", people("kept as SHA-256", ""), TURNS);
