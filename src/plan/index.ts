/** The door of `plan`: a checked specification in, its plan out. */
export { isDoneBy, ruleKinds } from "../model/index.ts";
export { assumedBy } from "./assumed.ts";
export { type Causes, type Conditions, causesOf, statusesOf } from "./causes/index.ts";
export { clockField, hasClock, withClocks } from "./clocks.ts";
export { type Planned, plan } from "./plan.ts";
export type * from "./types.ts";
