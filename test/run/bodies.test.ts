/** What a body, an object in it and a form are where nothing of them is sent. */

import { document } from "./document.ts";
import { conversation, type Turn } from "./replay.ts";

const FAILURES = `| other media type | \`bad\` |
| malformed body | \`bad\` |
| body absent | \`taken\` |
| unknown member | \`bad\` on its name |
| repeated member | \`bad\` on its name |
| not settable | \`bad\` on its name |
| no member given | \`gone\` |
| null | \`bad\` on its name |`;

const RESOURCES = `### \`Note\`, many \`notes\`

| Field | Type | Create | Update | Read | Rules |
|---|---|---|---|---|---|
| \`n\` | integer | no | no | yes | counts up from 1 |
| \`text\` | string or null | optional | optional | yes | starts \`null\` |
| \`kind\` | string or null | required when \`has(body.text)\` | no | yes | starts \`null\` |`;

interface Way {
  /** Bullets and table of the endpoint. */
  readonly states: string;
  readonly steps: string;
}

const INPUTS = "| Input | In | Type | Needed | Rules |\n|---|---|---|---|---|\n";

/** Bodies in which every member may be left out; each answers with `{"got": ...}`. */
const OPEN: Readonly<Record<string, Way>> = {
  "a row that may be left out": {
    states: `${INPUTS}| \`a\` | body | string | no | none |`,
    steps: '1. Respond `200` with `{"got": has(body.a) ? body.a : "nothing"}`.',
  },
  "a row with a default": {
    states: `${INPUTS}| \`a\` | body | string or null | no | absent means \`"nothing"\` |`,
    steps: '1. Respond `200` with `{"got": body.a}`.',
  },
  "a row below an object": {
    states: `${INPUTS}| \`a.b\` | body | string | no | none |`,
    steps:
      '1. When `body.a.b` is not given, respond `200` with `{"got": "nothing"}`.\n' +
      '2. Respond `200` with `{"got": body.a.b}`.',
  },
  "a default below two objects": {
    states: `${INPUTS}| \`a.b.c\` | body | string | no | absent means \`"nothing"\` |\n| \`a.d\` | body | integer | no | none |`,
    steps: '1. Respond `200` with `{"got": has(body.a.d) ? "d" : body.a.b.c}`.',
  },
  "a Body bullet for a member": {
    states: "- Body: `a`, string or absent",
    steps: '1. Respond `200` with `{"got": has(body.a) ? body.a : "nothing"}`.',
  },
  "a new resource": {
    states: "- Body: new `Note`",
    steps:
      '1. Create a `Note` as `note` from `body`.\n2. Respond `200` with `{"got": note.text == null ? "nothing" : "text"}`.',
  },
  "a changed resource": {
    states: "- Body: changed `Note`",
    steps:
      '1. Create a `Note` as `note`.\n2. Set `note` from `body`, given members only.\n3. Respond `200` with `{"got": note.text == null ? "nothing" : "text"}`.',
  },
};

/** What is sent where no member is given: all mean the same. */
const NOTHING: readonly Pick<Turn, "body" | "headers">[] = [
  {},
  { body: "", headers: { "Content-Type": "application/json" } },
  { body: {} },
];

for (const [name, way] of Object.entries(OPEN)) {
  const text = document({
    resources: RESOURCES,
    states: "- No states: `Note`",
    endpoints: `### \`POST /probe\`\n\n${way.states}\n\n${way.steps}`,
    failures: FAILURES,
  });
  conversation(`nothing is given: ${name}`, text, [
    ...NOTHING.map(
      (sent): Turn => ({
        send: "POST /probe",
        ...sent,
        status: 200,
        json: { got: "nothing" },
      }),
    ),
    { send: "POST /probe", body: "null", status: 400, json: { error: "bad", field: null } },
    { send: "POST /probe", body: "[]", status: 400, json: { error: "bad", field: null } },
  ]);
}

conversation(
  "an object on the way to a member: absent, empty, null, something else",
  document({
    endpoints: `### \`POST /probe\`

${INPUTS}| \`a.b.c\` | body | string | no | none |
| \`a.n\` | body | integer | no | none |

1. Respond \`200\` with \`{"c": has(body.a.b.c), "n": has(body.a.n), "b": has(body.a.b)}\`.

### \`PUT /probe\`

${INPUTS}| \`a.b.c\` | body | string | yes | none |
| \`a.n\` | body | integer | no | none |

1. Respond \`200\` with \`{"c": body.a.b.c}\`.`,
    failures: FAILURES,
  }),
  [
    ...[{}, { a: {} }, { a: { b: {} } }].map(
      (body): Turn => ({
        send: "POST /probe",
        body,
        status: 200,
        json: { c: false, n: false, b: true },
      }),
    ),
    {
      send: "POST /probe",
      body: { a: { b: { c: "x" } } },
      status: 200,
      json: { c: true, n: false, b: true },
    },
    { send: "POST /probe", body: { a: null }, status: 400, json: { error: "bad", field: "a" } },
    {
      send: "POST /probe",
      body: { a: { b: 1 } },
      status: 400,
      json: { error: "bad", field: "a.b" },
    },
    { send: "PUT /probe", status: 409, json: { error: "taken", field: null } },
    ...[{}, { a: {} }, { a: { b: {} } }].map(
      (body): Turn => ({
        send: "PUT /probe",
        body,
        status: 400,
        json: { error: "bad", field: "a.b.c" },
      }),
    ),
  ],
);

conversation(
  "no content where something is needed, or where a condition asks for it",
  document({
    resources: RESOURCES,
    states: "- No states: `Note`",
    endpoints: `### \`POST /needed\`

${INPUTS}| \`a\` | body | string | yes | none |

1. Respond \`200\` with \`{"a": body.a}\`.

### \`POST /wrapped\`

- Body: \`outer.note\`, new \`Note\`

1. Create a \`Note\` as \`note\` from \`body.outer.note\`.
2. Respond \`200\` with \`{"n": note.n}\`.

### \`POST /some\`

- Body: changed \`Note\`; at least one member

1. Respond \`204\` with no body.

### \`POST /when\`

- Body: new \`Note\`

1. Create a \`Note\` as \`note\` from \`body\`.
2. Respond \`200\` with \`{"n": note.n}\`.`,
    failures: FAILURES,
  }),
  [
    { send: "POST /needed", status: 409, json: { error: "taken", field: null } },
    { send: "POST /wrapped", status: 409, json: { error: "taken", field: null } },
    { send: "POST /wrapped", body: {}, status: 400, json: { error: "bad", field: "outer.note" } },
    { send: "POST /wrapped", body: { outer: { note: {} } }, status: 200, json: { n: 1 } },
    {
      send: "POST /wrapped",
      body: '{"outer": {"note": {"text": "a", "kind": "b", "text": "c"}}}',
      status: 400,
      json: { error: "bad", field: "outer.text" },
    },
    { send: "POST /some", status: 404, json: { error: "gone", field: null } },
    { send: "POST /some", body: {}, status: 404, json: { error: "gone", field: null } },
    { send: "POST /when", status: 200, json: { n: 2 } },
    { send: "POST /when", body: { text: "a" }, status: 400, json: { error: "bad", field: "kind" } },
  ],
);

const FORM = { "Content-Type": "application/x-www-form-urlencoded" };

const SAID = `### \`Said\`, a shape

- Given \`text\`: string
- Given \`count\`: integer
- Given \`tags\`: list of string
- Given \`more\`: json

| Field | Type | Value |
|---|---|---|
| \`text\` | string | \`text\` |
| \`count\` | integer | \`count\` |
| \`tags\` | list of string | \`tags\` |
| \`more\` | json | \`more\` |`;

conversation(
  "a form: nothing sent, texts, lists by repeating, empty text",
  document({
    resources: `${RESOURCES}\n\n${SAID}`,
    states: "- No states: `Note`",
    endpoints: `### \`POST /form\`

- Body format: \`application/x-www-form-urlencoded\`

${INPUTS}| \`text\` | body | string | no | absent means \`"none"\` |
| \`count\` | body | integer | no | absent means \`0\` |
| \`tag\` | body | list of string | no | absent means \`[]\` |
| \`more\` | body | json | no | absent means \`{}\` |

1. Respond \`200\` with \`Said\` where \`text\` = \`body.text\`, \`count\` = \`body.count\`, \`tags\` = \`body.tag\` and \`more\` = \`body.more\`.

### \`POST /notes\`

- Body: new \`Note\`
- Body format: \`application/x-www-form-urlencoded\`

1. Create a \`Note\` as \`note\` from \`body\`.
2. Respond \`200\` with \`Note\` of \`note\`.`,
    failures: FAILURES,
  }),
  [
    {
      send: "POST /form",
      status: 200,
      json: { text: "none", count: 0, tags: [], more: {} },
    },
    {
      send: "POST /form",
      body: "",
      headers: FORM,
      status: 200,
      json: { text: "none", count: 0, tags: [], more: {} },
    },
    {
      send: "POST /form",
      body: "text=a+b%21&count=7&tag=x&tag=y&more=%7B%22k%22%3A%5B1%5D%7D",
      headers: FORM,
      status: 200,
      json: { text: "a b!", count: 7, tags: ["x", "y"], more: { k: [1] } },
    },
    {
      send: "POST /form",
      body: "text=&tag=",
      headers: FORM,
      status: 200,
      json: { text: "", count: 0, tags: [""], more: {} },
    },
    {
      send: "POST /form",
      body: "text=null",
      headers: FORM,
      status: 200,
      json: { text: "null", count: 0, tags: [], more: {} },
    },
    { send: "POST /form", body: "count=", headers: FORM, status: 400 },
    { send: "POST /form", body: "text=a&text=b", headers: FORM, status: 400 },
    { send: "POST /form", body: "more=%7B", headers: FORM, status: 400 },
    { send: "POST /form", body: "text=%zz", headers: FORM, status: 400 },
    { send: "POST /notes", status: 200, json: { n: 1, text: null, kind: null } },
    {
      send: "POST /notes",
      body: "text=x&kind=y",
      headers: FORM,
      status: 200,
      json: { n: 2, text: "x", kind: "y" },
    },
  ],
);
