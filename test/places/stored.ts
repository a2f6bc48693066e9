/** Places in which a value is kept: a field, and members of parts of all kinds. */
import { type Document, FIELDS, INPUTS, table } from "./frame.ts";
import { neededType, type Slot } from "./slot.ts";
import { ask, type CaseStep, type Expected, RESTARTS, shownAs } from "./traffic.ts";

export interface Case {
  readonly document: Document;
  readonly steps: readonly CaseStep[];
  readonly settings?: Readonly<Record<string, string>>;
  /** Whether code is behind calls that says what it was given. */
  readonly echoes?: boolean;
  /** With what a field starts that may be left out: an expression. */
  readonly starts?: string;
  /** For each resource rows, each field as JSON text. */
  readonly startRows?: Readonly<Record<string, readonly Readonly<Record<string, string>>[]>>;
}

/** How the member of a thing that holds the value is made. */
export interface Holder {
  /** Name of the member of `Thing`. */
  readonly member: string;
  /** Type of the member; undefined: the slot's own. */
  readonly type?: string;
  readonly update?: "optional" | "merged";
  readonly rules?: string;
  /** Headings of parts, with `ROW` where the slot's row stands. */
  readonly parts: string;
  /** An expression for the member around the value's literal. */
  literal(inner: string): string;
  /** JSON of the member around the text `"v":...`, which may be empty. */
  around(inner: string): string;
}

export const SIBLING = "| `k` | integer or absent | optional | optional | yes | 0 to 9 |";
const PART_TABLE = (name: string, rows: readonly string[]): string =>
  `### \`${name}\`, a part\n\n${table(FIELDS, rows)}\n`;

export const HOLDERS: Readonly<Record<string, Holder>> = {
  field: { member: "v", parts: "", literal: (inner) => inner, around: (inner) => inner },
  part: {
    member: "p",
    type: "`Part`",
    parts: PART_TABLE("Part", ["ROW", SIBLING]),
    literal: (inner) => `{"v": ${inner}}`,
    around: (inner) => `"p":{${inner}}`,
  },
  "merged part": {
    member: "p",
    type: "`Part`",
    update: "merged",
    parts: PART_TABLE("Part", ["ROW", SIBLING]),
    literal: (inner) => `{"v": ${inner}}`,
    around: (inner) => `"p":{${inner}}`,
  },
  "optional part": {
    member: "p",
    type: "`Part` or null or absent",
    parts: PART_TABLE("Part", ["ROW", SIBLING]),
    literal: () => "null",
    around: (inner) => `"p":{${inner}}`,
  },
  "part in a part": {
    member: "p",
    type: "`Outer`",
    parts: `${PART_TABLE("Outer", ["| `q` | `Part` | required | required | yes | none |"])}${PART_TABLE("Part", ["ROW", SIBLING])}`,
    literal: (inner) => `{"q": {"v": ${inner}}}`,
    around: (inner) => `"p":{"q":{${inner}}}`,
  },
  "part in a list": {
    member: "p",
    type: "list of `Part`",
    rules: "in the order given",
    parts: PART_TABLE("Part", ["ROW", SIBLING]),
    literal: () => "[]",
    around: (inner) => `"p":[{${inner}},{${inner}}]`,
  },
  "part in a map": {
    member: "p",
    type: "map of `Part`",
    parts: PART_TABLE("Part", ["ROW", SIBLING]),
    literal: () => "{}",
    around: (inner) => `"p":{"one":{${inner}}}`,
  },
  "part in a merged map": {
    member: "p",
    type: "map of `Part`",
    update: "merged",
    parts: PART_TABLE("Part", ["ROW", SIBLING]),
    literal: () => "{}",
    around: (inner) => `"p":{"one":{${inner}}}`,
  },
  "part in itself": {
    member: "p",
    type: "`Part`",
    parts: PART_TABLE("Part", [
      "ROW",
      SIBLING,
      "| `next` | `Part` or absent | optional | optional | yes | none |",
    ]),
    literal: (inner) => `{"v": ${inner}}`,
    around: (inner) => `"p":{${inner}${inner === "" ? "" : ","}"next":{${inner}}}`,
  },
  "part in a list in itself": {
    member: "p",
    type: "`Part`",
    parts: PART_TABLE("Part", [
      "ROW",
      SIBLING,
      "| `next` | list of `Part` | required | required | yes | in the order given |",
    ]),
    literal: (inner) => `{"v": ${inner}, "next": []}`,
    around: (inner) =>
      `"p":{${inner}${inner === "" ? "" : ","}"next":[{${inner}${inner === "" ? "" : ","}"next":[]}]}`,
  },
};

const given = (column: string): string =>
  column === "required when" ? "required when `has(body.k) && body.k == 1`" : column;
const shownTo = (read: string): string => (read === "actors" ? "`auditor`" : read);

/** The slot's row of a field table. */
export function fieldRow({ type, columns, rules }: Slot): string {
  const { create, update, read } = columns;
  return `| \`v\` | ${type} | ${given(create)} | ${given(update)} | ${shownTo(read)} | ${rules.length === 0 ? "none" : rules.join("; ")} |`;
}

function thing(slot: Slot, holder: Holder): string {
  const row = fieldRow(slot);
  const isOwn = holder.type === undefined;
  return `${holder.parts.replace("ROW", row)}
### \`Thing\`, many \`things\`

- Rows at the start: none

${table(FIELDS, [
  "| `code` | string | required | no | yes | key; unique, else `taken` |",
  isOwn
    ? row
    : `| \`${holder.member}\` | ${holder.type} | ${holder.type?.includes("absent") ? "optional" : "required"} | ${holder.update ?? "optional"} | yes | ${holder.rules ?? "none"} |`,
  ...(isOwn ? [SIBLING] : []),
])}`;
}

function memberType(slot: Slot, holder: Holder): string {
  return holder.type?.replace(/ or absent$/, "") ?? neededType(slot);
}

const PATH = "- Path `code`: `thing`, the `Thing` by `code`, else `not_found`\n";

/** A step that keeps what a row has a second time. */
const COPY = (
  member: string,
): string => `### \`POST /things/{code}/copy\`: another one that is alike

${PATH}
${table(INPUTS, ["| `code` | body | string | yes | none |"])}
1. Create a \`Thing\` as \`other\` with \`code\` = \`body.code\` and \`${member}\` = \`thing.${member}\`.
2. Respond \`201\` with \`Thing\` of \`other\`.
`;

/** With what the member of a thing can start; undefined: its type has no literal. */
function startsWith(slot: Slot, holder: Holder): string | undefined {
  if (holder.type === undefined && slot.isNullable) return "null";
  const constant = holder.literal("");
  if (constant === "null" || constant === "[]" || constant === "{}") return constant;
  return slot.literal === undefined ? undefined : holder.literal(slot.literal.expression);
}

/** The range of a field of 64 bits: what a client chooses for it is to have the same one. */
function rangeOf(slot: Slot, holder: Holder): string | undefined {
  if (holder.type !== undefined || !slot.type.startsWith("integer")) return undefined;
  return slot.rules.find((one) => /^\S+ to \S+$/.test(one));
}

function endpoints(slot: Slot, holder: Holder): string {
  const { member } = holder;
  const type = memberType(slot, holder);
  const stepOnly = holder.type === undefined && slot.isMade;
  const isBare = holder.type === undefined && (slot.isAbsentable || slot.isFilled || slot.isMade);
  // What may be left out and has no literal to start with cannot be set as a whole.
  const isOwn = holder.type === undefined;
  const isLeftOut = isOwn && (slot.isAbsentable || slot.isFilled);
  const isNeeded = isOwn && ["required", "no"].includes(slot.columns.update);
  const isReplaced = isLeftOut || isNeeded || startsWith(slot, holder) !== undefined;
  const body = (rows: readonly string[]): string => table(INPUTS, rows);
  const path = PATH;
  const given = `| \`${member}\` | body | ${type} | yes | ${rangeOf(slot, holder) ?? "none"} |`;
  // What is kept of a secret is a hash, which cannot be kept a second time.
  const isHashed =
    holder.type === undefined &&
    slot.isSecret &&
    !slot.rules.some((one) => one.includes("as it is"));
  return `### \`POST /things\`: one more

- Body: new \`Thing\`

1. Create a \`Thing\` as \`thing\` from \`body\`.
2. Respond \`201\` with \`Thing\` of \`thing\`.

${
  stepOnly
    ? ""
    : `### \`POST /made\`: one more by a step

${body(["| `code` | body | string | yes | none |", given])}
1. Create a \`Thing\` as \`thing\` with \`code\` = \`body.code\` and \`${member}\` = \`body.${member}\`.
2. Respond \`201\` with \`Thing\` of \`thing\`.

### \`PUT /things/{code}/own\`: its value by a step

${path}
${body([given])}
1. Set \`thing.${member}\` = \`body.${member}\`.
2. Respond \`200\` with \`Thing\` of \`thing\`.

${isHashed ? "" : COPY(member)}`
}
${
  isBare
    ? `### \`POST /bare\`: one without it

${body(["| `code` | body | string | yes | none |"])}
1. Create a \`Thing\` as \`thing\` with \`code\` = \`body.code\`.
2. Respond \`201\` with \`Thing\` of \`thing\`.
`
    : ""
}
### \`PATCH /things/{code}\`: change some

- Body: changed \`Thing\`
${path}
1. Set \`thing\` from \`body\`, given members only.
2. Respond \`200\` with \`Thing\` of \`thing\`.

${
  isReplaced
    ? `### \`PUT /things/{code}\`: change all

- Body: changed \`Thing\`
${path}
1. Set \`thing\` from \`body\`, every member.
2. Respond \`200\` with \`Thing\` of \`thing\`.
`
    : ""
}
### \`GET /things\`: all

1. Let \`found\` be every \`Thing\`.
2. Order \`found\` by \`it.code\` ascending.
3. Respond \`200\` with list of \`Thing\` of \`found\`.

### \`GET /things/{code}\`: one

${path}
1. Respond \`200\` with \`Thing\` of \`thing\`.

### \`DELETE /things/{code}\`: one less

${path}
1. Delete \`thing\`.
2. Respond \`204\` with no body.
`;
}

const member = (json: string): string => `"v":${json}`;

/** What the tables say of a new thing whose member is given as that text. */
function madeWith(slot: Slot, inner: string | undefined, isOptional: boolean): Expected {
  if (inner === undefined && isOptional) return { status: 201 };
  const { create } = slot.columns;
  if (inner === undefined) {
    if (create === "required") return { status: 400, condition: "absent" };
    return slot.isAbsentable || slot.isFilled || slot.isMade || create === "no" ? {} : {};
  }
  if (create === "no") return { status: 400, condition: "not settable" };
  return { status: 201 };
}

function making(slot: Slot, holder: Holder): CaseStep[] {
  const { around } = holder;
  const isOptional = holder.type?.includes("absent") === true;
  const steps: CaseStep[] = [];
  const post = (
    code: string,
    inner: string | undefined,
    expected: Expected,
    to = "/things",
  ): void => {
    const rest = around(inner ?? "");
    steps.push(ask("POST", to, `{"code":"${code}"${rest === "" ? "" : ","}${rest}}`, expected));
  };
  for (const [i, { json, shown }] of slot.right.entries()) {
    const expected = madeWith(slot, json, false);
    const seen = expected.status === 201 ? shownAs(slot, shown ?? json, "made") : {};
    post(`c${i}`, member(json), { ...seen, ...expected });
  }
  post("none", undefined, isOptional ? {} : madeWith(slot, undefined, isOptional));
  post("when", `"k":1`, {});
  post("when2", `"k":2`, {});
  for (const [i, [json, condition]] of slot.wrong.entries()) {
    if (slot.columns.create !== "no") post(`w${i}`, member(json), { status: 400, condition });
  }
  if (isOptional) steps.push(ask("POST", "/things", '{"code":"bare"}', { status: 201 }));
  if (isOptional) steps.push(ask("POST", "/things", `{"code":"nil","${holder.member}":null}`, {}));
  for (const [i, { json }] of slot.right.entries()) post(`s${i}`, member(json), {}, "/made");
  post("s-none", undefined, {}, "/made");
  for (const [i, [json]] of slot.wrong.entries()) post(`sw${i}`, member(json), {}, "/made");
  steps.push(ask("POST", "/made", '{"code":"s-bare"}', {}));
  steps.push(ask("POST", "/bare", '{"code":"b1"}', {}));
  steps.push(ask("POST", "/things/c0/copy", '{"code":"copy"}', {}));
  return steps;
}

function shutting(slot: Slot, { type }: Holder): CaseStep[] {
  const code = type === undefined ? "c0" : "o1";
  return slot.needs === "machine"
    ? [ask("POST", `/shut/${code}`), ask("POST", `/shut/${code}`)]
    : [];
}

function reading(): CaseStep[] {
  return [
    ask("GET", "/things", undefined, { status: 200 }),
    ask("GET", "/things/c0"),
    ask("GET", "/things/s0"),
  ];
}

function changing(slot: Slot, { around, member: name }: Holder, on: string): CaseStep[] {
  const [first, second] = slot.right.map(({ json }) => member(json));
  const wrong = slot.wrong.slice(0, 2).map(([json]) => member(json));
  const bodies = [second, first, "", '"k":2', ...wrong].map((inner) => `{${around(inner ?? "")}}`);
  return [
    ...bodies.flatMap((body) => [
      ask("PATCH", `/things/${on}`, body),
      ask("GET", `/things/${on}`),
      ask("PUT", `/things/${on}`, body),
      ask("PUT", `/things/${on}/own`, body),
    ]),
    ask("PATCH", `/things/${on}`, "{}"),
    ask("PATCH", `/things/${on}`, `{"${name}":null}`),
    ask("PUT", `/things/${on}`, "{}"),
    ask("PATCH", `/things/${on}`, `{"k":1}`),
    ask("PATCH", `/things/${on}`, `{"${name}":{"v":null}}`),
    ask("GET", `/things/${on}`),
  ];
}

/** The same in short: of a row that a step has made, and of one that was there at a start. */
function changingAgain(slot: Slot, { around }: Holder, on: string): CaseStep[] {
  const [, second] = slot.right.map(({ json }) => member(json));
  const [bad] = slot.wrong.map(([json]) => member(json));
  const [body, wrong] = [second, bad].map((inner) => `{${around(inner ?? "")}}`);
  return [
    ask("PATCH", `/things/${on}`, body),
    ask("PUT", `/things/${on}/own`, body),
    ask("PUT", `/things/${on}`, wrong),
    ask("PUT", `/things/${on}`, "{}"),
    ask("GET", `/things/${on}`),
  ];
}

/** Rows that are referred to are changed and deleted, and one is named that is not there. */
function referring(slot: Slot, { around }: Holder): CaseStep[] {
  if (slot.needs !== "rows") return [];
  const named = slot.right[0]?.json.replaceAll('"o1"', '"nobody"') ?? "";
  return [
    ask("POST", "/things", `{"code":"r1",${around(member(named))}}`),
    ask("POST", "/made", `{"code":"r2",${around(member(named))}}`),
    ask("PATCH", "/others/o1", '{"word":"uno"}'),
    ...reading(),
    ask("DELETE", "/others/o1"),
    ask("DELETE", "/others/o3"),
    ...reading(),
    ask("POST", "/things", `{"code":"r3",${around(member(slot.right[0]?.json ?? ""))}}`),
  ];
}

const as = (name: string): readonly [string, string] => [
  "Authorization",
  `Basic ${Buffer.from(`${name}:x`).toString("base64")}`,
];

/** What a type needs besides: states, events. */
export function surroundings({ needs, type }: Slot, isField: boolean): Partial<Document> {
  const isHeld = isField && /^state\b/.test(type);
  return {
    ...(needs === "machine" ? { machine: isHeld ? ("Thing" as const) : ("Other" as const) } : {}),
    ...(needs === "events" ? { hasEvents: true } : {}),
  };
}

export function storedCase(slot: Slot, holder: Holder): Case {
  const auditing = slot.columns.read === "actors";
  const starts = startsWith(slot, holder);
  const all = ask("GET", "/things", undefined, {}, { headers: [as("o1")] });
  const other = ask("GET", "/things", undefined, {}, { headers: [as("o2")] });
  return {
    document: {
      resources: thing(slot, holder),
      stateless: ["Thing"],
      endpoints: endpoints(slot, holder),
      isAudited: auditing,
      ...surroundings(slot, holder.type === undefined),
    },
    ...(starts === undefined ? {} : { starts }),
    steps: [
      ...making(slot, holder),
      ...reading(),
      ...shutting(slot, holder),
      ...changing(slot, holder, "c0"),
      ...changingAgain(slot, holder, "s1"),
      ...(auditing ? [all, other] : []),
      ...RESTARTS.flatMap((one) => [one, ...reading()]),
      ...changingAgain(slot, holder, "c1"),
      ...referring(slot, holder),
      { is: "restart", how: "stop" },
      ...reading(),
      ask("DELETE", "/things/c0"),
      ...reading(),
    ],
  };
}
