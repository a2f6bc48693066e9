/**
 * Which cells `check` refuses, with which finding, and why they have no meaning. A finding that no
 * row here allows is wrong, and so is a cell that is served although a row says that it never is.
 */

import { rules } from "../../src/language/rules.ts";
import type { BaseType } from "../../src/plan/index.ts";
import { type RuleKind, ruleKinds } from "../../src/plan/index.ts";
import { DOORS } from "./given.ts";
import type { Slot } from "./slot.ts";
import { HOLDERS } from "./stored.ts";
import { USES } from "./used.ts";

export interface CellFacts {
  readonly place: string;
  readonly slot: Slot;
  /** The rule that the cell is about, by its id in the table. */
  readonly rule: string | undefined;
}

interface Reason {
  readonly code: string;
  /** What the finding says, in its message or its hint. */
  readonly says: RegExp;
  /** Whether such a cell is refused always. */
  readonly always: boolean;
  holds(facts: CellFacts): boolean;
}

type Kind = BaseType["kind"];

const isPart = (place: string): boolean => HOLDERS[place]?.type !== undefined;
const isStart = (place: string): boolean => /^start rows|^wrong start/.test(place);
const isUse = (place: string): boolean => USES[place] !== undefined;
const isField = (place: string): boolean => place === "field" || isStart(place) || isUse(place);
const isText = (place: string): boolean => DOORS[place]?.isText === true;
const isInput = (place: string): boolean => DOORS[place]?.rows !== undefined;
const ruleAt = (place: string): "field" | "part" | "input" =>
  isPart(place) ? "part" : isInput(place) ? "input" : "field";

const bareType = ({ type }: Slot): string => type.replace(/ or (null|absent)/g, "");
const WORDS: readonly (readonly [RegExp, Kind])[] = [
  [/^list of /, "list"],
  [/^map of /, "map"],
  [/^integer/, "integer"],
  [/^decimal/, "decimal"],
  [/^timestamp/, "timestamp"],
  [/^id\b/, "id"],
  [/^one of /, "one of"],
  [/^`Inner`/, "structure"],
  [/^`/, "reference"],
];
/** The kind of a type as it is written. */
const kindOf = (text: string): Kind =>
  WORDS.find(([pattern]) => pattern.test(text))?.[1] ?? (text as Kind);
/** The type inside all lists and maps. */
const innermost = (text: string): string => text.replace(/^((list|map) of )+/, "");
const holds = (slot: Slot, kind: Kind): boolean => kindOf(innermost(bareType(slot))) === kind;
const mayBeAbsent = ({ isAbsentable, rules: own }: Slot): boolean =>
  isAbsentable || own.some((one) => one.includes("empty means absent"));

const kindOfRule = (id: string | undefined): RuleKind | undefined => {
  const form = rules.find((one) => one.id === id);
  return form === undefined ? undefined : ruleKinds[form.kind];
};
function fitsType({ types, items }: RuleKind, text: string): boolean {
  if (types === "all" || types.includes(kindOf(text))) return true;
  const inner = /^(?:list|map) of (.*)$/.exec(text)?.[1];
  return items === true && inner !== undefined && fitsType({ types, items } as RuleKind, inner);
}

const always = (code: string, says: RegExp, when: Reason["holds"]): Reason => ({
  code,
  says,
  always: true,
  holds: when,
});
const may = (code: string, says: RegExp, when: Reason["holds"]): Reason => ({
  code,
  says,
  always: false,
  holds: when,
});

const COMPARED = new Set([
  "value looked for",
  "value not looked for",
  "word form of a condition",
  "different values",
  "compared in an invariant",
  "literal compared",
]);
const SHOWN = new Set([
  "view member",
  "view field",
  "value of Let",
  "value of a row in an answer",
  "literal in a choice",
  "literal in an answer",
]);
const RULES: readonly Reason[] = [
  always("wrong-rule", /does not stand at .+; it stands at /, ({ place, rule }) => {
    const kind = kindOfRule(rule);
    return kind !== undefined && kind.places[ruleAt(place)] !== true;
  }),
  always("wrong-rule", /not for the type .+ It is for: /s, ({ slot, rule }) => {
    const kind = kindOfRule(rule);
    return kind !== undefined && !fitsType(kind, bareType(slot));
  }),
  always(
    "wrong-rule",
    /may not be null/,
    ({ slot, rule }) => rule === "gone null" && !/ or null/.test(slot.type),
  ),
  always(
    "wrong-rule",
    /stands in no list and no map/,
    ({ place, slot, rule }) => rule === "gone out" && !isPart(place) && /^`/.test(slot.type),
  ),
  // A part may stand in a list or a map itself.
  may(
    "wrong-rule",
    /stands in no list and no map/,
    ({ place, slot, rule }) => rule === "gone out" && isPart(place) && /^`/.test(slot.type),
  ),
  may(
    "unknown-name",
    /is no field here|Unknown name/,
    ({ place, rule }) => isInput(place) && /within|when/.test(rule ?? ""),
  ),
  always(
    "contradiction",
    /is needed, and has a value when it is not sent/,
    ({ place, slot, rule }) =>
      isInput(place) && rule === "absent means" && slot.columns.create === "required",
  ),
  // Rows that stand in the document neither change nor go.
  always(
    "invariant-broken",
    /This rule (deletes|changes) a `Thing`, and the document states that nothing does/,
    ({ place, rule }) => place === "start rows, fixed" && /^gone (with|null|out)/.test(rule ?? ""),
  ),
  // Bounds and values of another type than that of the field.
  may("wrong-type", /is wanted here, this is/, ({ rule }) =>
    /^(range|starts|set)/.test(rule ?? ""),
  ),
  may("second-key", /has a key already/, ({ rule, place }) => rule === "key" && isField(place)),
];

/** Types whose values are texts in expressions. */
const TEXTS: ReadonlySet<Kind> = new Set([
  "string",
  "email",
  "uri",
  "uuid",
  "id",
  "one of",
  "state",
  "event name",
  "error name",
]);

const PLACES: readonly Reason[] = [
  always("wrong-type", /^String (or null )?is wanted here/, ({ place, slot }) => {
    const isOfText = place === "header of an answer" || place === "text of an answer";
    return isOfText && !TEXTS.has(kindOf(bareType(slot)));
  }),
  always("rows", /^Row 1 of `Thing` in the block `things` has `v`: /, ({ place }) =>
    place.startsWith("wrong start row"),
  ),
  always("not-sendable", /do not nest/, ({ place }) => place === "dotted form"),
  always("not-sendable", /No client can send .+ here: a value here is /, ({ place, slot }) => {
    const type = bareType(slot);
    if (!isText(place) || place === "dotted form") return false;
    if (/^map of|^`Inner`|^list of (list|map) of|^list of `Inner`/.test(type)) return true;
    return /^list of/.test(type) && (place === "path" || place === "cookie");
  }),
  may(
    "not-sendable",
    /No client can send .+ here: a value here is /,
    ({ place }) => place === "dotted form",
  ),
  always("second-key", /has a key already/, ({ place, slot }) => {
    const isOwn = isField(place) && !/literal/.test(place);
    return isOwn && /^id( `ord_`)?$/.test(bareType(slot));
  }),
  may("hidden-field", /no member of type state/, ({ slot }) => holds(slot, "state")),
  may(
    "hidden-field",
    /A row is shown in a resource, a view or a shape/,
    ({ place, slot }) => SHOWN.has(place) && holds(slot, "reference"),
  ),
  may(
    "hidden-field",
    /A secret is never shown|no member of type secret/,
    ({ slot }) => slot.isSecret,
  ),
  may(
    "secret-shown",
    /is a secret, and (Read says that it is shown|this view shows it)/,
    (facts) => facts.slot.isSecret && (facts.slot.columns.read !== "no" || isUse(facts.place)),
  ),
  may("not-filled", /gets no value for/, ({ slot }) => slot.columns.create === "no"),
  may(
    "unguarded",
    /may be absent/,
    ({ place, slot }) =>
      mayBeAbsent(slot) && (place === "value ordered by" || place === "different values"),
  ),
  always(
    "wrong-type",
    /A whole body is not `or absent`/,
    ({ place, slot }) => place === "whole body" && slot.isAbsentable,
  ),
  always(
    "wrong-type",
    /names a row of `Other`.+A reference stands in/s,
    ({ place, slot }) => place.startsWith("setting") && holds(slot, "reference"),
  ),
  always(
    "wrong-type",
    /keeps a hash/,
    ({ place, slot }) => place === "value of a row given to a call" && slot.isSecret,
  ),
  may(
    "wrong-type",
    /cannot be compared|takes list of/,
    ({ place, slot }) => COMPARED.has(place) && (slot.isSecret || holds(slot, "structure")),
  ),
  always("wrong-type", /Nothing is ordered by|cannot be ordered/, ({ place, slot }) => {
    const type = bareType(slot);
    const hasOrder = !/^(list|map) of|^`|^schema |^(json|file|secret)$/.test(type);
    return place === "value ordered by" && !hasOrder && !mayBeAbsent(slot);
  }),
];

/** Literals of JSON and of parts are read as such where the type is known at once. */
const LITERALS: readonly Reason[] = [
  may(
    "wrong-type",
    /The values of a map have one type|is wanted here|are never equal/,
    (facts) =>
      facts.place.startsWith("literal") &&
      (holds(facts.slot, "structure") || holds(facts.slot, "json")),
  ),
];

const REASONS = [...RULES, ...PLACES, ...LITERALS];

export interface Told {
  readonly code: string;
  readonly message: string;
  readonly hint?: string | undefined;
}

/** What is wrong with a refusal, or with none; undefined: it is as it must be. */
export function misjudged(facts: CellFacts, told: readonly Told[]): string | undefined {
  const held = REASONS.filter((reason) => reason.holds(facts));
  if (told.length === 0) {
    const due = held.find((reason) => reason.always);
    return due && `served, and not refused as ${due.code}: ${due.says}`;
  }
  const other = told.find(({ code, message, hint = "" }) =>
    held.every((one) => one.code !== code || !one.says.test(`${message} ${hint}`)),
  );
  return other && `no reason to refuse it as ${other.code}: ${other.message} ${other.hint ?? ""}`;
}
