/* data table */
/** The findings of the checker: what each means, how to mend it, a wrong and a right sample. */
import type { CodeEntry } from "../base/index.ts";
import { reviewCodes } from "./review-codes.ts";

/** Every code that is found behind the block reader, in the order of the reference. */
export const checkCodes = {
  silent: {
    severity: "error",
    topic: "gaps",
    why: "What a document leaves out, each builder fills in another way, and clients come to rely on it. Here it is asked for, and as long as nobody answers, a request that depends on it gets `501`.",
    title: "Nothing is said of this",
    meaning:
      "A facet of a part, or a question that a construct raises, has no answer. Nothing is inferred, so the service cannot answer what depends on it.",
    mend: "State it, or record the gap with `not shown`; `lacuna check --fix` does the latter.",
    wrong: "- Body format: `application/json`\n- One request: all or nothing, as if alone",
    right:
      "- Base path: none\n- Body format: `application/json`\n- One request: all or nothing, as if alone",
  },
  gap: {
    severity: "gap",
    topic: "gaps",
    title: "This is not shown",
    meaning:
      "A recorded gap. Where an answer of the service depends on it, the service answers 501 and names it.",
    mend: "Nothing is wrong: ask the author of the document when you need to know.",
    see: ["in-a-pipeline"],
    wrong: "- Base path: not shown",
    right: "- Base path: none",
  },
  freedom: {
    severity: "note",
    topic: "gaps",
    why: "A client that relies on what is free works until the service chooses otherwise. `serve --shake SEED` makes such choices at random, so that a test can find who relies on one.",
    see: ["pages", "filters"],
    title: "This is left to the service",
    meaning: "Every choice conforms: the document says `free`, or states no order for a list.",
    mend: "State a choice where clients rely on one.",
    wrong: "1. Let `found` be every `Note`.\n2. Respond `200` with list of `Note` of `found`.",
    right:
      "1. Let `found` be every `Note`.\n2. Order `found` by `it.id` ascending.\n3. Respond `200` with list of `Note` of `found`.",
  },
  "grows-with-rows": {
    severity: "note",
    topic: "growth",
    see: ["pages", "counts"],
    title: "Its work grows with the rows",
    meaning:
      "No index with a bounded page answers this: its work grows with the rows that are kept. It is served all the same; a read that is long runs in a thread of its own, and a stated time to answer ends it.",
    mend: "Where there may be many rows: compare fields with `==`, order by fields that are compared or stand behind those in one index, cut a page with `at most`, and bound where it begins by a rule. Else nothing is wrong.",
    wrong:
      "1. Let `found` be every `Note`.\n2. Order `found` by `it.id` ascending.\n3. Respond `200` with list of `Note` of `found`.",
    right:
      "1. Let `found` be every `Note`.\n2. Order `found` by `it.id` ascending.\n3. Let `page` be `found` from `0`, at most `50`.\n4. Respond `200` with list of `Note` of `page`.",
  },
  "failure-class": {
    severity: "note",
    topic: "errors",
    see: ["say-it-once"],
    forms: "failures",
    why: "One row for many conditions is short, and hides the questions that a row for each would have asked. So `check` prints what the row stands for, each time that you look.",
    title: "What this row stands for",
    meaning:
      "A row for every other failure answers each condition that can occur and that no other row of the table names, also one that an edit makes possible later.",
    mend: "Nothing is wrong. Give a condition that is to be answered otherwise a row of its own.",
    wrong: "| every other failure of a value | `invalid` on its name |",
    right: "| absent | `invalid` on its name |\n| null | `invalid` on its name |",
  },
  "no-title": {
    severity: "error",
    topic: "layout",
    title: "The document has no title",
    meaning: "A specification begins with a line `# ` and the name of the service.",
    mend: "Write the title on the first line.",
    wrong: "Notes",
    right: "# Notes",
  },
  "second-title": {
    severity: "error",
    topic: "layout",
    title: "A second title",
    meaning: "A document describes one service and has one `# ` line.",
    mend: "Make it a part (`## `), or take it away.",
    wrong: "# Other notes",
    right: "> Other notes",
  },
  "before-title": {
    severity: "error",
    topic: "layout",
    title: "Something stands above the title",
    meaning: "The title is the first line; only notes in `> ` quotes may stand above it.",
    mend: "Move it below the title.",
    wrong: "Some prose.\n\n# Notes",
    right: "> Some prose.\n\n# Notes",
  },
  "before-parts": {
    severity: "error",
    topic: "layout",
    title: "A statement above the first part",
    meaning: "Between the title and the first part stands prose alone.",
    mend: "Move it below the heading of its part.",
    wrong: "- Base path: none",
    right: "Some prose.",
  },
  "unknown-part": {
    severity: "error",
    topic: "layout",
    forms: "parts",
    title: "This is none of the nine parts",
    meaning: "The nine `## ` headings have fixed titles.",
    mend: "Write one of the nine titles.",
    wrong: "## Endpoint",
    right: "## Endpoints",
  },
  "second-part": {
    severity: "error",
    topic: "layout",
    title: "A part stands here again",
    meaning: "Every part has one heading.",
    mend: "Put everything of the part under one heading.",
    wrong: "## Limits",
    right: "> more limits",
  },
  "part-order": {
    severity: "error",
    topic: "layout",
    forms: "parts",
    title: "The parts are not in their order",
    meaning: "The nine parts stand in one fixed order, so that every reader finds them.",
    mend: "Move the part to its place.",
    wrong:
      "## Versioning\n\nVersioning scheme and compatibility rules: none.\n\n## Limits\n\nRate limits, size limits, time-outs and quotas: none.",
    right:
      "## Limits\n\nRate limits, size limits, time-outs and quotas: none.\n\n## Versioning\n\nVersioning scheme and compatibility rules: none.",
  },
  "heading-level": {
    severity: "error",
    topic: "layout",
    title: "A heading of a level that the notation does not have",
    meaning: "There are three levels: `# ` title, `## ` part, `### ` construct.",
    mend: "Write it as `### `, or as a note in a `> ` quote.",
    wrong: "#### Fields",
    right: "> Fields",
  },
  "unknown-heading": {
    severity: "error",
    topic: "statements",
    forms: "headings",
    title: "This heading has no form of the notation",
    meaning: "What stands under a `### ` heading belongs to the construct that it names.",
    mend: "Write one of the forms that may stand in this part.",
    wrong: "### Tags\n",
    right:
      "### `Tag`, a part\n\n| Field | Type | Create | Update | Read | Rules |\n|---|---|---|---|---|---|\n| `name` | string | required | no | yes | none |",
  },
  "unknown-bullet": {
    severity: "error",
    topic: "statements",
    forms: "bullets",
    title: "This bullet has no form of the notation",
    meaning: "Each scope has a closed list of keys, each with the forms of its value.",
    mend: "Write the nearest known form.",
    wrong: "- Base pth: `/v1`",
    right: "- Base path: `/v1`",
  },
  "unknown-subject": {
    severity: "error",
    topic: "statements",
    forms: "bullets",
    title: "Nothing here has this name",
    meaning: "`none` and `free` can be said of facets of the part and of keys of the scope alone.",
    mend: "Name a facet or a key.",
    wrong: "Rate limit, size limits, time-outs and quotas: none.",
    right: "Rate limits, size limits, time-outs and quotas: none.",
  },
  "not-allowed": {
    severity: "error",
    topic: "statements",
    title: "This cannot be said here",
    meaning: "`none` or `free` means nothing for this key, or the condition cannot be ignored.",
    mend: "Write a value, or `not shown`.",
    wrong: "- Held in: none",
    right: "- Held in: `status`",
  },
  prose: {
    severity: "error",
    topic: "layout",
    title: "Prose where statements stand",
    meaning: "Outside part 1 every sentence is a statement, so that none is overlooked.",
    mend: "Write it in a form of the notation, or as a note in a `> ` quote.",
    wrong: "Limits may come later.\n\nRate limits, size limits, time-outs and quotas: none.",
    right: "> Limits may come later.\n\nRate limits, size limits, time-outs and quotas: none.",
  },
  "unknown-table": {
    severity: "error",
    topic: "statements",
    forms: "tables",
    title: "No table here has this header",
    meaning: "The header tells which table it is; each scope has its own.",
    mend: "Write the header as the reference has it.",
    wrong: "| Name | Type |\n|---|---|\n| `title` | string |",
    right: "> The title is a string.",
  },
  "empty-table": {
    severity: "error",
    topic: "layout",
    title: "A table without rows",
    meaning: "It states nothing.",
    mend: "Write a row, or take it away.",
    wrong: "| Transition | From | To | On | When | Then |\n|---|---|---|---|---|---|",
    right:
      "| Transition | From | To | On | When | Then |\n|---|---|---|---|---|---|\n| `finish` | `open` | `done` | step | none | none |",
  },
  "empty-cell": {
    severity: "error",
    topic: "layout",
    title: "An empty cell",
    meaning: "It could mean none, or that nobody knows.",
    mend: "Write `none`, `not shown`, or a value.",
    wrong: "| `title` | string | required | optional | yes |  |",
    right: "| `title` | string | required | optional | yes | none |",
  },
  "unknown-cell": {
    severity: "error",
    topic: "statements",
    forms: "tables",
    title: "This cell has no form of its column",
    meaning: "Each column has a closed list of forms.",
    mend: "Write the nearest known form.",
    wrong: "| `title` | string | maybe | optional | yes | none |",
    right: "| `title` | string | required | optional | yes | none |",
  },
  "unknown-type": {
    severity: "error",
    topic: "types",
    forms: "types",
    title: "There is no such type",
    meaning: "The types are a closed list.",
    mend: "Write the nearest known type.",
    wrong: "| `title` | text | required | optional | yes | none |",
    right: "| `title` | string | required | optional | yes | none |",
  },
  "unknown-rule": {
    severity: "error",
    topic: "rules",
    forms: "rules",
    title: "There is no such rule",
    meaning: "The rules of a Rules cell are a closed list, joined by `;`.",
    mend: "Write the nearest known form.",
    wrong: "| `title` | string | required | optional | yes | not blank |",
    right: "| `title` | string | required | optional | yes | not empty |",
  },
  "unknown-step": {
    severity: "error",
    topic: "steps",
    forms: "steps",
    title: "There is no such step",
    meaning: "Step sentences are a closed list.",
    mend: "Write the nearest known form.",
    wrong: "1. Remove `note`.\n2. Respond `204` with no body.",
    right: "1. Delete `note`.\n2. Respond `204` with no body.",
  },
  "unknown-condition": {
    severity: "error",
    topic: "steps",
    forms: "conditions",
    title: "There is no such condition",
    meaning:
      "Failure conditions, word forms of conditions and changes between versions are closed lists.",
    mend: "Write the nearest one of the list.",
    wrong: "| fault within | `broken` |",
    right: "| fault inside | `broken` |",
  },
  "unknown-case": {
    severity: "error",
    topic: "steps",
    title: "This is no case",
    meaning: "Below `By` stands one bullet for each value: `value`: step.",
    mend: "Write the literal in a code span, a colon and a step.",
    wrong: "   - open: fire `finish` on `note`.\n   - any other: refuse with `wrong_state`.",
    right: '   - `"open"`: fire `finish` on `note`.\n   - any other: refuse with `wrong_state`.',
  },
  "unknown-block": {
    severity: "error",
    topic: "statements",
    forms: "blocks",
    title: "There is no such block",
    meaning: "Fenced blocks are `http TITLE` and, at a resource, `json rows NAME`.",
    mend: "Write a known info string, or put it into a `> ` quote.",
    wrong: "```sql\nSELECT 1\n```",
    right: "> SELECT 1",
  },
  "step-end": {
    severity: "error",
    topic: "steps",
    why: "The full stop tells a step that ends from one that goes on with nested steps, which has a colon. Without either, the next line could belong to this step or not.",
    forms: "steps",
    title: "A step without its full stop",
    meaning: "Every step sentence ends with a full stop; one with nested steps ends with a colon.",
    mend: "Write the full stop.",
    wrong: "1. Respond `204` with no body",
    right: "1. Respond `204` with no body.",
  },
  "no-steps-here": {
    severity: "error",
    topic: "steps",
    title: "No steps can stand here",
    meaning:
      "Numbered steps stand under an endpoint, under `### Every endpoint` and under named steps.",
    mend: "Move them to an endpoint.",
    wrong: "1. Do nothing.",
    right: "> Nothing is done.",
  },
  "nested-statement": {
    severity: "error",
    topic: "steps",
    title: "Nothing can be nested here",
    meaning: "Only the steps that say so have nested steps or bullets.",
    mend: "Move it out to its own line.",
    wrong: "- Base path: none\n  - Body format: none",
    right: "- Base path: none",
  },
  "empty-block": {
    severity: "error",
    topic: "steps",
    title: "Nothing stands below this",
    meaning: "A step that ends with a colon has steps below it, and named steps have steps.",
    mend: "Write the nested steps, indented by three spaces.",
    wrong: "1. When `true`:\n2. Respond `204` with no body.",
    right: "1. When `true`:\n   1. Delete `note`.\n2. Respond `204` with no body.",
  },
  "unknown-name": {
    severity: "error",
    topic: "names",
    forms: "names",
    title: "There is nothing by this name",
    meaning: "Every name must be declared in the document, or bound before it is used.",
    mend: "Write the name as it is declared.",
    wrong: "1. Respond `200` with `Note` of `nota`.",
    right: "1. Respond `200` with `Note` of `note`.",
  },
  "second-name": {
    severity: "error",
    topic: "names",
    title: "This name is taken",
    meaning: "Two things of one kind cannot have one name.",
    mend: "Give one of the two another name.",
    wrong:
      "| `title` | string | required | optional | yes | none |\n| `title` | string | required | optional | yes | none |",
    right:
      "| `title` | string | required | optional | yes | none |\n| `subtitle` | string | required | optional | yes | none |",
  },
  "second-key": {
    severity: "error",
    topic: "resources",
    why: "References are sent and read as the key. With two of them the same row would have two names, and clients would not know which one to send.",
    title: "A second key",
    meaning: "One field names a row: the one of type `id` or with the rule `key`.",
    mend: "Take one of the two away.",
    wrong:
      "| `title` | string | required | optional | yes | unique, else `wrong_state` on `title`; key |",
    right:
      "| `title` | string | required | optional | yes | unique, else `wrong_state` on `title` |",
  },
  "second-table": {
    severity: "error",
    topic: "layout",
    title: "A second table of one kind",
    meaning: "One table holds all rows of a kind under one heading.",
    mend: "Put all rows into one table.",
    wrong:
      "| Transition | From | To | On | When | Then |\n|---|---|---|---|---|---|\n| `finish` | `open` | `done` | step | none | none |\n\n| Transition | From | To | On | When | Then |\n|---|---|---|---|---|---|\n| `drop` | `open` | `done` | step | none | none |",
    right:
      "| Transition | From | To | On | When | Then |\n|---|---|---|---|---|---|\n| `finish` | `open` | `done` | step | none | none |",
  },
  "second-bullet": {
    severity: "error",
    topic: "layout",
    title: "A second bullet with one key",
    meaning: "This key is stated once under a heading.",
    mend: "Keep the one that is meant.",
    wrong: "- Base path: none\n- Base path: `/v1`",
    right: "- Base path: none",
  },
  syntax: {
    severity: "error",
    topic: "expressions",
    forms: "operators",
    title: "This is no expression",
    meaning: "Expressions are a profile of CEL.",
    mend: "Mend it at the place shown.",
    wrong: "1. Require `1 +`, else `wrong_state`.\n2. Respond `204` with no body.",
    right: "1. Require `1 + 1 == 2`, else `wrong_state`.\n2. Respond `204` with no body.",
  },
  "wrong-type": {
    severity: "error",
    topic: "expressions",
    forms: "operators",
    title: "A value of another type is wanted here",
    meaning: "Types are exact: nothing is converted, and values of two types are never equal.",
    mend: "Write a value of the type that is wanted.",
    wrong: "1. Require `note.title == 3`, else `wrong_state`.\n2. Respond `204` with no body.",
    right: '1. Require `note.title == "3"`, else `wrong_state`.\n2. Respond `204` with no body.',
  },
  unguarded: {
    severity: "error",
    topic: "expressions",
    why: "What is missing for one row or one request would break that request alone, long after the tests have passed. With a guard the document says what happens then.",
    see: ["filters"],
    title: "This may be null or absent",
    meaning: "Reading what is not there would fail in the running service, so it is refused here.",
    mend: "Guard it: `x != null && ...`, `has(x) && ...`, or a When step.",
    wrong:
      '1. Let `other` be the `Note` where `it.id == "1"`, or null.\n2. Require `other.title == "a"`, else `wrong_state`.\n3. Respond `204` with no body.',
    right:
      '1. Let `other` be the `Note` where `it.id == "1"`, or null.\n2. Require `other != null && other.title == "a"`, else `wrong_state`.\n3. Respond `204` with no body.',
  },
  overflow: {
    severity: "error",
    topic: "expressions",
    why: "Who can choose a number can choose the largest one. Without a bound, one request, or one row that it has stored, would fail for everybody who comes to the sum.",
    title: "This may be past the bounds of its type",
    meaning:
      "A client may choose a value so large, or a time so late, that what is made of it is no value of its type any more: 38 digits, years 0001 to 9999, 315,576,000,000 seconds, a finite number. The running service would fail there, so it is refused here.",
    mend: "State a range in the Rules of the input or field that is named, or guard it: `x <= 1000000 && ...`.",
    wrong:
      "1. Let `first` be `int_or_null(note.title)`.\n2. Require `first != null && first + 1 > 0`, else `wrong_state`.\n3. Respond `204` with no body.",
    right:
      "1. Let `first` be `int_or_null(note.title)`.\n2. Require `first != null && first < 1000 && first + 1 > 0`, else `wrong_state`.\n3. Respond `204` with no body.",
  },
  pattern: {
    severity: "error",
    topic: "rules",
    why: "A pattern that can go back may take minutes for one text, and a client chooses the text. RE2 patterns take a time that the length of the text tells.",
    title: "This pattern is not RE2 syntax",
    meaning:
      "Patterns run in time linear in their input, so there are no back-references and no look-around.",
    mend: "Write it without them.",
    wrong: "| `title` | string | required | optional | yes | matches `(a)\\1` |",
    right: "| `title` | string | required | optional | yes | matches `aa` |",
  },
  "no-request": {
    severity: "error",
    topic: "events",
    title: "What is sent here reads a request, and there is none",
    meaning:
      "Views and shapes may read `query`, `header` and `cookie` as the table of `### Every endpoint` states them. Events and calls also come from timers and transitions, where no request is.",
    mend: "Send a view that reads the row alone.",
    wrong: "| `note.done` | `Note` | `Marked` of `it` | stream `feed` |",
    right: "| `note.done` | `Note` | `Note` of `it` | stream `feed` |",
  },
  "hidden-field": {
    severity: "error",
    topic: "resources",
    why: "What is shown once is kept by clients, logs and caches. So a value is shown only through a resource, a view or a shape, where its members are listed and each has been decided on.",
    see: ["totals"],
    title: "This cannot be shown",
    meaning:
      "A secret is never shown, what a request gave is shown member by member, and a payload has no member of type `state` or `secret`.",
    mend: "Show it in another form.",
    wrong: "1. Respond `200` with `path`.",
    right: "1. Respond `200` with `note`.",
  },
  "wrong-rule": {
    severity: "error",
    topic: "rules",
    forms: "rules",
    title: "This rule is not for this type or place",
    meaning: "Each rule is for some types; some are for stored fields and some for inputs.",
    mend: "Take it away, or write the rule that is for this place.",
    wrong: "| `title` | string | required | optional | yes | 1 to 3 items |",
    right: "| `title` | string | required | optional | yes | 1 to 3 characters |",
  },
  "empty-range": {
    severity: "error",
    topic: "rules",
    title: "No value keeps this rule",
    meaning:
      "The least value is above the greatest, in one rule or in two of one field: no value is valid.",
    mend: "Change the two places, or one of the bounds.",
    wrong: "| `title` | string | required | optional | yes | 80 to 1 characters |",
    right: "| `title` | string | required | optional | yes | 1 to 80 characters |",
  },
  "out-of-range": {
    severity: "error",
    topic: "rules",
    why: "The document would store, or send, a value that it refuses from everybody else. The first client that sends back what it got is refused.",
    title: "The document breaks its own rule",
    meaning:
      "A value that the document states (`starts`, `absent means`, `set to`, a Set or Create step) breaks a rule of the field.",
    mend: "Change the value or the rule.",
    wrong: '| `title` | string | optional | optional | yes | 1 to 80 characters; starts `""` |',
    right: '| `title` | string | optional | optional | yes | 1 to 80 characters; starts `"none"` |',
  },
  contradiction: {
    severity: "error",
    topic: "contradictions",
    title: "Two statements exclude each other",
    meaning: "The document says both that something is so and that it is not.",
    mend: "Take one of the two away.",
    wrong:
      "Events, notifications and callbacks: none.\n\n| Event | About | Data | Sent to |\n|---|---|---|---|\n| `note.done` | `Note` | none | none |",
    right: "Events, notifications and callbacks: none.",
  },
  rows: {
    severity: "error",
    topic: "resources",
    why: "Rows at the start are in the store before the first request, and every request reads them as if a step had made them. A row that does not fit its table cannot be stored, so the service would not start.",
    title: "These rows cannot be read",
    meaning:
      "A block `json rows NAME` is a JSON array of objects, each with the fields of the resource.",
    mend: 'Write `[{"field": value}]`.',
    wrong: '- Rows at the start: block `first`\n\n```json rows first\n{"title": "a"}\n```',
    right: "- Rows at the start: none",
  },
  "schema-invalid": {
    severity: "error",
    topic: "types",
    why: "A schema that is none judges nothing: every value would have to be taken, or none. The meta-schema of JSON Schema 2020-12 says what each keyword may hold.",
    title: "This is no JSON Schema",
    meaning:
      "A schema is JSON: an object, `true` or `false`, and each keyword holds what JSON Schema 2020-12 lets it hold.",
    mend: "Write what the hint names.",
    wrong: '### `Age`, a schema\n\n```json schema\n{"type": "int"}\n```',
    right: '### `Age`, a schema\n\n```json schema\n{"type": "integer"}\n```',
  },
  "schema-refused": {
    severity: "error",
    topic: "types",
    why: "A keyword that is passed over would let values in that the schema refuses. What is not expressed is refused by name instead.",
    title: "This keyword of JSON Schema is not expressed",
    meaning:
      "Schemas are in JSON Schema 2020-12, without `$id`, references that are dynamic, vocabularies, and keywords of older drafts that mean something else now.",
    mend: "Write it by other keywords.",
    wrong: '### `Age`, a schema\n\n```json schema\n{"$dynamicRef": "#age"}\n```',
    right: '### `Age`, a schema\n\n```json schema\n{"type": "integer"}\n```',
  },
  "schema-reference": {
    severity: "error",
    topic: "types",
    why: "What a reference leads to is part of the schema. One that leads nowhere, or to another file, leaves open which values are taken.",
    title: "This reference leads to no schema of the document",
    meaning:
      "`#/$defs/NAME` is the schema with that name in its heading; a JSON Pointer into it, or `#` and an `$anchor`, may name a schema inside one.",
    mend: "Write the name of a schema that has a heading.",
    wrong: '### `Age`, a schema\n\n```json schema\n{"$ref": "#/$defs/Years"}\n```',
    right:
      '### `Age`, a schema\n\n```json schema\n{"$ref": "#/$defs/Years"}\n```\n\n### `Years`, a schema\n\n```json schema\n{"type": "integer"}\n```',
  },
  "schema-endless": {
    severity: "error",
    topic: "types",
    why: "To judge a value by this schema, the same value would have to be judged by it first. JSON Schema gives such a schema no meaning.",
    title: "This schema leads back to itself on the same value",
    meaning:
      "A schema may refer to itself from a member or an item of what it describes, since values end; not from where the same value is judged.",
    mend: "Take the reference away, or put it into a member or an item.",
    wrong: '### `Age`, a schema\n\n```json schema\n{"allOf": [{"$ref": "#/$defs/Age"}]}\n```',
    right:
      '### `Age`, a schema\n\n```json schema\n{"properties": {"next": {"$ref": "#/$defs/Age"}}}\n```',
  },
  "initial-state": {
    severity: "error",
    topic: "states",
    title: "Not one initial state",
    meaning: "A new row enters one state.",
    mend: "Mark one state with `(initial)`.",
    wrong: "- States: `open`, `done` (final)",
    right: "- States: `open` (initial), `done` (final)",
  },
  "bad-endpoint": {
    severity: "error",
    topic: "endpoints",
    see: ["nested-paths"],
    title: "This is no method and path",
    meaning: "An endpoint is a method and a path in one code span; a parameter is a whole segment.",
    mend: "Write such as `GET /articles/{slug}`.",
    wrong: "### `GET notes`\n\n1. Respond `204` with no body.",
    right: "### `GET /notes`\n\n1. Respond `204` with no body.",
  },
  "bad-path": {
    severity: "error",
    topic: "endpoints",
    title: "This is no base path",
    meaning: "It begins with `/`, has literal segments, and does not end with `/`.",
    mend: "Write such as `/v1`.",
    wrong: "- Base path: `v1/`",
    right: "- Base path: `/v1`",
  },
  "bad-form": {
    severity: "error",
    topic: "credentials",
    title: "This form has no place for the credential",
    meaning: "The form of a header says where the credential stands in it.",
    mend: "Write `{credential}` where it stands.",
    wrong:
      "### `key`, a scheme\n\n- Sent in: header `Authorization`, form `Bearer`\n- Credential: opaque\n- Caller: not shown\n- Revocation: none",
    right:
      "### `key`, a scheme\n\n- Sent in: header `Authorization`, form `Bearer {credential}`\n- Credential: opaque\n- Caller: not shown\n- Revocation: none",
  },
  "same-request": {
    severity: "error",
    topic: "endpoints",
    see: ["nested-paths"],
    title: "Two endpoints match one request",
    meaning: "Names of parameters do not tell paths apart.",
    mend: "Give one of the two another path.",
    wrong:
      "### `DELETE /notes/{id}`\n\n- Path `id`: `note`, the `Note` by `id`, else `not_found`\n\n1. Delete `note`.\n2. Respond `204` with no body.\n\n### `DELETE /notes/{name}`\n\n1. Respond `204` with no body.",
    right:
      "### `DELETE /notes/{id}`\n\n- Path `id`: `note`, the `Note` by `id`, else `not_found`\n\n1. Delete `note`.\n2. Respond `204` with no body.",
  },
  "path-unused": {
    severity: "warning",
    topic: "endpoints",
    see: ["nested-paths"],
    title: "A path parameter is never used",
    meaning: "What a client writes there makes no difference.",
    mend: "Write a `Path` bullet for it, or read `path.name` in a step.",
    wrong: "### `DELETE /notes/{id}`\n\n1. Respond `204` with no body.",
    right:
      "### `DELETE /notes/{id}`\n\n- Path `id`: `note`, the `Note` by `id`, else `not_found`\n\n1. Delete `note`.\n2. Respond `204` with no body.",
  },
  "input-unused": {
    severity: "warning",
    topic: "endpoints",
    see: ["body-with-more"],
    title: "An input is never used",
    meaning: "The endpoint reads and judges it, and does nothing with it.",
    mend: "Use it in a step, or take its row away.",
    wrong:
      '### `GET /notes/count`\n\n| Input | In | Type | Needed | Rules |\n|---|---|---|---|---|\n| `done` | query | boolean | no | none |\n\n1. Respond `200` with `{"count": size(notes)}`.',
    right: '### `GET /notes/count`\n\n1. Respond `200` with `{"count": size(notes)}`.',
  },
  "claimed-twice": {
    severity: "error",
    topic: "endpoints",
    why: "The input table and the step would both answer the same request, and only the first of them ever does. The other error is one that clients prepare for in vain.",
    title: "One condition, two errors",
    meaning:
      "The input table says that the input is needed, and a step requires it with an error of its own that no request can get.",
    mend: "Write `no` under Needed, or take the step away.",
    wrong:
      '### `GET /found`\n\n| Input | In | Type | Needed | Rules |\n|---|---|---|---|---|\n| `q` | query | string | yes | none |\n\n1. Require `has(query.q)`, else `wrong_state`.\n2. Respond `200` with `{"q": query.q}`.',
    right:
      '### `GET /found`\n\n| Input | In | Type | Needed | Rules |\n|---|---|---|---|---|\n| `q` | query | string | yes | none |\n\n1. Respond `200` with `{"q": query.q}`.',
  },
  "no-answer": {
    severity: "error",
    topic: "answers",
    title: "The steps can end without an answer",
    meaning: "Every path ends in one Respond or Refuse.",
    mend: "Write the Respond or Refuse that is missing.",
    wrong: "1. Delete `note`.",
    right: "1. Delete `note`.\n2. Respond `204` with no body.",
  },
  "no-respond-here": {
    severity: "error",
    topic: "answers",
    title: "Only an endpoint can respond",
    meaning: "Named steps and transitions do their part and leave the answer to the endpoint.",
    mend: "Move the Respond to the endpoint.",
    wrong: "### `away`, steps\n\n1. Respond `204` with no body.",
    right: "### `away`, steps\n\n1. Do nothing.",
  },
  "no-check-here": {
    severity: "error",
    topic: "checks",
    title: "This step stands under Every endpoint alone",
    meaning: "The checks are the same for every endpoint, and their order is stated once.",
    mend: "Move it to `### Every endpoint`.",
    wrong: "1. Check the inputs.\n2. Respond `204` with no body.",
    right: "1. Respond `204` with no body.",
  },
  "unreachable-step": {
    severity: "error",
    topic: "answers",
    why: "A reader takes the step for something that happens. Either a condition above it ends too much, or the step is left over from an earlier version.",
    title: "No request comes to this step",
    meaning: "Every path before it has ended.",
    mend: "Take it away, or put it before the Respond or Refuse.",
    wrong: "1. Respond `204` with no body.\n2. Delete `note`.",
    right: "1. Delete `note`.\n2. Respond `204` with no body.",
  },
  "otherwise-alone": {
    severity: "error",
    topic: "steps",
    why: "A reader must see at a glance of which condition this is the other case. With a step between the two, one would take it for the case of another condition.",
    title: "This Otherwise stands behind no When",
    meaning: "Otherwise is the other case of the When straight before it.",
    mend: "Move it behind its When.",
    wrong: "1. Otherwise, delete `note`.\n2. Respond `204` with no body.",
    right: '1. When `note.title == ""`, delete `note`.\n2. Respond `204` with no body.',
  },
  "not-in-any-order": {
    severity: "error",
    topic: "steps",
    why: "Steps that only ask can be asked in any order, and the answer is the same but for which failure is told first. Steps that change something see what the others have done, so their order is part of what happens.",
    title: "Only Require steps may stand in any order",
    meaning: "Other steps have effects, whose order matters.",
    mend: "Move the step out of the block.",
    wrong: "1. In any order:\n   1. Delete `note`.\n2. Respond `204` with no body.",
    right:
      '1. In any order:\n   1. Require `note.title != ""`, else `wrong_state`.\n2. Respond `204` with no body.',
  },
  "case-missing": {
    severity: "error",
    topic: "steps",
    title: "A case is not covered",
    meaning: "The cases of `By` and of a case table cover every value.",
    mend: "Write the case, or `any other`.",
    wrong: '1. By `note.status`:\n   - `"open"`: delete `note`.\n2. Respond `204` with no body.',
    right:
      '1. By `note.status`:\n   - `"open"`: delete `note`.\n   - any other: do nothing.\n2. Respond `204` with no body.',
  },
  "case-twice": {
    severity: "error",
    topic: "steps",
    title: "A case is covered twice",
    meaning: "It could not be told which of the two is meant.",
    mend: "Take one of the two away.",
    wrong:
      '1. By `note.status`:\n   - `"open"`: delete `note`.\n   - `"open"`: do nothing.\n   - any other: do nothing.\n2. Respond `204` with no body.',
    right:
      '1. By `note.status`:\n   - `"open"`: delete `note`.\n   - any other: do nothing.\n2. Respond `204` with no body.',
  },
  recursion: {
    severity: "error",
    topic: "steps",
    why: "Steps that do themselves may never end, and a request that does not end holds up all that come after it. Without recursion the work of each request is known from its text and its lists.",
    title: "This needs itself",
    meaning:
      "Named steps cannot do themselves, and named values cannot use themselves, directly or through others, so that every request ends.",
    mend: "Put an algorithm behind a Call.",
    wrong: "### `again`, steps\n\n1. Do `again`.",
    right: "### `again`, steps\n\n1. Do nothing.",
  },
  "not-given": {
    severity: "error",
    topic: "names",
    why: "What is done here needs that value each time, and nothing stands in for it. A value made up here would be one that nobody has meant.",
    see: ["totals"],
    title: "A value is missing",
    meaning: "Named steps, calls and shapes need a value for each of their Given names.",
    mend: "Write the name = and its value.",
    wrong:
      "### `Page`, a shape\n\n- Given `found`: list of `Note`\n- Given `more`: boolean\n\n| Field | Type | Value |\n|---|---|---|\n| `notes` | list of `Note` as `Note` | `found` |\n| `more` | boolean | `more` |\n\n## States and transitions",
    right:
      "### `Page`, a shape\n\n- Given `found`: list of `Note`\n\n| Field | Type | Value |\n|---|---|---|\n| `notes` | list of `Note` as `Note` | `found` |\n\n## States and transitions",
  },
  "not-one": {
    severity: "error",
    topic: "steps",
    why: "Where several rows fit, one of them would be taken by chance, and tests with one row would never show it. If all are meant, a list says so; if one, its key does.",
    see: ["next-one"],
    title: "This can hold for several rows",
    meaning:
      "A step that looks for one row must say which: by its key, by a unique field, or by all fields of a Unique invariant.",
    mend: "Compare such a field with `==`, or write `be every`.",
    wrong:
      '1. Let `other` be the `Note` where `it.title == "a"`, or null.\n2. Respond `204` with no body.',
    right:
      '1. Let `other` be the `Note` where `it.id == "a"`, or null.\n2. Respond `204` with no body.',
  },
  "location-lost": {
    severity: "warning",
    topic: "endpoints",
    why: "A client that follows the header gets `unknown path`. Mostly the base path is missing in it, or the endpoint was renamed.",
    title: "No endpoint is at this Location",
    meaning:
      "The header `Location` names a path of this service, base path included, that no endpoint has.",
    mend: "Write the path of the endpoint that shows what was made.",
    wrong:
      '1. Fire `finish` on `note`.\n2. Respond `204` with no body, header `Location` = `"/note/" + note.id`.',
    right:
      '1. Fire `finish` on `note`.\n2. Respond `204` with no body, header `Location` = `"/notes/" + note.id`.',
  },
  "missing-check": {
    severity: "error",
    topic: "checks",
    title: "A check is missing under Every endpoint",
    meaning:
      "Something in the document needs a check that no step makes, so it would never be judged.",
    mend: "Write the step where it belongs in the order of checks.",
    wrong: "- Who: none\n\n1. Check the inputs.",
    right: "- Who: none\n\n1. Check the inputs.\n2. Check the paths.",
  },
  "idle-check": {
    severity: "warning",
    topic: "checks",
    title: "This step has nothing to check",
    meaning: "Nothing in the document needs it.",
    mend: "Take it away, or state what it checks.",
    wrong: "- Who: none\n\n1. Check the caller.\n2. Check the inputs.\n3. Check the paths.",
    right: "- Who: none\n\n1. Check the inputs.\n2. Check the paths.",
  },
  "beyond-rows": {
    severity: "note",
    topic: "secrets",
    see: ["roles"],
    title: "A reference may lead beyond Rows",
    meaning:
      "`Rows` keeps rows of a resource from a caller, and a reference to it stands in a row that the caller may see. No document states what is seen through it where its row is hidden: such a request stops there, with a gap.",
    mend: "Write the same condition through the reference in `Rows` of the resource that refers, or promise with `Always` that both rows agree. `hidden.exists(h, h == it.on) ? it.on.title : null` asks first.",
    wrong: "| `on` | `Note` | no | no | yes | deleted with it |",
    right: "| `on` | string | no | no | yes | none |",
  },
  "rows-open": {
    severity: "warning",
    topic: "secrets",
    see: ["roles"],
    title: "Rows keeps nothing from those without a caller",
    meaning:
      "`Rows` asks callers alone, and this is open to requests without one: who leaves credentials out, or sends bad ones that are ignored, sees every row.",
    mend: "Ask for a caller, or for what may be seen where the rows are read (`caller != null && ...`).",
    wrong: "- Who: none\n\n1. Let `all` be every `Note`.",
    right: "- Who: `user`\n\n1. Let `all` be every `Note`.",
  },
  "tag-not-compared": {
    severity: "note",
    topic: "resources",
    why: "If the tag were compared all the same, a client would be told that nothing has changed while what it was shown has. So the whole answer is sent, which is right and costs the transfer.",
    title: "The version tag does not stand for the whole answer",
    meaning:
      "The tag is the row's: where an answer shows more than its row, may show another row, or has a tag that does not count every change, who names the tag is sent the whole answer, never 304.",
    mend: "Nothing need be done. To have 304, answer in one way with the fields of the row that the path names by its id, and let the tag count up on every change.",
    wrong:
      "- Path `name`: `note`, the `Note` by `name`, else `not_found`\n\n1. Respond `200` with `Note` of `note`.",
    right:
      "- Path `name`: `note`, the `Note` by `id`, else `not_found`\n\n1. Respond `200` with `Note` of `note`.",
  },
  "answer-not-listed": {
    severity: "error",
    topic: "answers",
    title: "An answer stands in no row of the table of answers",
    meaning:
      "A table of answers is closed: what the steps, the errors and the limits answer at the endpoint is covered by one of its rows.",
    mend: "Add a row for the status, for its class, or for `any other`.",
    wrong:
      "| Answer | Media type | Body | Meaning |\n|---|---|---|---|\n| 200 | none | none | none |\n| 4xx | not shown | not shown | none |\n| 5xx | not shown | not shown | none |\n\n1. Fire `finish` on `note`.\n2. Respond `204` with no body.",
    right:
      "| Answer | Media type | Body | Meaning |\n|---|---|---|---|\n| 204 | none | none | none |\n| 4xx | not shown | not shown | none |\n| 5xx | not shown | not shown | none |\n\n1. Fire `finish` on `note`.\n2. Respond `204` with no body.",
  },
  "bad-block": {
    severity: "error",
    topic: "examples",
    title: "A block is not JSON of its kind",
    meaning:
      "A block `json example` holds one JSON value and names the status of the answer; a block `json openapi` holds a JSON object.",
    mend: "Mend the JSON, or the words behind `json`.",
    wrong:
      '1. Fire `finish` on `note`.\n2. Respond `204` with no body.\n\n```json example 200\n{"id": 1,}\n```',
    right:
      '1. Fire `finish` on `note`.\n2. Respond `204` with no body.\n\n```json example 200\n{"id": 1}\n```',
  },
  "second-check": {
    severity: "error",
    topic: "checks",
    title: "A check stands here again",
    meaning: "Each check is made once, and its place in the order is stated once.",
    mend: "Keep one of the two.",
    wrong: "- Who: none\n\n1. Check the inputs.\n2. Check the paths.\n3. Check the inputs.",
    right: "- Who: none\n\n1. Check the inputs.\n2. Check the paths.",
  },
  "call-first": {
    severity: "warning",
    topic: "calls",
    see: ["other-systems"],
    title: "The request can be refused after the call has acted",
    meaning:
      "A call that changes something outside comes before a transition that may be refused: the money would be taken, and nothing sold.",
    mend: "Write `Require that ... may ...` before the call, or state an `Undo` for it.",
    wrong: "1. Call `charge`.\n2. Fire `finish` on `note`.\n3. Respond `204` with no body.",
    right:
      "1. Require that `note` may `finish`.\n2. Call `charge`.\n3. Fire `finish` on `note`.\n4. Respond `204` with no body.",
  },
  "endless-part": {
    severity: "error",
    topic: "resources",
    title: "A part that has no end",
    meaning:
      "A part must hold a part of its own kind, itself or through others: no value of it can be written.",
    mend: "Write `or absent` or `or null` behind the type, or `list of` before it.",
    wrong:
      "### `Tree`, a part\n\n| Field | Type | Create | Update | Read | Rules |\n|---|---|---|---|---|---|\n| `left` | `Tree` | required | no | yes | none |",
    right:
      "### `Tree`, a part\n\n| Field | Type | Create | Update | Read | Rules |\n|---|---|---|---|---|---|\n| `left` | `Tree` or absent | optional | no | yes | none |",
  },
  "shows-nothing": {
    severity: "error",
    topic: "resources",
    why: "A client would get `{}` and nothing else. Either the Read column was forgotten, or the answer should show something else, or nothing.",
    title: "What is shown has nothing to show",
    meaning:
      "An answer or an event shows a resource or a part as itself, and none of its fields is read: `{}` is sent. Without a Read column that is an error; where Read says `no` for each, a warning.",
    mend: "Say under Read who is shown each field, or show a view or a shape.",
    wrong:
      "### `Plan`, many `plans`, fixed\n\n| Field | Type | Rules |\n|---|---|---|\n| `name` | string | key |",
    right:
      "### `Plan`, many `plans`, fixed\n\n| Field | Type | Create | Update | Read | Rules |\n|---|---|---|---|---|---|\n| `name` | string | no | no | yes | key |",
  },
  "never-set": {
    severity: "error",
    topic: "resources",
    see: ["set-by-the-service"],
    title: "Nobody ever sets this field",
    meaning: "No client gives it, no rule and no step sets it: a row would have no value there.",
    mend: "Let somebody set it, or write `starts: not shown` under Rules.",
    wrong:
      "| `title` | string | required | optional | yes | none |\n| `colour` | string | no | no | yes | none |",
    right:
      '| `title` | string | required | optional | yes | none |\n| `colour` | string | no | no | yes | starts `"red"` |',
  },
  "not-filled": {
    severity: "error",
    topic: "resources",
    see: ["set-by-the-service"],
    title: "This step makes a row without a value for a field",
    meaning: "Other steps set the field; this one does not, and no rule does.",
    mend: "Write `with` and the value.",
    wrong:
      "### `PUT /first`\n\n- Body: none\n\n1. Create a `Note`.\n2. Respond `204` with no body.",
    right:
      '### `PUT /first`\n\n- Body: none\n\n1. Create a `Note` with `title` = `"first"`.\n2. Respond `204` with no body.',
  },
  "never-given": {
    severity: "warning",
    topic: "resources",
    see: ["body-with-more"],
    title: "No request can give this field",
    meaning: "Create or Update says that a client gives it, and no endpoint takes such a body.",
    mend: "Write `no`, or let an endpoint take it.",
    wrong:
      "### `Tag`\n\n| Field | Type | Create | Update | Read | Rules |\n|---|---|---|---|---|---|\n| `name` | string | required | no | yes | none |",
    right: "> No tags.",
  },
  "never-made": {
    severity: "warning",
    topic: "resources",
    title: "No row of this resource can exist",
    meaning:
      "No step makes one and there are none at the start; so nobody receives, or calls, or finds one.",
    mend: "Write a Create step, or state rows at the start.",
    wrong:
      "### `Tag`\n\n| Field | Type | Create | Update | Read | Rules |\n|---|---|---|---|---|---|\n| `name` | string | no | no | yes | none |",
    right: "> No tags.",
  },
  "no-first-row": {
    severity: "error",
    topic: "resources",
    title: "No first row can be made",
    meaning:
      "A row must name another when it is made, and of that other there can be none before it: the references go round in a circle.",
    mend: "Make one of the references `or null`, or state rows at the start.",
    wrong:
      "| `title` | string | required | optional | yes | none |\n| `parent` | `Note` | required | no | yes | deleted with it |",
    right:
      "| `title` | string | required | optional | yes | none |\n| `parent` | `Note` or null | optional | no | yes | starts `null`; deleted with it |",
  },
  "secret-shown": {
    severity: "error",
    topic: "secrets",
    see: ["accounts"],
    title: "A secret is shown",
    meaning:
      "A secret is never shown in an answer, an event or a log; `on create` shows one that the service made, once.",
    mend: "Write `no` or `on create` under Read, or take it out of the view.",
    wrong:
      "| `title` | string | required | optional | yes | none |\n| `pin` | secret | required | no | yes | kept as SHA-256 |",
    right:
      "| `title` | string | required | optional | yes | none |\n| `pin` | secret | required | no | no | kept as SHA-256 |",
  },
  "secret-told": {
    severity: "warning",
    topic: "secrets",
    see: ["keys"],
    title: "What is made of a secret is sent",
    meaning:
      "An answer holds a hash of a secret that is kept in a row: whoever sees it can try secrets until one fits.",
    mend: "Take it out, or show something that is not made of the secret.",
    wrong: '1. Respond `200` with `{"pin": sha256(note.pin)}`.',
    right: '1. Respond `200` with `{"pin": sha256(note.title)}`.',
  },
  "hidden-shown": {
    severity: "note",
    topic: "secrets",
    title: "A view shows a hidden field",
    meaning: "Read says `no`, and a view shows the field all the same. That may be meant.",
    mend: "Take it out of the view if it is not meant.",
    wrong:
      "### `Title`, a view of `Note`\n\n| Field | Type | Value |\n|---|---|---|\n| `secretTitle` | string | `it.hidden` |",
    right:
      "### `Title`, a view of `Note`\n\n| Field | Type | Value |\n|---|---|---|\n| `title` | string | `it.title` |",
  },
  "restricted-shown": {
    severity: "warning",
    topic: "secrets",
    see: ["roles"],
    title: "A reader is shown what Read does not allow",
    meaning:
      "Read allows the field to some actors, and this answer shows it, by a view, to others.",
    mend: "Take it out of the view, or add the actor under Read.",
    wrong: "1. Respond `200` with `Inside` of `note`.",
    right: "1. Respond `200` with `Note` of `note`.",
  },
  "invariant-broken": {
    severity: "error",
    topic: "invariants",
    see: ["invariants"],
    title: "A step breaks an invariant",
    meaning:
      "The document states that nothing makes, changes or deletes such a row (by `Changed: never`, `Deleted: never`, or `fixed` in the heading), and states a step, a rule or a transition that does.",
    mend: "Take the step away, or what states that.",
    wrong: "- Deleted: never",
    right: '- Deleted: refused while `it.title == ""`, else `wrong_state`',
  },
  "invariant-start": {
    severity: "error",
    topic: "invariants",
    see: ["invariants"],
    title: "A row breaks an invariant from its start",
    meaning:
      "A row at the start, or every row that a step makes, has values with which an invariant of its resource does not hold.",
    mend: "Change the values with which the row begins, or the invariant.",
    wrong: '- Always: `it.hidden != "x"`, else `wrong_state`',
    right: '- Always: `it.hidden != "y"`, else `wrong_state`',
  },
  "invariant-fault": {
    severity: "note",
    topic: "invariants",
    see: ["invariants"],
    title: "An invariant without an error",
    meaning: "A request that breaks it is a fault inside: nobody is to blame but the document.",
    mend: "Write `, else` and an error where a request can break it.",
    wrong: '- Always: `it.title != ""`',
    right: '- Always: `it.title != ""`, else `wrong_state`',
  },
  "always-true": {
    severity: "warning",
    topic: "expressions",
    why: "A condition that decides nothing was meant to decide something. Often the wrong member, the wrong side or the wrong operator stands in it.",
    title: "This condition always holds",
    meaning:
      "Types, rules and what was asked before leave it no other outcome: it decides nothing.",
    mend: "Take it away, or compare with what can be otherwise.",
    wrong:
      "1. Require `size(note.title) >= 0`, else `wrong_state`.\n2. Respond `204` with no body.",
    right: "1. Require `size(note.title) > 0`, else `wrong_state`.\n2. Respond `204` with no body.",
  },
  "never-true": {
    severity: "warning",
    topic: "expressions",
    why: "What stands behind it never happens, though a reader counts on it. Often the wrong member, the wrong side or the wrong operator stands in it.",
    title: "This condition never holds",
    meaning: "Types, rules and what was asked before leave no value for which it holds.",
    mend: "Change the comparison, or take away what hangs on it.",
    wrong:
      '1. Require `note.title == "a" && note.title == "b"`, else `wrong_state`.\n2. Respond `204` with no body.',
    right:
      '1. Require `note.title == "a" || note.title == "b"`, else `wrong_state`.\n2. Respond `204` with no body.',
  },
  "unreachable-state": {
    severity: "warning",
    topic: "states",
    title: "No transition leads to this state",
    meaning: "No row can ever be in it.",
    mend: "Write a transition to it, or take it away.",
    wrong: "- States: `open` (initial), `done` (final), `lost` (final)",
    right: "- States: `open` (initial), `done` (final)",
  },
  "dead-end-state": {
    severity: "warning",
    topic: "states",
    title: "A state without a way out that is not final",
    meaning: "A row that comes into it stays there for ever.",
    mend: "Write `(final)` behind it, or a transition from it.",
    wrong: "- States: `open` (initial), `done`",
    right: "- States: `open` (initial), `done` (final)",
  },
  "final-state-left": {
    severity: "error",
    topic: "states",
    title: "A transition leaves a final state",
    meaning: "`(final)` states that there is no way out.",
    mend: "Take `(final)` away, or the state out of From.",
    wrong: "| `finish` | `open`, `done` | `done` | step | none | none |",
    right: "| `finish` | `open` | `done` | step | none | none |",
  },
  "never-fired": {
    severity: "warning",
    topic: "states",
    forms: "causes",
    title: "Nothing triggers this transition",
    meaning: "It has no cause: no step fires it, or what it waits for never happens.",
    mend: "Write the step that fires it, or another cause under On.",
    wrong:
      "| `finish` | `open` | `done` | step | none | none |\n| `drop` | `open` | `done` | step | none | none |",
    right: "| `finish` | `open` | `done` | step | none | none |",
  },
  "guard-overlap": {
    severity: "error",
    topic: "states",
    title: "Two rows of a transition can both be taken",
    meaning: "Rows with one name and one From are told apart by When; here both hold.",
    mend: "Make the guards exclude each other.",
    wrong:
      '| `finish` | `open` | `done` | step | `it.title != "a"` | none |\n| `finish` | `open` | `open` | step | `it.title != "b"` | none |',
    right:
      '| `finish` | `open` | `done` | step | `it.title == "a"` | none |\n| `finish` | `open` | `open` | step | `it.title != "a"` | none |',
  },
  "guard-gap": {
    severity: "warning",
    topic: "states",
    title: "No row of a transition holds in some case",
    meaning: "The guards of its rows leave a case out, so `Any other transition` answers it.",
    mend: "Write a row for that case if another answer is meant.",
    wrong:
      '| `finish` | `open` | `done` | step | `it.title == "a"` | none |\n| `finish` | `open` | `open` | step | `it.title == "b"` | none |',
    right:
      '| `finish` | `open` | `done` | step | `it.title == "a"` | none |\n| `finish` | `open` | `open` | step | `it.title != "a"` | none |',
  },
  "guard-undecided": {
    severity: "warning",
    topic: "states",
    title: "It cannot be decided whether two rows exclude each other",
    meaning: "The guards compare things that the checker does not compute.",
    mend: "Compare one field with literals, or write `e` in one row and `!e` in the other.",
    wrong:
      '| `finish` | `open` | `done` | step | `size(it.title) > 3` | none |\n| `finish` | `open` | `open` | step | `it.title.contains("a")` | none |',
    right:
      "| `finish` | `open` | `done` | step | `size(it.title) > 3` | none |\n| `finish` | `open` | `open` | step | `size(it.title) <= 3` | none |",
  },
  "timer-absent": {
    severity: "warning",
    topic: "times",
    forms: "causes",
    see: ["time"],
    title: "A timer on a field that may be absent",
    meaning: "Where the field is not there, the transition has no time.",
    mend: "Make its type `timestamp or null`: a timer whose field is null waits.",
    wrong:
      "| `title` | string | required | optional | yes | none |\n| `due` | timestamp or absent | optional | no | yes | none |",
    right:
      "| `title` | string | required | optional | yes | none |\n| `due` | timestamp or null | optional | no | yes | starts `null` |",
  },
  "timer-unset": {
    severity: "warning",
    topic: "times",
    forms: "causes",
    see: ["time"],
    title: "A timer on a field that nothing sets",
    meaning: "The field is null for ever, so the transition never happens.",
    mend: "Set the field, or take the transition away.",
    wrong:
      "| `title` | string | required | optional | yes | none |\n| `due` | timestamp or null | no | no | yes | starts `null` |",
    right:
      "| `title` | string | required | optional | yes | none |\n| `due` | timestamp or null | optional | no | yes | starts `null` |",
  },
  "timer-past": {
    severity: "warning",
    topic: "times",
    forms: "causes",
    see: ["time"],
    title: "A timer is set to a time that is past",
    meaning: "The transition is due at the moment at which its time is set.",
    mend: "Set a time to come, or fire the transition in a step.",
    wrong:
      '| `title` | string | required | optional | yes | none |\n| `due` | timestamp | no | no | yes | set to `now - duration("1h")` on create |',
    right:
      '| `title` | string | required | optional | yes | none |\n| `due` | timestamp | no | no | yes | set to `now + duration("1h")` on create |',
  },
  "timer-round": {
    severity: "warning",
    topic: "times",
    forms: "causes",
    see: ["time"],
    title: "Timed transitions in a circle fall on one time",
    meaning:
      "Each leads to the state that the other leaves, at the same instant: the row is in one of the two for no time.",
    mend: "Give each a time of its own, or set the time again under Then.",
    wrong:
      "| `finish` | `open` | `done` | step | none | none |\n| `rest` | `open` | `idle` | time `createdAt` | none | none |\n| `wake` | `idle` | `open` | time `createdAt` | none | none |",
    right:
      "| `finish` | `open` | `done` | step | none | none |\n| `rest` | `open` | `idle` | time `createdAt` | none | none |\n| `wake` | `idle` | `open` | every 1 h | none | none |",
  },
  "too-soon": {
    severity: "warning",
    topic: "times",
    see: ["time"],
    title: "A time that is over at once",
    meaning:
      "Less than 10 ms pass before an answer, a token, a key or a window ends, or less than a second from one turn to the next.",
    mend: "Look at the unit: `ms` is a thousandth of a second.",
    wrong:
      "| `finish` | `open` | `done` | step | none | none |\n| `drop` | `open` | `done` | every 5 ms | none | none |",
    right:
      "| `finish` | `open` | `done` | step | none | none |\n| `drop` | `open` | `done` | every 5 min | none | none |",
  },
  "never-emitted": {
    severity: "warning",
    topic: "events",
    title: "No step emits this event",
    meaning: "It is listed, and never happens.",
    mend: "Write an Emit step, or take the row away.",
    wrong:
      "| Event | About | Data | Sent to |\n|---|---|---|---|\n| `note.lost` | `Note` | none | none |",
    right: "Events, notifications and callbacks: none.",
  },
  "never-heard": {
    severity: "note",
    topic: "events",
    see: ["webhooks"],
    title: "An event is sent to nobody",
    meaning: "There are webhooks or streams, and this event goes to none of them.",
    mend: "Name one under Sent to.",
    wrong: "| `note.done` | `Note` | none | none |",
    right: "| `note.done` | `Note` | none | stream `feed` |",
  },
  "never-delivers": {
    severity: "warning",
    topic: "events",
    see: ["webhooks"],
    title: "Nothing is sent to this webhook or stream",
    meaning: "No event names it under Sent to.",
    mend: "Name it there, or take the heading away.",
    wrong: "| `note.done` | `Note` | none | none |",
    right: "| `note.done` | `Note` | none | stream `feed` |",
  },
  "never-sent": {
    severity: "warning",
    topic: "errors",
    title: "Nothing ever sends this error",
    meaning: "No step, failure, invariant or limit names it.",
    mend: "Name it where it is sent, or take its row away.",
    wrong: "| `wrong_state` | 409 | none |\n| `lost` | 410 | none |",
    right: "| `wrong_state` | 409 | none |",
  },
  "always-given": {
    severity: "error",
    topic: "steps",
    why: "A reader takes `, if given` for a sign that the condition may fall away. Where nothing that it reads may be missing, it never does.",
    see: ["filters"],
    title: "Nothing here may be missing",
    meaning:
      "`, if given` makes a condition hold where an input that it reads was not sent. This one reads no input that need not be sent.",
    mend: "Take `, if given` away, or make the input one that need not be sent.",
    wrong:
      '1. Delete every `Note` where `it.title == "a"`, if given.\n2. Fire `finish` on `note`.\n3. Respond `204` with no body.',
    right:
      '1. Delete every `Note` where `it.title == "a"`.\n2. Fire `finish` on `note`.\n3. Respond `204` with no body.',
  },
  "never-used": {
    severity: "warning",
    topic: "names",
    why: "Either something was forgotten that should use it, or it is left over from an earlier version. Readers look for what it does, and find nothing.",
    see: ["say-it-once"],
    title: "Nothing uses this name",
    meaning:
      "A setting, a part, a view, a shape, a value, a call, steps or an actor is stated, and no other statement names it.",
    mend: "Name it where it was meant to be used, or take it away.",
    wrong: "| `user` | always |\n| `auditor` | always |",
    right: "| `user` | always |",
  },
  "error-status": {
    severity: "warning",
    topic: "errors",
    title: "An error with the status of a success",
    meaning:
      "Clients, caches and proxies look at the status first: below 300 they take the answer for a success.",
    mend: "Give it a status from 400 on, or answer with a Respond step where it is no error.",
    wrong: "| `wrong_state` | 202 | none |",
    right: "| `wrong_state` | 409 | none |",
  },
  "same-answer": {
    severity: "warning",
    topic: "errors",
    title: "No client can tell these errors apart",
    meaning: "They have one status, and nothing in header or body differs.",
    mend: "Show `error.name` or another column in the body, or give it another status.",
    wrong: "| `wrong_state` | 404 | none |",
    right: "| `wrong_state` | 409 | none |",
  },
  "never-occurs": {
    severity: "warning",
    topic: "errors",
    forms: "failures",
    why: "The row says that something can happen which cannot, and clients are written for it. Often a rule or an input that should raise it is missing.",
    title: "This condition can never occur",
    meaning: "Nothing in the document makes it possible, so its row is never used.",
    mend: "Take the row away, or state what makes it occur.",
    wrong: "| fault inside | `broken` |\n| too small | `broken` |",
    right: "| fault inside | `broken` |",
  },
  "limit-zero": {
    severity: "error",
    topic: "limits",
    why: "Every request that it counts would be refused. If that is meant, take the endpoint away; if not, the amount is a slip.",
    forms: "counts",
    title: "A limit that lets nothing through",
    meaning: "Its amount is 0 or less.",
    mend: "Write an amount above 0.",
    wrong:
      "| Limit | Counts | Per | Amount | Window | When passed |\n|---|---|---|---|---|---|\n| `body` | request body bytes | request | 0 | none | `wrong_state` |",
    right:
      "| Limit | Counts | Per | Amount | Window | When passed |\n|---|---|---|---|---|---|\n| `body` | request body bytes | request | 1000 | none | `wrong_state` |",
  },
  "limit-body": {
    severity: "error",
    topic: "limits",
    why: "Each request that could be right is refused for its size before anybody reads it. The two lines of the document cannot both be meant.",
    title: "No valid body is small enough",
    meaning: "The limit on body bytes is below the smallest body that an endpoint takes.",
    mend: "Raise the limit, or ask for less.",
    wrong:
      "| Limit | Counts | Per | Amount | Window | When passed |\n|---|---|---|---|---|---|\n| `body` | request body bytes | request | 10 | none | `wrong_state` |",
    right:
      "| Limit | Counts | Per | Amount | Window | When passed |\n|---|---|---|---|---|---|\n| `body` | request body bytes | request | 1000 | none | `wrong_state` |",
  },
  "no-form": {
    severity: "error",
    topic: "endpoints",
    why: "The bytes of such a body would be made up by whoever builds it. A client written for the media type could not read them.",
    see: ["redirects-and-texts"],
    title: "This media type does not hold such a body",
    meaning:
      "A body with members or items is read or sent under a media type that has none. Members are read from JSON and from forms (`application/x-www-form-urlencoded`, `multipart/form-data`) and written as JSON; under any other media type a body is a text or a file.",
    mend: "State a media type that has members, or another body.",
    wrong: "- Body: new `Note`\n- Body format: `text/csv`",
    right: "- Body: new `Note`\n- Body format: `multipart/form-data`",
  },
  "not-sendable": {
    severity: "error",
    topic: "endpoints",
    why: "A client would have to invent a way to write the value, and the service one to read it. The two would agree by luck.",
    title: "No client can send this here",
    meaning:
      "In a query, a header or a form a value is a text, or several texts under one name; in a path or a cookie it is one text. A part, a map, or a list in a list has no such form, and a list has none in a path or a cookie. `json` has: its text.",
    mend: "Give the members names of their own, take `json`, or state a body in JSON.",
    wrong: "| `sizes` | query | map of integer | no | none |",
    right: "| `sizes` | query | list of integer | no | none |",
  },
  "no-key": {
    severity: "error",
    topic: "resources",
    why: "A client can name a row only by a value of it that no other row has. Without one, it can neither send a reference nor make use of one that it gets.",
    title: "These rows have no name",
    meaning:
      "Clients give or get a reference, which is sent as the value of the other resource's key, and that resource has no key.",
    mend: "Give the resource a field of type `id` or a field with the rule `key`, or show a view of its rows.",
    wrong: "| `tag` | `Tag` or null | no | no | yes | starts `null`; deleted with it |",
    right: "| `tag` | `Tag` or null | no | no | no | starts `null`; deleted with it |",
  },
  "key-twice": {
    severity: "error",
    topic: "resources",
    why: "A client sends the key and means one row, and two have it. Which of them is read, changed or deleted would be chance.",
    title: "Two rows may have the same key",
    meaning:
      "A key names one row to clients, and nothing says that no other row has the value: by it either would be found.",
    mend: "Write the rule `unique`, and what a request gets that would store the value twice.",
    wrong: "| `id` | string | required | no | yes | key |",
    right: "| `id` | string | required | no | yes | key; unique, else `invalid` |",
  },
  "no-token": {
    severity: "error",
    topic: "credentials",
    see: ["accounts"],
    title: "Nobody makes this token",
    meaning:
      "The function `token` makes a token of the first scheme whose credential is a JWT. There is none, or its keys are kept elsewhere: whoever keeps them makes the tokens.",
    mend: "State a scheme with a key of the service's own, or take the token away.",
    wrong: '1. Respond `200` with `{"token": token(note)}`.',
    right: '1. Respond `200` with `{"token": note.id}`.',
  },
  "limit-shadowed": {
    severity: "warning",
    topic: "limits",
    forms: "counts",
    title: "A limit that is never reached",
    meaning: "Another limit counts the same and is stricter.",
    mend: "Take one of the two away.",
    wrong:
      "| Limit | Counts | Per | Amount | Window | When passed |\n|---|---|---|---|---|---|\n| `body` | request body bytes | request | 1000 | none | `wrong_state` |\n| `more` | request body bytes | request | 2000 | none | `wrong_state` |",
    right:
      "| Limit | Counts | Per | Amount | Window | When passed |\n|---|---|---|---|---|---|\n| `body` | request body bytes | request | 1000 | none | `wrong_state` |",
  },
  "limit-first": {
    severity: "warning",
    topic: "limits",
    forms: "counts",
    title: "A limit is checked before it is known who calls",
    meaning:
      "A limit per caller counts for the caller that `Check the caller` has found; checked before, it counts nobody.",
    mend: "Write `Check the limits.` behind `Check the caller.`, or count per address.",
    wrong: "1. Check the limits.\n2. Check the caller.\n3. Check the inputs.\n4. Check the paths.",
    right: "1. Check the caller.\n2. Check the limits.\n3. Check the inputs.\n4. Check the paths.",
  },
  "limit-never": {
    severity: "warning",
    topic: "limits",
    forms: "counts",
    title: "A limit counts answers that are never given",
    meaning: "No Respond step of the endpoint has that status.",
    mend: "Name a status that the endpoint gives.",
    wrong:
      "- Sent with every answer: none\n\n| Limit | Counts | Per | Amount | Window | When passed |\n|---|---|---|---|---|---|\n| `new` | requests to `POST /notes` answered `202` | address | 10 | 1 min, sliding | `wrong_state` |",
    right:
      "- Sent with every answer: none\n\n| Limit | Counts | Per | Amount | Window | When passed |\n|---|---|---|---|---|---|\n| `new` | requests to `POST /notes` answered `201` | address | 10 | 1 min, sliding | `wrong_state` |",
  },
  "limit-open": {
    severity: "warning",
    topic: "limits",
    forms: "counts",
    title: "A limit counts callers where nobody need call",
    meaning:
      "A limit per caller does not count a request without one, and the endpoints that it counts take such requests.",
    mend: "Count per address, or say under Who that a caller is needed.",
    wrong:
      "- Sent with every answer: none\n\n| Limit | Counts | Per | Amount | Window | When passed |\n|---|---|---|---|---|---|\n| `new` | requests to `POST /notes` | caller | 10 | 1 min, sliding | `wrong_state` |",
    right:
      "- Sent with every answer: none\n\n| Limit | Counts | Per | Amount | Window | When passed |\n|---|---|---|---|---|---|\n| `new` | requests to `POST /notes` | address | 10 | 1 min, sliding | `wrong_state` |",
  },
  "subject-lost": {
    severity: "warning",
    topic: "credentials",
    title: "A token does not find its row",
    meaning:
      "The subject of the tokens that are issued is one field of the row, and the Caller condition compares the subject with another.",
    mend: "Name the same field in both.",
    wrong: "- Subject: `it.title`",
    right: "- Subject: `it.id`",
  },
  "version-path": {
    severity: "error",
    topic: "versions",
    title: "The version's path is not in the base path",
    meaning:
      "The document says that the path chooses the version, and its paths begin with something else.",
    mend: "Begin the base path with it.",
    wrong: "- This version: `1`\n- Chosen by: path `/v1`",
    right: "- This version: `1`\n- Chosen by: none",
  },
  "unknown-item": {
    severity: "error",
    topic: "versions",
    title: "A deprecation of something that is not there",
    meaning: "What is deprecated still exists until it is removed.",
    mend: "Write the name as the document has it.",
    wrong:
      "| Item | Deprecated on | Removed on | Instead |\n|---|---|---|---|\n| `GET /none` | 2026-01-01 | none | none |",
    right:
      "| Item | Deprecated on | Removed on | Instead |\n|---|---|---|---|\n| `POST /notes` | 2026-01-01 | none | none |",
  },
  "date-order": {
    severity: "error",
    topic: "versions",
    title: "Removed before it is deprecated",
    meaning: "The two dates are the wrong way round.",
    mend: "Change the two dates.",
    wrong:
      "| Item | Deprecated on | Removed on | Instead |\n|---|---|---|---|\n| `POST /notes` | 2027-01-01 | 2026-01-01 | none |",
    right:
      "| Item | Deprecated on | Removed on | Instead |\n|---|---|---|---|\n| `POST /notes` | 2026-01-01 | 2027-01-01 | none |",
  },
  "history-item": {
    severity: "warning",
    topic: "versions",
    title: "A change of something that is not there",
    meaning:
      "A row of the history names what the document does not have, and no row says that it was removed.",
    mend: "Write the name as the document has it.",
    wrong:
      "| Version | Item | Change | Breaks callers |\n|---|---|---|---|\n| `1.0` | `GET /nots` | new | no |",
    right:
      "| Version | Item | Change | Breaks callers |\n|---|---|---|---|\n| `1.0` | `POST /notes` | new | no |",
  },
  "history-version": {
    severity: "warning",
    topic: "versions",
    title: "A change of a version that is still to come",
    meaning: "The history tells what changed up to this version; a row is of a later one.",
    mend: "Change the row's version or This version.",
    wrong:
      "- This version: `1.2`\n\n| Version | Item | Change | Breaks callers |\n|---|---|---|---|\n| `1.3` | `POST /notes` | new | no |",
    right:
      "- This version: `1.3`\n\n| Version | Item | Change | Breaks callers |\n|---|---|---|---|\n| `1.3` | `POST /notes` | new | no |",
  },
  "idle-answer": {
    severity: "warning",
    topic: "gaps",
    why: "A reader takes the bullet for something that the service does. As nothing asks for it, it has no effect, and the question that it was written for may have another place.",
    title: "An answer that nothing asks for",
    meaning:
      "The bullet answers a question that no construct of the document raises, so it has no effect.",
    mend: "Take it away, or state what asks for it.",
    wrong: "- Clock: no later than 5 s after\n- Any other transition: refused with `wrong_state`",
    right: "- Any other transition: refused with `wrong_state`",
  },
  "assumption-title": {
    severity: "error",
    topic: "assumptions",
    title: "The assumptions are for another document",
    meaning: "An assumptions file has the title of the document that it is for.",
    mend: "Write the title of the document.",
    wrong: "another title",
    right: "the title of the document",
  },
  "assumption-contradicts": {
    severity: "error",
    topic: "assumptions",
    title: "An assumption contradicts the document",
    meaning:
      "An assumptions file answers what the document does not show; it changes nothing that is stated.",
    mend: "Take it out of the assumptions file.",
    wrong: "a row of the assumptions file for what the document states",
    right: "a row for what the document says is `not shown`",
  },
  "assumption-unused": {
    severity: "error",
    topic: "assumptions",
    title: "An assumption answers nothing",
    meaning: "Nothing in the document asks for it.",
    mend: "Write it under the heading that the document has, or take it away.",
    wrong: "an endpoint that the document does not have",
    right: "an endpoint that the document has",
  },
  "example-form": {
    severity: "error",
    topic: "examples",
    title: "This example cannot be read",
    meaning:
      "An example is requests, each with its answer: method and target, header fields, an empty line, the body; then `HTTP/1.1` and a status.",
    mend: "Write it in that form.",
    wrong: "```http count\nPATCH /notes/1\n```",
    right:
      '```http count\nPATCH /notes/1\nContent-Type: application/json\n\n{"title": "a"}\n\nHTTP/1.1 404\n```',
  },
  "example-request": {
    severity: "error",
    topic: "examples",
    title: "An example asks what no endpoint takes",
    meaning:
      "No endpoint has this method and path, or it does not know a member, parameter or body that is sent, and the answer is not a refusal.",
    mend: "Write the request as an endpoint takes it.",
    wrong: "```http count\nPATCH /note/1\n\nHTTP/1.1 200\n\n{}\n```",
    right:
      '```http count\nPATCH /notes/1\nContent-Type: application/json\n\n{"title": "a"}\n\nHTTP/1.1 404\n```',
  },
  "example-status": {
    severity: "error",
    topic: "examples",
    title: "An example gets an answer that no path gives",
    meaning: "No step, check, failure or limit of the endpoint answers with this status.",
    mend: "Write a status that the endpoint can give.",
    wrong:
      '```http count\nPATCH /notes/1\nContent-Type: application/json\n\n{"title": "a"}\n\nHTTP/1.1 418\n```',
    right:
      '```http count\nPATCH /notes/1\nContent-Type: application/json\n\n{"title": "a"}\n\nHTTP/1.1 404\n```',
  },
  "example-body": {
    severity: "error",
    topic: "examples",
    title: "A body of an example is not what is stated",
    meaning:
      "It is not JSON, it is there where there is none, or it has members that the payload has not.",
    mend: "Write the body as the endpoint takes or gives it.",
    wrong:
      '```http count\nPATCH /notes/1\nContent-Type: application/json\n\n{"title": a}\n\nHTTP/1.1 200\n```',
    right:
      '```http count\nPATCH /notes/1\nContent-Type: application/json\n\n{"title": "a"}\n\nHTTP/1.1 404\n```',
  },
  "example-header": {
    severity: "error",
    topic: "examples",
    title: "A header field that no answer has",
    meaning: "The answer lists a header field that no Respond step and no error states.",
    mend: "State it, or take it away.",
    wrong:
      '```http count\nPATCH /notes/1\nContent-Type: application/json\n\n{"title": "a"}\n\nHTTP/1.1 200\nX-Note: a\n```',
    right:
      '```http count\nPATCH /notes/1\nContent-Type: application/json\n\n{"title": "a"}\n\nHTTP/1.1 404\n```',
  },
  ...reviewCodes,
} as const satisfies Readonly<Record<string, CodeEntry>>;

export type CheckCode = keyof typeof checkCodes;
