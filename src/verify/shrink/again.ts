/** Makes the requests of a replay again, and says what has become of what was broken. */
import { setTimeout } from "node:timers/promises";
import { compare } from "../judge/compare.ts";
import type { Judgement } from "../judge/judgement.ts";
import { meansSame } from "../judge/origins.ts";
import type { Session } from "../session.ts";
import { type Client, NoAnswer } from "../talk/client.ts";
import type { Answer, Request } from "../world/message.ts";
import { raceAgain } from "./again-race.ts";
import { isLike, learnedFrom, type Replayed } from "./answers.ts";
import { freshText } from "./fresh.ts";
import { filled } from "./names.ts";
import {
  AHEAD,
  ANY,
  aheadOf,
  type Differing,
  type Replay,
  SECONDS_APART,
  TIME,
  valueAt,
} from "./replay.ts";

interface AgainOptions {
  /** Letters and digits that the data made here have, and others have not. */
  readonly tag: string;
  /** Judges by what a document states now; without it answers are compared with what was seen. */
  readonly session?: Session;
}

/** Makes the requests in turn. */
export async function replayAgain(
  replay: Replay,
  client: Client,
  { tag, session }: AgainOptions,
): Promise<Replayed> {
  const { race } = replay;
  if (race !== undefined) {
    return raceAgain({ ...replay, race }, client, { tag, ...(session && { session }) });
  }
  const known = new Map<string, string>([["tag", tag]]);
  for (const { name, like } of replay.fresh) known.set(name, freshText(like));
  const exchanges: { readonly request: Request; readonly answer: Answer }[] = [];
  let judgement: Judgement | undefined;
  /** A request before the last is answered as stated, and was not. */
  let mended: string | undefined;
  for (const [i, one] of replay.requests.entries()) {
    const request = filled(one, (name) => known.get(name));
    const place = `request ${i + 1}`;
    if (request === undefined) {
      if (mended !== undefined) return { is: "fixed", why: mended, exchanges };
      return { is: "drifted", why: `no answer has shown what ${place} needs`, exchanges };
    }
    if (one.pause !== undefined) await setTimeout(one.pause);
    const answer = await answerTo(client, request);
    if (typeof answer === "string") return { is: "no answer", why: answer, exchanges };
    exchanges.push({ request, answer });
    judgement = session?.judged(request, answer);
    if (i === replay.requests.length - 1) break;
    const isMended = answer.status === one.stated;
    if (isMended) mended ??= `${place} is answered ${one.stated} now, as stated`;
    if (!isMended && answer.status !== one.answered) {
      const why = `${place} was answered ${answer.status}, not ${one.answered} as before`;
      return { is: "drifted", why, exchanges };
    }
    for (const learned of one.learns) {
      const text = learnedFrom(answer, learned);
      if (text !== undefined) known.set(learned.name, text);
    }
  }
  const last = exchanges.at(-1);
  if (last === undefined) throw new Error("a replay without requests");
  const seen = compared(replay, last, known);
  return { ...(judgement === undefined ? seen : judged(judgement, seen)), exchanges };
}

async function answerTo(client: Client, request: Request): Promise<Answer | string> {
  try {
    return await client.ask(request);
  } catch (error) {
    if (error instanceof NoAnswer) return error.message;
    throw error;
  }
}

type Said = Omit<Replayed, "exchanges">;

/** What an answer is beside what was expected and what was seen. */
function compared(
  { differs, seen, expected }: Replay,
  { request, answer }: { readonly request: Request; readonly answer: Answer },
  known: ReadonlyMap<string, string>,
): Said {
  const places = differs.map((one) => {
    const found = valueAt(answer, one, known);
    const is = (of: "expected" | "seen"): boolean =>
      isLike(one[of], found, known) ||
      isAhead(one[of], found, answer) ||
      (one.in === "header" &&
        (meansSame(one.at, one[of], { request, answer }) ?? isHeader(one.at, one[of], answer)));
    const [isExpected, isSeen] = [is("expected"), is("seen")];
    if (!isExpected || !isSeen) return { one, found, isExpected, isSeen };
    // Both may be meant: the one that says more precisely what is there is.
    const nearer = exactness(one.expected) - exactness(one.seen);
    return { one, found, isExpected: nearer >= 0, isSeen: nearer <= 0 };
  });
  const telling = places.filter(({ isExpected, isSeen }) => !(isExpected && isSeen));
  if (telling.length === 0 && answer.status === seen.status && answer.status === expected.status) {
    const why = "the answer alone does not tell what was expected: name the document by --spec";
    return { is: "drifted", why };
  }
  if (answer.status === expected.status && telling.every(({ isExpected }) => isExpected)) {
    return { is: "fixed", why: "the last answer is as expected" };
  }
  const isOld = telling.every(({ isExpected, isSeen }) => isExpected || isSeen);
  if (answer.status === seen.status && isOld) {
    return { is: "still broken", why: "the last answer is as it was" };
  }
  const other = telling.find(({ isExpected, isSeen }) => !isExpected && !isSeen);
  const what =
    other === undefined || answer.status !== seen.status
      ? `status ${answer.status}`
      : wordsOf(other.one, other.found);
  return { is: "drifted", why: `the last answer is neither as expected nor as it was: ${what}` };
}

function wordsOf({ in: of, at }: Differing, found: string | undefined): string {
  const place = of === "status" ? "status" : of === "header" ? at : at.slice(1) || "body";
  return `${place} ${found ?? "is not there"}`;
}

/** Whether a header means the same, however it is written. */
function isHeader(name: string, value: string | undefined, answer: Answer): boolean {
  if (value === undefined) return false;
  const expected = { status: answer.status, headers: [[name, value]] as const, body: undefined };
  return compare(expected, { ...answer, body: undefined }).differences.length === 0;
}

/** Whether what was found is an instant as far from the answer. */
function isAhead(text: string | undefined, found: string | undefined, answer: Answer): boolean {
  const wanted = AHEAD.exec(text ?? "")?.[1];
  const instant = /^"(.*)"$/.exec(found ?? "")?.[1];
  if (wanted === undefined || instant === undefined) return false;
  return Math.abs(Number(aheadOf(instant, answer.sent)) - Number(wanted)) <= SECONDS_APART;
}

/** How exactly a text with names tells what is there. */
function exactness(text: string | undefined): number {
  return text?.includes(ANY) === true ? 0 : text?.includes(TIME) === true ? 1 : 2;
}

/** What the document states today decides; only what is broken is compared with what was seen. */
function judged(judgement: Judgement, seen: Said): Said {
  switch (judgement.is) {
    case "as stated":
      return { is: "fixed", why: "the last answer is as the document states" };
    case "unstated":
      return { is: "unstated", why: judgement.why };
    case "broken":
      if (seen.is === "still broken") return seen;
      return seen.is === "drifted"
        ? seen
        : { is: "still broken", why: "the document states another answer now" };
  }
}
