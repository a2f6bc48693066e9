/** Maps whose keys a client chooses: gone through, read by key, and shown where a key is there. */
import { document } from "./document.ts";
import { conversation } from "./replay.ts";

const INPUT = "| Input | In | Type | Needed | Rules |\n|---|---|---|---|---|\n";
const FIELDS = "| Field | Type | Create | Update | Read | Rules |\n|---|---|---|---|---|---|\n";
const FAILURES =
  "| body absent | `bad` |\n| malformed body | `bad` |\n| other media type | `bad` |\n" +
  "| repeated member | `bad` on its name |\n| unknown member | `bad` on its name |\n" +
  "| null | `bad` on its name |";

conversation(
  "macros over a map go through its keys",
  document({
    endpoints: `### \`PUT /keys\`

${INPUT}| \`tags\` | body | map of string | no | none |

1. Require \`!has(body.tags) || body.tags.all(k, k.startsWith("x"))\`, else \`refused\` on \`tags\`.
2. Let \`ks\` be \`has(body.tags) ? body.tags.filter(k, k != "xx") : []\`.
3. Let \`vs\` be \`has(body.tags) ? body.tags.map(k, k + "=" + body.tags[k]) : []\`.
4. Let \`some\` be \`has(body.tags) && body.tags.exists(k, body.tags[k] == "2") ? ["two"] : []\`.
5. Respond \`200\` with \`ks + vs + some\`.`,
    failures: FAILURES,
  }),
  [
    { send: "PUT /keys", body: {}, status: 200, json: [] },
    { send: "PUT /keys", body: { tags: {} }, status: 200, json: [] },
    {
      send: "PUT /keys",
      body: { tags: { xa: "1", xx: "2" } },
      status: 200,
      json: ["xa", "xa=1", "xx=2", "two"],
    },
    { send: "PUT /keys", body: { tags: { xa: "1", y: "2" } }, status: 422 },
  ],
);

conversation(
  "a member of a shape is left out where the map that it is read from has no such key",
  document({
    resources: `### \`Thing\`, many \`things\`

${FIELDS}| \`n\` | integer | required | no | yes | key; unique, else \`taken\` |
| \`name\` | string | required | no | yes | none |

### \`Chosen\`, a shape

- Given \`row\`: \`Thing\`
- Given \`name\`: map of string
- Given \`n\`: map of integer

| Field | Type | Value |
|---|---|---|
| \`id\` | integer | \`row.n\` |
| \`name\` | string or absent | \`name.v\` |
| \`n\` | integer or absent | \`n.v\` |`,
    states: "- No states: `Thing`",
    endpoints: `### \`POST /things\`

- Body: new \`Thing\`

1. Create a \`Thing\` as \`thing\` from \`body\`.
2. Respond \`201\` with \`Thing\` of \`thing\`.

### \`GET /things/{n}\`

- Path \`n\`: \`thing\`, the \`Thing\` by \`n\`, else \`gone\`

${INPUT}| \`fields\` | query | string | no | absent means \`"name,n"\` |

1. Let \`only\` be \`query.fields.split(",")\`.
2. Respond \`200\` with \`Chosen\` where \`row\` = \`thing\`, \`name\` = \`"name" in only ? {"v": thing.name} : {}\` and \`n\` = \`"n" in only ? {"v": thing.n} : {}\`.`,
    failures: FAILURES,
  }),
  [
    { send: "POST /things", body: { n: 3, name: "cup" }, status: 201 },
    { send: "GET /things/3", status: 200, json: { id: 3, name: "cup", n: 3 } },
    { send: "GET /things/3?fields=name", status: 200, json: { id: 3, name: "cup" } },
    { send: "GET /things/3?fields=n", status: 200, json: { id: 3, n: 3 } },
    { send: "GET /things/3?fields=", status: 200, json: { id: 3 } },
  ],
);
