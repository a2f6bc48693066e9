/** A stretch of running text as HTML: code spans with links to what they name, gaps marked. */
import type { Span } from "../../base/index.ts";
import { type Inline, tokens } from "../../read/index.ts";
import { jsonHtml, laidOut, linkedHtml } from "./code.ts";
import { type Page, questionId } from "./page.ts";
import type { OpenQuestion } from "./questions.ts";
import { escaped } from "./text.ts";

/** How a stretch is shown. */
export interface Shown {
  /** Emphasis and links are read, as in prose. */
  readonly isProse?: boolean;
  /** The place that it stands in, which needs no link to itself. */
  readonly at?: string;
  /** Nothing in it is a link. */
  readonly isPlain?: boolean;
}

/** A piece of text that is code or is not. */
interface Piece {
  readonly text: string;
  readonly isCode: boolean;
}

const blanks = (text: string): string => text.replaceAll(/\s*[\r\n]+\s*/g, " ");

/** The code spans of a stretch and what stands between them. */
export function pieces(text: string, inline: Inline): Piece[] {
  const found: Piece[] = [];
  const plain = (from: number, to: number): void => {
    if (from >= to) return;
    const words = blanks(text.slice(from, to));
    found.push({ text: inline.inCell ? words.replaceAll("\\|", "|") : words, isCode: false });
  };
  let at = inline.start;
  for (const token of tokens(text, inline)) {
    if (token.kind !== "code") continue;
    plain(at, token.start);
    found.push({ text: token.text, isCode: true });
    at = token.end;
  }
  plain(at, inline.end);
  return found;
}

/** A code span; where it names something of the document, a link to it. */
function codeHtml(page: Page, text: string, { at, isPlain }: Shown): string {
  // A schema, or another value, that stands in a line: laid out, its references links.
  if (!isPlain && text.length > 40 && /^[[{]\s*["{[]/.test(text)) {
    const html = page.isLarge ? linkedHtml : jsonHtml;
    const json = html(laidOut(text), (name) => page.names.get(name));
    return `<code class="json">${json}</code>`;
  }
  const code = `<code>${escaped(text)}</code>`;
  const place = page.names.get(text);
  return place === undefined || place === at || isPlain
    ? code
    : `<a class="ref" href="#${escaped(place)}">${code}</a>`;
}

const STRONG = String.raw`\*\*([^*\n]{1,400})\*\*`;
const STAR = String.raw`(?<![\w*])\*([^*\s][^*\n]{0,400})\*`;
const UNDERLINE = String.raw`(?<!\w)_([^_\s][^_\n]{0,400})_(?!\w)`;
const LINK = String.raw`\[([^[\]\n]{1,400})\]\((\S{1,1000}?)\)`;
const RICH = new RegExp([STRONG, STAR, UNDERLINE, LINK].join("|"), "g");

const SAFE = /^(?:https?:\/\/|mailto:)[^\s"'<>\\]+$/i;

/** Words of prose: strong, emphasis, and links to the web alone. */
function proseHtml(text: string): string {
  let html = "";
  let at = 0;
  for (const hit of text.matchAll(RICH)) {
    const [whole, strong, star, line, label = "", target = ""] = hit;
    html += escaped(text.slice(at, hit.index));
    at = hit.index + whole.length;
    if (strong !== undefined) html += `<strong>${escaped(strong)}</strong>`;
    else if (star !== undefined || line !== undefined) {
      html += `<em>${escaped(star ?? line ?? "")}</em>`;
    } else if (SAFE.test(target)) {
      html += `<a href="${escaped(target)}" rel="noopener noreferrer">${escaped(label)}</a>`;
    } else html += escaped(whole);
  }
  return html + escaped(text.slice(at));
}

/** Prose that stands in no line of its own, such as a description: its paragraphs. */
export function proseOf(text: string): string {
  const paragraphs = text.split(/\n\s*\n/).filter((one) => one.trim() !== "");
  return paragraphs.map((one) => `<p>${withCode(one.trim())}</p>`).join("");
}

function withCode(text: string): string {
  return text
    .split(/`([^`\n]+)`/)
    .map((one, i) => (i % 2 === 1 ? `<code>${escaped(one)}</code>` : proseHtml(one)))
    .join("");
}

/** What marks an open question in the text. */
export function gapMark(open: readonly OpenQuestion[], words: string): string {
  const [first, ...others] = open;
  if (first === undefined) return escaped(words);
  const inner = others.map((one) => `<span id="${questionId(one)}"></span>`).join("");
  const kind = first.isSilent ? "gap silent" : "gap";
  const label = open.map(({ number }) => number).join(", ");
  return (
    `<mark class="${kind}" id="${questionId(first)}">${inner}${escaped(words)}` +
    `<sup><span class="vh">, open question </span>${label}</sup></mark>`
  );
}

/** The text of a stretch, its open questions marked at their words or behind it. */
export function inlineHtml(page: Page, inline: Inline, shown: Shown = {}): string {
  return marked(page, inline, page.questions.within(inline), shown);
}

/** As above, with those questions. */
export function marked(
  page: Page,
  inline: Inline,
  open: readonly OpenQuestion[],
  shown: Shown = {},
): string {
  let left = open;
  const words = (text: string): string => {
    const at = left.length > 0 ? text.search(/not shown/i) : -1;
    const own = shown.isProse ? proseHtml : escaped;
    if (at < 0) return own(text);
    const mark = gapMark(left, text.slice(at, at + 9));
    left = [];
    return own(text.slice(0, at)) + mark + own(text.slice(at + 9));
  };
  const html = pieces(page.text, inline)
    .map((piece) => (piece.isCode ? codeHtml(page, piece.text, shown) : words(piece.text)))
    .join("");
  if (left.length === 0) return html;
  return `${html} ${gapMark(left, left[0]?.isSilent ? "not answered" : "not shown")}`;
}

/** The lines of a quote, without its marks, as paragraphs of stretches. */
export function quoteLines(text: string, { start, end }: Span): Inline[][] {
  const paragraphs: Inline[][] = [[]];
  let at = start;
  while (at < end) {
    const found = text.slice(at, end).search(/[\r\n]/);
    const last = found < 0 ? end : at + found;
    const mark = /^\s*>? ?/.exec(text.slice(at, last))?.[0].length ?? 0;
    const line = { start: at + mark, end: last, inCell: false };
    if (text.slice(line.start, line.end).trim() === "") paragraphs.push([]);
    else paragraphs.at(-1)?.push(line);
    at = last + (text.startsWith("\r\n", last) ? 2 : 1);
  }
  return paragraphs.filter((lines) => lines.length > 0);
}
