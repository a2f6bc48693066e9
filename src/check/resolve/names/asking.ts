/** Asks the questions of the language: reads the bullet that answers, or reports silence. */
import type { Span } from "../../../base/index.ts";
import { questions } from "../../../language/index.ts";
import type { Answer, ItemId } from "../../../plan/index.ts";
import type { BulletNode, Match, SectionNode } from "../../../spec/index.ts";
import {
  addGap,
  bulletsOf,
  headSpan,
  lineEnd,
  origin,
  partTitle,
  type Resolver,
  scopeName,
  shownGap,
} from "./resolver.ts";

/** Where a bullet can be inserted into a section, with the text that goes before it. */
function bulletPlace(r: Resolver, section: SectionNode): { at: number; before: string } {
  const last = section.bullets.at(-1);
  if (last !== undefined) return { at: lineEnd(r, last.end), before: "\n" };
  return { at: lineEnd(r, headSpan(r, section).end), before: "\n\n" };
}

/** A question that nothing answers. */
interface Ask {
  readonly question: string;
  readonly section: SectionNode;
  /** Where it was raised; the section's heading if not given. */
  readonly span?: Span;
  /** What is asked about, in front of the question's words. */
  readonly about?: string;
  readonly id: ItemId;
  /** Inserted to record the gap. */
  readonly fix?: { readonly at: number; readonly insert: string };
}

/** Nothing raises the question. */
export const NOT_ASKED = { is: "not asked" } as const;

const byId = new Map(questions.map((entry) => [entry.id, entry]));

const hints = new Map(
  questions.map((entry) => [
    entry.id,
    `Answer it by ${entry.answeredBy}, or record the gap with 'not shown'.`,
  ]),
);

/** Reports that a question is not answered; gives the gap that stands for it. */
export function silent(r: Resolver, ask: Ask): ItemId {
  const entry = byId.get(ask.question);
  if (entry === undefined) throw new Error(`no question ${ask.question}`);
  if (r.gaps.has(ask.id)) return ask.id;
  const span = ask.span ?? headSpan(r, ask.section);
  const scope = scopeName(r, ask.section);
  // Joined into one text: a template keeps its pieces, and much can be silent.
  const message = [ask.about ?? scope, entry.asks].join(": ");
  r.findings.push({
    code: "silent",
    severity: "error",
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
      blocking: !entry.blocks.startsWith("nothing"),
      silent: true,
    },
    span,
  );
}

/** A question that a bullet answers, and how its value is read. */
interface Question<T> {
  readonly question: string;
  readonly key: string;
  /** The construct's own section, then where a general answer may stand. */
  readonly sections: readonly [SectionNode, ...(SectionNode | undefined)[]];
  /** The key as it is written in a document: `Base path`. */
  readonly label: string;
  readonly read: (match: Match, bullet: BulletNode) => T | undefined;
  /** Which of the bullets with the key answer; all of them if not given. */
  readonly only?: (bullet: BulletNode) => boolean;
  /** `false`: nothing raises it, so that its answer may be missing. */
  readonly raised?: boolean;
  readonly span?: Span;
  /** The section whose bullet raises it, where that is not the first of `sections`. */
  readonly raisedBy?: SectionNode | undefined;
}

/** The answer to a question that a bullet answers. Unanswered and raised, it is silent. */
export function answer<T>(r: Resolver, q: Question<T>): Answer<T> {
  const bullet = bulletsOf(q.sections, q.key).find((one) => q.only?.(one) !== false);
  const own = q.raisedBy ?? q.sections[0];
  if (bullet !== undefined) return bulletAnswer(r, q, bullet);
  const id = `${own.id}/${q.key}`;
  if (q.raised === false) return NOT_ASKED;
  const place = bulletPlace(r, own);
  const gap = silent(r, {
    question: q.question,
    section: own,
    id,
    fix: { at: place.at, insert: `${place.before}- ${q.label}: not shown` },
    ...(q.span === undefined ? {} : { span: q.span }),
  });
  return { is: "gap", gap };
}

function bulletAnswer<T>(r: Resolver, q: Question<T>, bullet: BulletNode): Answer<T> {
  const section = q.sections.find((one) => one?.bullets.includes(bullet)) ?? q.sections[0];
  const id = origin(r, bullet.id, bullet);
  if (bullet.status === "none" || bullet.status === "free") return { is: bullet.status, id };
  if (bullet.status === "not shown") {
    const entry = byId.get(q.question);
    const blocking = entry?.blocks.startsWith("nothing") !== true;
    return { is: "gap", gap: shownGap(r, section, { ...bullet, blocking }, q.label) };
  }
  const value = q.read(bullet.match, bullet);
  return value === undefined ? { is: "gap", gap: id } : { is: "stated", id, value };
}
