/** Compares the answers of a document in which one clause is not shown with those of the whole. */
import { claimed } from "../histories/compare.ts";
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

/** How many lists of answers without some requests are kept for each session. */
const KEPT_MAX = 500;

/** Plays a session against the whole document. */
export async function playWhole(ready: Ready, subject: Subject, session: Session): Promise<Played> {
  const known = new Map<string, Promise<Answers>>();
  return {
    session,
    answers: await play(ready, subject, session),
    without: (steps) => {
      const key = [...steps].sort((a, b) => a - b).join();
      const found = known.get(key) ?? play(ready, subject, session, steps);
      if (known.size < KEPT_MAX) known.set(key, found);
      return found;
    },
  };
}

/**
 * Fields of the connection; the length, which the body has; which fields of the request decide,
 * among them one that meets the gap; which assumptions answer instead.
 */
const LEFT_OUT = new Set([
  ...["date", "connection", "keep-alive", "content-length"],
  ...["vary", "lacuna-assumed"],
]);
/** Fields that count requests. */
const COUNTING = /^(ratelimit|x-ratelimit|retry-after)/;

function linesOf({ headers }: RawAnswer): string[] {
  return headers
    .map(([name, value]) => [name.toLowerCase(), value] as const)
    .filter(([name]) => !LEFT_OUT.has(name))
    .map(([name, value]) => `${name}: ${value}`)
    .sort();
}

/** An answer as it is compared; `counted`: without what counts requests. */
export function textOf(answer: RawAnswer, counted: boolean): string {
  // The place of a gap moves where a line is taken away.
  if (answer.status === 501) return `501 ${gapOf(answer)?.id ?? answer.body}`;
  const lines = linesOf(answer).filter((line) => !counted || !COUNTING.test(line));
  return `${answer.status}\n${lines.join("\n")}\n${claimed(answer.body)}`;
}

/** The numbers of the fields that count requests. */
function countsOf(answer: RawAnswer): number[] {
  const lines = linesOf(answer).filter((line) => COUNTING.test(line));
  return lines.flatMap((line) => [...line.matchAll(/\d+/g)].map(([digits]) => Number(digits)));
}

/**
 * A request that meets a gap behind `Check the limits` is counted, one that meets it before is not
 * (notation, Limits): each number lies between those of the two. Where the whole document counts
 * fewer, since what met the gap has kept others from being counted, it may be less by `metCount`.
 */
function countsFit(got: RawAnswer, all: RawAnswer, without: RawAnswer, metCount: number): boolean {
  const [own, a, b] = [got, all, without].map(countsOf) as [number[], number[], number[]];
  if (own.length !== b.length) return false;
  return own.every((one, i) => {
    const [x, y] = [a[i] ?? b[i] ?? one, b[i] ?? one];
    return one >= Math.min(x, y - metCount) && one <= Math.max(x, y);
  });
}

/** How two texts differ, from a little before the first difference. */
function differ(got: RawAnswer, wanted: RawAnswer): string {
  const [own, other] = [got, wanted].map((one) => textOf(one, false)) as [string, string];
  let at = 0;
  while (at < own.length && own[at] === other[at]) at++;
  const piece = (text: string): string => text.slice(Math.max(0, at - 40), at + 80);
  const both = `${got.status} and ${wanted.status}`;
  return `${both}: ...${piece(own)}... instead of ...${piece(other)}...`.replaceAll("\n", " ");
}

interface Named {
  readonly id: string;
  /** `file:line:column`. */
  readonly place: string;
}

/** The gap that a 501 names, in its body or, without one, in its header field. */
function gapOf({ headers, body }: RawAnswer): Named | undefined {
  const field = headers.find(([name]) => name.toLowerCase() === "lacuna-gap")?.[1];
  const [id = "", place = ""] = field?.split("; ") ?? [];
  if (body === "") return field === undefined ? undefined : { id: decodeURIComponent(id), place };
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

const lineOf = ({ place }: Named): number => Number(place.split(":").at(-2));

/** Requests of a session, by their places, that are answered by the gap on one of the lines. */
function metIn(got: Answers, lines: ReadonlySet<number>): Set<number> {
  const found = new Set<number>();
  for (const [at, answer] of got.entries()) {
    const gap = answer?.status === 501 ? gapOf(answer) : undefined;
    if (gap !== undefined && lines.has(lineOf(gap))) found.add(at);
  }
  return found;
}

/** The whole document without the requests that did nothing: those of the gap, those past a limit. */
async function wantedFor(got: Answers, played: Played, met: ReadonlySet<number>): Promise<Answers> {
  const left = new Set(met);
  for (;;) {
    const wanted = await played.without(left);
    // A limit is passed earlier where requests count that meet the gap behind it.
    const refused = [...got.keys()].filter(
      (at) =>
        got[at]?.status === 429 &&
        played.answers[at]?.status === 429 &&
        ![429, undefined].includes(wanted[at]?.status),
    );
    if (refused.length === 0) return wanted;
    for (const at of refused) left.add(at);
  }
}

/** What a document in which a clause is not shown is expected to say. */
export interface Expected {
  /** Lines that a 501 may name. */
  readonly lines: ReadonlySet<number>;
  /** An assumption answers what is not shown: what it changes is marked. */
  readonly isAssumed: boolean;
}

const isMarked = ({ headers }: RawAnswer): boolean =>
  headers.some(([name]) => name.toLowerCase() === "lacuna-assumed");

/** Which line of the document is named by the answers of a session, or what is wrong with them. */
async function compareOne(
  got: Answers,
  played: Played,
  { lines, isAssumed }: Expected,
): Promise<Seen> {
  const { session, answers } = played;
  const met = metIn(got, lines);
  // A request that met the gap has done nothing: the rest is as if it had not been sent.
  const wanted = met.size === 0 ? answers : await wantedFor(got, played, met);
  for (const [at, answer] of got.entries()) {
    const [other, whole] = [wanted[at], answers[at]];
    if (answer === undefined || other === undefined || whole === undefined || met.has(at)) continue;
    const counted = met.size > 0;
    const metCount = [...met].filter((one) => one < at).length;
    const fits = !counted || countsFit(answer, whole, other, metCount);
    if (fits && textOf(answer, counted) === textOf(other, counted)) continue;
    if (isAssumed && isMarked(answer)) continue;
    const asked = askedOf(session, at);
    const gap = answer.status === 501 ? gapOf(answer) : undefined;
    if (answer.status === 501) {
      const why = gap === undefined ? answer.body.slice(0, 160) : `${gap.id} at ${gap.place}`;
      return { outcome: "misnamed", why: `${asked}: ${why}` };
    }
    const outcome = answer.status === 500 && other.status !== 500 ? "contagious" : "filled";
    return { outcome, why: `${asked}: ${differ(answer, other)}` };
  }
  const [first] = met;
  if (first === undefined) return { outcome: "unseen", why: "" };
  return { outcome: "named", why: askedOf(session, first) };
}

/** The request of a step, as it is named in a report. */
function askedOf({ steps }: Session, at: number): string {
  const step = steps[at];
  return step?.is === "request" ? `${at} ${step.request.method} ${step.request.target}` : `${at}`;
}

/** What the answers of all sessions say of a gap that stands on one of the lines. */
export async function compare(
  ready: Ready,
  subject: Subject,
  all: readonly Played[],
  expected: Expected,
): Promise<Seen> {
  let seen: Seen = { outcome: "unseen", why: "" };
  for (const played of all) {
    const one = await compareOne(await play(ready, subject, played.session), played, expected);
    if (one.outcome !== "named" && one.outcome !== "unseen") return one;
    if (one.outcome === "named") seen = one;
  }
  return seen;
}
