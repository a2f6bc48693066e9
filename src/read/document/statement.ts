/** Reads bullets and the sentences `Subject: none | free | not shown.` */
import { contentName, nearest } from "../../base/index.ts";
import { type BulletForm, bullets, type PartEntry, type Scope } from "../../language/index.ts";
import type { BulletNode, SentenceNode, WrittenStatus } from "../../spec/index.ts";
import type { Bullet, Inline } from "../blocks/index.ts";
import {
  type CompiledForm,
  clip,
  compileForm,
  matchForms,
  noForm,
  type Stretch,
} from "../forms/index.ts";
import { type Context, itemId, part, report, sourceOf, stretchOf, wordsOf } from "./context.ts";
import { splitSubject } from "./subject.ts";

/** Where a statement stands. */
export interface Place {
  readonly scope: Scope;
  readonly sectionId: string;
  readonly part: PartEntry;
  /** Above the part's first heading, where facets can be named. */
  readonly top: boolean;
}

interface ScopeForms {
  readonly whole: readonly CompiledForm<BulletForm>[];
  /** The keys alone, for `- Key: not shown`. */
  readonly keys: readonly CompiledForm<BulletForm>[];
  readonly names: readonly string[];
}

const byScope = new Map<Scope, ScopeForms>();

/** Key of a bullet's pattern: what stands before the first colon that is not in a slot. */
function keyPattern(form: string): string {
  let depth = 0;
  for (let i = 0; i < form.length; i++) {
    if (form[i] === "{") depth++;
    else if (form[i] === "}") depth--;
    else if (form[i] === ":" && depth === 0) return form.slice(0, i);
  }
  return form;
}

/** The key of a bullet in lower case, without slots: `base path`, `given`. */
function keyOf(entry: BulletForm): string {
  return keyPattern(entry.form)
    .replaceAll(/\{[^}]*\}/g, "")
    .trim()
    .replaceAll(/ +/g, " ")
    .toLowerCase();
}

function formsOf(scope: Scope): ScopeForms {
  const known = byScope.get(scope);
  if (known !== undefined) return known;
  const entries = bullets.filter((bullet) => bullet.in.includes(scope));
  const forms = {
    whole: entries.map((entry) => compileForm(entry, { whole: true })),
    keys: entries.map((entry) => compileForm(entry, { whole: true }, keyPattern(entry.form))),
    names: entries.map((entry) => keyPattern(entry.example)),
  };
  byScope.set(scope, forms);
  return forms;
}

/** The status that the last tokens say, with the number of tokens before it; the colon is one. */
export function closingStatus(
  stretch: Stretch,
  full: boolean,
): { status: WrittenStatus; subject: Stretch } | undefined {
  const { tokens } = stretch;
  let end = tokens.length;
  if (full) {
    if (tokens[end - 1]?.text !== "." || tokens[end - 1]?.kind !== "mark") return undefined;
    end--;
  }
  const word = (at: number) => (tokens[at]?.kind === "word" ? tokens[at]?.text : undefined);
  const last = word(end - 1);
  let from: number;
  let status: WrittenStatus;
  if (last === "shown" && word(end - 2) === "not") [status, from] = ["not shown", end - 3];
  else if (last === "none" || last === "free") [status, from] = [last, end - 2];
  else return undefined;
  const colon = tokens[from];
  if (colon?.kind !== "mark" || colon.text !== ":" || from < 1) return undefined;
  return { status, subject: part(stretch, 0, from) };
}

/** The form of a bullet whose key names a thing of its own: `Setting {name:name}: ...`. */
const KEY_SLOT = /^[^:{]*\{/;

/** What a statement is: bullets, or sentences. */
export interface Statements {
  readonly bullets: BulletNode[];
  readonly sentences: SentenceNode[];
}

function allowed(entry: BulletForm, status: WrittenStatus): boolean {
  return status === "none" ? entry.none !== false : status === "free" ? entry.free : true;
}

function keyBullet(
  context: Context,
  place: Place,
  subject: Stretch,
  status: WrittenStatus,
): BulletNode | undefined {
  const attempt = matchForms(subject, formsOf(place.scope).keys);
  if (attempt.match === undefined || attempt.entry === undefined) return undefined;
  const key = keyOf(attempt.entry);
  const entries = formsOf(place.scope).whole.filter((form) => keyOf(form.entry) === key);
  if (!entries.some((form) => allowed(form.entry, status))) {
    report(context, "not-allowed", subject, {
      message: `'${sourceOf(subject)}' can't be '${status}'.`,
      hint: `Write its value (${attempt.entry.example}) or 'not shown'.`,
    });
  }
  return {
    id: itemId(context, place.sectionId, sourceOf(subject).toLowerCase().replaceAll(/\s+/g, " ")),
    key,
    status,
    match: attempt.match,
    start: subject.start,
    end: subject.end,
  };
}

/** A statement that ends with one of the three words. */
interface Closed {
  /** The sentence or bullet as written. */
  readonly whole: Stretch;
  readonly status: WrittenStatus;
  readonly subject: Stretch;
}

function closed(context: Context, place: Place, said: Closed, into: Statements): void {
  const { whole, status, subject } = said;
  const key = keyBullet(context, place, subject, status);
  if (key !== undefined) {
    into.bullets.push(key);
    return;
  }
  const pieces = place.top ? splitSubject(sourceOf(subject), subject.start, place.part) : [];
  const sentence = sourceOf(whole).replace(/\.$/, "").replaceAll(/\s+/g, " ");
  for (const piece of pieces) {
    into.sentences.push({
      id: itemId(context, place.part.id, piece.facet),
      status,
      sentence,
      subject: { kind: "text", text: piece.text, start: piece.start, end: piece.end },
      facet: piece.facet,
      start: piece.start,
      end: piece.end,
    });
  }
  if (pieces.length > 0) return;
  if (status !== "not shown") {
    const names = [...formsOf(place.scope).names, ...place.part.facets.map((f) => f.name)];
    const near = nearest(sourceOf(subject), names);
    report(context, "unknown-subject", subject, {
      message: `'${clip(sourceOf(subject))}' is nothing that can be '${status}' here.`,
      hint:
        near === undefined
          ? `Facets of this part: ${place.part.facets.map((f) => f.name).join(", ")}.`
          : `Nearest: ${near}.`,
    });
    return;
  }
  const text = wordsOf(subject);
  into.sentences.push({
    id: itemId(context, place.sectionId, `gap ${text}`),
    status,
    sentence,
    subject: { kind: "text", text, start: subject.start, end: subject.end },
    start: subject.start,
    end: whole.end,
  });
}

/** Reads a line as a sentence `Subject: not shown.`; false where it is none. */
export function readSentence(
  context: Context,
  place: Place,
  line: Inline,
  into: Statements,
): boolean {
  const stretch = stretchOf(context, line);
  const said = closingStatus(stretch, true);
  if (said === undefined) return false;
  closed(context, place, { whole: stretch, ...said }, into);
  return true;
}

/** Whether a stretch is a bullet that may stand here. */
function isBullet(stretch: Stretch, { scope }: Place): boolean {
  const { whole, keys } = formsOf(scope);
  if (matchForms(stretch, whole).match !== undefined) return true;
  const said = closingStatus(stretch, false);
  return said !== undefined && matchForms(said.subject, keys).match !== undefined;
}

/** Reads a bullet `- Key: value`, or `- Subject: not shown`. */
export function readBullet(context: Context, place: Place, bullet: Bullet, into: Statements): void {
  if (bullet.children.length > 0) {
    report(context, "nested-statement", bullet.children[0] ?? bullet, {
      message: "Nothing may be nested below this bullet.",
    });
  }
  const stretch = stretchOf(context, bullet.inline);
  const said = closingStatus(stretch, false);
  const forms = formsOf(place.scope).whole;
  const attempt = matchForms(stretch, forms);
  // `Version tag: ...; another sent: not shown` is a value that has a gap in it.
  const isKey = said && matchForms(said.subject, formsOf(place.scope).keys).match !== undefined;
  if (said !== undefined && (isKey === true || attempt.match === undefined)) {
    closed(context, place, { whole: stretch, ...said }, into);
    return;
  }
  if (attempt.match === undefined || attempt.entry === undefined) {
    const stop = stretch.tokens.at(-1);
    const isStopped = stop?.kind === "mark" && stop.text === "." && stretch.tokens.length > 1;
    if (isStopped && isBullet(part(stretch, 0, stretch.tokens.length - 1), place)) {
      report(context, "unknown-bullet", stop, {
        message: "A bullet has no full stop at its end.",
        hint: "Take the full stop away: steps and sentences have one.",
      });
    } else context.findings.push(noForm(stretch, attempt, "bullet", forms));
    return;
  }
  const colon = stretch.tokens.findIndex((token) => token.kind === "mark" && token.text === ":");
  const written = wordsOf(part(stretch, 0, Math.max(1, colon))).toLowerCase();
  // Of a bullet that may stand again with the same key, its value is part of its name.
  const name =
    attempt.entry.many && !KEY_SLOT.test(attempt.entry.form)
      ? `${written}: ${contentName(sourceOf(part(stretch, colon + 1)))}`
      : written;
  into.bullets.push({
    id: itemId(context, place.sectionId, name),
    key: keyOf(attempt.entry),
    status: "stated",
    match: attempt.match,
    start: stretch.start,
    end: stretch.end,
  });
}
