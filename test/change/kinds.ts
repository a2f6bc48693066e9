/* data table */
/**
 * For each kind of type a value, and for each kind of rule a type, values that fit and values that
 * do not: of these tables edits are made. A kind of the plan without a row does not compile.
 */
import type { BaseType, Rule } from "../../src/plan/index.ts";
import { document as frame } from "../run/document.ts";

/** A type as a document writes it, with a value of it as it is sent; undefined: it is left out. */
export interface TypeSample {
  readonly type: string;
  readonly value: unknown;
}

const of = (type: string, value: unknown): TypeSample => ({ type, value });

/** Kinds of which no client gives a value have a reason: the edits of the base document do. */
export const TYPES: Readonly<Record<BaseType["kind"], readonly TypeSample[] | string>> = {
  boolean: [of("boolean", true)],
  number: [of("number", 1.5)],
  integer: [of("integer", 7), of("integer as string", "7")],
  decimal: [of("decimal 2", 4.57), of("decimal 4", 4.57), of("decimal 2 as string", "4.57")],
  string: [of("string", "abc"), of("string or null", null), of("string or absent", undefined)],
  date: [of("date", "2026-01-02")],
  timestamp: [
    of("timestamp", "2026-01-02T03:04:05Z"),
    of("timestamp in seconds", "2026-01-02T03:04:05Z"),
    of("timestamp as unix seconds", 1_767_323_045),
  ],
  duration: [of("duration", "PT1H30M")],
  "time zone": [of("time zone", "Europe/Berlin")],
  email: [of("email", "a@b.example")],
  uri: [of("uri", "https://b.example/a")],
  uuid: [of("uuid", "0190f3a4-7e1c-7cc3-98c4-dc0c0c07398f")],
  json: [of("json", { a: [1, null] })],
  schema: [of('schema `{"type": "object"}`', { a: [1, null] })],
  secret: [of("secret", "hidden")],
  "one of": [of("one of `x`, `y`", "x"), of("one of `x`, `z`", "x")],
  list: [of("list of string", ["a", "b"]), of("list of integer", [1, 2])],
  map: [of("map of string", { k: "v" }), of("map of decimal 1", { k: 1.5 })],
  structure: [of("`Box`", { wide: 3 }), of("`Crate`", { wide: "3" })],
  reference: [of("`Team`", "red"), of("`Team` or null", "red")],
  "event name": [of("event name", "thing.made")],
  "error name": [of("error name", "gone")],
  file: "A file is the whole of a body: edits of it change no form of what is kept.",
  id: "The service makes it: another prefix is an edit of the base document.",
  state: "Transitions set it: states are edits of the base document.",
};

/** What an edit by a rule is to come to. */
export interface RuleSample {
  readonly type: string;
  /** Rules that stand there before and after, such as how a secret is kept. */
  readonly beside?: string;
  readonly rule: string;
  /** Values of rows with which a document that has the rule takes the store over. */
  readonly fits: readonly unknown[];
  /** Values of rows of which one does not fit. */
  readonly not?: readonly unknown[];
  /** It says how a value is kept: with rows it is refused, whatever they are. */
  readonly isForm?: true;
}

export const RULES: Readonly<Record<Rule["kind"], RuleSample | string>> = {
  characters: { type: "string", rule: "2 to 3 characters", fits: ["abc"], not: ["abc", "abcd"] },
  items: { type: "list of string", rule: "1 to 2 items", fits: [["a"]], not: [["a", "b", "c"]] },
  range: { type: "integer", rule: "`1` to `5`", fits: [1, 5], not: [3, 6] },
  matches: { type: "string", rule: "matches `[a-c]+`", fits: ["abc"], not: ["abd"] },
  scheme: {
    type: "uri",
    rule: "scheme `https`",
    fits: ["https://b.example/"],
    not: ["ftp://b.example/"],
  },
  "different items": {
    type: "list of string",
    rule: "different items",
    fits: [["a", "b"]],
    not: [["a", "a"]],
  },
  "at least one member": {
    type: "map of string",
    rule: "at least one member",
    fits: [{ k: "v" }],
    not: [{}],
  },
  "not empty": { type: "string", rule: "not empty", fits: ["a"], not: [""] },
  "empty becomes null": {
    type: "string or null",
    rule: "empty becomes null",
    fits: ["a", null],
    not: [""],
  },
  "empty means absent": {
    type: "string or absent",
    rule: "empty means absent",
    fits: ["a", undefined],
    not: [""],
  },
  trimmed: { type: "string", rule: "trimmed", fits: ["a b"], not: [" a"] },
  holds: { type: "integer", rule: "holds `value != 3`, else `bad`", fits: [2], not: [2, 3] },
  unique: { type: "string", rule: "unique, else `taken`", fits: ["a", "b"], not: ["a", "a"] },
  "counts up": { type: "integer", rule: "counts up from 1", fits: [1, 7], not: [2, 2] },
  starts: { type: "string", rule: 'starts `"s"`', fits: ["a"] },
  set: { type: "timestamp", rule: "set to `now` on update", fits: ["2026-01-02T03:04:05Z"] },
  random: { type: "string", rule: "16 random bytes as hex", fits: ["a"] },
  "when gone": { type: "`Team`", rule: "deleted with it", fits: ["red"] },
  "kept as": {
    type: "secret",
    rule: "kept as SHA-256",
    beside: "kept as it is",
    fits: ["a"],
    isForm: true,
  },
  order: { type: "list of string", rule: "in ascending order", fits: [["a", "b"]], isForm: true },
  key: "The field by which rows are named is an edit of the base document.",
  "absent means": "It stands at inputs alone, and is about no value that is kept.",
  gap: "Rules that are not shown say nothing of a value that is kept.",
};

/** A document in which one field has the type and the rules. */
export function thing(type: string, rules: string, create = "required"): string {
  const read = type.startsWith("secret") ? "no" : "yes";
  const given = type.includes("or absent") ? "optional" : create;
  return frame({
    resources: `### \`Thing\`, many \`things\`

- Missing \`f\`: \`gone\`

| Field | Type | Create | Update | Read | Rules |
|---|---|---|---|---|---|
| \`id\` | id | no | no | yes | none |
| \`f\` | ${type} | ${given} | no | ${read} | ${rules} |

### \`Team\`, many \`teams\`

| Field | Type | Create | Update | Read | Rules |
|---|---|---|---|---|---|
| \`name\` | string | required | no | yes | key; unique, else \`taken\` |

### \`Box\`, a part

| Field | Type | Create | Update | Read | Rules |
|---|---|---|---|---|---|
| \`wide\` | integer | required | no | yes | none |

### \`Crate\`, a part

| Field | Type | Create | Update | Read | Rules |
|---|---|---|---|---|---|
| \`wide\` | string | required | no | yes | none |`.replace(
      type.includes("Team") ? "#" : "- Missing `f`: `gone`\n\n",
      type.includes("Team") ? "#" : "",
    ),
    states: "- No states: `Thing`, `Team`",
    endpoints: `### \`POST /teams\`

- Body: new \`Team\`

1. Create a \`Team\` as \`team\` from \`body\`.
2. Respond \`201\` with \`Team\` of \`team\`.

### \`POST /things\`

- Body: new \`Thing\`

1. Create a \`Thing\` as \`thing\` from \`body\`.
2. Emit \`thing.made\` of \`thing\`.
3. Respond \`201\` with \`Thing\` of \`thing\`.

### \`GET /things\`

1. Respond \`200\` with list of \`Thing\` of \`things\`.`,
    events: `| Event | About | Data | Sent to |
|---|---|---|---|
| \`thing.made\` | \`Thing\` | none | none |`,
  });
}
