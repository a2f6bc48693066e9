/** The host's own bounds as the command line, the environment and files set them. */
import { nearest } from "../base/index.ts";
import { BOUNDS, type BoundKey, boundNamed } from "../serve/index.ts";
import { capitals } from "./serve-options.ts";

const VALUE_MAX = 2_147_483_647;
const NAMES = Object.values(BOUNDS).map((one) => one.name);

/** Before the name of a bound in the environment. */
export const BOUND_PREFIX = "LACUNA_BOUND_";

/** A bound that was set. */
interface BoundSet {
  readonly key: BoundKey;
  readonly value: number;
}

/** A bound's name as the environment has it: `LACUNA_BOUND_BODY_BYTES`. */
function boundEnvironment(name: string): string {
  return `${BOUND_PREFIX}${capitals(name)}`;
}

/** The bound of that name in the environment, or a text that tells what is wrong. */
export function boundInEnvironment(variable: string): string | { readonly name: string } {
  const name = NAMES.find((one) => boundEnvironment(one) === variable);
  return name === undefined ? unknown(variable, NAMES.map(boundEnvironment)) : { name };
}

/** The bound of that name with that value; a text tells what is wrong. */
export function boundOf(name: string, text: string): BoundSet | string {
  const key = boundNamed(name);
  if (key === undefined) return unknown(name, NAMES);
  const value = Number(text);
  if (!/^\d{1,10}$/.test(text) || value < 1 || value > VALUE_MAX) {
    return `\`${name}\` is set to \`${text}\`; a bound is a whole number from 1 to ${VALUE_MAX}`;
  }
  return { key, value };
}

function unknown(name: string, names: readonly string[]): string {
  const near = nearest(name, names);
  const hint = near === undefined ? "" : `; did you mean \`${near}\`?`;
  return `\`${name}\` is no bound${hint}; the bounds are ${names.join(", ")}`;
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
