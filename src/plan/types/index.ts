/** The types of a plan: the service that a document states, resolved. */
export type * from "./answer.ts";
export type * from "./answering.ts";
export type * from "./binding.ts";
export type * from "./change.ts";
export type * from "./condition.ts";
export type * from "./edge.ts";
export type * from "./items.ts";
export type * from "./plan.ts";
export type * from "./service.ts";
export type * from "./step.ts";
export type * from "./value.ts";
