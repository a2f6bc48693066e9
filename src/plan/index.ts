/** The door of `plan`: what a plan is, and what can be told from it alone. */
export { afterLastItem, answerItem } from "./after-attempts.ts";
export { gapOf, isStated, itemOf, type Stated, statedOf } from "./answers.ts";
export { type AnsweredBy, assumedBy } from "./assumed.ts";
export { bindingsIn } from "./bindings.ts";
export { generalBodies, type WithBodies } from "./bodies.ts";
export {
  type Causes,
  type Conditions,
  causesOf,
  type Nowhere,
  nowhereCauses,
  nowhereGap,
  statusesOf,
  type WayToEnd,
  waysToEnd,
} from "./causes/index.ts";
export { clockField, hasClock, withClocks } from "./clocks.ts";
export { doubtsOf, saidItem } from "./doubters.ts";
export { durationOf } from "./durations.ts";
export { callTouchesOf, touchesOf, writtenBySteps } from "./endpoint-touches.ts";
export { deprecationOf, EVERY_ENDPOINT, endingsOf } from "./ends.ts";
export * from "./filled.ts";
export { hiddenRules, namelessGap } from "./hidden-rules.ts";
export { beyondRows, gapField, type NamedGap, namedGap } from "./named-gap.ts";
export { hasNarrowIntegers, isNarrow } from "./narrow.ts";
export { whyNotCompared } from "./own-answer.ts";
export * from "./paths.ts";
export { type Growing, growingReads } from "./reads/growing.ts";
export { codePartsOf, indexesOf, type Wish } from "./reads/indexes.ts";
export { lowered, readInLower, unlowered } from "./reads/lowered.ts";
export { fieldOfRow, namesOneRow, pinnedFields } from "./reads/one-row.ts";
export type { Growth } from "./reads/read.ts";
export * from "./references.ts";
export { MARK, type RowGaps, rowGapsOf } from "./row-gaps.ts";
export * from "./rule-kinds.ts";
export { scalarType } from "./scalar-types.ts";
export { schemasFrom } from "./schemas.ts";
export { sentName, sentPath } from "./sent.ts";
export { standingOf } from "./standing.ts";
export * from "./step-kinds.ts";
export { stepsOf } from "./steps-of.ts";
export { endpointOfStream, withStreams } from "./streams.ts";
export * from "./texts.ts";
export type { Doubt, Touch } from "./touches.ts";
export * from "./type-kinds.ts";
export type * from "./types/index.ts";
export { unknownOf, unknownToAll } from "./unknown.ts";
export { isLaterVersion } from "./version-order.ts";
export { pathsBeyond, rowsOf, staysWithin } from "./within-rows.ts";
