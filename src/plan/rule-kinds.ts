/* data table */
/**
 * What is true of each kind of rule wherever it is written: the types that it is for, the places
 * where it may stand, and what of the program does it. Reader, checker, engine, tests and the
 * reference take it from here; a kind without a row does not compile.
 */
import type { BaseType, Rule } from "./types/index.ts";

/** Where a Rules cell, or a rule behind a bullet, may stand. */
export const rulePlaces = {
  field: "a field of a resource",
  part: "a field of a part",
  input: "an input of an endpoint",
  body: "a Body bullet",
} as const;

export type RulePlaceName = keyof typeof rulePlaces;

/**
 * What does a rule. `reading`: the reader of what is sent. `making`: a value where none was given.
 * `keeping`: the form in which a value is stored and sent. `ending`: judged when the steps end.
 * `naming`: how clients name a row. `deleting`: what follows when another row goes.
 */
export type DoneBy = "reading" | "making" | "keeping" | "ending" | "naming" | "deleting";

export interface RuleKind {
  readonly by: DoneBy;
  /** Types of values that it is for. `items`: a list or map of such values has it, too. */
  readonly types: readonly BaseType["kind"][] | "all";
  readonly items?: true;
  /** For each place: that it may stand there, or what to write instead. */
  readonly places: Readonly<Record<RulePlaceName, true | string>>;
}

const EVERYWHERE = {
  field: true,
  part: true,
  input: true,
  body: "Write it at the field.",
} as const;

const stored = (instead: string) =>
  ({ field: true, part: true, input: instead, body: instead }) as const;

const ofRows = (inPart: string) =>
  ({
    field: true,
    part: inPart,
    input: "It is for fields of a resource.",
    body: "It is for fields of a resource.",
  }) as const;

const STORED = stored("It is for stored fields.");
const TEXTS = ["string", "secret", "email", "uri"] as const;

/** Types whose values may be compared `in any case`. */
export const ANY_CASE: readonly BaseType["kind"][] = ["string", "email", "uri"];

export const ruleKinds = {
  characters: { by: "reading", types: TEXTS, places: EVERYWHERE },
  items: { by: "reading", types: ["list", "map"], places: EVERYWHERE },
  range: {
    by: "reading",
    types: ["integer", "decimal", "number", "timestamp", "date", "duration"],
    places: EVERYWHERE,
  },
  matches: { by: "reading", types: [...TEXTS, "uuid"], places: EVERYWHERE },
  scheme: { by: "reading", types: ["uri"], places: EVERYWHERE },
  "different items": { by: "reading", types: ["list"], places: EVERYWHERE },
  "at least one member": {
    by: "reading",
    types: ["map", "structure"],
    places: { ...EVERYWHERE, body: true },
  },
  "not empty": { by: "reading", types: [...TEXTS, "list", "map"], places: EVERYWHERE },
  "empty becomes null": { by: "reading", types: [...TEXTS, "map"], places: EVERYWHERE },
  "empty means absent": { by: "reading", types: TEXTS, places: EVERYWHERE },
  trimmed: { by: "reading", types: ["string", "email", "uri"], places: EVERYWHERE },
  "absent means": {
    by: "reading",
    types: "all",
    places: {
      field: "Write `starts` for what is stored when nothing is given.",
      part: "Write `starts` for what the part has when nothing is given.",
      input: true,
      body: "Write the member in the input table.",
    },
  },
  holds: { by: "reading", types: "all", places: EVERYWHERE },
  starts: { by: "making", types: "all", places: stored("Write `absent means` for an input.") },
  set: { by: "making", types: "all", places: STORED },
  "counts up": {
    by: "making",
    types: ["integer"],
    places: ofRows(
      "A part is no row, and nothing counts parts: count on a field of the resource, and give " +
        "the number in the step that makes the part.",
    ),
  },
  random: { by: "making", types: ["secret", "string", "uuid"], places: STORED },
  unique: {
    by: "ending",
    types: "all",
    places: ofRows(
      "A part is no row: write an invariant at the resource, such as " +
        "``- Always: `!rows.exists(r, r != it && r.part.member == it.part.member)` ``.",
    ),
  },
  "kept as": { by: "keeping", types: ["secret"], items: true, places: STORED },
  order: { by: "keeping", types: ["list"], places: STORED },
  key: {
    by: "naming",
    types: "all",
    places: ofRows("A part has no identity: a field of the resource names the row."),
  },
  "when gone": { by: "deleting", types: ["reference"], items: true, places: STORED },
  gap: { by: "reading", types: "all", places: { ...EVERYWHERE, body: true } },
} as const satisfies Readonly<Record<Rule["kind"], RuleKind>>;

type Kinds = typeof ruleKinds;

/** The kinds of rules that one doer does. */
export type RuleKindBy<By extends DoneBy> = {
  [K in keyof Kinds]: Kinds[K]["by"] extends By ? K : never;
}[keyof Kinds];

/** The rules that one doer does. */
export type RuleBy<By extends DoneBy> = Extract<Rule, { kind: RuleKindBy<By> }>;

/** Whether the rule is done by this doer. */
export function isDoneBy<By extends DoneBy>(rule: Rule, by: By): rule is RuleBy<By> {
  return ruleKinds[rule.kind].by === by;
}
