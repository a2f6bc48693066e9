/** The examples of a document as requests that are made in turn, with names of their own. */
import type { Field, Plan } from "../../plan/index.ts";
import { type ExampleExchange, type ExampleRequest, parseExample } from "../../spec/index.ts";
import type { Answer, Request } from "../world/message.ts";
import type { Json } from "./bodies.ts";
import { jsonIn } from "./examples.ts";
import { type Exploring, isForeseen, isUnsendable, makingOf } from "./explore.ts";
import { isMatching, newText, text } from "./texts.ts";

/** Follows the examples of a document, each up to where the model answers otherwise. */
export class Stories {
  readonly #exploring: Exploring;
  readonly #left: string[];
  #story: Story | undefined;

  constructor(exploring: Exploring) {
    this.#exploring = exploring;
    this.#left = exploring.judge.world.plan.examples.map((one) => one.text);
  }

  /** The next request; undefined: all examples are over. */
  next(): Request | undefined {
    for (;;) {
      const request = this.#story?.next();
      if (request !== undefined) return request;
      const example = this.#left.shift();
      if (example === undefined) return undefined;
      this.#story = new Story(this.#exploring, example);
    }
  }

  /** Takes up a request that was answered as stated. */
  took(request: Request, answer: Answer): void {
    this.#story?.took(request, answer);
  }
}

type Fields = ReadonlyMap<string, Field>;

const found = new WeakMap<Plan, Fields>();

/** Kinds of values that clients make up. */
const NAMES = new Set<string>(["string", "email"]);

/** Fields of which no two rows may have the same value, by their names. */
function uniqueIn(plan: Plan): Fields {
  const known = found.get(plan);
  if (known !== undefined) return known;
  const fields = plan.resources.flatMap(({ fields: all, invariants, key = "" }) => {
    const together = invariants.flatMap((one) => (one.kind === "unique" ? one.fields : []));
    const names = new Set([...together, key]);
    const isUnique = ({ name, type, rules }: Field): boolean =>
      NAMES.has(type.type.kind) && (names.has(name) || rules.some(({ kind }) => kind === "unique"));
    return all.filter(isUnique).map((one) => [one.name, one] as const);
  });
  const unique = new Map(fields);
  found.set(plan, unique);
  return unique;
}

/** Members anywhere in a value that are texts, and these. */
function textsIn(value: Json): readonly (readonly [name: string, text: string])[] {
  if (Array.isArray(value)) return value.flatMap(textsIn);
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, one]) =>
    typeof one === "string" ? [[name, one] as const] : textsIn(one),
  );
}

const escaped = (literal: string): string => literal.replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&");

const PLACEHOLDER = /\{\{(\w+|\*)\}\}/g;

/** One example as it goes: what its placeholders and its own names stand for. */
class Story {
  readonly #exploring: Exploring;
  readonly #exchanges: readonly ExampleExchange[];
  /** Names of the example in lower case, and what is sent for them. */
  readonly #names = new Map<string, string>();
  readonly #placeholders = new Map<string, string>();
  #at = 0;
  /** The request that was made last, as JSON; undefined: its answer was taken up. */
  #awaited: string | undefined;

  constructor(exploring: Exploring, example: string) {
    this.#exploring = exploring;
    const { exchanges, moves } = parseExample(example);
    // Nobody can move the clock of a service.
    this.#exchanges = exchanges.slice(0, moves[0]?.before);
    for (const { request } of this.#exchanges) this.#name(request);
  }

  /** The next request; undefined: it is over, or went otherwise. */
  next(): Request | undefined {
    const exchange = this.#exchanges[this.#at];
    if (exchange === undefined || this.#awaited !== undefined) return undefined;
    const request = this.#requestOf(exchange.request);
    if (isUnsendable(request, new Set())) return undefined;
    const { judge, clock } = this.#exploring;
    const ran = judge.foresee(request, clock());
    const { status } = ran.outcome.response;
    if (status !== exchange.response.status || !isForeseen(ran, request)) return undefined;
    this.#awaited = JSON.stringify(request);
    return request;
  }

  /** Takes from an answer what the example's placeholders stand for. */
  took(request: Request, { headers, body }: Answer): void {
    const { response } = this.#exchanges[this.#at] ?? {};
    if (response === undefined || JSON.stringify(request) !== this.#awaited) return;
    this.#awaited = undefined;
    this.#at += 1;
    const [shown, answered] = [jsonIn(response.body?.text ?? ""), jsonIn(body ?? "")];
    if (shown !== undefined && answered !== undefined) this.#match(shown, answered);
    for (const { name, value } of response.headers) {
      const isSame = ([one]: readonly [string, string]): boolean =>
        one.toLowerCase() === name.text.toLowerCase();
      this.#match(value.text, headers.find(isSame)?.[1] ?? "");
    }
  }

  /** Gives names that no row has yet to what a request may make. */
  #name({ body }: ExampleRequest): void {
    const { world } = this.#exploring.judge;
    const unique = uniqueIn(world.plan);
    const making = { ...makingOf(this.#exploring), wrong: 0 };
    for (const [member, value] of textsIn(jsonIn(body?.text ?? "") ?? null)) {
      const field = unique.get(member);
      const key = value.toLowerCase();
      const isNone = field === undefined || value === "" || this.#names.has(key);
      if (isNone || /^\w+:\/\/|\{\{/.test(value) || this.#isHeld(member, value)) continue;
      const [, host] = value.split("@");
      const own = newText(making);
      const name = isMatching(field.rules, own) ? own : text(making, field.rules);
      this.#names.set(key, host === undefined ? name : `${name}@${host}`);
    }
  }

  #isHeld(member: string, value: string): boolean {
    const { world } = this.#exploring.judge;
    return world.plan.resources.some(({ name, fields }) => {
      const place = fields.findIndex((one) => one.name === member);
      return place >= 0 && world.rows(name).some(({ values }) => values[place] === value);
    });
  }

  #requestOf({ method, target, headers, body }: ExampleRequest): Request {
    const [path = "", query] = target.text.split("?");
    const own = path.split("/").map((one) => this.#names.get(one.toLowerCase()) ?? one);
    const whole = query === undefined ? own.join("/") : `${own.join("/")}?${query}`;
    return {
      method: method.text,
      target: this.#filled(whole),
      headers: headers.map(({ name, value }) => [name.text, this.#filled(value.text)]),
      ...(body === undefined ? {} : { body: this.#filled(this.#named(body.text)) }),
    };
  }

  #match(shown: Json, answered: Json): void {
    if (typeof shown === "string") this.#matchText(shown, answered);
    if (typeof shown !== "object" || shown === null) return;
    if (typeof answered !== "object" || answered === null) return;
    const members = new Map(Object.entries(answered));
    for (const [name, one] of Object.entries(shown)) {
      const other = members.get(name);
      if (other !== undefined) this.#match(one, other);
    }
  }

  #matchText(shown: string, answered: Json): void {
    if (typeof answered === "object") return;
    const names = [...shown.matchAll(PLACEHOLDER)].map(([, name = ""]) => name);
    if (names.length === 0) return;
    const parts = shown.split(/\{\{(?:\w+|\*)\}\}/).map(escaped);
    const values = new RegExp(`^${parts.join("(.*)")}$`, "s").exec(String(answered)) ?? [];
    for (const [i, value] of values.slice(1).entries()) {
      this.#placeholders.set(names[i] ?? "", value);
    }
  }

  /** With what its placeholders stand for. */
  #filled(written: string): string {
    return written.replaceAll(PLACEHOLDER, (all, name) => this.#placeholders.get(name) ?? all);
  }

  /** With names of its own in the place of those that stand there as whole texts. */
  #named(body: string): string {
    return body.replaceAll(/"((?:[^"\\]|\\.)*)"(\s*:)?/g, (all, value, colon) => {
      const name = colon === undefined ? this.#names.get(value.toLowerCase()) : undefined;
      return name === undefined ? all : JSON.stringify(name);
    });
  }
}
