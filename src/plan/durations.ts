/** Reads durations as documents state them: a number and a unit. */
import { parseStatedDuration } from "../expr/index.ts";

/** Microseconds of a stated duration, such as `24 h` or `30 days`. Throws for any other text. */
export function durationOf(text: string): bigint {
  const parsed = parseStatedDuration(text);
  if (parsed === undefined) throw new Error(`the plan has a duration that is none: ${text}`);
  return parsed;
}
