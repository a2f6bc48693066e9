/** Requests of which one input alone is about its bounds: each input of each endpoint in turn. */
import {
  type Endpoint,
  type Field,
  type Plan,
  statedOf,
  type ValueType,
} from "../../plan/index.ts";
import type { Request } from "../world/message.ts";
import { type Exploring, foreseen, makingOf } from "./explore.ts";
import { requestTo } from "./requests.ts";
import { scarceEndpoints } from "./scarce.ts";

/** One input of an endpoint, or one member of its body. */
interface Place {
  readonly endpoint: Endpoint;
  readonly name: string;
  /** Turns in which it has shown nothing new. */
  vain: number;
}

/** Requests that are tried in one turn of an input. */
const TRIED = 10;
/** Turns in vain after which an input is left alone. */
const VAIN_MAX = 6;
/** Inputs that have their turn for one request. */
const TURNS = 3;
/** The chance that the value is wrong, or just outside. */
const ODD = 0.7;
const DEPTH_MAX = 3;

export class Outsides {
  readonly #exploring: Exploring;
  #open: Place[];
  #at = 0;

  constructor(exploring: Exploring) {
    this.#exploring = exploring;
    const { plan } = exploring.judge.world;
    const scarce = scarceEndpoints(plan);
    const endpoints = plan.endpoints.filter(({ id }) => !scarce.has(id));
    this.#open = endpoints.flatMap((endpoint) =>
      [...namesOf(plan, endpoint)].map((name) => ({ endpoint, name, vain: 0 })),
    );
  }

  /** One that comes to something new; undefined: those that were tried do not. */
  next(): Request | undefined {
    for (let i = 0; i < TURNS && this.#open.length > 0; i++) {
      this.#at = (this.#at + 1) % this.#open.length;
      const place = this.#open[this.#at] as Place;
      const { request, isReached } = this.#tried(place);
      if (request !== undefined) return request;
      // What no request comes to yet may be reached later.
      if (isReached) place.vain += 1;
      if (place.vain >= VAIN_MAX) this.#open = this.#open.filter((one) => one !== place);
    }
    return undefined;
  }

  #tried({ endpoint, name }: Place): { readonly request?: Request; readonly isReached: boolean } {
    const exploring = this.#exploring;
    const { seen } = exploring;
    const hints = { names: new Set([name]), values: [], odd: ODD };
    let isReached = false;
    for (let i = 0; i < TRIED; i++) {
      const making = { ...makingOf(exploring), wrong: 0, hints, again: 0 };
      const request = requestTo(making, endpoint);
      const ran = foreseen(exploring, request);
      if (ran === undefined) continue;
      isReached ||= ran.failures.length > 0 || ran.outcome.response.status < 400;
      if (exploring.features(ran, request).some((one) => !seen.has(one))) {
        return { request, isReached };
      }
    }
    return { isReached };
  }
}

/** Names of what a request to the endpoint gives besides its path. */
function namesOf(plan: Plan, { inputs, body }: Endpoint): ReadonlySet<string> {
  const names = new Set<string>();
  const given = ({ create, update }: Field): boolean =>
    [create.is, update.is].some((one) => one === "required" || one === "optional");
  const within = ({ type }: ValueType, depth: number): void => {
    if (depth > DEPTH_MAX) return;
    if (type.kind === "list" || type.kind === "map") within(type.of, depth);
    if (type.kind !== "structure") return;
    const part = plan.partTypes.find((one) => one.name === type.name);
    for (const field of part?.fields ?? []) take(field, depth + 1);
  };
  const take = (field: Field, depth: number): void => {
    if (!given(field)) return;
    names.add(field.name);
    within(field.type, depth);
  };
  for (const input of inputs) {
    if (input.in === "path") continue;
    names.add(input.name);
    within(input.type, 0);
  }
  const content = statedOf(body)?.content;
  if (content?.is === "type") within(content.type, 0);
  else if (content !== undefined) {
    const resource = plan.resources.find(({ name }) => name === content.resource);
    for (const field of resource?.fields ?? []) take(field, 0);
  }
  return names;
}
