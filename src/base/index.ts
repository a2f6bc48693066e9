/** The door of `base`: spans, findings, nearest words, lists, words. */
export { endless } from "./cycles.ts";
export {
  type CodeEntry,
  type Finding,
  type FormList,
  report,
  type Severity,
  type Topic,
} from "./finding.ts";
export { packed } from "./lists.ts";
export { type Budget, nearest, nearestWithin, newBudget, spend } from "./nearest.ts";
export { never } from "./never.ts";
export type { LineTable, Position, Span } from "./span.ts";
export { lineTable, positionOf } from "./span.ts";
export { contentName, wordAt } from "./words.ts";
