/** Requests under an idempotency key that was used: what each kind of first answer leads to. */
import { type Endpoint, statedOf } from "../../plan/index.ts";
import type { Request } from "../world/message.ts";
import type { Ran } from "../world/world.ts";
import { type Exploring, isForeseen, isUnsendable, makingOf } from "./explore.ts";
import { requestTo } from "./requests.ts";
import { scarceEndpoints } from "./scarce.ts";

/** Requests that are tried for one with another body, or by another caller. */
const TRIED = 8;
/** First answers that wait for what is asked behind them. */
const WAITING_MAX = 8;
const NONE: ReadonlySet<string> = new Set();

type Trial = (exploring: Exploring, first: Request, endpoint: Endpoint) => Request | undefined;

/** A new request to the endpoint, as far as one is found that can be foreseen. */
function fresh(exploring: Exploring, endpoint: Endpoint, change: (one: Request) => Request) {
  const { judge, clock } = exploring;
  for (let i = 0; i < TRIED; i++) {
    const making = { ...makingOf(exploring), wrong: 0, again: 0 };
    const request = change(requestTo(making, endpoint));
    if (isUnsendable(request, NONE)) continue;
    const ran = judge.foresee(request, clock());
    if (ran.outcome.effects.gap === undefined && isForeseen(ran, request)) return request;
  }
  return undefined;
}

const isKey =
  ({ idempotency }: Endpoint) =>
  ([name]: readonly [string, string]): boolean =>
    name.toLowerCase() === (idempotency && statedOf(idempotency.header))?.toLowerCase();

const TRIALS: readonly Trial[] = [
  (_, first) => first,
  // The same values in other bytes.
  (_, first) =>
    first.body?.startsWith("{") ? { ...first, body: `{ ${first.body.slice(1)}` } : first,
  (exploring, first, endpoint) =>
    fresh(exploring, endpoint, ({ body }) => ({
      ...first,
      ...(body === undefined ? {} : { body }),
    })),
  (exploring, first, endpoint) =>
    fresh(exploring, endpoint, (one) => ({
      ...one,
      headers: [
        ...one.headers.filter((header) => !isKey(endpoint)(header)),
        ...first.headers.filter(isKey(endpoint)),
      ],
    })),
];

/** Asks again under each key whose first answer is of a new kind. */
export class Keyed {
  readonly #exploring: Exploring;
  readonly #scarce: ReadonlySet<string>;
  readonly #seen = new Set<string>();
  readonly #waiting: { readonly first: Request; readonly endpoint: Endpoint; at: number }[] = [];

  constructor(exploring: Exploring) {
    this.#exploring = exploring;
    this.#scarce = scarceEndpoints(exploring.judge.world.plan);
  }

  /** Takes up a request that was answered as stated. */
  took(first: Request, { endpoint, outcome, trace }: Ran): void {
    const item = endpoint?.idempotency?.id;
    if (endpoint === undefined || item === undefined || this.#scarce.has(endpoint.id)) return;
    if (!trace.some(([one, came]) => one === item && came === "held")) return;
    const { status } = outcome.response;
    const name = `${endpoint.id} ${status < 300 ? "done" : (outcome.error ?? status)}`;
    if (this.#seen.has(name) || this.#waiting.length >= WAITING_MAX) return;
    this.#seen.add(name);
    this.#waiting.push({ first, endpoint, at: 0 });
  }

  /** Undefined: all that is known was asked. */
  next(): Request | undefined {
    for (let one = this.#waiting[0]; one !== undefined; one = this.#waiting[0]) {
      const trial = TRIALS[one.at];
      one.at += 1;
      if (trial === undefined) this.#waiting.shift();
      const request = trial?.(this.#exploring, one.first, one.endpoint);
      if (request !== undefined) return request;
    }
    return undefined;
  }
}
