/** Rows of which it is not shown by which field clients name them: who names one meets that. */
import { document } from "./document.ts";
import { conversation } from "./replay.ts";

/** Notes that name a person, or nobody; \`cells\`: Type and Rules of the person's one field. */
const notes = (type: string, rules: string): string =>
  document({
    about: "- One request: all or nothing, as if alone\n- Cross-origin: none",
    resources: `### \`Person\`

| Field | Type | Create | Update | Read | Rules |
|---|---|---|---|---|---|
| \`login\` | ${type} | no | no | yes | ${rules} |

### \`Note\`, many \`notes\`

| Field | Type | Create | Update | Read | Rules |
|---|---|---|---|---|---|
| \`id\` | id | no | no | no | none |
| \`by\` | \`Person\` or null | optional | no | yes | starts \`null\`; its deletion is refused |`,
    states: "States and transitions: none.\n\n- No states: `Note`, `Person`",
    endpoints: `### \`POST /notes\`

- Body: new \`Note\`

1. Create a \`Note\` as \`note\` from \`body\`.
2. Respond \`201\` with \`Note\` of \`note\`.

### \`GET /notes\`

| Input | In | Type | Needed | Rules |
|---|---|---|---|---|
| \`by\` | query | \`Person\` | no | none |

1. Let \`found\` be every \`Note\` where \`!has(query.by) || it.by == query.by\`.
2. Order \`found\` by \`it.id\` ascending.
3. Respond \`200\` with list of \`Note\` of \`found\`.
`,
  });

const NAMELESS: readonly (readonly [type: string, rules: string])[] = [
  ["not shown", "none"],
  ["string", "not shown"],
];

for (const [type, rules] of NAMELESS) {
  conversation(`a row is named by a field of type ${type}, rules ${rules}`, notes(type, rules), [
    { send: "POST /notes", body: {}, status: 201, json: { by: null } },
    { send: "POST /notes", body: { by: "a" }, status: 501 },
    { send: "GET /notes", status: 200, json: [{ by: null }] },
    { send: "GET /notes?by=a", status: 501 },
  ]);
}
