/** Asks a document on both stores, with the reference interpreter beside each as the judge. */
import assert from "node:assert/strict";
import { doStep, open, type Subject, type Tally } from "../histories/history.ts";
import { planOfText, subjectFor } from "../histories/subjects.ts";

/** A request: `POST /notes`, its body as JSON or as the text that is sent, and fields. */
export interface Asked {
  readonly of: string;
  readonly body?: unknown;
  readonly headers?: readonly (readonly [name: string, value: string])[];
}

export interface Answered {
  readonly status: number;
  readonly text: string;
  /** The body as JSON; undefined where it is none. */
  readonly json: unknown;
}

/** A new start of the service between requests. */
export const RESTART = "restart";

/** Time that passes between requests, in seconds. */
export interface Wait {
  readonly wait: number;
}

export type Asking = Asked | Wait | string;

const isWait = (one: Asking): one is Wait => typeof one === "object" && "wait" in one;

function requestOf({ of, body, headers = [] }: Asked) {
  const [method = "", target = ""] = of.split(" ");
  const text = body === undefined ? "" : typeof body === "string" ? body : JSON.stringify(body);
  const isTyped = text === "" || headers.some(([name]) => name === "Content-Type");
  return {
    method,
    target,
    headers: isTyped ? headers : [["Content-Type", "application/json"] as const, ...headers],
    body: Buffer.from(text, "utf8").toString("latin1"),
  };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const STORES = ["sqlite", "memory"] as const;

async function askedOn(
  store: (typeof STORES)[number],
  subject: Subject,
  asks: readonly Asking[],
): Promise<readonly Answered[]> {
  const sides = await open(subject, store);
  const found: Answered[] = [];
  const tally: Tally = {
    unsupported: new Map(),
    statuses: new Map(),
    answered: ({ status, body }) => void found.push({ status, text: body, json: jsonOf(body) }),
  };
  try {
    for (const [i, one] of asks.entries()) {
      const seed = i + 1;
      const different = isWait(one)
        ? await doStep(sides, { is: "move", micros: String(one.wait * 1_000_000), seed }, tally)
        : one === RESTART
          ? await doStep(sides, { is: "restart", how: "stop", seed }, tally)
          : await doStep(
              sides,
              {
                is: "request",
                request: requestOf(typeof one === "string" ? { of: one } : one),
                seed,
              },
              tally,
            );
      const what = typeof one === "string" ? one : isWait(one) ? "a wait" : one.of;
      assert.equal(different, undefined, `${store}: ${what}: ${found.at(-1)?.text}`);
    }
  } finally {
    await sides.engine.close();
  }
  return found;
}

/** The answers of a document, which are the same on both stores and those of the reference. */
export async function answersOf(
  text: string,
  asks: readonly Asking[],
  more: Partial<Pick<Subject, "settings" | "startRows" | "echoes">> = {},
): Promise<readonly Answered[]> {
  const { settings = {}, startRows = {} } = more;
  const subject = { ...subjectFor("test", planOfText(text), settings, startRows), ...more };
  const [first = [], second = []] = [
    await askedOn("sqlite", subject, asks),
    await askedOn("memory", subject, asks),
  ];
  assert.deepEqual(second, first);
  return first;
}
