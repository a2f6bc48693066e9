/* data table */
/**
 * For each kind of change an edit that is one, of the kiosk or of the orders. The other way round it
 * is one of those that the table of the language names.
 */
import type { ChangeKind } from "../../src/plan/index.ts";

export interface Edit {
  readonly kind: ChangeKind;
  /** The kiosk, or an example. */
  readonly base: string;
  /** Texts that stand once in the base, and what comes in their place. */
  readonly texts: readonly (readonly [from: string, to: string])[];
}

type Written = readonly [kind: ChangeKind, ...texts: readonly string[]];

const kiosk: readonly Written[] = [
  ["base path changed", "Base path: `/v2`", "Base path: `/v3`"],
  ["body format changed", "Body format: `application/json`", "Body format: `application/a+json`"],
  [
    "isolation of requests changed",
    "One request: all or nothing, as if alone",
    "One request: free",
  ],
  ["precision of timestamps changed", "Timestamps: in seconds", "Timestamps: in milliseconds"],
  ["cross-origin access changed", "kept 10 min", "kept 20 min"],
  ["nested names changed", "- Cross-origin: ", "- Nested names: with dots\n- Cross-origin: "],
  [
    "setting added",
    "- Setting `zone`: time zone",
    "- Setting `zone`: time zone\n- Setting `x`: string",
  ],
  [
    "resource added",
    "### `Seat`, a part",
    "### `Note`, many `notes`\n\n- Rows at the start: none\n\n| Field | Type | Create | Update | Read | Rules |\n|---|---|---|---|---|---|\n| `id` | id | no | no | yes | none |\n\n### `Seat`, a part",
  ],
  ["resource changed", "### `Bill`, many `bills`, kept inside", "### `Bill`, many `bills`"],
  ["rows at the start changed", '"name": "South hall"', '"name": "Southern hall"'],
  [
    "field added",
    "| `version` | integer |",
    '| `secret` | string | no | no | no | starts `""` |\n| `version` | integer |',
  ],
  [
    "member added to an answer",
    "| `mine` | boolean |",
    "| `yours` | boolean | `false` |\n| `mine` | boolean |",
  ],
  [
    "type of a member changed",
    "| `weight` | number | required | no | yes | at least 0; at most 10.5 |",
    "| `weight` | integer | required | no | yes | at least 0; at most 10 |",
  ],
  [
    "header of answers changed",
    "- Who: `person` or `anyone`\n\n| Input",
    "- Who: `person` or `anyone`\n- Header `X-Id`: `request.id`\n\n| Input",
  ],
  [
    "answer added to an endpoint",
    "| 5xx | not shown | not shown | none |",
    "| 5xx | not shown | not shown | none |\n| 302 | none | none | Elsewhere |",
  ],
  ["answer removed from an endpoint", "| 202 | none | none | none |\n", ""],
  [
    "answer of an endpoint changed",
    "| `Marked` | The ticket and its mark |",
    "| `Ticket` | The ticket and its mark |",
  ],
  ["sent name changed", "| `lasts` | duration", "| `lasts`, sent as `$lasts` | duration"],
  ["value of a member changed", "`caller != null && it == caller`", "`caller == null`"],
  [
    "readers of a member changed",
    "| `born` | date or null | optional | no | yes |",
    "| `born` | date or null | optional | no | `person` |",
  ],
  [
    "order of members changed",
    "| `scores` | map of integer | no | no | yes | starts `{}` |\n| `blocked` | boolean | no | optional | yes | starts `false` |",
    "| `blocked` | boolean | no | optional | yes | starts `false` |\n| `scores` | map of integer | no | no | yes | starts `{}` |",
  ],
  ["value added to a list of values", "one of `adult`, `child`", "one of `adult`, `child`, `baby`"],
  [
    "optional input added",
    "| `number` | integer as string | no | no |",
    "| `number` | integer as string | no | optional |",
  ],
  [
    "input no longer needed",
    "| `email` | email | required | optional |",
    "| `email` | email | optional | optional |",
  ],
  [
    "needed input added",
    "| `hold` | body | boolean | yes | none |",
    "| `why` | body | string | yes | none |\n| `hold` | body | boolean | yes | none |",
  ],
  ["use of an input changed", 'required when `body.kind == "child"`', "optional"],
  ["type of an input changed", "| `X-Trace` | header | string |", "| `X-Trace` | header | uuid |"],
  ["place of an input changed", "| `ids` | body |", "| `ids` | query |"],
  ["rule made stricter", "at least 8 characters", "at least 9 characters"],
  ["rule made looser", "1 to 40 |", "1 to 41 |"],
  ["rule changed", "matches `[A-F]`", "matches `[A-G]`"],
  [
    "order of checks changed",
    "exactly 1 character; matches `[A-F]`",
    "matches `[A-F]`; exactly 1 character",
  ],
  ["value given by the service changed", 'absent means `"en"`', 'absent means `"de"`'],
  ["form of kept values changed", "Argon2id with 19456 KiB", "Argon2id with 19457 KiB"],
  ["order of a list changed", "in ascending order", "in descending order"],
  ["deletion changed", "Kept: 90 days after", "Kept: 91 days after"],
  [
    "rows that are seen changed",
    "- Deleted: refused while",
    "- Rows: only those where `it == caller`; any other is as if not there\n- Deleted: refused while",
  ],
  ["version tag changed", "`version`, weak", "`version`, strong"],
  [
    "part added",
    "### `Seat`, a part",
    "### `Row`, a part\n\n| Field | Type | Create | Update | Read | Rules |\n|---|---|---|---|---|---|\n| `no` | integer | required | no | yes | none |\n\n### `Seat`, a part",
  ],
  [
    "schema added",
    "### `Seat`, a part",
    "### `Other`, a schema\n\n- Schema: `true`\n\n### `Seat`, a part",
  ],
  ["schema changed", '"maxLength": 90', '"maxLength": 91'],
  [
    "shape added",
    "### `TicketPage`, a shape",
    "### `Bare`, a view of `Person`\n\n- Fields: `id`\n\n### `TicketPage`, a shape",
  ],
  [
    "shape changed",
    ...["- Given `more`: boolean", "- Given `more`: boolean\n- Given `most`: boolean"],
    ...["`more` = `size(tags) > 3`", "`more` = `size(tags) > 3` and `most` = `false`"],
  ],
  [
    "named steps changed",
    ...["- Given `ticket`: `Ticket`", "- Given `ticket`: `Ticket`\n- Given `why`: string"],
    ...[
      "Do `bill` with `ticket` = `ticket`",
      'Do `bill` with `ticket` = `ticket` and `why` = `"x"`',
    ],
  ],
  [
    "webhook added",
    "### `Letter`, a shape",
    '### `post`, a webhook\n\n- Receivers: each `Person` where `receiver.blocked`\n- Address: `receiver.home != null ? receiver.home : ""`\n- Sent as: `POST` with `Letter`\n- Signature: none\n- Delivered when: any 2xx within 15 s\n- Attempts: at once\n- After the last attempt: do nothing\n- Guarantee: at most once\n- Order of arrival: free\n\n### `Letter`, a shape',
  ],
  [
    "stream added",
    "### `till`, a webhook",
    "### `more`, a stream\n\n- Path: `GET /more`\n- Who: `person`\n- Sees: `true`\n- Resume: none\n- Ends: none\n\n### `till`, a webhook",
  ],
  ["content type changed", "`application/problem+json`", "`application/json`"],
  ["state added", "`paid`, `void` (final)", "`paid`, `gone` (final), `void` (final)"],
  ["state changed", "`closed` (final)", "`closed`"],
  [
    "state field changed",
    "- Held in: `state`\n- States: `new`",
    "- Held in: not shown\n- States: `new`",
  ],
  [
    "transition added",
    "| `fade` | `open` | `void` |",
    "| `drop` | `held` | `void` | step | none | none |\n| `fade` | `open` | `void` |",
  ],
  ["transition changed", "every 30 min", "every 31 min"],
  ["clock of transitions changed", "no later than 10 s after", "no later than 11 s after"],
  [
    "step added",
    "2. Respond `200` with `Person` of `person`.",
    "2. Set `person.blocked` = `true`.\n3. Respond `200` with `Person` of `person`.",
  ],
  ["step changed", "`ticket.price > 0.00`", "`ticket.price > 1.00`"],
  [
    "order of steps changed",
    "2. Check the limits.\n3. Check the inputs.",
    "2. Check the inputs.\n3. Check the limits.",
  ],
  ["status changed", "Respond `201` with `Person`", "Respond `200` with `Person`"],
  ["body of an answer changed", "Respond `200` with `Badge` of", "Respond `200` with `Person` of"],
  [
    "header added to an answer",
    "Respond `200` with `Badge` of `person`",
    'Respond `200` with `Badge` of `person`, header `X-Seen` = `"yes"`',
  ],
  ["header of an answer changed", "| none | `busy` | `Problem` |", "| none | `bzy` | `Problem` |"],
  ["refusal changed", "Refuse with `bad_login`.", "Refuse with `busy`."],
  [
    "named steps added",
    "### `collect`, a call",
    "### `free`, steps\n\n- Given `ticket`: `Ticket`\n\n1. Delete `ticket`.\n\n### `collect`, a call",
  ],
  ["call changed", "- Time-out: 30 days", "- Time-out: 31 days"],
  [
    "call added",
    "### `collect`, a call",
    "### `tell`, a call\n\n- Given `to`: string\n- Kind: effect\n- Same key: done again\n- Time-out: none\n- Undo: none\n- Stand-in: `done`\n\n| Says | Data | Meaning |\n|---|---|---|\n| `done` | none | told |\n\n### `collect`, a call",
  ],
  [
    "endpoint added",
    "### `DELETE /people/{id}`: leave",
    "### `GET /now`\n\n1. Respond `204` with no body.\n\n### `DELETE /people/{id}`: leave",
  ],
  [
    "path parameter renamed",
    "### `GET /people/{id}`: a badge\n\n- Path `id`:",
    "### `GET /people/{who}`: a badge\n\n- Path `who`:",
  ],
  ["actor added to Who", "sign up\n\n- Who: `anyone`", "sign up\n\n- Who: `anyone`, `person`"],
  ["caller not asked for", "sign up\n\n- Who: `anyone`", "sign up\n\n- Who: none"],
  ["request body changed", "- Body: changed `Person`", "- Body: new `Person`"],
  [
    "row of a path changed",
    "### `PATCH /people/{id}`: change oneself\n\n- Who: `person`\n- Body: changed `Person`\n- Path `id`: `person`, the `Person` by `id` where `it == caller`",
    "### `PATCH /people/{id}`: change oneself\n\n- Who: `person`\n- Body: changed `Person`\n- Path `id`: `person`, the `Person` by `id` where `it.blocked`",
  ],
  ["answer to a failure changed", "| malformed body | `invalid` |", "| malformed body | `busy` |"],
  [
    "scheme added",
    "### `login`, a scheme",
    "### `key`, a scheme\n\n- Sent in: header `X-Key`, form `{credential}`\n- Credential: opaque\n- Caller: the `Person` where `it.id == sha256(credential)`, else `unauthorized`\n- Revocation: none\n- Rotation: none\n\n### `login`, a scheme",
  ],
  ["way credentials are sent changed", "form `Bearer {credential}`", "form `Token {credential}`"],
  ["credential changed", "Clock skew: 30 s", "Clock skew: 31 s"],
  ["caller of a credential changed", "`it.id == claims.sub`", "`it.email == claims.sub`"],
  ["token handling changed", "Lifetime: 24 h", "Lifetime: 23 h"],
  [
    "actor added",
    "| `person` | `!caller.blocked` |",
    '| `person` | `!caller.blocked` |\n| `child` | `caller.kind == "child"` |',
  ],
  ["actor changed", "| `person` | `!caller.blocked` |", "| `person` | `caller.blocked` |"],
  [
    "event added",
    "| `ticket.void` | `Ticket` | none | stream `feed` |",
    "| `ticket.void` | `Ticket` | none | stream `feed` |\n| `ticket.held` | `Ticket` | none | stream `feed` |",
  ],
  [
    "event changed",
    "| `ticket.void` | `Ticket` | none |",
    "| `ticket.void` | `Ticket` | `Ticket` of `it` |",
  ],
  ["way an event is sent changed", "stream `feed`; webhook `till`", "webhook `till`"],
  ["webhook changed", "any 2xx within 15 s", "any 2xx within 16 s"],
  [
    "stream changed",
    "Resume: from `Last-Event-ID`, kept 24 h",
    "Resume: from `Last-Event-ID`, kept 25 h",
  ],
  [
    "error added",
    "| `broken` | 500 |",
    "| `odd` | 409 | `Odd` | none | none | `Problem` |\n| `broken` | 500 |",
  ],
  ["error body changed", "| `Not for you` |", "| `Not yours` |"],
  ["failures reported changed", "Failures reported: first", "Failures reported: all"],
  [
    "limit added",
    "| `day` | requests | address |",
    "| `hour` | requests | address | 100 | 1 h, fixed | `slow_down` |\n| `day` | requests | address |",
  ],
  ["limit lowered", "| caller | 10 | 1 min, fixed |", "| caller | 9 | 1 min, fixed |"],
  ["limit changed", "| caller | 10 | 1 min, fixed |", "| caller | 10 | 1 min, sliding |"],
  [
    "headers of limits changed",
    "Sent with every answer: none",
    "Sent with every answer: `RateLimit`",
  ],
  ["version changed", "This version: `2.1.0`", "This version: `2.2.0`"],
  ["choice of a version changed", "header `Api-Version`", "header `Version`"],
  [
    "time of old versions changed",
    "Old versions: none",
    "Old versions: kept 9 days after the next",
  ],
  ["compatibility changed", "| error added | free |", "| error added | no |"],
  ["history changed", "| shows tags | no |", "| shows tags | yes |"],
  ["deprecation changed", "| 2026-10-01 | none |", "| 2026-10-02 | none |"],
  ["gap recorded", "- Rotation: by `kid`", "- Rotation: not shown"],
];

const others: Readonly<Record<string, readonly Written[]>> = {
  orders: [
    ["idempotency key changed", "Key kept: 24 h", "Key kept: 25 h"],
    ["request body added", "- Body: none", "- Body: new `Hook`"],
    [
      "deprecation changed",
      "kept 180 days after the next",
      "kept 180 days after the next\n- Sent with deprecated endpoints: Sunset",
    ],
  ],
  bank: [
    [
      "rule made stricter",
      "unique within `tenant`, else `name_taken`",
      "unique within `tenant` in any case, else `name_taken`",
    ],
  ],
  github: [
    [
      "row of a path changed",
      "the `Label` as `label` in any case where",
      "the `Label` as `label` where",
    ],
  ],
  "todo-backend": [["type of a setting changed", "`public_url`: string", "`public_url`: uri"]],
  todo: [["facet answered otherwise", "Compatibility rules: none", "Compatibility rules: free"]],
};

const of = (base: string, all: readonly Written[]): Edit[] =>
  all.map(([kind, ...texts]) => ({
    kind,
    base,
    texts: texts.flatMap((from, at) =>
      at % 2 === 0 ? [[from, texts[at + 1] ?? ""] as const] : [],
    ),
  }));

export const edits: readonly Edit[] = Object.entries({ kiosk, ...others }).flatMap(([base, all]) =>
  of(base, all),
);

/** Edits of the kiosk that are made in one document, so that few have to be read. */
export const together: readonly (readonly ChangeKind[])[] = [
  [
    "base path changed",
    "body format changed",
    "isolation of requests changed",
    "precision of timestamps changed",
    "cross-origin access changed",
    "nested names changed",
    "setting added",
    "resource added",
    "resource changed",
    "rows at the start changed",
    "field added",
    "member added to an answer",
    "type of a member changed",
    "sent name changed",
    "header of answers changed",
    "answer added to an endpoint",
    "answer of an endpoint changed",
    "value of a member changed",
    "readers of a member changed",
    "order of members changed",
    "value added to a list of values",
  ],
  [
    "answer removed from an endpoint",
    "optional input added",
    "input no longer needed",
    "needed input added",
    "use of an input changed",
    "type of an input changed",
    "place of an input changed",
    "rule made stricter",
    "rule made looser",
    "rule changed",
    "value given by the service changed",
    "form of kept values changed",
    "order of a list changed",
    "deletion changed",
    "rows that are seen changed",
    "version tag changed",
    "part added",
  ],
  [
    "order of checks changed",
    "schema added",
    "schema changed",
    "shape added",
    "shape changed",
    "named steps changed",
    "webhook added",
    "stream added",
    "content type changed",
    "state added",
    "state changed",
    "state field changed",
    "transition added",
    "transition changed",
    "clock of transitions changed",
    "step added",
    "step changed",
    "order of steps changed",
  ],
  [
    "status changed",
    "body of an answer changed",
    "header of an answer changed",
    "refusal changed",
    "named steps added",
    "call changed",
    "endpoint added",
    "path parameter renamed",
    "actor added to Who",
    "request body changed",
    "answer to a failure changed",
    "scheme added",
    "way credentials are sent changed",
    "credential changed",
    "caller of a credential changed",
    "token handling changed",
  ],
  [
    "header added to an answer",
    "call added",
    "caller not asked for",
    "row of a path changed",
    "actor added",
    "event added",
    "way an event is sent changed",
    "webhook changed",
    "stream changed",
    "error added",
    "error body changed",
    "failures reported changed",
    "limit added",
    "limit lowered",
    "headers of limits changed",
    "version changed",
  ],
  [
    "actor changed",
    "event changed",
    "limit changed",
    "choice of a version changed",
    "time of old versions changed",
    "compatibility changed",
    "history changed",
    "deprecation changed",
    "gap recorded",
  ],
];
