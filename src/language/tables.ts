/* data table */
/** Every table: its header, and for each column the forms that a cell may have. */
import type { Form, Scope } from "./form.ts";
import type { Denial } from "./uses.ts";

export interface Column {
  /** Header text. `*`: any number of columns whose header is a code span with a name. */
  readonly title: string;
  readonly cells: readonly Form[];
  /** `false`: `none` is no answer. */
  readonly none: Denial | false;
  readonly free: boolean;
  /** Several forms joined by `;`. */
  readonly many: boolean;
}

export interface TableEntry {
  readonly id: string;
  readonly in: readonly Scope[];
  readonly means: string;
  readonly columns: readonly Column[];
  /** Columns that tell its rows apart, where the first alone does not. */
  readonly toldApartBy?: readonly string[];
  /** Number of columns behind the first that may be left out (`kept inside`): see `means`. */
  readonly short?: readonly string[];
}

const form = (id: string, text: string, means: string, example: string): Form => ({
  id,
  form: text,
  means,
  example,
});

/** A form that a service which runs shows nothing of. */
const silent = (why: string, ...args: Parameters<typeof form>): Form => ({
  ...form(...args),
  unserved: why,
});

/** Every value of the type is a right one. */
const NO_RULE: Denial = { unused: "a value has the rules of its type alone" };
/** A column of an error or a failure. */
const NO_TEXT: Denial = { unused: "a shape shows `null` there" };

const PEOPLE = "for people";
const COMPARED = "for who compares two versions";
const READ = "for who asks the service; the steps say when it answers so";

interface Allows {
  readonly none?: Denial;
  readonly free?: boolean;
  readonly many?: boolean;
}

const column = (title: string, cells: readonly Form[], allows: Allows = {}): Column => ({
  title,
  cells,
  none: allows.none ?? false,
  free: allows.free ?? false,
  many: allows.many ?? false,
});

/** Cells whose forms are the tables of types and rules. */
export const typeCell: readonly Form[] = [form("type", "{type:type}", "A type.", "string")];
/** Filled with the rules table by the reader. */
export const rulesCell: readonly Form[] = [];

const nameCell = [form("name", "{name:name}", "A name.", "`title`")];
const SENT_AS = "The name in the document, and the name in requests and answers.";
const fieldCell = [
  ...nameCell,
  form("name sent as", "{name:name}, sent as {wire:code}", SENT_AS, "`type`, sent as `@type`"),
];
const dottedCell = [
  form("dotted", "{name:dotted}", "A name; dots nest.", "`page.size`"),
  form(
    "dotted sent as",
    "{name:dotted}, sent as {wire:code}",
    "The last name in the document, and in what is sent.",
    "`page.next`, sent as `$next`",
  ),
];
const wordCell = [form("word", "{name:word}", "A name.", "`order.paid`")];
const textCell = [form("text", "{text:code}", "Text.", "`Not found`")];
const textCells = [
  ...textCell,
  form("plain text", "{text:text}", "Text, in plain words.", "Not found"),
];
const valueCell = [form("value", "{value:expr}", "An expression.", "`it.username`")];
const shownValue = [
  ...valueCell,
  form(
    "value when",
    "{value:expr}, when {condition:expr}",
    "The member is left out where the condition does not hold; its type is `or absent`. Rows of one name may follow each other, each with a type: the first whose condition holds is sent.",
    "`it.error.param`, when `it.failed`",
  ),
  form(
    "value otherwise",
    "{value:expr}, otherwise",
    "Straight below rows of the same name with `when`: where no condition of theirs holds.",
    "`it.customer`, otherwise",
  ),
  form(
    "value left out",
    "{value:expr}, left out when null",
    "The member is left out where the value is null; its type is `or absent`.",
    "`it.nextUrl`, left out when null",
  ),
];

const givenCells: readonly Form[] = [
  form("required", "required", "Must be given.", "required"),
  form("optional", "optional", "May be given.", "optional"),
  form(
    "required when",
    "required when {condition:expr}",
    "Must be given when the condition over `body` holds; may be given otherwise.",
    'required when `body.kind == "card"`',
  ),
  form("no", "no", "May not be given.", "no"),
];
const updateCells: readonly Form[] = [
  ...givenCells,
  form(
    "merged",
    "merged",
    "May be given; a map, part or json is merged member by member, null takes a member away (RFC 7396). Rules are about the value that results.",
    "merged",
  ),
];
const readCells: readonly Form[] = [
  form("yes", "yes", "Shown.", "yes"),
  form(
    "no",
    "no",
    "Left out of every answer. (`not shown` in this cell is a gap, as everywhere: nobody has said who is shown the field.)",
    "no",
  ),
  form(
    "on create",
    "on create",
    "Shown in the answer of the request that made the row, never again.",
    "on create",
  ),
  form(
    "actors",
    "{actors:words}",
    "Shown to these actors; for others the member is left out.",
    "`auditor`",
  ),
];
const noteCell = [silent(PEOPLE, "text", "{text:code}", "Text.", "`Not found`")];
const yesNo: readonly Form[] = [form("yes", "yes", "Yes.", "yes"), form("no", "no", "No.", "no")];
const comparedYesNo = yesNo.map((each) => ({ ...each, unserved: COMPARED }));

/** What an error answers, at the error itself: rows of the failure table in another place. */
const failuresCells: readonly Form[] = [
  form(
    "class",
    "every other failure[ of {class=a value|the body|the request|credentials|the service}][, {naming=on its name}]",
    "Each condition (of that class) that can occur and that nothing else answers. `on its name` needs `of a value`: the error, naming the member.",
    "every other failure of a value, on its name",
  ),
  form(
    "condition",
    "{condition:text}[, {naming=on its name}]",
    "A condition of the closed list.",
    "unknown path",
  ),
];

export const tables: readonly TableEntry[] = [
  {
    id: "fields",
    in: ["resource", "part"],
    means:
      "The stored fields. Create and Update say what a client may give when a row is made or changed, Read who is shown the field. A resource that is `kept inside` or `fixed` may leave those three columns out, as may a part in one: then no client gives or is shown its fields.",
    short: ["Create", "Update", "Read"],
    columns: [
      column("Field", fieldCell),
      column("Type", typeCell),
      column("Create", givenCells),
      column("Update", updateCells),
      column("Read", readCells),
      column("Rules", rulesCell, { none: NO_RULE, many: true }),
    ],
  },
  {
    id: "shape",
    in: ["view", "shape"],
    means: "The members of a payload, in the order in which they are sent. Dotted names nest.",
    columns: [
      column("Field", dottedCell),
      column("Type", typeCell),
      column("Value", shownValue, { free: true }),
    ],
  },
  {
    id: "transitions",
    in: ["machine"],
    toldApartBy: ["Transition", "From", "When"],
    means:
      "The transitions. Rows with one name are one transition, told apart by From, then by When. Then holds steps over `it`, joined by `;`.",
    columns: [
      column("Transition", nameCell),
      column("From", [form("from", "{from:names}", "States.", "`open`, `paid`")]),
      column("To", [form("to", "{to:name}", "A state.", "`paid`")]),
      column(
        "On",
        [
          form("step", "step", "A Fire step.", "step"),
          form(
            "time",
            "time {field:name}",
            "When the time in the field has come; never while it is null.",
            "time `expiresAt`",
          ),
          form(
            "every",
            "every {period:duration}",
            "Again and again, counted from the row's creation; a time at which the row is in no state of From is left out.",
            "every 5 min",
          ),
          form(
            "refused",
            "{transition:name} refused",
            "When that timed transition is refused; When and Then see `error` (`error.name`). A refusal by an invariant without an error is `fault inside` and takes no row.",
            "`run` refused",
          ),
          form(
            "transition",
            "transition {transition:name} of {resource:name}",
            "When a row of the other resource takes that transition and refers to this row or is referred to by it.",
            "transition `pay` of `Invoice`",
          ),
          form(
            "call",
            "call {call:name} says {word:word}",
            "When a call that was given the row is answered with that word and the row is in From; for any other row nothing happens. When and Then see `said`, the answer.",
            "call `charge` says `settled`",
          ),
          form(
            "itself",
            "by itself within {time:duration}",
            "At any moment within that time after the state was entered.",
            "by itself within 60 s",
          ),
        ],
        {},
      ),
      column("When", [form("when", "{when:expr}", "A guard over `it`.", "`it.total > 0`")], {
        none: { unused: "nothing guards it" },
      }),
      column("Then", [form("step", "{then:step}", "A step.", "emit `order.paid` of `it`")], {
        none: { unused: "the state changes, and nothing else" },
        many: true,
      }),
    ],
  },
  {
    id: "inputs",
    in: ["endpoint", "every endpoint"],
    toldApartBy: ["Input", "In"],
    means:
      "What an endpoint reads besides its Body bullet. An input that is not needed is absent when it is not sent, unless `absent means` gives it a value.",
    columns: [
      column("Input", [
        form(
          "dotted",
          "{name:dotted}",
          'A name; dots nest in a body. A header\'s name in any case; a name with `-` is read as `header["Name"]`.',
          "`page.size`",
        ),
        form(
          "dotted sent as",
          "{name:dotted}, sent as {wire:code}",
          "The name in expressions, and the name that clients send in a body, a query or a cookie.",
          "`since`, sent as `created[gte]`",
        ),
      ]),
      column("In", [form("in", "{in=path|query|header|body|cookie}", "Where.", "query")]),
      column("Type", typeCell),
      column("Needed", yesNo),
      column("Rules", rulesCell, { none: NO_RULE, many: true }),
    ],
  },
  {
    id: "answers",
    in: ["endpoint"],
    toldApartBy: ["Answer", "Media type"],
    means:
      "Which answers the endpoint may give, without saying when: a row for each status and media type. A status that its steps or errors give, and that no row covers, is an error of the document.",
    columns: [
      column("Answer", [
        silent(READ, "status", "{status:status}", "A status code.", "200"),
        silent(READ, "class", "{class=1xx|2xx|3xx|4xx|5xx}", "Every status of the class.", "4xx"),
        silent(READ, "other", "any other", "Every status that no other row covers.", "any other"),
      ]),
      column(
        "Media type",
        [
          silent(
            READ,
            "media",
            "{media:code}",
            "The media type of the body.",
            "`application/json`",
          ),
        ],
        { none: { unused: "the answer has no body" } },
      ),
      column("Body", [silent(READ, "type", "{type:type}", "A type.", "string")], {
        none: { unused: "the answer has no body" },
      }),
      column(
        "Meaning",
        [
          silent(PEOPLE, "code", "{text:code}", "Text.", "`Not found`"),
          silent(PEOPLE, "words", "{text:text}", "Text, in plain words.", "Not found"),
        ],
        { none: { unused: "nothing more is said of it" } },
      ),
    ],
  },
  {
    id: "cases",
    in: ["endpoint", "routine"],
    toldApartBy: ["*"],
    means:
      "The case table of the step `By the case table`: one column for each subject, an expression in a code span, and Then. A cell holds literals joined by `,` or `any`. Every case must be covered once.",
    columns: [
      column("*", [
        form("any", "any", "Any value.", "any"),
        form("values", "{values:words}", "Literals.", "`true`"),
      ]),
      column(
        "Then",
        [form("step", "{then:step}", "Steps joined by `;`.", "respond `204` with no body")],
        { many: true },
      ),
    ],
  },
  {
    id: "says",
    in: ["call"],
    means: "The closed list of what the call can say, each with its data.",
    columns: [
      column("Says", wordCell),
      column(
        "Data",
        [form("data", "{name:name}: {type:type}", "A name and its type.", "`reference`: string")],
        { none: { usedBy: ["data of an answer"] }, many: true },
      ),
      column("Meaning", [
        silent(PEOPLE, "text", "{text:text}", "For people.", "the money is there"),
      ]),
    ],
  },
  {
    id: "actors",
    in: ["authentication", "scheme"],
    means: "Who a caller can be.",
    columns: [
      column("Actor", wordCell),
      column("Holds when", [
        form("always", "always", "For everybody, without credentials.", "always"),
        form(
          "when",
          "{when:expr}",
          "An expression over `caller`, who is known then.",
          '`caller.role == "teller"`',
        ),
      ]),
    ],
  },
  {
    id: "events",
    in: ["events"],
    means: "The events. About is a resource, `it` in Data.",
    columns: [
      column("Event", wordCell),
      column("About", [form("about", "{resource:name}", "A resource.", "`Order`")]),
      column(
        "Data",
        [
          form(
            "data",
            "{shape:name} of {of:expr}",
            "A resource, view or shape and the value that it shows.",
            "`Order` of `it`",
          ),
        ],
        { none: { unused: "`data` is `null` in what is sent" } },
      ),
      column(
        "Sent to",
        [
          form("webhook", "webhook {name:name}", "A webhook.", "webhook `hooks`"),
          form("stream", "stream {name:name}", "A stream.", "stream `feed`"),
        ],
        { none: { unused: "it is recorded, and sent nowhere" }, many: true },
      ),
    ],
  },
  {
    id: "errors",
    in: ["errors"],
    means:
      "The errors. Columns between Status and Body have a name in a code span: texts that the error's shape reads as `error.name`. A header column is `header` and the header's name in a code span. Failures may be left out: it names, joined by `;`, what the failure table would answer with this error.",
    columns: [
      column("Error", wordCell),
      column("Status", [form("status", "{status:status}", "A status code.", "404")]),
      column("*", textCells, { none: NO_TEXT }),
      column("Body", [form("body", "{shape:name}", "A shape.", "`Problem`")], {
        none: { usedBy: ["error with values"] },
      }),
      column("Failures", failuresCells, {
        none: { unused: "no condition of the closed list is answered here" },
        many: true,
      }),
    ],
    short: ["Failures"],
  },
  {
    id: "failures",
    in: ["errors", "every endpoint", "endpoint"],
    means:
      "What answers the conditions that no step names. `on its name` puts the name of the offending member into the error. Further columns have a name in a code span: texts that the error's shape reads from `failures`. At an endpoint the table holds what differs there.",
    columns: [
      column("Failure", [
        form(
          "class",
          "every other failure[ of {class=a value|the body|the request|credentials|the service}]",
          "Each condition (of that class) that can occur and that no other row of the table answers. `on its name` needs `of a value`.",
          "every other failure of a value",
        ),
        form("condition", "{condition:text}", "A condition of the closed list.", "unknown member"),
      ]),
      column(
        "Error",
        [
          form(
            "on its name",
            "{error:word} on its name",
            "The error, naming the member.",
            "`invalid` on its name",
          ),
          form("error", "{error:word}[ on {on:word}]", "The error.", "`invalid`"),
          form(
            "ignored",
            "ignored",
            "The member, parameter or credential is treated as if it had not been sent.",
            "ignored",
          ),
        ],
        { free: true },
      ),
      column("*", textCells, { none: NO_TEXT }),
    ],
  },
  {
    id: "limits",
    in: ["limits"],
    means: "The limits.",
    columns: [
      column("Limit", wordCell),
      column("Counts", [
        form("requests", "requests", "Every request.", "requests"),
        form(
          "requests to",
          "requests to {endpoint:code}[ answered {status:status}]",
          "Requests to one endpoint, or those that got that answer.",
          "requests to `POST /orders` answered `201`",
        ),
        form(
          "body bytes",
          "request body bytes",
          "Bytes of the body as sent.",
          "request body bytes",
        ),
        form(
          "header bytes",
          "request header bytes",
          "Bytes of all header fields.",
          "request header bytes",
        ),
        form("path bytes", "request path bytes", "Bytes of path and query.", "request path bytes"),
        form(
          "request time",
          "time to answer a request",
          "From the request's last byte to the answer.",
          "time to answer a request",
        ),
        form(
          "rows kept",
          "{resource:name} kept",
          "Rows of the resource that are there.",
          "`Hook` kept",
        ),
        form(
          "sum",
          "sum of {field:name} of {resource:name} moved by {transitions:names}",
          "The sum of a field over the rows that took one of the transitions.",
          "sum of `amount` of `Transfer` moved by `book`",
        ),
      ]),
      column("Per", [
        form("who", "{per=caller|address|everyone|request}", "Whose count it is.", "caller"),
        form("field", "{field:name}", "A reference field of the rows counted.", "`owner`"),
      ]),
      column("Amount", [
        form(
          "at least",
          "at least {amount:literal}",
          "One-sided: what is above is not known, and what passes it meets a gap at this cell.",
          "at least 131072",
        ),
        form("time", "{time:duration}", "For `time to answer a request`.", "10 s"),
        form("amount", "{amount:count}", "A whole number.", "60"),
        form(
          "computed",
          "{value:expr}",
          "An expression over `it`, the row that Per names: with `caller` that of the caller.",
          "`it.dailyLimit`",
        ),
      ]),
      column(
        "Window",
        [
          form(
            "sliding",
            "{time:duration}, sliding",
            "The last so long, at every moment.",
            "1 min, sliding",
          ),
          form(
            "fixed",
            "{time:duration}, fixed",
            "Windows that begin at multiples of it since 1970-01-01T00:00:00Z.",
            "1 h, fixed",
          ),
          form("day", "day in {zone:expr}", "Calendar days in a zone.", 'day in `"UTC"`'),
        ],
        { none: { usedBy: ["retry time"] } },
      ),
      column("When passed", [
        form(
          "retry",
          "{error:word} with `Retry-After`",
          "The error, with the seconds until a request may pass (RFC 9110 section 10.2.3).",
          "`slow_down` with `Retry-After`",
        ),
        form("error", "{error:word}", "The error.", "`slow_down`"),
      ]),
    ],
  },
  {
    id: "compatibility",
    in: ["versioning"],
    means: "Whether a change of the closed list may come without breaking callers.",
    columns: [
      column("Change", [
        silent(
          COMPARED,
          "change",
          "{change:text}",
          "A change of the closed list.",
          "member added to an answer",
        ),
      ]),
      column("Compatible", comparedYesNo, { free: true }),
    ],
  },
  {
    id: "history",
    in: ["versioning"],
    toldApartBy: ["Version", "Item", "Change"],
    means: "What changed when.",
    columns: [
      column("Version", noteCell),
      column("Item", noteCell),
      column("Change", [
        silent(PEOPLE, "text", "{text:text}", "For people.", "no longer read in lists"),
      ]),
      column("Breaks callers", comparedYesNo),
    ],
  },
  {
    id: "deprecations",
    in: ["versioning"],
    means: "What will go, and what comes instead.",
    columns: [
      column("Item", noteCell),
      column("Deprecated on", [form("date", "{date:literal}", "A date.", "2026-10-01")]),
      column("Removed on", [form("date", "{date:literal}", "A date.", "2027-04-01")], {
        none: { unused: "it is not said when it goes" },
      }),
      column("Instead", noteCell, { none: { unused: "nothing takes its place" } }),
    ],
  },
];
