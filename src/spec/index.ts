/** The door of `spec`: the specification as written, each thing with its place. */
export * from "./cell.ts";
export * from "./example.ts";
export type * from "./spec.ts";
