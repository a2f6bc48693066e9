/** Requests under an idempotency key that was used: what each kind of first answer leads to. */
import type { Endpoint } from "../../plan/index.ts";
import { keyField } from "../world/keys.ts";
import type { Request } from "../world/message.ts";
import type { Ran } from "../world/world.ts";
import { type Exploring, foreseen, makingOf } from "./explore.ts";
import { requestTo } from "./requests.ts";
import { scarceEndpoints } from "./scarce.ts";

/** Requests that are tried for one that can be foreseen. */
const TRIED = 8;
/** First answers that wait for what is asked behind them. */
const WAITING_MAX = 8;

type Headers = Request["headers"];

/** The same values in other bytes. */
const spaced = (body: string): string => body.replace(/^\{/, "{ ");

/** What is asked behind a first answer, by the first request and a new one to the endpoint. */
const TRIALS: readonly ((first: Request, other: Request, isKey: IsKey) => Request)[] = [
  (first) => first,
  (first) => (first.body === undefined ? first : { ...first, body: spaced(first.body) }),
  (first, { body }) => (body === undefined ? first : { ...first, body }),
  (first, other, isKey) => {
    const others: Headers = other.headers.filter((one) => !isKey(one));
    return { ...other, headers: [...others, ...first.headers.filter(isKey)] };
  },
];

type IsKey = (header: Headers[number]) => boolean;

const keyOf = ({ idempotency }: Endpoint): IsKey => {
  const key = keyField(idempotency);
  return ([name]) => name.toLowerCase() === key;
};

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
      const { first, endpoint, at } = one;
      one.at += 1;
      if (one.at >= TRIALS.length) this.#waiting.shift();
      for (let i = 0; i < TRIED; i++) {
        const making = { ...makingOf(this.#exploring), wrong: 0, again: 0 };
        const request = TRIALS[at]?.(first, requestTo(making, endpoint), keyOf(endpoint));
        if (request && foreseen(this.#exploring, request) !== undefined) return request;
      }
    }
    return undefined;
  }
}
