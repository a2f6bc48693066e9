/** Reads durations as documents state them: a number and a unit. */
import { parseDuration } from "../expr/index.ts";

/** Microseconds of a stated duration, such as `24 h` or `30 days`. Throws for any other text. */
export function durationOf(text: string): bigint {
  const found = /^([0-9.]+) ?(us|ms|s|min|m|h|d|days?)$/.exec(text);
  const unit = found?.[2] === "min" ? "m" : found?.[2]?.replace(/^days?$/, "d");
  const parsed = parseDuration(found === null ? text : `${found[1]}${unit}`);
  if (parsed === undefined) throw new Error(`the plan has a duration that is none: ${text}`);
  return parsed;
}
