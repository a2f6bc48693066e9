/** The door of `plan`: a checked specification in, its plan out. */
export { assumedBy } from "./assumed.ts";
export { clockField, hasClock, withClocks } from "./clocks.ts";
export { type Planned, plan } from "./plan.ts";
export type * from "./types.ts";
