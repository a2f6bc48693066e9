/** What Path bullets and the steps of `### Every endpoint` see of a request. */
import { document } from "./document.ts";
import { conversation } from "./replay.ts";

const NOTES = `### \`Note\`, many \`notes\`

| Field | Type | Create | Update | Read | Rules |
|---|---|---|---|---|---|
| \`n\` | integer | no | no | yes | counts up from 1 |
| \`text\` | string | required | no | yes | unique, else \`taken\` |
| \`rank\` | integer | optional | no | yes | starts \`0\` |`;

const ERROR = "| `bad` | 400 | `Problem` |";

/** The shape of errors shows a value that the refusal gives. */
const told = (text: string): string =>
  text
    .replace(ERROR, `${ERROR}\n| \`none\` | 404 | \`None\` |`)
    .replace(
      "### `Problem`, a shape",
      "### `None`, a shape\n\n| Field | Type | Value |\n|---|---|---|\n" +
        "| `said` | string | `given.said` |\n\n### `Problem`, a shape",
    );

const MAKE = `### \`POST /notes\`

- Body: new \`Note\`

1. Create a \`Note\` as \`note\` from \`body\`.
2. Respond \`201\` with \`{"n": note.n}\`.`;

const FAILURES =
  "| body absent | `bad` |\n| malformed body | `bad` |\n| other media type | `bad` |\n" +
  "| unknown member | `bad` |\n| not settable | `bad` |\n| repeated member | `bad` |\n| null | `bad` |\n" +
  "| too large | `bad` |";

const bound = (every: string): string =>
  told(
    document({
      resources: NOTES,
      states: "- No states: `Note`",
      every,
      endpoints: `${MAKE}

### \`GET /notes/{text}\`

- Path \`text\`: \`note\`, the \`Note\` by \`text\`, else \`none\` with \`said\` = \`"no " + path.text\`

1. Respond \`200\` with \`{"n": note.n}\`.

### \`GET /notes/{text}/at/{rank}\`

- Path \`text\`: \`note\`, the \`Note\` by \`text\` where ${every.indexOf("inputs") < every.indexOf("paths") ? "`it.rank == path.rank`" : "`has(path.rank) && it.rank == path.rank`"}, else \`none\` with \`said\` = \`path.text\`

| Input | In | Type | Needed | Rules |
|---|---|---|---|---|
| \`rank\` | path | integer | yes | 0 to 1000 |

1. Respond \`200\` with \`{"n": note.n + path.rank}\`.`,
      failures: FAILURES,
    }),
  );

const turns = (wrong: number) => [
  { send: "POST /notes", body: { text: "a", rank: 7 }, status: 201, json: { n: 1 } },
  { send: "GET /notes/a", status: 200, json: { n: 1 } },
  { send: "GET /notes/b%20c", status: 404, json: { said: "no b c" } },
  { send: "GET /notes/a/at/7", status: 200, json: { n: 8 } },
  { send: "GET /notes/a/at/8", status: 404, json: { said: "a" } },
  { send: "GET /notes/a/at/x", status: wrong },
];

conversation(
  "a Path bullet sees the parameters: inputs first",
  bound("- Who: none\n\n1. Check the inputs.\n2. Check the paths."),
  turns(400),
);
conversation(
  "a Path bullet sees the parameters: paths first",
  bound("- Who: none\n\n1. Check the paths.\n2. Check the inputs."),
  turns(404),
);

conversation(
  "steps of every endpoint see the table of every endpoint",
  document({
    resources: NOTES,
    states: "- No states: `Note`",
    every: `- Who: none

| Input | In | Type | Needed | Rules |
|---|---|---|---|---|
| \`X-Api\` | header | integer | no | 1 to 1000 |
| \`sid\` | cookie | string | no | absent means \`"none"\` |

1. Check the inputs.
2. Require \`has(header["X-Api"]) && header["X-Api"] == 2\`, else \`refused\`.
3. Require \`cookie.sid != "old"\`, else \`gone\`.
4. Check the paths.`,
    endpoints: `${MAKE}

### \`GET /notes/{text}\`

- Path \`text\`: \`note\`, the \`Note\` by \`text\`, else \`gone\`

1. Require \`has(header["X-Api"])\`, else \`bad\`.
2. Respond \`200\` with \`{"n": note.n + header["X-Api"]}\`.`,
    failures: FAILURES,
  }),
  [
    { send: "POST /notes", body: { text: "a" }, status: 422 },
    { send: "POST /notes", body: { text: "a" }, headers: { "X-Api": "2" }, status: 201 },
    {
      send: "POST /notes",
      body: { text: "b", rank: 3 },
      headers: { "X-Api": "2" },
      status: 201,
    },
    { send: "GET /notes/a", headers: { "X-Api": "2" }, status: 200, json: { n: 3 } },
    { send: "GET /notes/a", headers: { "X-Api": "1" }, status: 422 },
    { send: "GET /notes/a", headers: { "X-Api": "0" }, status: 400 },
    { send: "GET /notes/a", headers: { "X-Api": "2", Cookie: "sid=old" }, status: 404 },
  ],
);
