/** Asks the questions of the language: reads the bullet that answers, or reports silence. */
import type { Span } from "../../../base/index.ts";
import {
  type BulletQuestion,
  type QuestionEntry,
  type QuestionId,
  questions,
} from "../../../language/index.ts";
import type { Answer, ItemId } from "../../../plan/index.ts";
import type { BulletNode, Match, SectionNode } from "../../../spec/index.ts";
import {
  addGap,
  bulletsOf,
  groupOf,
  headSpan,
  lineEnd,
  origin,
  partTitle,
  type Resolver,
  scopeName,
  shownGap,
  textOf,
} from "./resolver.ts";

/** Where a bullet can be inserted into a section, with the text that goes before it. */
function bulletPlace(r: Resolver, section: SectionNode): { at: number; before: string } {
  const last = section.bullets.findLast((one) => groupOf(section, one) === undefined);
  if (last !== undefined) return { at: lineEnd(r, last.end), before: "\n" };
  return { at: lineEnd(r, headSpan(r, section).end), before: "\n\n" };
}

/** A question that nothing answers. */
interface Ask {
  readonly question: QuestionId;
  readonly section: SectionNode;
  /** Where it was raised; the section's heading if not given. */
  readonly span?: Span | undefined;
  /** What is asked about, in front of the question's words. */
  readonly about?: string;
  readonly id: ItemId;
  /** Inserted to record the gap. */
  readonly fix?: { readonly at: number; readonly insert: string };
  /** Whether no answer of this document hangs on it, though one of another document does. */
  readonly isIdle?: boolean | undefined;
}

/** Nothing raises the question. */
export const NOT_ASKED = { is: "not asked" } as const;

const byId = new Map(questions.map((entry) => [entry.id, entry]));

function entryOf(question: QuestionId): QuestionEntry {
  const entry = byId.get(question);
  if (entry === undefined) throw new Error(`no question ${question}`);
  return entry;
}

/** The key of the bullet that answers a question. */
export function keyOf(question: BulletQuestion): string {
  return (entryOf(question).bullet ?? question).toLowerCase();
}

const hints = new Map(
  questions.map((entry) => [
    entry.id,
    `Answer it by ${entry.answeredBy}, or record the gap with 'not shown'.`,
  ]),
);

/** Reports that a question is not answered; gives the gap that stands for it. */
export function silent(r: Resolver, ask: Ask): ItemId {
  const entry = entryOf(ask.question);
  if (r.gaps.has(ask.id)) return ask.id;
  const span = ask.span ?? headSpan(r, ask.section);
  const scope = scopeName(r, ask.section);
  // Joined into one text: a template keeps its pieces, and much can be silent.
  const message = [ask.about ?? scope, entry.asks].join(": ");
  r.findings.push({
    code: "silent",
    severity: "error",
    question: ask.id,
    span: { start: span.start, end: span.end },
    message,
    hint: hints.get(ask.question),
    ...(ask.fix === undefined ? {} : { fix: ask.fix }),
  });
  return addGap(
    r,
    {
      id: ask.id,
      part: partTitle(r, ask.id),
      scope,
      subject: ask.question,
      sentence: message,
      blocking: ask.isIdle !== true && !entry.blocks.startsWith("nothing"),
      silent: true,
    },
    span,
  );
}

/** Where a question is asked: at a construct, under whose heading the bullet stands. */
export interface AskedAt {
  readonly r: Resolver;
  readonly section: SectionNode;
  /** Where an answer for all constructs of the kind may stand. */
  readonly every?: SectionNode | undefined;
  /** The section whose bullet raises it, where that is not the construct's own, and the bullet. */
  readonly raisedBy?: SectionNode | undefined;
  readonly span?: Span;
}

/** What a bullet's value is in a plan; undefined where it is not understood. */
export type Read<T> = (match: Match, bullet: BulletNode) => T | undefined;

interface Terms {
  /** `false`: nothing raises the question, so that its answer may be missing. */
  readonly raised?: boolean;
  /** Which of the bullets with the key answer; all of them if not given. */
  readonly only?: (bullet: BulletNode) => boolean;
  /** The bullet, where it is another one than the question's own. */
  readonly bullet?: string;
  /** Whether no answer of this document hangs on it, though one of another document does. */
  readonly isIdle?: boolean;
}

/** How an answer of a plan is read: the question, and what its bullet says. */
type Reader<T> = readonly [question: BulletQuestion, read: Read<T>, terms?: Terms];

type AnswerMember<T, But> = Exclude<
  { [M in keyof T]-?: T[M] extends Answer<unknown> ? M : never }[keyof T],
  But
>;

/** The members of a construct that are answers, but those named. */
export type Answers<T, But = undefined> = Pick<T, AnswerMember<T, But>>;

/** How each answer of a construct is read: one that is forgotten does not compile. */
type Readers<T, But> = {
  readonly [M in AnswerMember<T, But>]: T[M] extends Answer<infer V> ? Reader<V> : never;
};

/** All answers of a construct but those named, asked in the order of the readers. */
export function answers<T, But extends keyof T | undefined = undefined>(
  at: AskedAt,
  readers: Readers<T, But>,
): Answers<T, But> {
  const read = Object.entries<Reader<unknown>>(readers).map(
    ([member, reader]) => [member, answer(at, ...reader)] as const,
  );
  return Object.fromEntries(read) as Answers<T, But>;
}

/** A word or text of the value, as it is written. */
export function text<T extends string>(slot: string): (match: Match) => T {
  return (match) => textOf(match, slot) as T;
}

/** The answer to a question that a bullet answers. Unanswered and raised, it is silent. */
export function answer<T>(
  at: AskedAt,
  question: BulletQuestion,
  read: Read<T>,
  terms: Terms = {},
): Answer<T> {
  const { r } = at;
  const entry = entryOf(question);
  const { bullet: label = entry.bullet ?? question } = terms;
  const key = label.toLowerCase();
  const sections = [at.section, at.every];
  const bullet = bulletsOf(sections, key).find((each) => terms.only?.(each) !== false);
  if (bullet === undefined) {
    if (terms.raised === false) return NOT_ASKED;
    const section = at.raisedBy ?? at.section;
    const place = bulletPlace(r, section);
    const fix = { at: place.at, insert: `${place.before}- ${label}: not shown` };
    const id = `${section.id}/${key}`;
    const { isIdle } = terms;
    return { is: "gap", gap: silent(r, { question, section, id, fix, span: at.span, isIdle }) };
  }
  const id = origin(r, bullet.id, bullet);
  if (bullet.status === "none" || bullet.status === "free") return { is: bullet.status, id };
  if (bullet.status === "not shown") {
    const section = sections.find((each) => each?.bullets.includes(bullet)) ?? at.section;
    const blocking = terms.isIdle !== true && !entry.blocks.startsWith("nothing");
    return { is: "gap", gap: shownGap(r, section, { ...bullet, blocking }, label) };
  }
  const value = read(bullet.match, bullet);
  return value === undefined ? { is: "gap", gap: id } : { is: "stated", id, value };
}
