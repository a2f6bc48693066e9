/** Durations as documents write them: a number and a unit. */

const FORM = /^([0-9]+(?:\.[0-9]+)?) ?(ms|s|min|h|days?)$/;
const MICROS: Readonly<Record<string, number>> = {
  ms: 1000,
  s: 1_000_000,
  min: 60_000_000,
  h: 3_600_000_000,
  day: 86_400_000_000,
  days: 86_400_000_000,
};

/** Microseconds of `30 s`, `5 min`, `24 h`, `30 days`; undefined where it is no duration. */
export function microsOf(text: string): bigint | undefined {
  const found = FORM.exec(text);
  const unit = MICROS[found?.[2] ?? ""];
  if (!found || unit === undefined) return undefined;
  return BigInt(Math.round(Number(found[1]) * unit));
}
