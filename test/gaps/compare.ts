/** Compares the answers of a document in which one clause is not shown with those of the whole. */
import { claimed, headerLines } from "../histories/compare.ts";
import type { RawAnswer } from "../histories/talk.ts";
import { type Answers, play, type Session } from "./play.ts";
import type { Ready } from "./static.ts";
import type { Subject } from "./subjects.ts";

/** A session with the answers of the whole document, also without some of its requests. */
export interface Played {
  readonly session: Session;
  readonly answers: Answers;
  without(steps: ReadonlySet<number>): Promise<Answers>;
}

/** Plays a session against the whole document. */
export async function playWhole(ready: Ready, subject: Subject, session: Session): Promise<Played> {
  const known = new Map<string, Promise<Answers>>();
  return {
    session,
    answers: await play(ready, subject, session),
    without: (steps) => {
      const key = [...steps].join();
      const found = known.get(key) ?? play(ready, subject, session, steps);
      known.set(key, found);
      return found;
    },
  };
}

/** Fields that count requests, those that met a gap among them. */
const COUNTING = /^(ratelimit|x-ratelimit|retry-after)/;

/** An answer as it is compared; `counted`: without what counts requests. */
export function textOf({ status, headers, body }: RawAnswer, counted: boolean): string {
  // The place of a gap moves where a line is taken away.
  if (status === 501) return `501 ${gapOf({ status, headers, body })?.id ?? body}`;
  const lines = headerLines(headers).filter((line) => !counted || !COUNTING.test(line));
  return `${status}\n${lines.join("\n")}\n${claimed(body)}`;
}

const short = ({ status, body }: RawAnswer): string => `${status} ${body.slice(0, 160)}`;

interface Named {
  readonly id: string;
  readonly place: string;
  readonly sentence: string;
}

/** The gap that a 501 names; undefined where it names none. */
function gapOf({ body }: RawAnswer): Named | undefined {
  try {
    return (JSON.parse(body) as { gap?: Named }).gap;
  } catch {
    return undefined;
  }
}

export interface Seen {
  readonly outcome: "named" | "unseen" | "filled" | "contagious" | "misnamed";
  readonly why: string;
}

/** Requests of a session, by their places, that are answered by the gap on one of the lines. */
function metIn(got: Answers, { session, answers }: Played, lines: ReadonlySet<number>) {
  const found = new Set<number>();
  for (const [at, answer] of got.entries()) {
    if (answer?.status !== 501) continue;
    const step = session.steps[at];
    const isHead = step?.is === "request" && step.request.method === "HEAD";
    // HEAD names its gap in no body: it is one where the whole document has an answer.
    if (isHead && answers[at]?.status !== 501) found.add(at);
    if (lines.has(Number(gapOf(answer)?.place.split(":").at(-2)))) found.add(at);
  }
  return found;
}

/** Which line of the document is named by the answers of a session, or what is wrong with them. */
async function compareOne(got: Answers, played: Played, lines: ReadonlySet<number>): Promise<Seen> {
  const { session, answers } = played;
  const met = metIn(got, played, lines);
  // A request that met the gap has done nothing: the rest is as if it had not been sent.
  const wanted = met.size === 0 ? answers : await played.without(met);
  for (const [at, answer] of got.entries()) {
    const other = wanted[at];
    if (answer === undefined || other === undefined || met.has(at)) continue;
    const counted = met.size > 0;
    if (textOf(answer, counted) === textOf(other, counted)) continue;
    if (counted && [answer.status, other.status].includes(429)) continue;
    const step = session.steps[at];
    const asked = step?.is === "request" ? `${step.request.method} ${step.request.target}` : "";
    const gap = answer.status === 501 ? gapOf(answer) : undefined;
    if (answer.status === 501) {
      const why = gap === undefined ? answer.body.slice(0, 160) : `${gap.id} at ${gap.place}`;
      return { outcome: "misnamed", why: `${asked}: ${why}` };
    }
    const outcome = answer.status === 500 && other.status !== 500 ? "contagious" : "filled";
    return { outcome, why: `${asked}: ${short(answer)} instead of ${short(other)}` };
  }
  return { outcome: met.size > 0 ? "named" : "unseen", why: "" };
}

/** What the answers of all sessions say of a gap that stands on one of the lines. */
export async function compare(
  ready: Ready,
  subject: Subject,
  all: readonly Played[],
  lines: ReadonlySet<number>,
): Promise<Seen> {
  let seen: Seen = { outcome: "unseen", why: "" };
  for (const played of all) {
    const one = await compareOne(await play(ready, subject, played.session), played, lines);
    if (one.outcome !== "named" && one.outcome !== "unseen") return one;
    if (one.outcome === "named") seen = one;
  }
  return seen;
}
