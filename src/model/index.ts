/** The door of `model`: what a document states, as written and as resolved. */
export type * from "./answer.ts";
export * from "./cell.ts";
export type * from "./edge.ts";
export * from "./example.ts";
export * from "./language/index.ts";
export type * from "./service.ts";
export type * from "./spec.ts";
export type * from "./step.ts";
export type * from "./value.ts";
