/* data table */
/** Documents in which one question is left without an answer: silent at the place that raises it. */
import { edit, half, unanswered, type Wrong } from "./wrong.ts";

const service = "## «What the service does»";
const todo = "### «`Todo`»\n\n- ";
const order = "### «`Order`»\n\n- Held in";
const key = "- «Idempotency key: header `Idempotency-Key`»";
const charge = "### «`charge`, a call»";
const login = "### «`login`, a scheme»";
const hooks = "### «`hooks`, a webhook»";
const feed = "### «`feed`, a stream»";

export const questionCases: readonly Wrong[] = [
  unanswered("todo", "- Base path: none\n", "base path", service),
  unanswered("todo", "- Body format: `application/json`\n", "body format", service),
  unanswered("todo", "- One request: all or nothing, as if alone\n", "one request", service),
  unanswered("todo", "- Cross-origin: none\n", "cross-origin", service),
  unanswered("todo", "- Timestamps: in milliseconds\n", "precision", service),
  unanswered(
    "todo",
    "- Rows at the start: none\n",
    "rows at the start",
    "### «`Todo`, many `todos`»",
  ),
  half(
    unanswered(
      "orders",
      "1 to 50 items; in the order given",
      "list order",
      "| `«lines»` | list of `Line` |",
    ),
    "1 to 50 items",
  ),
  half(
    unanswered(
      "todo",
      "at most 2000 characters; starts `null`",
      "starts",
      "| `«note»` | string or null |",
    ),
    "at most 2000 characters",
  ),
  half(
    unanswered(
      "bank",
      "unique within `tenant`, else `name_taken` on `name`",
      "unique error",
      "«unique within `tenant`»",
    ),
    "unique within `tenant`",
  ),
  unanswered("orders", "; kept as SHA-256", "kept as", "| `«key»` | secret |"),
  unanswered(
    "bank",
    "- Missing `holder`: `no_member` on `holder`\n",
    "missing",
    "### «`Account`, many `accounts`»",
  ),
  half(
    unanswered("kiosk", "its deletion is refused, else `busy`", "gone", "| `«buyer»` |"),
    "none",
  ),
  half(
    unanswered(
      "kiosk",
      "its deletion is refused, else `busy`",
      "gone error",
      "«its deletion is refused»",
    ),
    "its deletion is refused",
  ),
  half(
    unanswered(
      "kiosk",
      "- Deleted: refused while `it.blocked`, else `busy`",
      "deleted error",
      "- «Deleted: refused while `it.blocked`»",
    ),
    "- Deleted: refused while `it.blocked`",
  ),
  half(
    unanswered("orders", "- No states: `Account`, `Hook`", "states", "### «`Hook`, many `hooks`»"),
    "- No states: `Account`",
  ),
  unanswered("todo", "- Held in: `status`\n", "held in", `${todo}States`),
  unanswered(
    "todo",
    "- States: `open` (initial), `done` (final)\n",
    "list of states",
    `${todo}Held in`,
  ),
  unanswered(
    "todo",
    "- Any other transition: refused with `already_done`\n",
    "any other transition",
    `${todo}Held in`,
  ),
  unanswered("orders", "- Clock: no later than 5 s after\n", "clock", order),
  unanswered(
    "orders",
    "- At the same time: in order of `it.createdAt` ascending, then `it.id` ascending\n",
    "same time",
    order,
  ),
  unanswered(
    "bank",
    "| `miss` | `waiting` | `failed` | `run` refused | none | set `it.failure` = `error.name`; emit `transfer.failed` of `it` |\n",
    "timed refusal",
    "| `«run»` | `waiting` |",
  ),
  unanswered(
    "todo",
    "1. Check the limits.\n2. Check the inputs.\n3. Check the paths.\n",
    "order of checks",
    "### «Every endpoint»",
  ),
  unanswered("todo", "- Who: none\n", "who", "### «`POST /todos`: add something to do»"),
  unanswered("todo", "- Body: new `Todo`\n", "body", "### «`POST /todos`: add something to do»"),
  half(
    unanswered(
      "todo",
      "1. Respond `200` with `Todo` of `todo`.\n\n### `PATCH",
      "steps",
      "### «`GET /todos/{id}`: look at one»",
    ),
    "### `PATCH",
  ),
  unanswered(
    "orders",
    "| Input | In | Type | Needed | Rules |\n|---|---|---|---|---|\n| `Idempotency-Key` | header | string | yes | 1 to 255 characters |\n",
    "key needed",
    "- «Idempotency key: header `Idempotency-Key`»",
  ),
  unanswered("orders", "- Key kept: 24 h\n", "key kept", key),
  unanswered("orders", "- Key per: caller\n", "key per", key),
  unanswered("orders", "- Same key and same body: first answer again\n", "same body", key),
  unanswered("orders", "- Same key and other body: `key_reused`\n", "other body", key),
  unanswered("orders", "- Same key while the first runs: `key_busy`\n", "running", key),
  unanswered("orders", "- Answers kept under a key: 2xx answers\n", "answers kept", key),
  unanswered(
    "orders",
    "- Bodies are the same when: their values are the same\n",
    "bodies compared",
    key,
  ),
  half(
    unanswered("kiosk", "- Kind: effect\n- Same key: first answer again\n", "call kind", charge),
    "- Same key: first answer again\n",
  ),
  unanswered("kiosk", "- Same key: first answer again\n", "call same key", charge),
  unanswered("kiosk", "- Time-out: 10 s\n", "call time-out", charge),
  unanswered("kiosk", "- No answer in time: `unavailable`\n", "call late", charge),
  unanswered("kiosk", "- Undo: `refund`\n", "call undo", charge),
  unanswered("kiosk", "- Stand-in: `settled`\n", "call stand-in", charge),
  edit(
    "kiosk",
    '### `charge`, a call\n\n- Given `amount`: decimal 2\n- Given `to`: string\n- Kind: effect\n- Same key: first answer again\n- Time-out: 10 s\n- No answer in time: `unavailable`\n- Undo: `refund`\n- Always: `said.word != "declined" || given.amount > 0.00`\n- Stand-in: `settled`',
    '### «`charge`, a call»\n\n- Given `amount`: decimal 2\n- Given `to`: string\n- Kind: effect\n- Same key: first answer again\n- Time-out: 10 s\n- No answer in time: `unavailable`\n- Undo: `refund`\n- Always: `said.word != "declined" || given.amount > 0.00`\n- Stand-in: `settled` when `given.amount > 9.00`',
    "silent",
  ),
  unanswered(
    "kiosk",
    "| Says | Data | Meaning |\n|---|---|---|\n| `done` | none | it is given back |\n",
    "says",
    "### «`refund`, a call»",
  ),
  unanswered(
    "kiosk",
    "- Sent in: header `Authorization`, form `Bearer {credential}`\n",
    "sent in",
    login,
  ),
  unanswered(
    "kiosk",
    "- Credential: JWT signed with `HS256`, key `setting.jwt_key`\n",
    "credential",
    login,
  ),
  unanswered(
    "kiosk",
    "- Caller: the `Person` where `it.id == claims.sub`, else `unauthorized`\n",
    "caller",
    login,
  ),
  unanswered("kiosk", "- Lifetime: 24 h\n", "lifetime", login),
  unanswered("kiosk", "- Issuer: `https://kiosk.example`\n", "issuer", login),
  unanswered("kiosk", "- Audience: none\n", "audience", login),
  unanswered("kiosk", "- Subject: `it.id`\n", "subject", login),
  unanswered("kiosk", "- Clock skew: 30 s\n", "clock skew", login),
  unanswered("kiosk", "- Revocation: by the Caller condition\n", "revocation", login),
  unanswered("kiosk", "- Rotation: by `kid`\n", "rotation", login),
  unanswered(
    "orders",
    "- Receivers: each `Hook` where `receiver.enabled && receiver.owner == it.customer && event in receiver.events`\n",
    "receivers",
    hooks,
  ),
  unanswered("orders", "- Address: `receiver.url`\n", "address", hooks),
  unanswered("orders", "- Sent as: `POST` with `Envelope`\n", "sent as", hooks),
  unanswered(
    "orders",
    "- Signature: Standard Webhooks v1 with `receiver.secret`\n",
    "signature",
    hooks,
  ),
  unanswered("orders", "- Delivered when: any 2xx within 15 s\n", "delivered", hooks),
  unanswered(
    "orders",
    "- Attempts: at once, then after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h\n",
    "attempts",
    hooks,
  ),
  unanswered(
    "orders",
    "- After the last attempt: set `receiver.enabled` = `false`\n",
    "after last",
    hooks,
  ),
  unanswered("orders", "- Guarantee: at least once\n", "guarantee", hooks),
  unanswered("orders", "- Order of arrival: none\n", "order of arrival", hooks),
  unanswered("bank", "- Path: `GET /feed`\n", "stream path", feed),
  ...(
    [
      ["- Path: `GET /feed`\n- «Path: `GET /fed`»", "second-bullet"],
      [
        "- Path: `GET /feed/{id}`\n- Path `«no»`: the `Account` as `one`, else `not_found`",
        "unknown-name",
      ],
      [
        "- Path: `GET /feed/{id}`\n- Path `id`: the `«Acount»` as `one`, else `not_found`",
        "unknown-name",
      ],
      [
        "- Path: `GET /feed/{id}`\n- Path `id`: the `Account` as `one`, else `«lost»`",
        "unknown-name",
      ],
    ] as const
  ).map(([said, code]) => edit("bank", "- Path: `GET /feed`", said, code)),
  ...(
    [
      ["after `«bank.closed»`", "unknown-name"],
      ["after «an event»", "unknown-bullet"],
      ["after 1 h\n- Heartbeat: every «while»", "unknown-bullet"],
    ] as const
  ).map(([said, code]) => edit("bank", "- Ends: after 1 h", `- Ends: ${said}`, code)),
  half(unanswered("bank", "- Who: `manager` or `teller`\n- Sees", "stream who", feed), "- Sees"),
  unanswered("bank", "- Sees: `it.tenant == caller.tenant`\n", "sees", feed),
  unanswered("bank", "- Resume: from `Last-Event-ID`, kept 24 h\n", "resume", feed),
  unanswered("bank", "- Ends: after 1 h\n", "ends", feed),
  half(
    unanswered("todo", "### Every endpoint\n", "is", "### «`late`, a value»"),
    "### `late`, a value\n\n- Given `todo`: `Todo`\n\n### Every endpoint\n",
  ),
  unanswered("todo", "- Failures reported: first\n", "failures reported", "## «Errors»"),
  unanswered("todo", "| unknown path | `not_found` |\n", "failure", "«| Failure | Error |»"),
  unanswered(
    "orders",
    "- Sent with every answer: `RateLimit`, `RateLimit-Policy`\n",
    "limit headers",
    "## «Limits»",
  ),
  unanswered("todo", "- This version: `1.0.0`\n", "version", "## «Versioning»"),
  unanswered("todo", "- Chosen by: none\n", "chosen by", "## «Versioning»"),
  // Facets
  unanswered(
    "todo",
    "Authentication scheme, credentials, headers and token handling: none.\n",
    "",
    "## «Authentication»",
  ),
  half(
    unanswered("todo", "Events, notifications and callbacks: none.", "", "## «Events»"),
    "Events and notifications: none.",
  ),
  half(
    unanswered("todo", "Rate limits, time-outs and quotas: none.", "", "## «Limits»"),
    "Rate limits and quotas: none.",
  ),
  unanswered("todo", "Compatibility rules: none.\n", "", "## «Versioning»"),
];
