/** Pages that are just full, or one item short: an end of a list is mostly wrong there. */
import { type Endpoint, sentName } from "../../plan/index.ts";
import { isJsonObject, type Json, parseJson } from "../../run/index.ts";
import type { Answer, Request } from "../world/message.ts";
import type { Ran } from "../world/world.ts";
import { type Exploring, foreseen } from "./explore.ts";

/** Longer lists are the same to everybody. */
const ITEMS_MAX = 100;

/** Asks for lists once more, with the number of their items in the place of a number. */
export class Paged {
  readonly #exploring: Exploring;
  readonly #seen = new Set<string>();
  readonly #waiting: Request[] = [];

  constructor(exploring: Exploring) {
    this.#exploring = exploring;
  }

  /** Takes up a request that was answered as stated. */
  took(request: Request, { endpoint, outcome }: Ran, answer: Answer): void {
    if (endpoint?.method !== "GET" || request.method !== "GET") return;
    const kindOf = (count: number): string => `${endpoint.id} ${count === 1 ? "one" : "more"}`;
    const isDone = [1, 2].every((count) => this.#seen.has(kindOf(count)));
    const numbers = numbersOf(endpoint);
    if (isDone || numbers.length === 0 || outcome.response.status !== 200) return;
    const count = itemsIn(answer);
    if (count === 0 || count > ITEMS_MAX || this.#seen.has(kindOf(count))) return;
    this.#seen.add(kindOf(count));
    const sizes = count === 1 ? [1] : [count, count - 1];
    this.#waiting.push(
      ...numbers.flatMap((name) => sizes.map((one) => asking(request, name, one))),
    );
  }

  /** Undefined: all that is known was asked. */
  next(): Request | undefined {
    for (let one = this.#waiting.shift(); one !== undefined; one = this.#waiting.shift()) {
      if (foreseen(this.#exploring, one) !== undefined) return one;
    }
    return undefined;
  }
}

/** Names of numbers in queries, as they are sent. */
const numbersOf = ({ inputs }: Endpoint): readonly string[] =>
  inputs.flatMap((one) =>
    one.in === "query" && one.type.type.kind === "integer" ? [sentName(one)] : [],
  );

/** Items of the list that an answer is, or holds first. */
function itemsIn({ body = "" }: Answer): number {
  const parsed = parseJson(body);
  if (!parsed.ok) return 0;
  const { value } = parsed;
  const all: readonly Json[] = isJsonObject(value) ? [...value].map(([, one]) => one) : [value];
  const list = all.find((one) => Array.isArray(one));
  return Array.isArray(list) ? list.length : 0;
}

/** The request with that number in its query. */
function asking({ target, ...request }: Request, name: string, size: number): Request {
  const [path = "", query = ""] = target.split("?");
  const encoded = encodeURIComponent(name);
  const others = query.split("&").filter((one) => one !== "" && one.split("=")[0] !== encoded);
  return { ...request, target: `${path}?${[...others, `${encoded}=${size}`].join("&")}` };
}
