/** A field whose rules are not shown: each rule that may stand there may be among them. */
import { document } from "./document.ts";
import { conversation, type Turn } from "./replay.ts";

const ABOUT = `- One request: all or nothing, as if alone
- Cross-origin: none`;

interface Hidden {
  /** Type of the field `x`, whose rules are not shown. */
  readonly type: string;
  /** What steps give it in the second row. */
  readonly value: string;
  readonly other?: string;
  /** Type of a further member of the body, for values that no step can write. */
  readonly input?: string;
}

/** Notes: a step gives \`x\`, or none does; another field, or \`x\` itself, is changed. */
function notes({ type, value, other = value, input }: Hidden): string {
  const table = `
| Input | In | Type | Needed | Rules |
|---|---|---|---|---|
| \`given\` | body | ${input} | yes | none |
`;
  const made = (path: string, given: string): string => `### \`POST /${path}\`

- Body: new \`Note\`
${input === undefined ? "" : table}
1. Create a \`Note\` as \`note\` from \`body\`${given}.
2. Respond \`204\` with no body.
`;
  const found = "- Path `name`: `note`, the `Note` by `name`, else `gone`";
  return document({
    about: ABOUT,
    resources: `### \`Note\`, many \`notes\`

| Field | Type | Create | Update | Read | Rules |
|---|---|---|---|---|---|
| \`name\` | string | required | no | yes | key; unique, else \`taken\` |
| \`x\` | ${type} | no | no | ${input === undefined ? "yes" : "no"} | not shown |
| \`text\` | string | no | no | yes | starts \`""\` |

### \`Part\`, a part

| Field | Type | Create | Update | Read | Rules |
|---|---|---|---|---|---|
| \`a\` | integer | optional | no | yes | starts \`0\` |
| \`b\` | integer or absent | optional | no | yes | not shown |`,
    states: "States and transitions: none.\n\n- No states: `Note`",
    endpoints: `${made("lacking", "")}
${made("notes", ` with \`x\` = \`${value}\``)}
${made("others", ` with \`x\` = \`${other}\``)}
### \`POST /unless\`

- Body: new \`Note\`
${input === undefined ? "" : table}
1. Create a \`Note\` as \`note\` from \`body\` with \`x\` = \`${value}\`, unless one is there.
2. Respond \`200\` with \`Note\` of \`note\`.

### \`POST /notes/{name}/text\`

${found}
- Body: none

1. Set \`note.text\` = \`"changed"\`.
2. Respond \`204\` with no body.

### \`POST /notes/{name}/x\`

${found}
- Body: none

1. Set \`note.x\` = \`${input === undefined ? value : other}\`.
2. Respond \`204\` with no body.

### \`GET /notes/{name}\`

${found}

1. Respond \`200\` with \`Note\` of \`note\`.
`,
  });
}

const GIVEN: Readonly<Record<string, string>> = {
  date: `date("2026-01-01")`,
  "integer or absent": "7",
};

const post = (send: string, status: number, name?: string): Turn => ({
  send: `POST ${send}`,
  status,
  ...(name === undefined ? {} : { body: { name } }),
});

const get = (name: string, x: unknown): Turn => ({
  send: `GET /notes/${name}`,
  status: 200,
  json: { name, x, text: "" },
});

conversation(
  "unique may be hidden: who makes, or sets, the value of another row meets it",
  notes({ type: "string", value: `"same"`, other: `body.name` }),
  [
    post("/notes", 204, "a"),
    post("/notes", 501, "b"),
    post("/others", 204, "c"),
    post("/unless", 501, "d"),
    post("/unless", 200, "a"),
    post("/notes/c/x", 501),
    get("c", "c"),
    get("a", "same"),
  ],
);

conversation(
  "null is no value that another row may have",
  notes({ type: "string or null", value: "null" }),
  [post("/notes", 204, "a"), post("/notes", 204, "b"), get("b", null)],
);

for (const type of ["string or absent", "string or null", "date", "integer or absent"]) {
  conversation(
    `a rule that gives a value may be hidden: nobody gives one to ${type}`,
    notes({ type, value: GIVEN[type] ?? `"a"` }),
    [post("/lacking", 501, "a"), post("/notes", 204, "b")],
  );
}

conversation(
  "a rule that sets it when the row is changed may be hidden",
  notes({ type: "string", value: `"a"` }),
  [post("/notes", 204, "a"), post("/notes/a/text", 501), post("/notes/a/x", 204), get("a", "a")],
);

conversation(
  "the order of items may be hidden: who shows two meets it",
  notes({ type: "list of string", value: `["b"]`, other: `["b", "a"]` }),
  [
    post("/notes", 204, "a"),
    get("a", ["b"]),
    post("/others", 204, "b"),
    { send: "GET /notes/b", status: 501 },
  ],
);

conversation(
  "how a secret is kept may be hidden: no step stores one",
  notes({ type: "secret or null", value: "body.given", other: "null", input: "secret" }),
  [
    { send: "POST /notes", body: { name: "a", given: "hush" }, status: 501 },
    { send: "POST /others", body: { name: "a", given: "hush" }, status: 204 },
  ],
);

conversation(
  "a member of a part may be filled, or set, by a rule that is hidden",
  notes({ type: "`Part` or null", value: `{"a": 1}`, other: `{"a": 1, "b": 2}` }),
  [post("/notes", 501, "a"), post("/others", 204, "b"), get("b", { a: 1, b: 2 })],
);
