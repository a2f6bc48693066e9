/** The door of `plan`. */
export type * from "./types.ts";
