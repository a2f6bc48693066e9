/** What has changed between two documents. */
export { disagreements, disagreementsOutside } from "./agree.ts";
export { besides } from "./beside.ts";
export { changesOf, type FoundChange, facetItem } from "./changes.ts";
export { type KeptChange, keptChanges } from "./kept.ts";
export { worst } from "./relation.ts";
export { type Renamed, Renames } from "./renames.ts";
export { type Subject, sameSubject, subjectText } from "./subject.ts";
export { type Verdict, verdictOf } from "./verdict.ts";
