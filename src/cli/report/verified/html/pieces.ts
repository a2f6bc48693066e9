/** What all pieces of the page share: verdicts, bars, messages, links to lines and requests. */
import { escaped, jsonHtml, laidOut } from "../../../../export/index.ts";
import type { Fields, Request, Verdict } from "../../../../verify/index.ts";
import type { Counts, Item, Looked } from "../model.ts";
import { whyWords } from "../why.ts";

export const VERDICTS: readonly Verdict[] = ["broken", "held", "not reached", "unstated"];

/** A verdict as the name of a class. */
export const classOf = (verdict: Verdict): string => verdict.replace(" ", "-");

const SIGNS: Readonly<Record<Verdict, string>> = {
  held: "✓",
  broken: "✗",
  "not reached": "○",
  unstated: "?",
};

/** The sign of a verdict, with its word for those who hear it. */
export function signHtml(verdict: Verdict): string {
  return (
    `<span class="sign v-${classOf(verdict)}"><span aria-hidden="true">${SIGNS[verdict]}</span>` +
    `<span class="vh">${verdict}</span></span>`
  );
}

const WIDTH = 1000;

/** How much of a whole each verdict is, as a drawing. */
export function barHtml(counts: Counts, total: number): string {
  let x = 0;
  const rects = VERDICTS.map((verdict) => {
    const width = (counts[verdict] * WIDTH) / Math.max(1, total);
    const place = `x="${x.toFixed(1)}" width="${width.toFixed(1)}" height="10"`;
    const rect = `<rect class="b-${classOf(verdict)}" ${place}/>`;
    x += width;
    return counts[verdict] === 0 ? "" : rect;
  });
  return (
    `<svg class="bar-of" viewBox="0 0 ${WIDTH} 10" preserveAspectRatio="none" aria-hidden="true">` +
    `${rects.join("")}</svg>`
  );
}

/** Signs of a body that are shown; more stand in the HAR. */
const BODY_MAX = 6_000;

function bodyHtml(body: string | undefined): string {
  if (body === undefined || body === "") return "";
  const rest = body.length - BODY_MAX;
  const shown = rest > 0 ? body.slice(0, BODY_MAX) : laidOut(body);
  const more = rest > 0 ? `\n… ${rest} more characters` : "";
  return `\n\n${jsonHtml(shown)}${more}`;
}

const headersHtml = (headers: Fields): string =>
  headers
    .map(([name, value]) => `\n<span class="k">${escaped(name)}</span>: ${escaped(value)}`)
    .join("");

const codeHtml = (label: string, html: string): string =>
  `<pre role="region" tabindex="0" aria-label="${label}"><code>${html}</code></pre>`;

/** The first line of a request. */
export function lineHtml({ method, target }: Pick<Request, "method" | "target">): string {
  return (
    `<b class="m m-${escaped(method.toLowerCase())}">${escaped(method)}</b> ` +
    `<span class="path">${escaped(target).replaceAll("/", "/<wbr>")}</span>`
  );
}

/** A status in the colour of its kind. */
export function statusHtml(status: number): string {
  return `<b class="st s${Math.floor(status / 100)}">${status}</b>`;
}

/** A request as it is sent. */
export function requestHtml({ method, target, headers, body }: Request): string {
  const first = lineHtml({ method, target });
  return codeHtml("Request", first + headersHtml(headers) + bodyHtml(body));
}

interface Shown {
  readonly status: number;
  readonly headers: Fields;
  readonly body: string | undefined;
}

/** An answer, or one that was expected. */
export function answerHtml(label: string, { status, headers, body }: Shown): string {
  return codeHtml(label, statusHtml(status) + headersHtml(headers) + bodyHtml(body));
}

/** The place of a line in the page. */
export function lineId({ outcome }: Looked, { file, line }: Pick<Item, "file" | "line">): string {
  return `${file === outcome.report.file ? "L" : "A"}${line}`;
}

/** A link from an item to its line, with the words of the line. */
export function itemLink(looked: Looked, item: Item): string {
  const words = looked.lineOf(item)?.text || item.id;
  return (
    `<a class="to-line" href="#${lineId(looked, item)}"><span class="no">${item.line}</span>` +
    `<code>${escaped(words)}</code></a>`
  );
}

/** Why an item was not reached, as a sentence with links. */
export function whyHtml(looked: Looked, item: Item): string {
  const { why } = item;
  if (why === undefined) return "";
  const gap = why.is === "gap" && why.gap !== item.id ? looked.byId.get(why.gap) : undefined;
  if (gap === undefined) return wordsHtml(whyWords(looked, item, why));
  const link = `<a href="#${lineId(looked, gap)}">line ${gap.line}</a>`;
  return `every way to it goes past the gap in ${link}`;
}

/** Words in which backticks mark code. */
export function wordsHtml(words: string): string {
  return escaped(words).replaceAll(/`([^`]*)`/g, "<code>$1</code>");
}

/** Links to requests. */
export function requestLinks(numbers: readonly number[]): string {
  return numbers.map((one) => `<a href="#r${one}">${one}</a>`).join(", ");
}
