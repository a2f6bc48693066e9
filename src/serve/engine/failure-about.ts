/** What a failure that no endpoint's steps meet is about. */
import type { Late } from "../../run/index.ts";
import type { Limits } from "../limits/limits.ts";

export interface FailureAbout {
  readonly endpoint?: number;
  readonly allow?: readonly string[];
  readonly refusal?: Exclude<Late, string>;
}

/** What the stated time to answer says of a late request. */
export function refusalOf({ time }: Limits): Pick<FailureAbout, "refusal"> {
  return time === undefined || time.late === "time passed" ? {} : { refusal: time.late };
}
