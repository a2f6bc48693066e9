/** Where the samples of the review stand: in the small document, some with callers in it. */
import type { SamplePlace } from "./places.ts";

type Edits = NonNullable<SamplePlace["also"]>;

const FIELD = "| `title` | string | required | optional | yes | none |";
const FINISH = "1. Fire `finish` on `note`.\n2. Respond `204` with no body.";
const LAST_STEP = `${FINISH}\n`;
const STATES = "## States and transitions\n";
const CHECKS = "- Who: none\n\n1. Check the inputs.\n2. Check the paths.";
const NO_SCHEME = "Authentication scheme, credentials, headers and token handling: none.";
const NO_EVENTS = "Events, notifications and callbacks: none.";
const NO_LIMITS = "Rate limits, size limits, time-outs and quotas: none.";
const HEADER = "| Field | Type | Create | Update | Read | Rules |\n|---|---|---|---|---|---|\n";
const INPUTS = "| Input | In | Type | Needed | Rules |\n|---|---|---|---|---|\n";
const ROLE = '| `role` | one of `staff`, `user` | no | no | yes | starts `"user"` |';
const OPENED = "### `POST /notes/{id}/finish`\n\n- Body: none";

/** The document with users, who own the notes that they write; `role`: that field's row. */
const users = (role = ROLE): Edits => [
  [
    FIELD,
    `${FIELD}\n| \`owner\` | \`User\` | no | no | yes | set to \`caller\` on create; deleted with it |`,
  ],
  [
    STATES,
    `### \`User\`, many \`users\`\n\n${HEADER}| \`id\` | id | no | no | yes | none |\n` +
      "| `key` | secret | no | no | on create | 32 random bytes as base64url; kept as SHA-256 |\n" +
      `${role}\n\n${STATES}\n- No states: \`User\`\n`,
  ],
  [
    NO_SCHEME,
    '| Actor | Holds when |\n|---|---|\n| `user` | `true` |\n| `staff` | `caller.role == "staff"` |\n\n' +
      "### `key`, a scheme\n\n- Sent in: header `Authorization`, form `Bearer {credential}`\n" +
      "- Credential: opaque\n- Caller: the `User` where `password_matches(it.key, credential)`, else `wrong_state`\n" +
      "- Revocation: none",
  ],
  [CHECKS, "- Who: `user`\n\n1. Check the caller.\n2. Check the inputs.\n3. Check the paths."],
  ["| `broken` | 500 | none |", "| `broken` | 500 | none |\n| `forbidden` | 403 | none |"],
  ["| fault inside | `broken` |", "| fault inside | `broken` |\n| not permitted | `forbidden` |"],
];

const BY_ID = "- Path `id`: `note`, the `Note` by `id`";
/** Whoever changes a note is asked whose it is. */
const owned: Edits = ["changed `Note`", "none"].map((body) => [
  `- Body: ${body}\n${BY_ID}`,
  `- Body: ${body}\n${BY_ID} where \`it.owner == caller\``,
]);

/** `Rows` keeps the notes of others from a caller. */
const walled: Edits = [
  ...users(),
  [
    "### `Note`, many `notes`\n",
    "### `Note`, many `notes`\n\n- Rows: only those where `it.owner == caller`; any other is as if not there\n",
  ],
];

const token: Edits = [
  [
    NO_SCHEME,
    "### `login`, a scheme\n\n- Sent in: header `Authorization`, form `Bearer {credential}`\n" +
      "- Credential: JWT signed with `HS256`, key `setting.key`\n" +
      "- Caller: the `Note` where `it.id == claims.sub`, else `wrong_state`\n" +
      "- Issuer: none\nAUDIENCE\n- Subject: `it.id`\nLIFETIME\n- Clock skew: none\n" +
      "- Revocation: none\n- Rotation: none",
  ],
  ["- Cross-origin: none", "- Cross-origin: none\n- Setting `key`: secret"],
];

const password: Edits = [
  [
    FIELD,
    "| `title` | string | required | optional | yes | unique, else `wrong_state` |\n| `password` | secret | required | no | no | kept as Argon2id with 19456 KiB, 2 passes and 1 lanes |",
  ],
];

const logIn = (steps: string): readonly [string, string] => [
  LAST_STEP,
  `${LAST_STEP}\n### \`POST /logins\`\n\n${INPUTS}| \`title\` | body | string | yes | none |\n` +
    `| \`password\` | body | secret | yes | none |\n\n${steps}\n3. Respond \`204\` with no body.\n`,
];

const found =
  "1. Let `found` be the `Note` where `it.title == body.title`, else `wrong_state`.\n" +
  "2. Require `password_matches(found.password, body.password)`, else `wrong_state`.";

const hook: Edits = [
  [
    NO_EVENTS,
    "Notifications: none.\n\n| Event | About | Data | Sent to |\n|---|---|---|---|\n" +
      "| `note.done` | `Note` | none | webhook `out` |\n\n### `out`, a webhook\n\n" +
      "- Receivers: each `Note` where `receiver == it`\n- Address: `receiver.home`\n" +
      "- Sent as: `POST` with `Letter`\nSIGNATURE\n- Delivered when: any 2xx within 15 s\n" +
      "- Attempts: at once\n- After the last attempt: do nothing\n- Guarantee: at most once\n" +
      "- Order of arrival: free\n\n### `Letter`, a shape\n\n| Field | Type | Value |\n|---|---|---|\n" +
      "| `name` | string | `event` |",
  ],
  [
    FIELD,
    `${FIELD}\nHOME\n| \`secret\` | secret | no | no | on create | 32 random bytes as base64 after \`whsec_\`; kept as it is |`,
  ],
  ["1. Fire `finish` on `note`.", "1. Emit `note.done` of `note`."],
];
const SAFE_HOME = "| `home` | uri | required | no | yes | scheme `https` |";

const charge: Edits = [
  [
    "### Every endpoint\n",
    "### `charge`, a call\n\n- Kind: effect\n- Same key: none\n- Time-out: none\n- Undo: none\n" +
      "- Stand-in: `ok`\n\n| Says | Data | Meaning |\n|---|---|---|\n| `ok` | none | paid |\n\n" +
      "### Every endpoint\n",
  ],
];

const field: SamplePlace = { instead: FIELD };
const finish: SamplePlace = { instead: FINISH };

export const reviewPlaces: Readonly<Record<string, SamplePlace>> = {
  "owner-unasked": { after: LAST_STEP, also: [...users(), ...owned] },
  "open-change": {
    instead: "- Who: none\n- Body: none",
    also: [...users(), [OPENED, OPENED.replace("- Body", "- Who: none\n- Body")]],
  },
  "role-given": {
    instead: "ROLE",
    also: [
      ...users("ROLE"),
      [
        LAST_STEP,
        `${LAST_STEP}\n### \`POST /users\`\n\n- Who: none\n- Body: new \`User\`\n\n1. Create a \`User\` as \`made\` from \`body\`.\n2. Respond \`201\` with \`User\` of \`made\`.\n`,
      ],
    ],
  },
  "exists-told": { instead: FINISH, also: users() },
  "beyond-rows": {
    instead: "ON",
    also: [
      ...walled,
      [
        "### `User`, many `users`\n",
        `### \`Mark\`, many \`marks\`\n\n${HEADER}| \`id\` | id | no | no | yes | none |\nON\n\n### \`User\`, many \`users\`\n`,
      ],
    ],
  },
  "rows-open": {
    instead: "OPEN",
    also: [
      ...walled,
      [
        LAST_STEP,
        `${LAST_STEP}\n### \`GET /notes\`\n\nOPEN\n2. Respond \`200\` with \`{"count": size(all)}\`.\n`,
      ],
    ],
  },
  "password-fast": field,
  "secret-in-address": {
    instead: "INPUT",
    also: [
      [
        LAST_STEP,
        `${LAST_STEP}\n### \`POST /signs\`\n\n${INPUTS}INPUT\n\n1. Respond \`204\` with no body.\n`,
      ],
    ],
  },
  "token-endless": { instead: "LIFETIME", also: [...token, ["AUDIENCE", "- Audience: none"]] },
  "token-anywhere": { instead: "AUDIENCE", also: [...token, ["LIFETIME", "- Lifetime: 24 h"]] },
  "login-tells": { instead: "STEPS", also: [...password, logIn("STEPS")] },
  "login-unlimited": {
    instead: NO_LIMITS,
    also: [
      ...password,
      logIn(found),
      ["2. Check the paths.", "2. Check the paths.\n3. Check the limits."],
    ],
  },
  "id-counted": {
    instead: "PATH",
    also: [
      [FIELD, `${FIELD}\n| \`number\` | integer | no | no | yes | counts up from 1 |`],
      [
        LAST_STEP,
        `${LAST_STEP}\n### \`GET /notes/{number}\`\n\nPATH\n\n1. Respond \`200\` with \`Note\` of \`note\`.\n`,
      ],
    ],
  },
  "hook-unsigned": { instead: "SIGNATURE", also: [...hook, ["HOME", SAFE_HOME]] },
  "hook-plain": { instead: "HOME", also: [...hook, ["SIGNATURE", "- Signature: none"]] },
  "stream-all": {
    instead: "SEES",
    also: [
      ...walled,
      [
        NO_EVENTS,
        "Callbacks: none.\n\n| Event | About | Data | Sent to |\n|---|---|---|---|\n| `note.done` | `Note` | none | stream `feed` |\n\n" +
          "### `feed`, a stream\n\n- Path: `GET /feed`\n- Who: `user`\nSEES\n- Resume: none\n- Ends: none",
      ],
      [
        FINISH,
        "1. Emit `note.done` of `note`.\n2. Fire `finish` on `note`.\n3. Respond `204` with no body.",
      ],
    ],
  },
  "cookie-everywhere": {
    instead: "CROSS",
    also: [
      ...users(),
      ["- Cross-origin: none", "CROSS"],
      ["header `Authorization`, form `Bearer {credential}`", "cookie `key`"],
    ],
  },
  "key-shared": {
    instead: "PER",
    also: [
      [
        "- Body: new `Note`\n",
        "- Body: new `Note`\n- Idempotency key: header `Idempotency-Key`\n- Key kept: 24 h\nPER\n" +
          "- Same key and same body: first answer again\n- Same key and other body: `wrong_state`\n" +
          "- Same key while the first runs: waits for it\n- Answers kept under a key: every answer\n" +
          "- Bodies are the same when: their bytes are the same\n",
      ],
      ["2. Check the paths.", "2. Check the paths.\n3. Check the idempotency key."],
    ],
  },
  "effect-repeated": { instead: FINISH, also: charge },
  "get-writes": {
    instead: "SEEN",
    also: [
      [
        LAST_STEP,
        `${LAST_STEP}\nSEEN\n\n- Path \`id\`: \`note\`, the \`Note\` by \`id\`, else \`not_found\`\n\n1. Set \`note.title\` = \`"seen"\`.\n2. Respond \`204\` with no body.\n`,
      ],
    ],
  },
  "put-creates": {
    instead: "FIRST",
    also: [
      [
        LAST_STEP,
        `${LAST_STEP}\nFIRST\n\n- Body: none\n\n1. Create a \`Note\` with \`title\` = \`"first"\`.\n2. Respond \`204\` with no body.\n`,
      ],
    ],
  },
  "text-unbounded": field,
  "list-unbounded": field,
  "list-whole": {
    instead: "STEPS",
    also: [[LAST_STEP, `${LAST_STEP}\n### \`GET /notes\`\n\nSTEPS\n`]],
  },
  "money-number": field,
  "money-negative": field,
  "error-nameless": {
    instead: "MEMBER",
    also: [
      [
        "| Error | Status | Body |\n|---|---|---|",
        "| Error | Status | `title` | Body |\n|---|---|---|---|",
      ],
      ["| `broken` | 500 | none |", "| `broken` | 500 | `Broken` | none |"],
      [
        "| `invalid` | 400 | none |",
        "| `invalid` | 400 | `Not so` | `Problem` |\n| `bad` | 400 | `Bad` | `Problem` |",
      ],
      ["| `not_found` | 404 | none |", "| `not_found` | 404 | `Not here` | none |"],
      ["| `wrong_state` | 409 | none |", "| `wrong_state` | 409 | `Not now` | none |"],
      ["| malformed query | `invalid` |", "| malformed query | `bad` |"],
      [
        "\n## Limits",
        "\n### `Problem`, a shape\n\n| Field | Type | Value |\n|---|---|---|\nMEMBER\n\n## Limits",
      ],
    ],
  },
  "pattern-loose": finish,
  "breaking-small": { instead: "- This version: none" },
};
