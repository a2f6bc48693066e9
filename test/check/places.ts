/** Where the samples of the codes stand: each is put into the small document in one way. */
import { reviewPlaces } from "./review-places.ts";
import { base, edited } from "./sample.ts";

/** `instead`: the text of the document that the sample replaces; `after`: what it stands behind. */
export interface SamplePlace {
  readonly instead?: string;
  readonly after?: string;
  /** Further edits, made for wrong and right sample alike. */
  readonly also?: readonly (readonly [from: string, to: string])[];
}

const FIELD = "| `title` | string | required | optional | yes | none |";
const FINISH = "1. Fire `finish` on `note`.\n2. Respond `204` with no body.";
const ROW = "| `finish` | `open` | `done` | step | none | none |";
const CHECKS = "- Who: none\n\n1. Check the inputs.\n2. Check the paths.";
const STATES = "- States: `open` (initial), `done` (final)";
const LAST_STEP = "1. Fire `finish` on `note`.\n2. Respond `204` with no body.\n";
const AUTHENTICATION = "## Authentication";
const SHAPES = "## States and transitions";
const EVENTS = "Events, notifications and callbacks: none.";
const LIMITS = "Rate limits, size limits, time-outs and quotas: none.";
const EVENT_TABLE = "| Event | About | Data | Sent to |\n|---|---|---|---|\n";
const STREAM =
  "\n\n### `feed`, a stream\n\n- Path: `GET /feed`\n- Who: none\n- Sees: `true`\n" +
  "- Resume: none\n- Ends: none";

const END =
  "### `POST /notes/{id}/end`\n\n- Body: none\n" +
  "- Path `id`: `note`, the `Note` by `id`, else `not_found`\n\n" +
  "1. Fire `finish` on `note`.\n2. Respond `204` with no body.\n";

const field: SamplePlace = { instead: FIELD };
const finish: SamplePlace = { instead: FINISH };
const schema: SamplePlace = { after: "## Resources and their fields\n" };
const section: SamplePlace = { after: LAST_STEP };
const transition: SamplePlace = { instead: ROW };
const events: SamplePlace = { instead: EVENTS };
const limits: SamplePlace = { instead: LIMITS };
const limited: SamplePlace = {
  instead: LIMITS,
  also: [["2. Check the paths.", "2. Check the paths.\n3. Check the limits."]],
};
const deprecation: SamplePlace = { after: "Compatibility rules: none.\n" };
const basePath: SamplePlace = { instead: "- Base path: none" };
const timer: SamplePlace = {
  instead: FIELD,
  also: [
    [ROW, `${ROW}\n| \`late\` | \`open\` | \`done\` | time \`due\` | none | none |`],
    ["- Any other", "- Clock: free\n- At the same time: free\n- Any other"],
  ],
};
const heard: SamplePlace = {
  instead: "EVENT",
  also: [
    [EVENTS, `Callbacks: none.\n\n${EVENT_TABLE}EVENT${STREAM}`],
    [
      FINISH,
      "1. Emit `note.done` of `note`.\n2. Fire `finish` on `note`.\n" +
        "3. Respond `204` with no body.",
    ],
  ],
};

export const places: Readonly<Record<string, SamplePlace>> = {
  silent: {
    instead:
      "- Base path: none\n- Body format: `application/json`\n" +
      "- One request: all or nothing, as if alone",
  },
  gap: basePath,
  "grows-with-rows": finish,
  freedom: { instead: "1. Fire `finish` on `note`.\n2. Respond `204` with no body." },
  "no-title": { instead: "# Notes" },
  "second-title": { after: "It keeps notes.\n" },
  "before-title": { instead: "# Notes" },
  "before-parts": { after: "# Notes\n" },
  "unknown-part": { instead: "## Endpoints" },
  "second-part": { after: "Compatibility rules: none.\n" },
  "part-order": {
    instead:
      `## Limits\n\n${LIMITS}\n\n## Versioning\n\n- This version: none\n` +
      "- Chosen by: none\n\nCompatibility rules: none.",
  },
  "heading-level": section,
  "unknown-heading": { after: "| `status` | state | no | no | yes | none |\n" },
  "unknown-bullet": basePath,
  "unknown-subject": limits,
  "not-allowed": { instead: "- Held in: `status`" },
  prose: limits,
  "unknown-table": { after: "| `status` | state | no | no | yes | none |\n" },
  "empty-table": {
    instead: `| Transition | From | To | On | When | Then |
|---|---|---|---|---|---|
${ROW}`,
  },
  "empty-cell": field,
  "unknown-cell": field,
  "unknown-type": field,
  "unknown-rule": field,
  "unknown-step": finish,
  "failure-class": { instead: "| absent | `invalid` |\n| null | `invalid` |" },
  "unknown-condition": { instead: "| fault inside | `broken` |" },
  "unknown-case": {
    instead: "CASES",
    also: [[FINISH, "1. By `note.status`:\nCASES\n2. Respond `204` with no body."]],
  },
  "unknown-block": section,
  "step-end": finish,
  "no-steps-here": { after: `${LIMITS}\n` },
  "nested-statement": basePath,
  "empty-block": finish,
  "unknown-name": finish,
  "second-name": field,
  "second-key": field,
  "second-table": {
    instead: `| Transition | From | To | On | When | Then |
|---|---|---|---|---|---|
${ROW}`,
  },
  "second-bullet": basePath,
  syntax: finish,
  "wrong-type": finish,
  unguarded: finish,
  overflow: finish,
  pattern: field,
  "no-request": {
    ...heard,
    also: [
      ...(heard.also ?? []),
      [
        CHECKS,
        "- Who: none\n\n| Input | In | Type | Needed | Rules |\n|---|---|---|---|---|\n" +
          "| `mark` | query | string | no | none |\n\n1. Check the inputs.\n2. Check the paths.",
      ],
      [
        SHAPES,
        "### `Marked`, a view of `Note`\n\n| Field | Type | Value |\n|---|---|---|\n" +
          "| `mark` | string or absent | `query.mark`, when `has(query.mark)` |\n\n## States and transitions",
      ],
    ],
  },
  "hidden-field": finish,
  "wrong-rule": field,
  "empty-range": field,
  "out-of-range": field,
  contradiction: events,
  rows: { instead: "### `Note`, many `notes`\n", also: [] },
  "schema-invalid": schema,
  "schema-refused": schema,
  "schema-reference": schema,
  "schema-endless": schema,
  "initial-state": { instead: STATES },
  "bad-endpoint": section,
  "bad-path": basePath,
  "bad-form": { instead: "Authentication scheme, credentials, headers and token handling: none." },
  "same-request": section,
  "path-unused": section,
  "input-unused": section,
  "claimed-twice": section,
  "no-answer": finish,
  "no-respond-here": { after: `${ROW}\n` },
  "no-check-here": finish,
  "unreachable-step": finish,
  "otherwise-alone": finish,
  "not-in-any-order": finish,
  "case-missing": finish,
  "case-twice": finish,
  recursion: { after: `${ROW}\n` },
  "not-given": {
    instead: SHAPES,
    also: [
      [
        FINISH,
        "1. Let `found` be every `Note`.\n" +
          "2. Respond `200` with `Page` where `found` = `found`.",
      ],
      [AUTHENTICATION, `${END}\n${AUTHENTICATION}`],
    ],
  },
  "not-one": finish,
  "missing-check": { instead: CHECKS },
  "idle-check": { instead: CHECKS },
  "tag-not-compared": {
    instead: "SHOW",
    also: [
      [
        FIELD,
        `${FIELD}\n| \`version\` | integer | no | no | yes | counts up from 1 on every change |\n| \`name\` | string | required | optional | yes | unique, else \`not_found\` |`,
      ],
      [
        "### `Note`, many `notes`\n",
        "### `Note`, many `notes`\n\n- Version tag: `version`, weak; none sent: `not_found`; another sent: `not_found`\n",
      ],
      [LAST_STEP, `${LAST_STEP}\n### \`GET /shown/{name}\`\n\nSHOW\n`],
    ],
  },
  "answer-not-listed": { instead: FINISH },
  "bad-block": { instead: FINISH },
  "second-check": { instead: CHECKS },
  "call-first": {
    instead: FINISH,
    also: [
      [
        "### Every endpoint\n",
        "### `charge`, a call\n\n- Kind: effect\n- Same key: none\n- Time-out: none\n- Undo: none\n" +
          "- Stand-in: `ok`\n\n| Says | Data | Meaning |\n|---|---|---|\n| `ok` | none | paid |\n\n" +
          "### Every endpoint\n",
      ],
    ],
  },
  "never-set": field,
  "not-filled": section,
  "never-given": { after: "| `status` | state | no | no | yes | none |\n" },
  "never-made": { after: "| `status` | state | no | no | yes | none |\n" },
  "endless-part": { after: "| `status` | state | no | no | yes | none |\n" },
  "shows-nothing": {
    after: "| `status` | state | no | no | yes | none |\n",
    also: [
      [
        FINISH,
        "1. Fire `finish` on `note`.\n2. Let `all` be every `Plan`.\n" +
          "3. Respond `200` with list of `Plan` of `all`.",
      ],
    ],
  },
  "secret-shown": field,
  "hidden-shown": { after: "| `status` | state | no | no | yes | none |\n" },
  "restricted-shown": {
    instead: FINISH,
    also: [
      ["| `hidden` | string | no | no | no |", "| `hidden` | string | no | no | `staff` |"],
      [
        SHAPES,
        "### `Inside`, a view of `Note`\n\n| Field | Type | Value |\n|---|---|---|\n" +
          `| \`hidden\` | string | \`it.hidden\` |\n\n${SHAPES}`,
      ],
      [
        "Authentication scheme, credentials, headers and token handling: none.",
        "Authentication scheme, credentials, headers and token handling: not shown.\n\n" +
          "| Actor | Holds when |\n|---|---|\n| `staff` | not shown |",
      ],
    ],
  },
  "invariant-broken": {
    instead: "PROMISE",
    also: [
      ["### `Note`, many `notes`\n", "### `Note`, many `notes`\n\nPROMISE\n"],
      [FINISH, "1. Delete `note`.\n2. Respond `204` with no body."],
    ],
  },
  "invariant-start": {
    instead: "PROMISE",
    also: [["### `Note`, many `notes`\n", "### `Note`, many `notes`\n\nPROMISE\n"]],
  },
  "always-true": finish,
  "never-true": finish,
  "location-lost": {
    instead: FINISH,
    also: [
      [
        LAST_STEP,
        `${LAST_STEP}\n### \`GET /notes/{id}\`\n\n- Path \`id\`: \`note\`, the \`Note\` by \`id\`, else \`not_found\`\n\n` +
          "1. Respond `200` with `Note` of `note`.\n",
      ],
    ],
  },
  "no-first-row": field,
  "secret-told": {
    instead: FINISH,
    also: [[FIELD, `${FIELD}\n| \`pin\` | secret | required | no | no | kept as SHA-256 |`]],
  },
  "subject-lost": {
    instead: "SUBJECT",
    also: [
      [
        "Authentication scheme, credentials, headers and token handling: none.",
        "### `login`, a scheme\n\n- Sent in: header `Authorization`, form `Bearer {credential}`\n" +
          "- Credential: JWT signed with `HS256`, key `setting.key`\n" +
          "- Caller: the `Note` where `it.id == claims.sub`, else `wrong_state`\n" +
          "- Issuer: none\n- Audience: none\nSUBJECT\n- Lifetime: 24 h\n- Clock skew: none\n" +
          "- Revocation: none\n- Rotation: none",
      ],
      ["- Cross-origin: none", "- Cross-origin: none\n- Setting `key`: secret"],
    ],
  },
  "limit-open": limited,
  "timer-past": timer,
  "timer-round": {
    instead: ROW,
    also: [
      [STATES, "- States: `open` (initial), `idle`, `done` (final)"],
      ["- Any other", "- Clock: free\n- At the same time: free\n- Any other"],
    ],
  },
  "too-soon": {
    instead: ROW,
    also: [["- Any other", "- Clock: free\n- At the same time: free\n- Any other"]],
  },
  "history-item": deprecation,
  "history-version": { instead: "- This version: none" },
  "invariant-fault": {
    instead: "PROMISE",
    also: [["### `Note`, many `notes`\n", "### `Note`, many `notes`\n\nPROMISE\n"]],
  },
  "unreachable-state": { instead: STATES },
  "dead-end-state": { instead: STATES },
  "final-state-left": transition,
  "never-fired": transition,
  "guard-overlap": transition,
  "guard-gap": transition,
  "guard-undecided": transition,
  "timer-absent": timer,
  "timer-unset": timer,
  "never-emitted": events,
  "never-heard": heard,
  "never-delivers": heard,
  "never-sent": { instead: "| `wrong_state` | 409 | none |" },
  "always-given": { instead: FINISH },
  "never-used": {
    instead: "ACTOR",
    also: [
      [
        "Authentication scheme, credentials, headers and token handling: none.",
        "Authentication scheme, credentials, headers and token handling: not shown.\n\n" +
          "| Actor | Holds when |\n|---|---|\nACTOR",
      ],
      ["- Who: none", "- Who: `user`"],
    ],
  },
  "error-status": { instead: "| `wrong_state` | 409 | none |" },
  "same-answer": { instead: "| `wrong_state` | 409 | none |" },
  "never-occurs": { instead: "| fault inside | `broken` |" },
  "no-key": {
    instead: '| `hidden` | string | no | no | no | starts `"x"` |',
    also: [
      [
        SHAPES,
        "### `Tag`, many `tags`\n\n| Field | Type | Create | Update | Read | Rules |\n" +
          `|---|---|---|---|---|---|\n| \`text\` | string | no | no | yes | none |\n\n${SHAPES}`,
      ],
    ],
  },
  "key-twice": { instead: "| `id` | id | no | no | yes | none |" },
  "no-token": finish,
  "no-form": { instead: "- Body: new `Note`" },
  "not-sendable": {
    instead: "INPUT",
    also: [
      [
        FINISH,
        "| Input | In | Type | Needed | Rules |\n|---|---|---|---|---|\nINPUT\n\n" +
          "1. When `has(query.sizes) && size(query.sizes) > 1`, fire `finish` on `note`.\n" +
          "2. Respond `204` with no body.",
      ],
    ],
  },
  "limit-zero": limited,
  "limit-body": limited,
  "limit-shadowed": limited,
  "limit-never": limited,
  "limit-first": {
    instead: "1. Check the inputs.\n2. Check the paths.",
    also: [
      [
        LIMITS,
        "- Sent with every answer: none\n\n| Limit | Counts | Per | Amount | Window | When passed |\n" +
          "|---|---|---|---|---|---|\n| `all` | requests | caller | 10 | 1 min, sliding | `wrong_state` |",
      ],
    ],
  },
  "version-path": { instead: "- This version: none\n- Chosen by: none" },
  "unknown-item": deprecation,
  "date-order": deprecation,
  "idle-answer": { instead: "- Any other transition: refused with `wrong_state`" },
  "example-form": section,
  "example-request": section,
  "example-status": section,
  "example-body": section,
  "example-header": section,
  ...reviewPlaces,
};

/** The document with a sample in it. */
export function placed(code: string, sample: string): string {
  const place = places[code];
  if (place === undefined) throw new Error(`no place for ${code}`);
  let text = base;
  for (const [from, to] of place.also ?? []) text = edited(text, from, to);
  // What the sample replaces was the one step that fires `finish`.
  if (place.instead === FINISH)
    text = edited(text, "\n## Authentication", `\n${END}\n## Authentication`);
  if (code === "rows") {
    return edited(
      text,
      "### `Note`, many `notes`\n",
      `### \`Note\`, many \`notes\`\n\n${sample}\n`,
    );
  }
  if (place.instead !== undefined) return edited(text, place.instead, sample);
  const after = place.after ?? "";
  return edited(text, after, `${after}\n${sample}\n`);
}
