/** Limits that other clients may have used before any request was made here. */
import { type Limit, type Plan, statedOf } from "../../plan/index.ts";
import type { Answer, Fields } from "../world/message.ts";
import { type RatesJudged, windowOf } from "../world/rates.ts";
import type { World } from "../world/world.ts";

/** What an answer is then. */
export const SHARED = {
  is: "unstated",
  why: "other clients may have used up what a limit lets through",
  others: true,
} as const;

/** Tells which refusals of limits may be due to others. */
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

  /** Whether it is the refusal of a limit that counts this request, and requests of others. */
  mayRefuse(rates: RatesJudged, { status }: Answer, now: bigint): boolean {
    const { plan } = this.#world;
    return this.#sharedIn(rates, now).some((limit) => statusOf(plan, limit) === status);
  }

  /** The answer if others had used nothing of what it says is left; undefined: it is the same. */
  asUnused(
    rates: RatesJudged,
    { answer, expected: fields }: { readonly answer: Answer; readonly expected: Fields },
    now: bigint,
  ): Answer | undefined {
    const names = new Set(this.#sharedIn(rates, now).map(({ name }) => name));
    const expected = new Map(fields.flatMap((one) => leftIn(one) ?? []));
    const headers = answer.headers.map((one): readonly [string, string] => {
      const [[name, { left }] = ["", { left: 0 }]] = leftIn(one) ?? [];
      const unused = names.has(name) ? expected.get(name) : undefined;
      return unused === undefined || left > unused.left ? one : [one[0], unused.text];
    });
    const isOther = headers.some((one, i) => one !== answer.headers[i]);
    return isOther ? { ...answer, headers } : undefined;
  }

  /** Limits that let it through, with a window that holds a time before the start. */
  #sharedIn({ passed }: RatesJudged, now: bigint): readonly Limit[] {
    return passed.flatMap(({ limit, group }) => {
      const isOthers = statedOf(limit.per)?.is !== "caller" || this.#callers.has(group);
      const { from } = windowOf(limit, this.#world.settings, now);
      return isOthers && from <= this.#began ? [limit] : [];
    });
  }
}

type Left = readonly [limit: string, left: { readonly left: number; readonly text: string }];

/** What a field `RateLimit` says (draft-ietf-httpapi-ratelimit-headers). */
function leftIn([field, text]: readonly [string, string]): readonly Left[] | undefined {
  if (field.toLowerCase() !== "ratelimit") return undefined;
  const [, name, left] = /^"([^"]*)";r=(\d+)/.exec(text) ?? [];
  return name === undefined ? undefined : [[name, { left: Number(left), text }]];
}

/** The status with which it refuses; undefined: that is not stated. */
function statusOf({ errors }: Plan, { whenPassed }: Limit): number | undefined {
  const refusal = statedOf(whenPassed);
  if (refusal?.is !== "error") return undefined;
  const error = errors.find(({ name }) => name === refusal.error);
  return error === undefined ? undefined : Number(statedOf(error.status));
}
