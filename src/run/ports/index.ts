/** The ports of `run`: what a host gives to a program and gets back, and what a store is. */
export type * from "./calls.ts";
export type * from "./failure.ts";
export * from "./fault.ts";
export type * from "./host.ts";
export type * from "./invocation.ts";
export type * from "./later.ts";
export type * from "./outbox.ts";
export type * from "./outcome.ts";
export type * from "./program.ts";
export type * from "./session.ts";
export type * from "./value.ts";
