/** The path of a stream is not shown: a path that no endpoint has by GET may be the one. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { answersOf } from "./both.ts";
import { document } from "./document.ts";

const TEXT = document({
  about: "- One request: all or nothing, as if alone\n- Cross-origin: none",
  resources: `### \`Note\`, many \`notes\`

| Field | Type | Create | Update | Read | Rules |
|---|---|---|---|---|---|
| \`name\` | string | required | no | yes | key; unique, else \`taken\` |`,
  states: "- No states: `Note`",
  endpoints: `### \`POST /made\`

- Body: new \`Note\`

1. Create a \`Note\` as \`note\` from \`body\`.
2. Emit \`note.made\` of \`note\`.
3. Respond \`204\` with no body.

### \`GET /notes/{name}\`

- Path \`name\`: \`note\`, the \`Note\` by \`name\`, else \`gone\`

1. Respond \`200\` with \`Note\` of \`note\`.`,
  authentication: "| Actor | Holds when |\n|---|---|\n| `anyone` | always |\n\n- Schemes: none",
  events: `| Event | About | Data | Sent to |
|---|---|---|---|
| \`note.made\` | \`Note\` | \`Note\` of \`it\` | stream \`feed\` |

### \`feed\`, a stream

- Path: not shown
- Who: \`anyone\`
- Sees: \`true\`
- Resume: none
- Ends: none`,
}).replace("- Base path: none", "- Base path: `/v1`");

test("what the stream's path may be meets the gap, and nothing else does", async () => {
  const answers = await answersOf(TEXT, [
    { of: "POST /v1/made", body: { name: "n" } },
    "GET /v1/notes/n",
    "GET /v1/feed",
    "HEAD /v1/feed",
    "POST /v1/feed",
    "GET /v1/made",
    "OPTIONS /v1/made",
    "OPTIONS /v1/notes/n",
    "POST /v1/notes/n",
    "GET /feed",
    "GET /v1/%zz",
  ]);
  const isMet = answers.map(({ text }) => text.includes("events/feed/path"));
  assert.deepEqual(
    answers.slice(2, 7).map(({ status }) => status),
    [501, 501, 501, 501, 501],
  );
  const [no, yes] = [false, true];
  // No body comes behind the head.
  assert.deepEqual(isMet, [no, no, yes, no, yes, yes, yes, no, no, no, no], answers[2]?.text);
});
