/** Edits of the document, and what becomes of what was kept. */
import { base, type Edit, type Row, TEAMS } from "./base.ts";
import type { Otherwise } from "./served.ts";

const field = (name: string, type: string, rules: string): string =>
  `| \`${name}\` | ${type} | optional | no | yes | ${rules} |`;
const before = (line: string, ...lines: readonly string[]): Edit => [
  [line, [...lines, line].join("\n")],
];

const SIZE = "| `size` | integer | required | no | yes | `0` to `9` |";
const PRICE = "| `price` | decimal 2 | required | no | yes | none |";
const DEEP = "| `deep` | decimal 1 or null | required | no | yes | none |";
const NOTE = "| `note` | string or null | required | no | yes | none |";
const BIG = "| `Note` | string | required | no | yes | none |";

/** Edits by which each value is read as it was written, and what rows have more, if anything. */
export const TAKEN: Readonly<Record<string, readonly [edit: Edit, more?: Row]>> = {
  "another order of fields": [
    [
      [`${PRICE}\n`, ""],
      [SIZE, `${SIZE}\n${PRICE}`],
    ],
  ],
  "another order of names that differ in case alone": [
    [
      [NOTE, "| `x` |"],
      [BIG, NOTE],
      ["| `x` |", BIG],
    ],
  ],
  "a field that starts": [before(SIZE, field("rank", "integer", "starts `5`")), { rank: 5 }],
  "a field that starts with a list": [
    before(SIZE, field("marks", "list of string", 'starts `["m"]`')),
    { marks: ["m"] },
  ],
  "a field with null": [before(SIZE, field("mark", "string or null", "none")), { mark: null }],
  "a field that may be absent": [before(SIZE, field("mark", "string or absent", "none"))],
  "a value": [[["one of `a`, `b`", "one of `c`, `b`, `a`"]]],
  null: [[["| `title` | string |", "| `title` | string or null |"]]],
  absent: [[["| `title` | string | required", "| `title` | string or absent | optional"]]],
  "a looser rule": [[["1 to 40 characters", "1 to 80 characters"]]],
  "a rule gone": [[["1 to 40 characters", "none"]]],
  "a bound gone": [[["`0` to `9`", "none"]]],
  "a member of a part": [before(DEEP, field("high", "integer or absent", "none"))],
  "another order of members": [
    [
      [`\n${DEEP}`, ""],
      ["| `wide` |", `${DEEP}\n| \`wide\` |`],
    ],
  ],
  "a resource": [
    [
      [TEAMS, `${TEAMS}\n\n${TEAMS.replaceAll("Team", "Club").replaceAll("teams", "clubs")}`],
      ["- No states: `Team`", "- No states: `Team`, `Club`"],
    ],
  ],
  "a state": [[["`open` (initial), `done`", "`open` (initial), `held` (final), `done`"]]],
  "rows that are never deleted": [before("- Missing `team`: `gone`", "- Deleted: never")],
  "an endpoint": [
    before("### `GET /items`\n", "### `GET /now`\n\n1. Respond `204` with no body.\n"),
  ],
  "what clients may send": [[[SIZE, SIZE.replace("required", "optional").replace("none", "yes")]]],
};

const MAIL = "| `mail` | string | required | no | yes | none |";
const RULED = "| `title` | string | required | no | yes | ";
const TEAM = "- Missing `team`: `gone`";

/** Edits by which less may be kept from now on: all rows that are there fit. */
export const FITS: Readonly<Record<string, Edit>> = {
  "a new rule": [[RULED, `${RULED}trimmed; `]],
  "a tighter rule": [["1 to 40 characters", "3 to 10 characters"]],
  "a pattern": [["1 to 40 characters", "1 to 40 characters; matches `[a-t]+`"]],
  "a tighter bound": [["`0` to `9`", "`0` to `7`"]],
  "a condition": [["`0` to `9`", "`0` to `9`; holds `value != 3`, else `bad`"]],
  "a condition over rows": [
    ["`0` to `9`", '`0` to `9`; holds `teams.exists(t, t.name == "red")`, else `bad`'],
  ],
  "a value gone": [["one of `a`, `b`", "one of `b`, `c`"]],
  "a string as an email": [["| `mail` | string |", "| `mail` | email |"]],
  "a unique": [["1 to 40 characters", "1 to 40 characters; unique, else `taken`"]],
  "a unique in any case": [
    ["1 to 40 characters", "1 to 40 characters; unique in any case, else `taken`"],
  ],
  "a unique that is exact": [[MAIL, MAIL.replace("none", "unique, else `taken`")]],
  "a unique of two": before(TEAM, "- Unique: `kind`, `title`, else `taken`"),
  "a promise": before(TEAM, "- Always: `it.size < 8`, else `bad`"),
  "a promise over rows": before(
    TEAM,
    "- Always: `items.filter(i, i.team == it.team).size() < 3`, else `bad`",
  ),
  "a state gone": [
    ["`new` (initial), `ran`, `faded` (final)", "`new` (initial), `ran`"],
    ["\n| `fade` | `ran` | `faded` | by itself within 10 h | none | none |", ""],
  ],
  "a rule inside a part": [
    [
      "| `wide` | integer | required | no | yes | none |",
      "| `wide` | integer | required | no | yes | `-1` to `3` |",
    ],
  ],
};

/** Edits by which a value would be another, or may be none of those that are stated. */
export const REFUSED: Readonly<Record<string, readonly [edit: Edit, told: RegExp]>> = {
  "more places": [[["decimal 2", "decimal 4"]], /`Item.price` was decimal 2, and is decimal 4/],
  "fewer places": [[["decimal 2", "decimal 0"]], /decimal 0/],
  "a decimal as an integer": [[["decimal 2", "integer"]], /is integer/],
  "an integer as a string": [
    [[SIZE, field("size", "string", "none")]],
    /`Item.size` was integer, and is string/,
  ],
  "a string as an integer": [
    [
      ["| `title` | string |", "| `title` | integer |"],
      ["1 to 40 characters", "none"],
    ],
    /is integer/,
  ],
  "a string as json": [
    [
      ["| `title` | string |", "| `title` | json |"],
      ["1 to 40 characters", "none"],
    ],
    /is json/,
  ],
  "a string as an email": [[["| `title` | string |", "| `title` | email |"]], /is email/],
  "a timestamp as a date": [[["| `at` | timestamp |", "| `at` | date |"]], /is date/],
  "another secret": [[["kept as SHA-256", "kept as it is"]], /`kept as` of `Item.key` is another/],
  "a value gone": [[["one of `a`, `b`", "one of `a`, `c`"]], /one of `a`, `b`.*one of `a`, `c`/],
  "null gone": [[[NOTE, NOTE.replace(" or null", "")]], /`Item.note` was string or null/],
  "null gone inside a part": [[["decimal 1 or null", "decimal 1"]], /`Box`/],
  "a field renamed": [[["| `price` |", "| `cost` |"]], /no `price` any more/],
  "a field gone": [[[`${PRICE}\n`, ""]], /no `price` any more/],
  "a field without a value": [
    before(SIZE, "| `rank` | integer | required | no | yes | none |"),
    /`Item.rank` is new, which/,
  ],
  "a field with the moment": [
    before(SIZE, "| `made` | timestamp | no | no | yes | set to `now` on create |"),
    /`Item.made` is new, which/,
  ],
  "a tighter rule": [
    [["1 to 40 characters", "4 to 40 characters"]],
    /`characters` of `Item.title` is another. .* It does not fit `it_\w+` of Item/,
  ],
  "a pattern": [
    [["1 to 40 characters", "1 to 40 characters; matches `[a-o]+`"]],
    /`matches` of `Item.title` is new/,
  ],
  "a bound too tight": [
    [["`0` to `9`", "`0` to `6`"]],
    /`range` of `Item.size` is another. .* It does not fit `it_\w+`, `it_\w+` of Item/,
  ],
  "a new unique": [[[SIZE, SIZE.replace("`9`", "`9`; unique, else `taken`")]], /`unique`/],
  "a new unique in any case": [
    [[MAIL, MAIL.replace("none", "unique in any case, else `taken`")]],
    /`unique`/,
  ],
  "a new invariant": [before(TEAM, "- Always: `it.size < 3`, else `bad`"), /`Always`/],
  "a member of a part retyped": [
    [["decimal 1 or null", "decimal 2 or null"]],
    /`Item.box`|`Box` of `Item.box`/,
  ],
  "a member of a part renamed": [[["| `wide` |", "| `width` |"]], /`Item.box`/],
  "another prefix": [[["id `it_`", "id `item_`"]], /id `it_`, and is id `item_`/],
  "a state renamed": [
    [
      ["`done` (final)", "`over` (final)"],
      ["| `open` | `done` |", "| `open` | `over` |"],
    ],
    /The states of `Item` were `open`, `done`/,
  ],
  "another key": [
    [
      [
        "| `name` | string | required | no | yes | key; unique, else `taken` |",
        "| `name` | string | required | no | yes | none |\n| `code` | id | no | no | yes | none |",
      ],
    ],
    /`key` of `Team.name`|named by another field/,
  ],
};

const SENT = "webhook `calls`; stream `feed` |";
const part = (from: string, to: string): string =>
  base.slice(base.indexOf(from), base.indexOf(to, base.indexOf(from)));
const FADE = "| `fade` | `ran` | `faded` | by itself within 10 h | none | none |";

/** Edits beside resources: what else is kept, and under which names it is found again. */
export const BESIDE: Readonly<Record<string, readonly [edit: Edit, otherwise?: Otherwise]>> = {
  "the same document": [[]],
  "an endpoint moved": [[["### `POST /items`\n", "### `POST /things`\n"]], { gone: "retry" }],
  "an endpoint gone": [[[part("### `POST /items`", "### `POST /jobs`"), ""]], { gone: "retry" }],
  "an endpoint renamed": [[["### `POST /jobs`\n", "### `POST /jobs`: a job\n"]]],
  "a parameter of a path renamed": [
    [
      ["### `POST /items/{id}/finish`", "### `POST /items/{item}/finish`"],
      ["- Path `id`: `item`", "- Path `item`: `item`"],
    ],
  ],
  "another order of endpoints": [
    [
      [part("### `GET /jobs`", "### `POST /hooks`"), ""],
      ["### `POST /teams`", `${part("### `GET /jobs`", "### `POST /hooks`")}### \`POST /teams\``],
    ],
  ],
  "a key kept for longer": [[["Key kept: 24 h", "Key kept: 48 h"]]],
  "a key kept for less": [[["Key kept: 24 h", "Key kept: 3 h"]]],
  "an event more": [[[`${SENT}`, `${SENT}\n| \`item.done\` | \`Item\` | none | none |`]]],
  "an event renamed": [
    [
      ["| `item.made` |", "| `item.new` |"],
      ["Emit `item.made`", "Emit `item.new`"],
    ],
    { gone: "stream" },
  ],
  "other data of an event": [[["`Item` | `Item` of `it` |", "`Item` | none |"]]],
  "a stream moved": [[["`GET /feed`", "`GET /events`"]], { feed: "/events" }],
  "a stream renamed": [
    [
      ["stream `feed`", "stream `news`"],
      ["### `feed`, a stream", "### `news`, a stream"],
    ],
    { gone: "stream" },
  ],
  "a stream kept for longer": [[["`Last-Event-ID`, kept 24 h", "`Last-Event-ID`, kept 48 h"]]],
  "a stream gone": [
    [
      [SENT, "webhook `calls` |"],
      [part("### `feed`, a stream", "### `Envelope`"), ""],
    ],
    { gone: "stream" },
  ],
  "other attempts of a webhook": [[["then after 30 min", "then after 30 min, 1 h"]]],
  "another order of arrival": [[["Order of arrival: none", "Order of arrival: as they happened"]]],
  "an error more": [
    [
      [
        "| `gone` | 404 | `Problem` |",
        "| `gone` | 404 | `Problem` |\n| `new_one` | 400 | `Problem` |",
      ],
    ],
  ],
  "an error with another status": [[["| `gone` | 404 |", "| `gone` | 410 |"]]],
  "a transition more": [[[FADE, `${FADE}\n| \`halt\` | \`new\` | \`ran\` | step | none | none |`]]],
  "a transition gone": [[[`\n${FADE}`, ""]]],
  "another period": [[["every 1 h", "every 30 min"]], { jobs: false }],
  "a time within which something happens by itself": [[["within 10 h", "within 20 h"]]],
};

/** Edits by which work that waits would never be done, or rows would lack a time. */
export const WAITING: Readonly<Record<string, readonly [edit: Edit, told: RegExp]>> = {
  "a webhook gone": [
    [
      [SENT, "stream `feed` |"],
      [part("### `calls`, a webhook", "### `feed`, a stream"), ""],
    ],
    /no webhook `calls` any more.*2 of its messages wait/,
  ],
  "a webhook renamed": [
    [
      ["webhook `calls`", "webhook `bells`"],
      ["### `calls`, a webhook", "### `bells`, a webhook"],
    ],
    /no webhook `calls` any more/,
  ],
  "receivers of another resource": [
    [
      ["Receivers: each `Hook` where `true`", "Receivers: each `Team` where `true`"],
      ["Address: `receiver.url`", 'Address: `"https://b.example/"`'],
    ],
    /Receivers of `calls` were rows of `Hook`/,
  ],
  "a time that comes again and again": [
    [[FADE, `${FADE}\n| \`ring\` | \`new\` | \`ran\` | every 2 h | none | none |`]],
    /`ring` is on time, and nothing says when it is due/,
  ],
  "a time that comes by itself": [
    [[FADE, `${FADE}\n| \`halt\` | \`new\` | \`ran\` | by itself within 2 h | none | none |`]],
    /`halt` is on time, .* in `new`.* It does not fit row 1, row 2 of Job|`halt` is on time, .* It does not fit/,
  ],
  "a transition on time renamed": [[["| `beat` |", "| `pulse` |"]], /`pulse` is on time/],
  "a resource renamed": [
    [
      ["### `Hook`, many `hooks`", "### `Door`, many `hooks`"],
      ["- No states: `Team`, `Hook`", "- No states: `Team`, `Door`"],
      ["new `Hook`\n\n1. Create a `Hook` as `hook`", "new `Door`\n\n1. Create a `Door` as `hook`"],
      ["`Hook` of `hook`", "`Door` of `hook`"],
      ["each `Hook` where", "each `Door` where"],
    ],
    /There is no `Hook` any more/,
  ],
};
