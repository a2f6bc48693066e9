/** A break as requests that anybody can make again, with what to look at in the last answer. */
import { isJsonObject, type Json, parseJson } from "../../run/index.ts";
import { type Difference, textOf } from "../judge/compare.ts";
import { expectedOf } from "../judge/origins.ts";
import { type Answer, fieldOf, type Request } from "../world/message.ts";
import { isMarked, marksIn, withoutMarks } from "../world/texts.ts";
import { type ItemDifference, itemDifferences, itemOf } from "./items.ts";
import { type Learned, Learning, pointerOf, type Sent } from "./learning.ts";
import { Naming, namesIn, textsOf } from "./names.ts";
import type { Trial, Tried } from "./trials.ts";

/** A request to be made again. Its texts hold names in braces: `{{tag}}`, and what is learned. */
export interface ReplayRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body?: string;
  /** Milliseconds without a request before it. */
  readonly pause?: number;
  /** The status of its answer. */
  readonly answered: number;
  /** The status that the document states, where it is another. */
  readonly stated?: number;
  readonly learns: readonly Learned[];
  /** It is made by that client, at the same time as those of the clients beside it. */
  readonly client?: number;
}

/** What no order of requests at the same time gives. */
export interface RaceReplay {
  /** Place of the request that is called wrong, from 0 on. */
  readonly wrong: number;
  /** So often it is run at most until it shows. */
  readonly rounds: number;
  readonly places: readonly RacePlace[];
  /** Texts at the places as they were; empty: nothing is there. */
  readonly seen: readonly string[];
  /** Texts at the places, for orders of the requests. */
  readonly allowed: readonly (readonly string[])[];
}

export interface RacePlace {
  /** From 0 on. */
  readonly request: number;
  readonly in: Differing["in"];
  readonly at: string;
}

/**
 * What the last answer has otherwise than expected. `{{any}}` stands for any text, `{{time}}` for
 * an instant (RFC 3339), `{{now+60}}` for one that is so many seconds after the answer.
 */
export interface Differing {
  readonly in: "status" | "header" | "body";
  /**
   * A JSON Pointer into the body, or the name of a header; empty for the status. An item of a list
   * is named by its place, or by a text with names that it is or has: `/items/todo_{{id1}}/status`.
   */
  readonly at: string;
  /** A JSON text in a body; absent: nothing is there. */
  readonly expected?: string;
  readonly seen?: string;
}

/** A text that is another one each time, because it may stand once. */
export interface Fresh {
  readonly name: string;
  /** It has letters and digits where this has some. */
  readonly like: string;
}

export interface Replay {
  readonly fresh: readonly Fresh[];
  readonly requests: readonly ReplayRequest[];
  readonly differs: readonly Differing[];
  /** The last answer, as it was. */
  readonly seen: Pick<Answer, "status" | "body">;
  /** What the document allows in its place. */
  readonly expected: Pick<Answer, "status" | "body">;
  /** Requests at the same time: `seen` is the answer to the one that is called wrong. */
  readonly race?: RaceReplay;
}

export const ANY = "{{any}}";
export const TIME = "{{time}}";
/** An instant so many seconds after the answer, or before. */
export const AHEAD = /\{\{now([+-]\d+)\}\}/;
/** How many seconds a clock, and a slow answer, may make of a difference. */
export const SECONDS_APART = 2;
const INSTANT = /^"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[\d.]*(?:Z|[+-]\d\d:\d\d)"$/;
/** Those in a longer JSON text. */
const INSTANTS = new RegExp(INSTANT.source.slice(1, -1), "g");

/** Names in a place. */
const NAMES = /\{\{([a-z0-9]+)\}\}/g;
const NAME = /\{\{(\d+\.\d+)\}\}/g;
const MICROS_OF_MILLI = 1000n;

/** What stands behind names of texts that were made, in a trial. */
type Texts = ReadonlyMap<string, string>;

function textsIn({ known }: Pick<Trial, "known">, shown: (text: string) => string): Texts {
  const made = [...known].filter(([name]) => name.includes("."));
  return new Map(made.map(([name, text]) => [name, shown(text)]));
}

/**
 * The replay of what trials have shown; undefined: no answer shows what a request needs. `shown`
 * gives what is known of the marks in a text, `fresh` the texts that are made anew.
 */
export function replayOf(
  trials: readonly Trial[],
  { shown, fresh }: { shown(text: string): string; readonly fresh: ReadonlyMap<string, string> },
): Replay | undefined {
  const trial = trials.at(-1);
  const last = trial?.tried.at(-1);
  if (trial === undefined || last === undefined) return undefined;
  const written = requestsOf(trial, trial.tried, { shown, fresh });
  if (written === undefined) return undefined;
  const { learning, requests } = written;
  const differs = differencesIn(trials, { shown, learning });
  const { status, body } = last.answer;
  const response = expectedOf(last.judgement.ran, last.answer);
  const expected = response.body && withoutMarks(shown(response.body), ANY);
  const used = namesUsed(requests, differs);
  return {
    fresh: written.fresh,
    requests: requests.map((one, i) => ({
      ...one,
      learns: learning.at(i).filter(({ name }) => used.has(name)),
    })),
    differs,
    seen: { status, body },
    expected: { status: response.status, body: expected },
  };
}

function namesUsed(requests: readonly Request[], differs: readonly Differing[]) {
  const texts = differs.flatMap(({ at, expected = "", seen = "" }) => [at, expected, seen]);
  return namesIn(...texts, ...requests.flatMap(textsOf));
}

interface Showing {
  shown(text: string): string;
  readonly fresh: ReadonlyMap<string, string>;
}

/** Requests of a trial with the names that a replay has. */
interface Written {
  readonly requests: readonly Omit<ReplayRequest, "learns">[];
  readonly learning: Learning;
  readonly fresh: readonly Fresh[];
}

/** The requests as a replay has them; undefined: no answer shows what one of them needs. */
export function requestsOf(
  trial: Pick<Trial, "known">,
  sent: readonly Sent[],
  { shown, fresh }: Showing,
): Written | undefined {
  const learning = new Learning(sent);
  const texts = textsIn(trial, shown);
  const requests: Omit<ReplayRequest, "learns">[] = [];
  for (const [i, { named, answer, judgement }] of sent.entries()) {
    const names = [...namesIn(...textsOf(named.request))].filter((one) => one.includes("."));
    const known = names.map((one) => [one, learning.nameOf(one, texts.get(one) ?? "", i)] as const);
    if (known.some(([, name]) => name === undefined)) return undefined;
    // The last one is what the replay is about.
    const isWrong = judgement?.is === "broken" && i < sent.length - 1;
    const stated = isWrong ? judgement.ran.outcome.response.status : undefined;
    const { wait } = named;
    requests.push(renamed(named.request, new Map(known), { wait, answer, stated }));
  }
  const used = namesIn(...requests.flatMap(textsOf));
  const anew = [...fresh].flatMap(([name, like]) => (used.has(name) ? [{ name, like }] : []));
  return { requests, learning, fresh: anew };
}

/** Names for texts of answers: those of what is made anew, and of what answers before show. */
export function namingOf(
  trial: Pick<Trial, "tag" | "known">,
  learning: Learning,
  { shown, before }: { shown(text: string): string; readonly before: number },
): (text: string) => string {
  const naming = new Naming(trial.tag);
  for (const [name, text] of trial.known) if (!name.includes(".")) naming.note(text, name);
  for (const [name, text] of textsIn(trial, shown)) {
    const known = learning.nameOf(name, text, before);
    if (known !== undefined) naming.note(text, known);
  }
  return (text) => {
    const left = shown(text);
    const open = marksIn(left).reduce((rest, mark) => rest.replaceAll(mark, ANY), left);
    return isMarked(open) ? ANY : naming.text(open);
  };
}

function renamed(
  { method, target, headers, body }: Request,
  names: ReadonlyMap<string, string | undefined>,
  {
    wait,
    answer,
    stated,
  }: { readonly wait: bigint; readonly answer: Answer; readonly stated: number | undefined },
): Omit<ReplayRequest, "learns"> {
  const text = (one: string): string =>
    one.replaceAll(NAME, (_, name: string) => `{{${names.get(name)}}}`);
  return {
    method,
    target: text(target),
    headers: headers.map(([name, value]) => [name, text(value)] as const),
    ...(body === undefined ? {} : { body: text(body) }),
    ...(wait > 0n ? { pause: Number(wait / MICROS_OF_MILLI) } : {}),
    answered: answer.status,
    ...(stated === undefined || stated === answer.status ? {} : { stated }),
  };
}

/** What differs in all trials alike; texts that are another each time are any. */
function differencesIn(
  trials: readonly Trial[],
  { shown, learning }: { shown(text: string): string; readonly learning: Learning },
): readonly Differing[] {
  // The last first: it is the one whose texts are learned.
  const [first, ...others] = trials.toReversed().map((trial) => {
    const found = differencesOf(trial, shown, learning);
    return new Map(found.map((one) => [`${one.in} ${one.at}`, one]));
  });
  return [...(first ?? [])].flatMap(([name, one]): Differing[] => {
    const same = others.map((other) => other.get(name));
    if (same.some((other) => other === undefined)) return [];
    const text = (of: "expected" | "seen"): string | undefined => {
      const texts = [one, ...same].map((each) => each?.[of]);
      const ahead = texts.map((each) => Number(AHEAD.exec(each ?? "")?.[1] ?? Number.NaN));
      const apart = Math.max(...ahead) - Math.min(...ahead);
      if (apart <= SECONDS_APART) return one[of];
      if (!Number.isNaN(apart)) return `"${TIME}"`;
      return texts.reduce((text, each) => commonText(text, each));
    };
    return [differing(one.in, one.at, { expected: text("expected"), seen: text("seen") })];
  });
}

/** Letters, digits and braces: a name or id is not cut in two. */
const INSIDE = /[A-Za-z0-9{}]/;

/** What two texts have in common at both ends, with any text in place of what they have not. */
function commonText(one: string | undefined, other: string | undefined): string | undefined {
  if (one === other) return one;
  if (one === undefined || other === undefined) return ANY;
  const most = Math.min(one.length, other.length);
  let from = 0;
  while (from < most && one[from] === other[from]) from += 1;
  while (from > 0 && INSIDE.test(one[from - 1] ?? "")) from -= 1;
  let behind = 0;
  while (behind < most - from && one.at(-1 - behind) === other.at(-1 - behind)) behind += 1;
  while (behind > 0 && INSIDE.test(one.at(-behind) ?? "")) behind -= 1;
  return one.slice(0, from) + ANY + one.slice(one.length - behind);
}

function differing(
  where: Differing["in"],
  at: string,
  { expected, seen }: { readonly expected: string | undefined; readonly seen: string | undefined },
): Differing {
  return {
    in: where,
    at,
    ...(expected === undefined ? {} : { expected }),
    ...(seen === undefined ? {} : { seen }),
  };
}

function differencesOf(
  trial: Trial,
  shown: (text: string) => string,
  learning: Learning,
): readonly Differing[] {
  const last = trial.tried.at(-1);
  if (last === undefined || last.judgement.is !== "broken") return [];
  const { differences } = last.judgement;
  const naming = namingOf(trial, learning, { shown, before: trial.tried.length - 1 });
  const { sent } = last.answer;
  const named = (text: string | undefined): string | undefined => {
    if (text === undefined) return undefined;
    if (INSTANT.test(text)) return `"{{now${aheadOf(text.slice(1, -1), sent)}}}"`;
    return naming(text).replaceAll(INSTANTS, `"${TIME}"`);
  };
  const status = differences.filter((one) => one.in === "status");
  const all = status.length > 0 ? status : differences;
  const { isInItem, found } = inItems(last, all, naming);
  return [
    ...all.filter((one) => !isInItem(one)).map((one) => ({ ...one, at: placeOf(one) })),
    ...found.map((one) => ({ ...one, in: "body" as const, at: pointerOf(one.where) })),
  ].map((one) =>
    differing(one.in, one.at, { expected: named(one.expected), seen: named(one.observed) }),
  );
}

/** What differs in items of lists that are named by a text; the others are told by their places. */
function inItems(
  { judgement: { ran }, answer }: Tried,
  all: readonly Difference[],
  naming: (text: string) => string,
): { isInItem(one: Difference): boolean; readonly found: readonly ItemDifference[] } {
  const isInItem = ({ in: of, where }: Difference): boolean =>
    of === "body" && where.some((part) => typeof part === "number");
  const treeOf = (body: string | undefined): Json | undefined => {
    const parsed = parseJson(body ?? "");
    return parsed.ok ? parsed.value : undefined;
  };
  const bodies = { expected: treeOf(expectedOf(ran, answer).body), observed: treeOf(answer.body) };
  const places = all.filter(isInItem).map(({ where }) => where);
  const found = itemDifferences(bodies, places, naming);
  return { isInItem: (one) => found.length > 0 && isInItem(one), found };
}

const MICROS_OF_SECOND = 1_000_000;
const MILLIS_OF_SECOND = 1000;

/** How many seconds an instant is after another, which is in microseconds since 1970: `+60`. */
export function aheadOf(instant: string, other: bigint): string {
  const ahead = Date.parse(instant) / MILLIS_OF_SECOND - Number(other) / MICROS_OF_SECOND;
  const seconds = Math.round(ahead);
  return seconds < 0 ? String(seconds) : `+${seconds}`;
}

function placeOf({ in: of, where }: Difference): string {
  return of === "status" ? "" : of === "header" ? String(where[0]) : pointerOf(where);
}

/** What stands at a place of an answer, as `Differing` tells it; undefined: nothing. */
export function valueAt(
  { status, headers, body }: Pick<Answer, "status" | "headers" | "body">,
  { in: of, at }: Pick<Differing, "in" | "at">,
  known: ReadonlyMap<string, string> = new Map(),
): string | undefined {
  if (of === "status") return String(status);
  if (of === "header") return fieldOf(headers, at);
  const parsed = parseJson(body ?? "");
  if (!parsed.ok) return at === "" ? body : undefined;
  let found: Json | undefined = parsed.value;
  for (const part of at.split("/").slice(1)) {
    const name = part.replaceAll("~1", "/").replaceAll("~0", "~");
    if (Array.isArray(found)) {
      const list = found as readonly Json[];
      const text = name.replaceAll(NAMES, (whole, one: string) => known.get(one) ?? whole);
      found = name.includes("{{") ? itemOf(list, text) : list[Number(name)];
    } else found = found !== undefined && isJsonObject(found) ? found.get(name) : undefined;
  }
  return found === undefined ? undefined : textOf(found);
}
