/**
 * What a form of the notation is: a pattern, its meaning and an example. The tables beside this
 * file are the whole language; reader, writer, checker and reference are made from them.
 *
 * Patterns: plain words stand for themselves; `[ ... ]` is optional; `(a|b)` is a choice;
 * `{slot:kind}` is filled by the document; `{slot=a|b c}` is a choice of words that is kept.
 */

import type { Denial } from "./uses.ts";

/** Kinds of slots. A code span is text between backticks. */
export const slotKinds = {
  name: "a code span with a name: a letter, then letters, digits or `_`",
  dotted: "a code span with names joined by dots; a name here may have `-` in it",
  word: "a code span with one word, without spaces",
  code: "a code span with any text",
  expr: "a code span with an expression",
  simple: "a code span with an expression; or a number, `true`, `false` or `null`, plain",
  condition: "a code span with an expression, or a word form",
  is: "`field` is `expression`, joined by `and`",
  literal: "a number, plain or in a code span, or a code span with a literal",
  count: "a whole number in plain digits",
  status: "an HTTP status code, 200 to 599, plain in a table and in a code span in a sentence",
  duration: "a number and a unit: ms, s, min, h or days",
  names: "code spans with names, joined by `,`, `and` or `or`",
  words: "code spans with one word each, joined by `,`, `and` or `or`",
  values: "code spans with a value each, joined by `,`, `and` or `or`",
  assigns:
    "`name` = `expression`, or = not shown, joined by `,`, `and` or `, and`; `name` alone is " +
    "`name` = `name`; `a`, `b` and `c` of `row` are members of it",
  headers:
    "header `Name` = `expression`, or header `Name` = not shown, joined by `,`, `and` or `, and`",
  order: "`expression` ascending or descending, joined by `, then`",
  states: "code spans with names, each with `(initial)` or `(final)` behind it where it is one",
  durations: "durations, joined by `,`",
  refusal: "`error` [on `word`] [with `name` = `expression` and ...], or `not shown`",
  tail: "else `error` [on `word`] [with `name` = `expression` and ...], or else not shown",
  type: "a type",
  step: "a step sentence that begins in lower case",
  text: "plain words",
} as const;

export type SlotKind = keyof typeof slotKinds;

/** One form of the language. */
export interface Form {
  readonly id: string;
  readonly form: string;
  readonly means: string;
  readonly example: string;
  /** Why a service that runs shows nothing of it: it speaks to people or to other tools alone. */
  readonly unserved?: string;
}

/** Scopes: what kind of heading a statement stands under. */
export const scopes = {
  service: "What the service does",
  resources: "Resources and their fields, above the first heading",
  "every resource": "`### Every resource`",
  resource: "a resource",
  part: "a part",
  view: "a view",
  shape: "a shape",
  schema: "a schema",
  states: "States and transitions, above the first heading",
  machine: "the states of a resource",
  routine: "named steps",
  value: "a named value",
  call: "a call",
  endpoints: "Endpoints, above the first heading",
  "every endpoint": "`### Every endpoint`",
  group: "`### Every endpoint below` a path",
  endpoint: "an endpoint",
  authentication: "Authentication, above the first heading",
  scheme: "a scheme",
  events: "Events, above the first heading",
  webhook: "a webhook",
  stream: "a stream",
  errors: "Errors, above the first heading",
  limits: "Limits",
  versioning: "Versioning",
} as const;

export type Scope = keyof typeof scopes;

/** A bullet `- Key: value`; `form` is key and value. `none` and `free` only where allowed. */
export interface BulletForm extends Form {
  readonly in: readonly Scope[];
  /** `false`: `none` is no answer. */
  readonly none: Denial | false;
  readonly free: boolean;
  /** May stand several times under one heading. */
  readonly many: boolean;
}
