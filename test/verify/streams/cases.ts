/** Each fault of streams, and what is to be said of it. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { check, plan as compile, occurrencesOf } from "../../../src/check/index.ts";
import { read } from "../../../src/read/index.ts";
import { type Verified, verify } from "../../../src/verify/index.ts";
import { type Fault, faulty } from "./faulty.ts";

export const DOCUMENT = "test/verify/streams/spec.md";

const checked = check(read(readFileSync(join(import.meta.dirname, "spec.md"))));

/** What is said: the fault and an item that is named. */
export const FAULTS: readonly (readonly [Fault, said: string, item: string])[] = [
  ["drops", "missing", "events/note.made"],
  ["doubles", "twice", "events/mine"],
  ["swaps", "out of order", "events/mine"],
  ["alters", "wrong data", "events/note.made"],
  ["renames", "wrong data", "events/note.made"],
  ["forgets where", "not sent again", "events/mine/resume"],
  ["begins anew", "sent again", "events/mine/resume"],
  ["tells all", "sent to others", "events/mine/sees"],
  ["no ids", "wrong id", "events/mine/resume"],
  ["one id", "wrong id", "events/mine/resume"],
  ["long ids", "wrong id", "events/mine/resume"],
  ["no heartbeat", "no heartbeat", "events/mine/heartbeat"],
  ["never ends", "not ended", "events/room/ends"],
  ["ends early", "ended early", "events/room/ends"],
  ["lets in", "answer", "events/mine/who"],
  ["tells of refused", "sent for a refused request", "events/note.made"],
];

/** Verifies the service at that address with the fault before it. */
export async function verified(
  service: string,
  fault?: Fault,
  { seed = 1, requestsMax = 160 }: { readonly seed?: number; readonly requestsMax?: number } = {},
): Promise<Verified> {
  const planned = compile(checked);
  if (planned === undefined) throw new Error("a document that cannot be compiled");
  const before = await faulty(service, fault);
  try {
    return await verify(planned.plan, before.url, {
      ...{ seed, tag: `t${seed}s7`, requestsMax, secondsMax: 20, patienceMs: 700 },
      ...{ shrinkMax: 0, breaksMax: 25 },
      occurring: occurrencesOf(checked.service),
    });
  } finally {
    await before.stop();
  }
}

/** What was said in vain of a fault, or of none; undefined: it was found and named. */
export function missed(
  { session }: Verified,
  [, said, item]: readonly [string, string, string],
): string | undefined {
  if (said === "answer") {
    const { breaks } = session;
    if (breaks.some(({ items }) => items.some((one) => item === one || one.startsWith("auth")))) {
      return undefined;
    }
    return JSON.stringify(breaks.map(({ items }) => items));
  }
  const { eventBreaks } = session;
  // Which of the streams shows it first is chance.
  const items = [item, item.replace("events/mine", "events/room")];
  const isNamed = eventBreaks.some(
    (one) => one.fault === said && items.some((each) => one.items.includes(each)),
  );
  if (isNamed) return undefined;
  return JSON.stringify(eventBreaks.map(({ fault, text, items }) => [fault, text, items]));
}
