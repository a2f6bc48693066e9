/**
 * The time of a row has come and met a gap: the row is not known any more, nor what the transition,
 * or what may follow it, could have done to other rows. All else is answered as before.
 */
import type { Wait } from "./both.ts";
import { document } from "./document.ts";
import { conversation, type Turn } from "./replay.ts";

const FIELDS = "| Field | Type | Create | Update | Read | Rules |\n|---|---|---|---|---|---|";
const JOB = "- Path `name`: `job`, the `Job` by `name`, else `gone`";
const NOTE = "- Path `name`: `note`, the `Note` by `name`, else `gone`";

function endpoint(asked: string, bullets: string, ...steps: readonly string[]): string {
  return `### \`${asked}\`

${bullets}

${steps.map((step, i) => `${i + 1}. ${step}`).join("\n")}
`;
}

const list = (path: string, of: string, view: string): string =>
  endpoint(
    `GET /${path}`,
    "",
    `Let \`found\` be every \`${of}\`.`,
    "Order `found` by `it.name` ascending.",
    `Respond \`200\` with list of \`${view}\` of \`found\`.`,
  );

/** Jobs end at their time, but it is not shown where; `after`: steps of that, over \`job\`. */
function jobs(after: readonly string[], kept = ""): string {
  const does = after.length > 0 ? "do `after` with `job` = `it`" : "none";
  const routine = `### \`after\`, steps

- Given \`job\`: \`Job\`

${after.map((step, i) => `${i + 1}. ${step}`).join("\n")}
`;
  return document({
    about: "- One request: all or nothing, as if alone\n- Cross-origin: none",
    resources: `### \`Job\`, many \`jobs\`

${kept}

${FIELDS}
| \`name\` | string | required | no | yes | key; unique, else \`taken\` |
| \`endsAt\` | timestamp or null | optional | no | no | starts \`null\` |
| \`note\` | \`Note\` or null | optional | no | no | starts \`null\`; deleted with it |
| \`status\` | state | no | no | yes | none |

- Missing \`note\`: \`gone\`

### \`Note\`, many \`notes\`

- Version tag: \`version\`, strong; none sent: \`bad\`; another sent: \`refused\`

${FIELDS}
| \`name\` | string | required | no | yes | key; unique, else \`taken\` |
| \`text\` | string | no | no | yes | starts \`""\` |
| \`size\` | integer | no | no | yes | starts \`1\` |
| \`version\` | integer | no | no | no | counts up from 1 on every change |

### \`JobName\`, a view of \`Job\`

- Fields: \`name\`

### \`NoteSize\`, a view of \`Note\`

- Fields: \`name\`, \`size\`

### \`Count\`, a shape

- Given \`notes\`: list of \`Note\`

| Field | Type | Value |
|---|---|---|
| \`count\` | integer | \`size(notes)\` |`,
    states: `- No states: \`Note\`

### \`Job\`

- Held in: \`status\`
- States: \`open\` (initial), \`ended\` (final)
- Any other transition: refused with \`refused\`
- Clock: no later than 1 s after
- At the same time: in order of \`it.name\` ascending

| Transition | From | To | On | When | Then |
|---|---|---|---|---|---|
| \`end\` | \`open\` | not shown | time \`endsAt\` | none | ${does} |`,
    endpoints: [
      after.length === 0 ? "" : routine,
      endpoint(
        "POST /jobs",
        "- Body: new `Job`",
        "Create a `Job` as `job` from `body`.",
        "Respond `204` with no body.",
      ),
      endpoint(
        "POST /notes",
        "- Body: new `Note`",
        "Create a `Note` as `note` from `body`.",
        "Respond `204` with no body.",
      ),
      list("jobs", "Job", "Job"),
      list("job-names", "Job", "JobName"),
      list("notes", "Note", "Note"),
      list("note-sizes", "Note", "NoteSize"),
      endpoint("GET /jobs/{name}", JOB, "Respond `200` with `Job` of `job`."),
      endpoint("GET /notes/{name}", NOTE, "Respond `200` with `Note` of `note`."),
      endpoint("GET /note-sizes/{name}", NOTE, "Respond `200` with `NoteSize` of `note`."),
      endpoint("GET /count", "", "Respond `200` with `Count` where `notes` = `notes`."),
    ].join("\n"),
  });
}

const post = (path: string, body: unknown, status = 204): Turn => ({
  send: `POST /${path}`,
  body,
  status,
});

const get = (path: string, json?: unknown): Turn => ({
  send: `GET /${path}`,
  status: json === undefined ? 501 : 200,
  ...(json === undefined ? {} : { json }),
});

/** Two notes, a job that falls due, and one that never does. */
const DUE: readonly (Turn | Wait)[] = [
  post("notes", { name: "n" }),
  post("notes", { name: "o" }),
  post("jobs", { name: "late", endsAt: "2026-03-28T22:30:05Z", note: "n" }),
  post("jobs", { name: "other" }),
  { wait: 10 },
  // The row itself is not known, another one is.
  get("jobs/late"),
  get("jobs/other", { name: "other", status: "open" }),
  get("jobs"),
];

const NOTES = [
  { name: "n", text: "", size: 1 },
  { name: "o", text: "", size: 1 },
] as const;
const SIZES = NOTES.map(({ name, size }) => ({ name, size }));
const JOB_NAMES = [{ name: "late" }, { name: "other" }];

conversation("it does nothing but change its row", jobs([]), [
  ...DUE,
  get("job-names", JOB_NAMES),
  get("notes", NOTES),
  get("count", { count: 2 }),
  get("notes/n", NOTES[0]),
  post("notes", { name: "p" }),
]);

conversation(
  "it may change one field of other rows, and what changes with it",
  jobs(["Let `note` be `job.note`.", 'When `note != null`, set `note.text` = `"late"`.']),
  [
    ...DUE,
    get("job-names", JOB_NAMES),
    get("notes"),
    get("notes/n"),
    get("notes/o"),
    get("note-sizes", SIZES),
    // Its version tag may have been changed.
    get("note-sizes/n"),
    get("count", { count: 2 }),
    post("notes", { name: "n" }, 409),
    post("notes", { name: "p" }),
  ],
);

conversation("it may make rows", jobs(['Create a `Note` with `name` = `"made"`.']), [
  ...DUE,
  get("job-names", JOB_NAMES),
  get("notes"),
  get("count"),
  get("notes/n", NOTES[0]),
  get("notes/made"),
  post("notes", { name: "n" }, 409),
  // Nobody knows whether the name is taken.
  post("notes", { name: "made" }, 501),
]);

conversation(
  "it may delete rows, and those that name them",
  jobs(["Delete every `Note` where `it.size > 0`."]),
  [
    ...DUE.slice(0, 6),
    get("jobs/other"),
    get("job-names"),
    get("notes"),
    get("count"),
    get("notes/n"),
    post("notes", { name: "p" }),
  ],
);

conversation("it may delete its own row", jobs(["Delete `job`."]), [
  ...DUE,
  get("job-names"),
  get("notes", NOTES),
  get("count", { count: 2 }),
]);

conversation(
  "its row may be deleted once its keeping would have ended",
  jobs([], "- Kept: 1 min after `endsAt`"),
  [
    ...DUE,
    get("job-names", JOB_NAMES),
    { wait: 60 },
    get("job-names"),
    get("jobs/other", { name: "other", status: "open" }),
    get("notes", NOTES),
  ],
);
