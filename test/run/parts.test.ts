/** Parts: every column and rule of their tables, however deep the part stands and whoever gives it. */

import { document } from "./document.ts";
import { conversation, type Turn } from "./replay.ts";

const FAILURES = `| other media type | \`bad\` |
| malformed body | \`bad\` |
| body absent | \`bad\` |
| unknown member | \`bad\` on its name |
| repeated member | \`bad\` on its name |
| not settable | \`bad\` on its name |
| too short | \`bad\` on its name |
| null | \`bad\` on its name |`;

const HEAD = "| Field | Type | Create | Update | Read | Rules |\n|---|---|---|---|---|---|";

/** The types under which a part stands in a row, and a value of each with one part in it. */
const PLACES: Readonly<Record<string, { type: string; put(part: unknown): unknown }>> = {
  "a member": { type: "`P` or absent", put: (part) => part },
  "a list": { type: "list of `P` or absent", put: (part) => [part] },
  "a map": { type: "map of `P` or absent", put: (part) => ({ "a b": part }) },
  "a map of lists": { type: "map of list of `P` or absent", put: (part) => ({ k: [part] }) },
  "a part in a part": { type: "`Outer` or absent", put: (part) => ({ in: part }) },
};

const PART = `### \`P\`, a part

${HEAD}
| \`a\` | string | required | no | yes | at least 2 characters |
| \`s\` | secret | required | no | no | kept as SHA-256 |
| \`h\` | string | optional | no | no | starts \`"h"\` |
| \`land\` | string | optional | no | yes | starts \`"CH"\` |
| \`b\` | string or absent | required when \`body.a == "bb"\` | no | yes | trimmed; empty means absent |
| \`n\` | string or null | optional | no | yes | empty becomes null; starts \`null\` |
| \`sum\` | string | no | no | yes | set to \`it.a + it.land\` on create |
| \`own\` | string | optional | no | yes | set to \`it.sum + "!"\` on create |
| \`once\` | string | no | no | on create | starts \`"once"\` |

### \`Outer\`, a part

${HEAD}
| \`in\` | \`P\` | required | no | yes | none |`;

const GIVEN = { a: "aa", s: "geheim", n: "" };
const SHOWN = { a: "aa", land: "CH", n: null, sum: "aaCH", own: "aaCH!" };

function turns({ put }: (typeof PLACES)[string], at: string): readonly Turn[] {
  const post = (part: unknown, rest: Omit<Turn, "send">): Turn => ({
    send: "POST /notes",
    body: { text: "t", p: put(part) },
    ...rest,
  });
  const bad = (name: string) => ({ status: 400, json: { error: "bad", field: `${at}.${name}` } });
  return [
    post(GIVEN, { status: 201, json: { text: "t", p: put({ ...SHOWN, once: "once" }) } }),
    { send: "GET /notes", status: 200, json: [{ text: "t", p: put(SHOWN) }] },
    post({ a: "aa" }, bad("s")),
    post({ ...GIVEN, a: "b" }, bad("a")),
    post({ ...GIVEN, a: "bb" }, bad("b")),
    post({ ...GIVEN, a: "bb", b: "  " }, bad("b")),
    post({ ...GIVEN, sum: "x" }, bad("sum")),
    post({ ...GIVEN, once: "x" }, bad("once")),
    post({ ...GIVEN, x: 1 }, bad("x")),
    post(
      { ...GIVEN, a: "bb", b: " c ", land: "DE", h: "x", own: "y" },
      {
        status: 201,
        json: {
          text: "t",
          p: put({ a: "bb", land: "DE", b: "c", n: null, sum: "bbDE", own: "y", once: "once" }),
        },
      },
    ),
    {
      send: "PATCH /notes/t",
      body: { p: put({ ...GIVEN, land: "FR" }) },
      status: 200,
      json: {
        text: "t",
        p: put({ ...SHOWN, land: "FR", sum: "aaFR", own: "aaFR!", once: "once" }),
      },
    },
    { send: "PATCH /notes/t", body: { p: put({ land: "FR" }) }, ...bad("a") },
  ];
}

const NAMES: Readonly<Record<string, string>> = {
  "a member": "p",
  "a list": "p.0",
  "a map": "p.a b",
  "a map of lists": "p.k.0",
  "a part in a part": "p.in",
};

for (const [name, place] of Object.entries(PLACES)) {
  const order = place.type.startsWith("list") ? "in the order given" : "none";
  const text = document({
    resources: `### \`Note\`, many \`notes\`

${HEAD}
| \`text\` | string | required | no | yes | key; unique, else \`taken\` |
| \`p\` | ${place.type} | optional | optional | yes | ${order} |

${PART}`,
    states: "- No states: `Note`",
    endpoints: `### \`POST /notes\`

- Body: new \`Note\`

1. Delete every \`Note\` where \`it.text == body.text\`.
2. Create a \`Note\` as \`note\` from \`body\`.
3. Respond \`201\` with \`Note\` of \`note\`.

### \`GET /notes\`

1. Let \`found\` be every \`Note\`.
2. Order \`found\` by \`it.text\` ascending.
3. Respond \`200\` with list of \`Note\` of \`found\`.

### \`PATCH /notes/{text}\`

- Path \`text\`: \`note\`, the \`Note\` by \`text\`, else \`gone\`
- Body: changed \`Note\`

1. Set \`note\` from \`body\`, given members only.
2. Respond \`200\` with \`Note\` of \`note\`.`,
    failures: FAILURES,
  });
  conversation(`a part is what its table says: ${name}`, text, turns(place, NAMES[name] ?? ""));
}

conversation(
  "parts that a step writes, answers with, appends and compares",
  document({
    resources: `### \`Note\`, many \`notes\`

${HEAD}
| \`n\` | integer | required | no | yes | key; unique, else \`taken\` |
| \`all\` | list of \`P\` | no | no | yes | starts \`[]\`; in the order given |

${PART}`,
    states: "- No states: `Note`",
    endpoints: `### \`POST /notes\`

- Body: new \`Note\`

| Input | In | Type | Needed | Rules |
|---|---|---|---|---|
| \`s\` | body | secret | yes | none |

1. Create a \`Note\` as \`note\` from \`body\`.
2. Set \`note.all\` = \`note.all + [{"a": "aa", "s": body.s, "own": "o"}]\`.
3. Require \`size(note.all) > 0\`, else \`refused\`.
4. Respond \`201\` with \`note.all[0]\`.

### \`POST /notes/{n}/more\`

- Path \`n\`: \`note\`, the \`Note\` by \`n\`, else \`gone\`

| Input | In | Type | Needed | Rules |
|---|---|---|---|---|
| \`p\` | body | \`P\` | yes | none |
| \`s\` | body | secret | yes | none |

1. Require \`note.all.exists(p, password_matches(p.s, body.s))\`, else \`refused\`.
2. Set \`note.all\` = \`note.all + [body.p]\`.
3. Set \`note.all\` = \`note.all\`.
4. Respond \`200\` with \`{"all": note.all}\`.`,
    failures: FAILURES,
  }),
  [
    {
      send: "POST /notes",
      body: { n: 1, s: "geheim" },
      status: 201,
      json: { a: "aa", land: "CH", n: null, sum: "aaCH", own: "o", once: "once" },
    },
    { send: "POST /notes/1/more", body: { p: GIVEN, s: "falsch" }, status: 422 },
    {
      send: "POST /notes/1/more",
      body: { p: { ...GIVEN, s: "zwei" }, s: "geheim" },
      status: 200,
      json: {
        all: [
          { ...SHOWN, own: "o" },
          { ...SHOWN, once: "once" },
        ],
      },
    },
    { send: "POST /notes/1/more", body: { p: GIVEN, s: "geheim" }, status: 200 },
    { send: "POST /notes/1/more", body: { p: GIVEN, s: "zwei" }, status: 200 },
  ],
);

/** Patches of one part in their order, and what comes of each: the part, or the name that is wrong. */
const PATCHES = [
  [{ fixed: "g" }, 400, "p.fixed"],
  [{ in: { x: 1 } }, 400, "p.a"],
  [{ a: "A B" }, 200, { a: "A B", fixed: "f", slug: "a-b", times: 0 }],
  [{ a: "A B" }, 200, { a: "A B", fixed: "f", slug: "a-b", times: 0 }],
  [{ s: "geheim" }, 200, { a: "A B", fixed: "f", slug: "a-b", times: 1 }],
  [{ s: "geheim" }, 200, { a: "A B", fixed: "f", slug: "a-b", times: 1 }],
  [{ in: { y: 2 } }, 400, "p.in.x"],
  [
    { a: "C", in: { x: 5, list: [{}] } },
    200,
    { a: "C", fixed: "f", slug: "c", times: 2, in: { x: 5, y: 5, list: [{ z: 9 }] } },
  ],
  [
    { in: { y: 6 }, s: null },
    200,
    { a: "C", fixed: "f", slug: "c", times: 3, in: { x: 5, y: 6, list: [{ z: 9 }] } },
  ],
  [{ in: null }, 200, { a: "C", fixed: "f", slug: "c", times: 4 }],
] as const;

conversation(
  "a part that is merged",
  document({
    resources: `### \`Note\`, many \`notes\`

${HEAD}
| \`n\` | integer | required | no | yes | key; unique, else \`taken\` |
| \`p\` | \`P\` or absent | optional | merged | yes | none |

### \`P\`, a part

${HEAD}
| \`a\` | string | required | optional | yes | none |
| \`fixed\` | string | optional | no | yes | starts \`"f"\` |
| \`s\` | secret or absent | optional | optional | no | kept as SHA-256 |
| \`slug\` | string | no | no | yes | set to \`slug(it.a)\` when \`a\` changes |
| \`times\` | integer | no | no | yes | set to \`has(it.times) ? it.times + 1 : 0\` on create and on update |
| \`in\` | \`Q\` or absent | optional | optional | yes | none |

### \`Q\`, a part

${HEAD}
| \`x\` | integer | required | optional | yes | none |
| \`y\` | integer | optional | optional | yes | starts \`it.x\` |
| \`list\` | list of \`R\` | optional | optional | yes | starts \`[]\`; in the order given |

### \`R\`, a part

${HEAD}
| \`z\` | integer | optional | no | yes | starts \`9\` |`,
    states: "- No states: `Note`",
    endpoints: `### \`POST /notes\`

- Body: new \`Note\`

1. Create a \`Note\` as \`note\` from \`body\`.
2. Respond \`201\` with \`Note\` of \`note\`.

### \`PATCH /notes/{n}\`

- Path \`n\`: \`note\`, the \`Note\` by \`n\`, else \`gone\`
- Body: changed \`Note\`

1. Set \`note\` from \`body\`, given members only.
2. Respond \`200\` with \`Note\` of \`note\`.`,
    failures: FAILURES,
  }),
  [
    { send: "POST /notes", body: { n: 1 }, status: 201, json: { n: 1 } },
    ...PATCHES.map(
      ([p, status, got]): Turn => ({
        send: "PATCH /notes/1",
        body: { p },
        status,
        json: typeof got === "string" ? { error: "bad", field: got } : { n: 1, p: got },
      }),
    ),
  ],
);

conversation(
  "a part that holds itself, and rows at the start that have parts",
  document({
    resources: `### \`Note\`, many \`notes\`

- Rows at the start: block \`first\`

${HEAD}
| \`n\` | integer | required | no | yes | key; unique, else \`taken\` |
| \`tree\` | \`Tree\` | required | no | yes | none |

\`\`\`json rows first
[{"n": 1, "tree": {"name": "a", "more": [{"name": "b", "hidden": "x"}]}}]
\`\`\`

### \`Tree\`, a part

${HEAD}
| \`name\` | string | no | no | yes | starts \`"leaf"\` |
| \`hidden\` | string | optional | no | no | starts \`"h"\` |
| \`more\` | list of \`Tree\` | optional | no | yes | starts \`[]\`; in the order given |
| \`left\` | \`Tree\` or absent | optional | no | yes | none |`,
    states: "- No states: `Note`",
    endpoints: `### \`GET /notes/{n}\`

- Path \`n\`: \`note\`, the \`Note\` by \`n\`, else \`gone\`

1. Respond \`200\` with \`note.tree\`.

### \`POST /echo\`

- Body: \`Tree\`

1. Respond \`200\` with \`body\`.`,
    failures: FAILURES,
  }),
  [
    {
      send: "GET /notes/1",
      status: 200,
      json: { name: "a", more: [{ name: "b", more: [] }] },
    },
    {
      send: "POST /echo",
      body: { left: { left: { hidden: "x" } }, more: [{ more: [{}] }] },
      status: 200,
      json: {
        name: "leaf",
        more: [{ name: "leaf", more: [{ name: "leaf", more: [] }] }],
        left: { name: "leaf", more: [], left: { name: "leaf", more: [] } },
      },
    },
    {
      send: "POST /echo",
      body: { left: { name: "x" } },
      status: 400,
      json: { error: "bad", field: "left.name" },
    },
  ],
);
