/** The door of `expr`: the profile of CEL, parsed and checked; types, facts, tables. */
export type { Ast } from "./ast.ts";
export { childrenOf } from "./ast.ts";
export {
  DURATION_MAX,
  dateOfDays,
  daysOfDate,
  floorDivide,
  formatDuration,
  formatTimestamp,
  parseDuration,
  parseStatedDuration,
  parseTimestamp,
  TIMESTAMP_MAX,
  TIMESTAMP_MIN,
} from "./calendar.ts";
export { check } from "./check.ts";
export {
  BOOLEAN,
  callOf,
  conjuncts,
  everyPart,
  freeNames,
  nameOf,
  partsOf,
  readsRows,
  rename,
  rowChain,
  truth,
  withParts,
} from "./code.ts";
export {
  factsThat,
  mergeFacts,
  namesIn,
  noFacts,
  withNotNull,
  withoutName,
  withPresent,
} from "./facts.ts";
export { formatType, formatWithArticle } from "./format.ts";
export { macroTable } from "./functions/macros.ts";
export type { FunctionName } from "./functions.ts";
export { functionTable } from "./functions.ts";
export { DIGITS_MAX } from "./lexer.ts";
export { writtenOut } from "./named-values.ts";
export type { OperatorName } from "./operators.ts";
export { operatorTable } from "./operators.ts";
export { HEIGHT_MAX, NESTING_MAX, parse, TEXT_MAX } from "./parse.ts";
export { meetsGap, references } from "./references.ts";
export {
  containsType,
  isAssignable,
  withoutNull,
} from "./relations.ts";
export { render } from "./render.ts";
export type {
  Bound,
  Checked,
  Code,
  Environment,
  Facts,
  Literal,
  Member,
  NamedValue,
  Type,
} from "./types.ts";
export { incomparable } from "./typing/equality.ts";
export { patternFault } from "./typing/forms.ts";
export { mayPass } from "./typing/overflow.ts";
export { boundOf, narrowed, plainType } from "./typing/ranges.ts";
export { chosen, isMeasured, isWide } from "./units.ts";
export { writtenBound } from "./written.ts";
export { isZone, zoneOffset } from "./zones.ts";
