/** JSON texts that are wrong for a type. */
import type { ValueType } from "../../plan/index.ts";
import type { Random } from "./random.ts";

const WRONG = [
  ...["null", "true", "-1", "1.5", '"x"', '""', "[]", "{}", "[null]", "1e3", "0.001"],
  ...["99999999999999999999999999999999999999", '"2026-02-30"', '"2026-13-01T00:00:00Z"'],
  ...["9007199254740993", '"  "', '"a\\nb"'],
];

const NUMBERS = new Set([
  "-1",
  "1e3",
  "99999999999999999999999999999999999999",
  "9007199254740993",
]);

/** A value of another type mostly; null more often than others, where null may not be. */
export function wrongFor(random: Random, { type, orNull }: ValueType): string {
  if (!orNull && random.chance(0.25)) return "null";
  const found = random.pick(WRONG);
  // Of numbers, those just outside of what is stated tell more.
  const isNumber = ["integer", "decimal", "number"].includes(type.kind);
  return isNumber && NUMBERS.has(found) && random.chance(0.9) ? '"x"' : found;
}
