/** Compares the answers of a document in which one clause is not shown with those of the whole. */
import { claimed } from "../histories/compare.ts";
import type { RawAnswer } from "../histories/talk.ts";
import { type Answers, type Beside, type Changed, type Heard, hear, type Session } from "./play.ts";
import type { Ready } from "./static.ts";
import type { Subject } from "./subjects.ts";

/** A session with what the whole document says to it, also without some of its requests. */
export interface Played {
  readonly session: Session;
  readonly heard: Heard;
  again(changed: Required<Changed>): Promise<Heard>;
}

/** How many lists of answers without some requests are kept for each session. */
const KEPT_MAX = 500;

/** Plays a session against the whole document. */
export async function playWhole(ready: Ready, subject: Subject, session: Session): Promise<Played> {
  const known = new Map<string, Promise<Heard>>();
  return {
    session,
    heard: await hear(ready, subject, session),
    again: (changed) => {
      const [left, spared] = [changed.without, changed.spared].map((one) =>
        [...one].sort((a, b) => a - b).join(),
      );
      const key = `${changed.quiet} ${left} ${spared}`;
      const found = known.get(key) ?? hear(ready, subject, session, changed);
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
  /** What the whole document tells and this one does not: right where the clause is met. */
  readonly missing?: string;
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

/** Whether a line of the log names a gap on one of the lines. */
function isNoted(note: string, lines: ReadonlySet<number>): boolean {
  return note.startsWith("gap ") && lines.has(Number(note.split(":").at(-2)));
}

/** Steps to leave out: those that did nothing because of the gap, and those past a limit. */
async function leftOut(
  { answers: got, spared }: Heard,
  played: Played,
  met: ReadonlySet<number>,
): Promise<ReadonlySet<number>> {
  const left = new Set(met);
  for (;;) {
    const { answers: wanted } = await played.again({ without: left, quiet: false, spared });
    // A limit is passed earlier where requests count that meet the gap behind it.
    const refused = [...got.keys()].filter(
      (at) =>
        got[at]?.status === 429 &&
        played.heard.answers[at]?.status === 429 &&
        ![429, undefined].includes(wanted[at]?.status),
    );
    if (refused.length === 0) return left;
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

/** Whether two answers are the same to the byte: most are. */
const isSame = (a: RawAnswer, b: RawAnswer): boolean =>
  a.status === b.status &&
  a.body === b.body &&
  a.headers.length === b.headers.length &&
  a.headers.every(([name, value], i) => name === b.headers[i]?.[0] && value === b.headers[i]?.[1]);

/** What is wrong with an answer; undefined: it is one of those wanted. */
function answerFault(
  got: RawAnswer,
  wanted: readonly RawAnswer[],
  { whole, metCount }: { readonly whole: RawAnswer; readonly metCount: number | undefined },
): (Omit<Seen, "why"> & { readonly what: string }) | undefined {
  const [first] = wanted;
  if (first === undefined) return undefined;
  const counted = metCount !== undefined;
  const fits = wanted.some(
    (one) =>
      isSame(got, one) ||
      ((!counted || countsFit(got, whole, one, metCount)) &&
        textOf(got, counted) === textOf(one, counted)),
  );
  if (fits) return undefined;
  if (got.status === 501) {
    const gap = gapOf(got);
    const what = gap === undefined ? got.body.slice(0, 160) : `${gap.id} at ${gap.place}`;
    return { outcome: "misnamed", what };
  }
  const outcome = got.status === 500 && first.status !== 500 ? "contagious" : "filled";
  return { outcome, what: differ(got, first) };
}

/** Events of a stream, without their ids, which hang on those before them. */
const eventsOf = ({ body }: RawAnswer): string[] =>
  body.split("\n\n").map((one) => one.replace(/^id: .*\n/m, ""));

/** Whether a stream tells what it should, but for some of it. */
function isLess(got: RawAnswer, wanted: RawAnswer): boolean {
  const isStream = ({ status, headers }: RawAnswer): boolean =>
    status === 200 && headers.some(([, value]) => value.startsWith("text/event-stream"));
  if (!isStream(got) || !isStream(wanted)) return false;
  const all = eventsOf(wanted);
  return eventsOf(got).every((one) => all.includes(one));
}

/**
 * A message without its name, and what is signed of that: names are drawn one after the other,
 * also for a message that is kept back and would not have been made.
 */
const unnamed = (message: string): string =>
  message.replaceAll(/msg_[0-9a-z]{26}/g, "msg_").replace(/"webhook-signature","[^"]*"/, "");

/** What is wrong with what was told besides an answer. */
function besideFault(
  got: Beside,
  wanted: Beside,
  lines: ReadonlySet<number>,
): (Omit<Seen, "why"> & { readonly what: string }) | undefined {
  // Faults of scripted code have other names where another request is left out.
  const note = got.notes.find(
    (one) => !/^fault /.test(one) && !isNoted(one, lines) && !wanted.notes.includes(one),
  );
  if (note !== undefined) return { outcome: "misnamed", what: note };
  const all = new Set(wanted.sent.map(unnamed));
  const other = got.sent.find((one) => !all.has(unnamed(one)));
  return other === undefined ? undefined : { outcome: "filled", what: `sent ${other}` };
}

/** Which line of the document is named by the answers of a session, or what is wrong with them. */
async function compareOne(
  got: Heard,
  played: Played,
  { lines, isAssumed }: Expected,
): Promise<Seen> {
  const { session, heard } = played;
  let missing: string | undefined;
  const met = metIn(got.answers, lines);
  const noted = got.beside.findIndex(({ notes }) => notes.some((one) => isNoted(one, lines)));
  // A request that met the gap has done nothing: the rest is as if it had not been sent.
  const idle = new Set(met);
  const without = idle.size === 0 ? idle : await leftOut(got, played, idle);
  // Where no step is known to write, nothing comes to the store, and so none fails.
  const { spared } = got;
  const isAsPlayed = without.size === 0 && [...spared].every((one) => heard.spared.has(one));
  const wanted = isAsPlayed ? heard : await played.again({ without, quiet: false, spared });
  // What follows from a delivery does not follow from one that was kept back.
  const quiet = noted < 0 ? undefined : await played.again({ without, quiet: true, spared });
  for (const at of session.steps.keys()) {
    // Who came while it ran was answered by that: from here on the two differ in time.
    const step = session.steps[at];
    if (met.has(at) && step?.is === "request" && step.waits) break;
    const [answer, whole] = [got.answers[at], heard.answers[at]];
    const others = [wanted, quiet].flatMap((one) => one?.answers[at] ?? []);
    const before = [...idle].filter((one) => one < at).length;
    const metCount = idle.size === 0 ? undefined : before;
    const isCompared = answer !== undefined && whole !== undefined && !idle.has(at);
    const [told, should] = [got.beside[at], wanted.beside[at]];
    const isHeard = told !== undefined && should !== undefined && !isAssumed && !without.has(at);
    const isSent = new Set(told?.sent.map(unnamed));
    const unsent = isHeard && should.sent.some((one) => !isSent.has(unnamed(one)));
    const found = isCompared ? answerFault(answer, others, { whole, metCount }) : undefined;
    const isShort = found !== undefined && others.some((one) => isLess(answer as RawAnswer, one));
    if (unsent || isShort) missing ??= `${askedOf(session, at)}: not all is sent`;
    const fault =
      (isShort ? undefined : found) ?? (isHeard ? besideFault(told, should, lines) : undefined);
    if (fault === undefined || (isAssumed && answer !== undefined && isMarked(answer))) continue;
    return { outcome: fault.outcome, why: `${askedOf(session, at)}: ${fault.what}` };
  }
  const [first] = met;
  if (first !== undefined) return { outcome: "named", why: askedOf(session, first) };
  if (noted < 0) return { outcome: "unseen", why: "", ...(missing && { missing }) };
  return { outcome: "named", why: `the log behind ${askedOf(session, noted)}` };
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
  let missing: string | undefined;
  for (const played of all) {
    const one = await compareOne(await hear(ready, subject, played.session), played, expected);
    if (one.outcome !== "named" && one.outcome !== "unseen") return one;
    if (one.outcome === "named") seen = one;
    missing ??= one.missing;
  }
  return missing === undefined || seen.outcome === "named" ? seen : { ...seen, missing };
}
