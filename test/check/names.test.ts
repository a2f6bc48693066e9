/** Each name of the table of names is seen in each place that the table says, and in no other. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { check } from "../../src/check/index.ts";
import { type NamePlace, namePlaces, names } from "../../src/language/index.ts";
import { read } from "../../src/read/index.ts";
import { document } from "../run/document.ts";

/** The whole of a document with an expression in every place; `put` says what stands where. */
function whole(put: (place: NamePlace) => string): string {
  const at = (place: NamePlace): string => `\`${put(place)}\``;
  return document({
    about: "- Setting `limit`: integer",
    resources: `### \`User\`, many \`users\`

| Field | Type | Create | Update | Read | Rules |
|---|---|---|---|---|---|
| \`id\` | id | no | no | yes | none |
| \`key\` | secret | required | no | no | kept as SHA-256 |
| \`flag\` | boolean | optional | optional | yes | holds ${at("holds")}, else \`bad\`; starts ${at("fields")} |
| \`more\` | boolean or null | required when ${at("needs")} | no | yes | starts \`null\` |
| \`status\` | state | no | no | yes | none |

- Always: ${at("invariants")}, else \`bad\`
- Deleted: refused while ${at("invariants")}, else \`bad\`
- Rows: only those where ${at("rows")}; any other is as if not there

### \`Shown\`, a view of \`User\`

| Field | Type | Value |
|---|---|---|
| \`flag\` | boolean | ${at("views")} |

### \`Said\`, a shape

- Given \`x\`: boolean

| Field | Type | Value |
|---|---|---|
| \`flag\` | boolean | ${at("shapes")} |`,
    states: `### \`User\`

- Held in: \`status\`
- States: \`new\` (initial), \`old\` (final)
- Any other transition: refused with \`bad\`

| Transition | From | To | On | When | Then |
|---|---|---|---|---|---|
| \`age\` | \`new\` | \`old\` | step | ${at("transitions")} | set \`it.flag\` = ${at("transitions")} |`,
    every: `- Who: \`some\` or \`anyone\`
- Header \`X-Flag\`: \`string(${put("answerHeaders")})\`

| Input | In | Type | Needed | Rules |
|---|---|---|---|---|
| \`v\` | query | boolean | no | none |
| \`h\` | header | boolean | no | none |
| \`c\` | cookie | boolean | no | none |

1. Check the caller.
2. Check the inputs.
3. Require ${at("prologue")}, else \`bad\`.
4. Check the paths.`,
    endpoints: `### \`POST /users/{id}/{other}\`

- Path \`id\`: \`user\`, the \`User\` by \`id\` where ${at("pathConditions")}, else \`gone\` with \`v\` = ${at("paths")}
- Body: new \`User\`

| Input | In | Type | Needed | Rules |
|---|---|---|---|---|
| \`q\` | query | boolean | no | absent means ${at("inputs")} |
| \`r\` | query | boolean | no | holds ${at("inputHolds")}, else \`bad\` |

1. Require ${at("steps")}, else \`bad\`.
2. Let \`found\` be every \`User\` where ${at("finding")}.
3. Do \`run\` with \`x\` = \`true\`.
4. Call \`ask\` with \`x\` = \`true\` as \`told\`.
5. Respond \`200\` with \`Said\` where \`x\` = \`size(found) > 0\`.

### \`run\`, steps

- Given \`x\`: boolean

1. Require ${at("routines")}, else \`bad\`.

### \`ask\`, a call

- Given \`x\`: boolean
- Kind: pure
- Time-out: none
- Stand-in: \`yes\` when ${at("standIns")}
- Stand-in: \`yes\`
- Always: ${at("calls")}

| Says | Data | Meaning |
|---|---|---|
| \`yes\` | none | yes |`,
    authentication: `| Actor | Holds when |
|---|---|
| \`anyone\` | always |
| \`some\` | ${at("actors")} |

### \`keyed\`, a scheme

- Sent in: header \`X-Key\`, form \`{credential}\`
- Credential: opaque
- Caller: the \`User\` where ${at("callers")}, else \`bad\`
- Revocation: none`,
    events: `| Event | About | Data | Sent to |
|---|---|---|---|
| \`made\` | \`User\` | \`Said\` of ${at("data")} | webhook \`hooks\`; stream \`feed\` |

### \`hooks\`, a webhook

- Receivers: each \`User\` where ${at("receivers")}
- Address: ${at("deliveries")}
- Sent as: \`POST\` with \`Message\`
- Signature: HMAC-SHA256 in hex of ${at("signing")} with \`"key"\`
- Header \`X-A\`: ${at("headers")}
- Delivered when: any 2xx within 1 s
- Attempts: at once
- After the last attempt: set \`receiver.flag\` = ${at("deliveries")}
- Guarantee: none
- Order of arrival: none

### \`Message\`, a shape

| Field | Type | Value |
|---|---|---|
| \`flag\` | boolean | ${at("messages")} |

### \`feed\`, a stream

- Path: \`GET /feed/{id}\`
- Who: \`some\` or \`anyone\`
- Sees: ${at("sees")}
- Resume: none
- Ends: none`,
    limits: `| Limit | Counts | Per | Amount | Window | When passed |
|---|---|---|---|---|---|
| \`some\` | \`User\` kept | caller | ${at("amounts")} | none | \`bad\` |`,
  }).replace(
    "| `error` | string | `error.name` |",
    `| \`error\` | string | \`error.name\` |\n| \`flag\` | boolean | ${at("errors")} |`,
  );
}

/** Whether some expression of the document asks for a name that it does not see. */
function unknown(text: string, name: string): boolean {
  const { findings } = check(read(new TextEncoder().encode(text)));
  return findings.some(
    (one) => one.code === "unknown-name" && one.message.includes(`ame \`${name}\``),
  );
}

const places = Object.keys(namePlaces) as NamePlace[];

test("the document of all places has no unknown name", () => {
  const { findings } = check(read(new TextEncoder().encode(whole(() => "true"))));
  const found = findings.filter((one) => one.code.startsWith("unknown"));
  assert.deepEqual(
    found.map((one) => one.message),
    [],
  );
});

for (const { names: alike, seenBy } of names) {
  for (const name of alike) {
    test(`\`${name}\` is seen where the table of names says`, () => {
      const seen = places.filter(
        (place) =>
          !unknown(
            whole((one) => (one === place ? `${name} == ${name}` : "true")),
            name,
          ),
      );
      assert.deepEqual(seen, seenBy === "all" ? places : seenBy);
    });
  }
}
