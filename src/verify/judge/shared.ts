/** Limits that other clients may have used before any request was made here. */
import { type Limit, statedOf } from "../../plan/index.ts";
import { type Answer, fieldOf } from "../world/message.ts";
import { type Counted, windowOf } from "../world/rates.ts";
import type { Ran, World } from "../world/world.ts";

/** What a refusal is that may be due to others. */
export const SHARED = {
  is: "unstated",
  why: "other clients may have used up what a limit lets through",
  others: true,
} as const;

/** Tells which limits others may have used. */
export class SharedLimits {
  readonly #world: World;
  readonly #began: bigint;
  /** Keys of the callers that were there at the start. */
  readonly #callers: ReadonlySet<number>;

  /** `began`: the service's time of the start, before which others may have made requests. */
  constructor(world: World, began: bigint) {
    this.#world = world;
    this.#began = began;
    const resources = world.plan.schemes.flatMap(({ caller }) => statedOf(caller)?.resource ?? []);
    const rows = [...new Set(resources)].flatMap((name) => world.session.all(name));
    this.#callers = new Set(rows.map(({ key }) => key));
  }

  /** Of the limits that let a request through, those with a window that reaches to the start. */
  among(passed: readonly Counted[], now: bigint): readonly Limit[] {
    return passed.flatMap(({ limit, group }) => {
      const isOthers = statedOf(limit.per)?.is !== "caller" || this.#callers.has(group);
      const { from } = windowOf(limit, this.#world.settings, now);
      return isOthers && from <= this.#began ? [limit] : [];
    });
  }
}

/**
 * The answer with what is expected in the place of what limits say that others have used: how much
 * is left, and when a sliding window lets a request through; undefined: nothing is changed.
 */
export function withoutOthers(
  limits: readonly Limit[],
  answer: Answer,
  { outcome: { response } }: Ran,
): Answer | undefined {
  const names = new Set(limits.map(({ name }) => name));
  const left = new Map(response.headers.flatMap((one) => leftIn(one) ?? []));
  const isSliding = limits.some(({ window }) => statedOf(window)?.is === "sliding");
  const later = isSliding ? secondsIn(response.headers) : undefined;
  const headers = answer.headers.map((one): readonly [string, string] => {
    const [[name, { count }] = ["", { count: 0 }]] = leftIn(one) ?? [];
    const expected = names.has(name) ? left.get(name) : undefined;
    if (expected !== undefined && count <= expected.count) return [one[0], expected.text];
    const seconds = secondsIn([one]);
    const isSooner = later !== undefined && seconds !== undefined && seconds <= later;
    return isSooner ? [one[0], String(later)] : one;
  });
  const isOther = headers.some((one, i) => one[1] !== answer.headers[i]?.[1]);
  return isOther ? { ...answer, headers } : undefined;
}

type Left = readonly [limit: string, left: { readonly count: number; readonly text: string }];

/** What a field `RateLimit` says is left (draft-ietf-httpapi-ratelimit-headers). */
function leftIn([field, text]: readonly [string, string]): readonly Left[] | undefined {
  if (field.toLowerCase() !== "ratelimit") return undefined;
  const [, name, count] = /^"([^"]*)";r=(\d+)/.exec(text) ?? [];
  return name === undefined ? undefined : [[name, { count: Number(count), text }]];
}

/** Seconds in `Retry-After` (RFC 9110 section 10.2.3). */
function secondsIn(headers: Answer["headers"]): number | undefined {
  const text = fieldOf(headers, "Retry-After") ?? "";
  return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined;
}
