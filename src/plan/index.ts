/** The door of `plan`: a checked specification in, its plan out. */
export { type Planned, plan } from "./plan.ts";
export type * from "./types.ts";
