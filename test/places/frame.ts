/** The document around a cell: nine parts, a resource to refer to, errors that tell what failed. */
import { failureConditions } from "../../src/language/index.ts";

export interface Document {
  readonly about?: readonly string[];
  /** Text of the part on resources, besides the frame's own. */
  readonly resources: string;
  /** Resources above that have no states. */
  readonly stateless: readonly string[];
  readonly endpoints: string;
  /** Body format of the whole document, as the bullet has it. */
  readonly format?: string;
  /** Part 3: of which resource the states are; undefined: there are none. */
  readonly machine?: "Thing" | "Other";
  /** Whether there are events, with names. */
  readonly hasEvents?: boolean;
  /** Further rows of the event table. */
  readonly events?: readonly string[];
  /** Whether callers are known, one of them an auditor. */
  readonly isAudited?: boolean;
}

/** Conditions that have no name to put into the error. */
const NAMELESS = new Set(["other media type", "body absent", "malformed body", "malformed query"]);
/** Those that need something which no cell has. */
const UNMET = new Set(["no version", "unknown version", "time passed", "not permitted"]);
const OWN: Readonly<Record<string, string>> = {
  "unknown path": "`not_found`",
  "unknown method": "`not_found`",
  "fault inside": "`fault`",
};

/** What answers a condition. */
export const refusalOf = (name: string): string =>
  OWN[name] ?? (NAMELESS.has(name) ? "`invalid`" : "`invalid` on its name");

/** A row for every condition: one that can never occur is a warning alone. */
export const failureRows = (): readonly string[] =>
  failureConditions
    .filter(({ name }) => !UNMET.has(name) && !name.includes("credentials"))
    .map(({ name }) => `| ${name} | ${refusalOf(name)} |`);

/** A table under a header. */
export function table(header: string, rows: readonly string[]): string {
  const columns = header.split("|").length - 2;
  return `${header}\n|${"---|".repeat(columns)}\n${rows.join("\n")}\n`;
}

export const FIELDS = "| Field | Type | Create | Update | Read | Rules |";
export const INPUTS = "| Input | In | Type | Needed | Rules |";
export const MEMBERS = "| Field | Type | Value |";

/** A resource to refer to, with two rows, a view of it, and a way to delete a row. */
const other = (hasState: boolean): string => `### \`Other\`, many \`others\`

- Rows at the start: block \`others\`

${table(FIELDS, [
  "| `code` | string | required | no | yes | key; unique, else `taken` |",
  "| `word` | string | required | optional | yes | none |",
  ...(hasState ? ["| `s` | state | no | no | yes | none |"] : []),
])}
\`\`\`json rows others
[{"code": "o1", "word": "one"}, {"code": "o2", "word": "two"}, {"code": "o3", "word": "three"}]
\`\`\`

### \`OtherView\`, a view of \`Other\`

${table(MEMBERS, ["| `is` | string | `it.word` |", "| `code` | string | `it.code` |"])}
### \`Inner\`, a part

${table(FIELDS, [
  "| `x` | integer | required | required | yes | none |",
  "| `y` | string or absent | optional | optional | yes | none |",
])}`;

const FIRE = (resource: string): string => `### \`POST /shut/{code}\`: shut it

- Body: none
- Path \`code\`: \`one\`, the \`${resource}\` by \`code\`, else \`not_found\`

1. Fire \`close\` on \`one\`.
2. Respond \`200\` with \`${resource}\` of \`one\`.
`;

const EMIT = `### \`POST /told/{code}\`: tell of it

- Body: none
- Path \`code\`: \`one\`, the \`Other\` by \`code\`, else \`not_found\`

1. Emit \`thing.made\` of \`one\`.
2. Emit \`thing.gone\` of \`one\`.
3. Respond \`204\` with no body.
`;

const OTHER_ENDPOINTS = `### \`POST /others\`: one more

- Body: new \`Other\`

1. Create an \`Other\` as \`other\` from \`body\`.
2. Respond \`201\` with \`Other\` of \`other\`.

### \`PATCH /others/{code}\`: another word

- Body: changed \`Other\`
- Path \`code\`: \`other\`, the \`Other\` by \`code\`, else \`not_found\`

1. Set \`other\` from \`body\`, given members only.
2. Respond \`200\` with \`Other\` of \`other\`.

### \`DELETE /others/{code}\`: one less

- Path \`code\`: \`other\`, the \`Other\` by \`code\`, else \`not_found\`

1. Delete \`other\`.
2. Respond \`204\` with no body.
`;

function stateless({ machine, stateless: names }: Document): string {
  const all = ["Other", ...names].filter((one) => one !== machine);
  return all.length === 0 ? "" : `- No states: ${all.map((one) => `\`${one}\``).join(", ")}\n`;
}

const machineText = (resource: "Thing" | "Other"): string => `### \`${resource}\`

- Held in: \`${resource === "Thing" ? "v" : "s"}\`
- States: \`open\` (initial), \`shut\`
- Any other transition: refused with \`taken\`

${table("| Transition | From | To | On | When | Then |", [
  "| `close` | `open` | `shut` | step | none | none |",
])}`;

function eventText({ hasEvents = false, events = [] }: Document): string {
  const rows = [
    ...events,
    ...(hasEvents
      ? [
          "| `thing.made` | `Other` | none | none |",
          "| `thing.gone` | `Other` | `OtherView` of `it` | none |",
        ]
      : []),
  ];
  if (rows.length === 0) return "Events, notifications and callbacks: none.";
  return `Notifications and callbacks: none.\n\n${table("| Event | About | Data | Sent to |", rows)}`;
}

const SCHEME = `Token handling: none.

### \`keys\`, a scheme

- Sent in: HTTP Basic
- Credential: user name and password
- Caller: the \`Other\` where \`it.code == username\`, else \`invalid\`
- Revocation: none

${table("| Actor | Holds when |", ["| `anyone` | always |", '| `auditor` | `caller.word == "one"` |'])}`;

/** The whole text; what is silent in it is answered afterwards. */
export function documentText(made: Document, failures: readonly string[]): string {
  return `# A cell

## What the service does

It keeps one thing in one place.

- Base path: none
- Body format: \`${made.format ?? "application/json"}\`
- One request: all or nothing, as if alone
- Timestamps: in milliseconds
- Cross-origin: none
${(made.about ?? []).join("\n")}

## Resources and their fields

${other(made.machine === "Other")}
${made.resources}
## States and transitions

${made.machine === undefined ? "States and transitions: none.\n\n" : ""}${stateless(made)}
${made.machine === undefined ? "" : machineText(made.machine)}
## Endpoints

### Every endpoint

- Who: ${made.isAudited === true ? "`anyone`, `auditor`" : "none"}

${made.isAudited === true ? "1. Check the caller.\n2. Check the inputs.\n3. Check the paths." : "1. Check the inputs.\n2. Check the paths."}

${OTHER_ENDPOINTS}
${made.machine === undefined ? "" : FIRE(made.machine)}
${made.hasEvents === true ? EMIT : ""}
${made.endpoints}
## Authentication

${made.isAudited === true ? SCHEME : "Authentication scheme, credentials, headers and token handling: none."}

## Events

${eventText(made)}

## Errors

${table("| Error | Status | Body |", [
  "| `invalid` | 400 | `Problem` |",
  "| `taken` | 409 | `Problem` |",
  "| `in_use` | 409 | `Problem` |",
  "| `not_found` | 404 | `Problem` |",
  "| `fault` | 500 | `Problem` |",
])}
${table("| Failure | Error |", failures)}
- Failures reported: all

### \`Problem\`, a shape

- Content type: \`application/problem+json\`

${table(MEMBERS, [
  "| `error` | string | `error.name` |",
  "| `on` | string or null | `field` |",
  "| `conditions` | list of string | `failures.map(f, f.condition)` |",
  "| `fields` | list of string or null | `failures.map(f, f.field)` |",
])}
## Limits

Rate limits, size limits, time-outs and quotas: none.

## Versioning

- This version: none
- Chosen by: none

Compatibility rules: none.
`;
}
