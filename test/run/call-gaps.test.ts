/**
 * What the answer of a long call brings about has met a gap: what those transitions, and no others,
 * may have done is not known from then on, after a new start too.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Asking, answersOf, RESTART } from "./both.ts";
import { document } from "./document.ts";

const FIELDS = "| Field | Type | Create | Update | Read | Rules |\n|---|---|---|---|---|---|";
const BY_NAME = (as: string, resource: string): string =>
  `- Path \`name\`: \`${as}\`, the \`${resource}\` by \`name\`, else \`gone\``;

/** `ready` comes to a gap behind a change of notes; `failed`, from another state, changes tags. */
const TEXT = document({
  about: "- One request: all or nothing, as if alone\n- Cross-origin: none",
  resources: ["Job", "Note", "Tag"]
    .map(
      (name) => `### \`${name}\`, many \`${name.toLowerCase()}s\`

${FIELDS}
| \`name\` | string | required | no | yes | key; unique, else \`taken\` |
${
  name === "Job"
    ? "| `endsAt` | timestamp or null | optional | no | yes | starts `null` |\n| `stage` | state | no | no | yes | none |"
    : '| `text` | string | no | no | yes | starts `""` |'
}
`,
    )
    .join("\n"),
  states: `- No states: \`Note\`, \`Tag\`

### \`Job\`

- Held in: \`stage\`
- States: \`begun\` (initial), \`tried\`, \`done\` (final), \`over\` (final)
- Any other transition: refused with \`taken\`
- Clock: no later than 1 s after
- At the same time: free

| Transition | From | To | On | When | Then |
|---|---|---|---|---|---|
| \`finish\` | \`begun\` | \`done\` | call \`work\` says \`ready\` | none | do \`note\` |
| \`try\` | \`begun\` | \`tried\` | step | none | none |
| \`fail\` | \`tried\` | \`over\` | call \`work\` says \`failed\` | none | do \`tag\` |`,
  endpoints: `### \`note\`, steps

1. For each \`one\` in \`notes\`:
   1. Set \`one.text\` = \`"noted"\`.
2. Require \`size(notes) > 5\`, else not shown.

### \`tag\`, steps

1. For each \`one\` in \`tags\`:
   1. Set \`one.text\` = \`"tagged"\`.

${["Job", "Note", "Tag"]
  .map((name) => {
    const as = name.toLowerCase();
    return `### \`POST /${as}s\`

- Body: new \`${name}\`

1. Create a \`${name}\` as \`${as}\` from \`body\`.
2. Respond \`204\` with no body.

### \`GET /${as}s/{name}\`

${BY_NAME(as, name)}

1. Respond \`200\` with \`${name}\` of \`${as}\`.
`;
  })
  .join("\n")}
### \`POST /jobs/{name}/work\`

${BY_NAME("job", "Job")}
- Body: none

1. Call \`work\` with \`what\` = \`job\`.
2. Respond \`204\` with no body.

### \`POST /jobs/{name}/try\`

${BY_NAME("job", "Job")}
- Body: none

1. Fire \`try\` on \`job\`.
2. Respond \`204\` with no body.

### \`work\`, a call

- Given \`what\`: \`Job\`
- Kind: long
- Same key: first answer again
- Time-out: none
- Stand-in: \`ready\`

| Says | Data | Meaning |
|---|---|---|
| \`ready\` | none | it is done |
| \`failed\` | none | it is not |
`,
});

const KNOWN: readonly Asking[] = ["GET /jobs/b", "GET /tags/t"];
const UNKNOWN: readonly Asking[] = ["GET /jobs/a", "GET /notes/n", "POST /jobs/a/try"];

test("what another word of the call would have done is not in doubt", async () => {
  const made = [
    ["jobs", "a"],
    ["jobs", "b"],
    ["notes", "n"],
    ["tags", "t"],
  ].map(([of, name]): Asking => ({ of: `POST /${of}`, body: { name } }));
  const answers = await answersOf(TEXT, [
    ...made,
    ...["GET /jobs/a", "GET /notes/n", ...KNOWN],
    "POST /jobs/a/work",
    { wait: 1 },
    ...[...UNKNOWN, ...KNOWN],
    RESTART,
    ...[...UNKNOWN, ...KNOWN],
  ]);
  const statuses = answers.map(({ status }) => status);
  const both = [501, 501, 501, 200, 200];
  const before = [204, 204, 204, 204, 200, 200, 200, 200, 204];
  assert.deepEqual(statuses, [...before, ...both, ...both]);
});
