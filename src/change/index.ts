/** What has changed between two documents. */
export { type KeptChange, keptChanges } from "./kept.ts";
