/** The door of `verify`: a running service is judged by all that its document states. */

export { readTold, type Told } from "./operator.ts";
export type { Found, Verdict } from "./verdicts.ts";
export { type Break, type Verified, verify } from "./verify.ts";
