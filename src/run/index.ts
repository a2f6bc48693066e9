/** The door of `run`: a plan becomes a program, which a host runs on sessions of a store. */
export type * from "./ports/index.ts";
export { compile } from "./program.ts";
export { Pruner } from "./prune.ts";
export { Shake } from "./shake.ts";
export { StartRowFault } from "./start.ts";
export { withStreams } from "./streams.ts";
export * from "./wire/index.ts";
