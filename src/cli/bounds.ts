/** The host's own bounds on the command line: options that set them, and what `check` says. */
import { BOUNDS, type BoundKey, boundNamed, type HostBounds } from "../serve/index.ts";

const VALUE_MAX = 2_147_483_647;

/** The bounds that options `NAME=N` set; a text tells what is wrong. */
export function boundsOf(options: readonly string[]): Partial<HostBounds> | string {
  const bounds: Partial<Record<BoundKey, number>> = {};
  for (const option of options) {
    const [name = "", text = "", ...more] = option.split("=");
    const key = boundNamed(name);
    if (key === undefined) {
      const known = Object.values(BOUNDS).map((one) => one.name);
      return `\`${name}\` is no bound; the bounds are ${known.join(", ")}`;
    }
    const value = Number(text);
    if (more.length > 0 || !/^\d{1,10}$/.test(text) || value < 1 || value > VALUE_MAX) {
      return `\`--bound ${option}\`: a bound is set to a whole number from 1 to ${VALUE_MAX}`;
    }
    bounds[key] = value;
  }
  return bounds;
}

const BEHIND: Readonly<Record<string, readonly BoundKey[]>> = {
  "size limits": ["targetBytesMax", "headerBytesMax", "bodyBytesMax"],
  "time-outs": ["headersTimeoutMs", "requestTimeoutMs", "keepAliveTimeoutMs"],
};

/** What holds where a document says that there is none of a facet; undefined: nothing does. */
export function boundsBehind(facet: string): string | undefined {
  const keys = BEHIND[facet];
  if (keys === undefined) return undefined;
  const shown = keys.map((key) => {
    const { name, value, unit } = BOUNDS[key];
    return unit === "ms" ? `${name} ${value / 1000} s` : `${name} ${value.toLocaleString("en")}`;
  });
  return `${facet}: none but the host's own bounds (${shown.join(", ")})`;
}
