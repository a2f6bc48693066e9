/** A shop whose money and parcels are in other hands, served for a test, with code to watch. */
import { readFileSync } from "node:fs";
import type { TestContext } from "node:test";
import type { CallContext } from "../../../src/serve/calls/door.ts";
import type { Running, ServeOptions } from "../../../src/serve/index.ts";
import { serve } from "../../../src/serve/index.ts";
import { document } from "../document.ts";

const TEXT = readFileSync(new URL("shop.md", import.meta.url), "utf8");

/** One call that was made. */
export interface Made {
  readonly call: string;
  readonly given: Readonly<Record<string, unknown>>;
  readonly context: CallContext;
}

export type Answers = Record<string, (made: Made) => unknown>;

/** Answers that let everything go well. */
export const WELL: Answers = {
  charge: ({ given }) => ({ word: "settled", reference: `r${given.order}`, fee: "0.10" }),
  refund: () => ({ word: "done" }),
  rate: () => ({ word: "known", points: 3 }),
  send: () => ({ word: "sent", parcel: "p1" }),
  write: () => ({ word: "written" }),
};

export interface Shop {
  readonly running: Running;
  readonly address: string;
  /** Calls that were made, in order. */
  readonly made: Made[];
  readonly log: string[];
  /** Names of the calls that were made, with their keys' last part. */
  names(): string[];
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Got>;
  get(path: string): Promise<Got>;
}

export interface Got {
  readonly status: number;
  readonly text: string;
  readonly json: Record<string, unknown>;
}

async function send(url: string, init: RequestInit): Promise<Got> {
  const response = await fetch(url, init);
  const text = await response.text();
  return {
    status: response.status,
    text,
    json: text === "" ? {} : (JSON.parse(text) as Record<string, unknown>),
  };
}

/** Talks to a shop at an address. */
export function client(address: string): Pick<Shop, "post" | "get"> {
  return {
    get: (path) => send(`${address}${path}`, {}),
    post: (path, body, headers = {}) =>
      send(`${address}${path}`, {
        method: "POST",
        ...(body === undefined
          ? { headers }
          : {
              body: JSON.stringify(body),
              headers: { "Content-Type": "application/json", ...headers },
            }),
      }),
  };
}

/** The plan of the shop, perhaps with some of its text replaced. */
export function shopPlan(edit: (text: string) => string = (text) => text) {
  return document(edit(TEXT));
}

/** Serves the shop with these answers; it is stopped when the test ends. */
export async function shop(
  t: TestContext,
  answers: Answers = WELL,
  options: Partial<ServeOptions> & { edit?: (text: string) => string } = {},
): Promise<Shop> {
  const { edit, ...rest } = options;
  const made: Made[] = [];
  const log: string[] = [];
  const code = Object.fromEntries(
    Object.entries({ ...WELL, ...answers }).map(([call, answer]) => [
      call,
      (given: never, context: CallContext) => {
        const one = { call, given, context };
        made.push(one);
        return answer(one);
      },
    ]),
  );
  const store = options.file === undefined ? { memory: true } : {};
  const running = await serve(shopPlan(edit).plan, {
    code,
    ...store,
    environment: {},
    log: (line) => log.push(line),
    ...rest,
  });
  t.after(() => running.stop());
  return {
    running,
    address: running.address,
    made,
    log,
    ...client(running.address),
    names: () => made.map((one) => one.call),
  };
}

/** Waits until something holds, at most a few seconds. */
export async function until(holds: () => boolean | Promise<boolean>, what = ""): Promise<void> {
  const endMs = performance.now() + 10_000;
  while (!(await holds())) {
    if (performance.now() > endMs) throw new Error(`it never comes: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** A promise with its end in the hands of the test. */
export function held<T>(): { readonly promise: Promise<T>; readonly give: (value: T) => void } {
  let give: (value: T) => void = () => {};
  const promise = new Promise<T>((resolve) => {
    give = resolve;
  });
  return { promise, give };
}
