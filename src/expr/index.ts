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
  parseTimestamp,
  TIMESTAMP_MAX,
  TIMESTAMP_MIN,
} from "./calendar.ts";
export { check } from "./check.ts";
export type { RowChain } from "./code.ts";
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
export type { Form, FunctionEntry, FunctionName, MacroEntry } from "./functions.ts";
export { functionTable, macroTable } from "./functions.ts";
export { DIGITS_MAX } from "./lexer.ts";
export type { OperatorEntry, OperatorName } from "./operators.ts";
export { operatorTable } from "./operators.ts";
export type { Parsed } from "./parse.ts";
export { HEIGHT_MAX, NESTING_MAX, parse, TEXT_MAX } from "./parse.ts";
export type { MemberReference, References } from "./references.ts";
export { meetsGap, references } from "./references.ts";
export {
  canBeNull,
  commonType,
  containsType,
  isAssignable,
  isSameType,
  nullable,
  withoutNull,
} from "./relations.ts";
export { render } from "./render.ts";
export { quote } from "./text.ts";
export type {
  Bound,
  Checked,
  Code,
  Environment,
  Facts,
  Literal,
  Member,
  Problem,
  Type,
} from "./types.ts";
export { incomparable } from "./typing/equality.ts";
export { PLACES_MAX, patternFault } from "./typing/forms.ts";
export { isZone, zoneOffset } from "./zones.ts";
