/** Code of the document as HTML: JSON and HTTP messages in colours, all else as it is. */
import { escaped } from "./text.ts";

const TEXT = String.raw`("(?:[^"\\\n]|\\.)*")(\s*:)?`;
const NUMBER = String.raw`(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)`;
const HOLE = String.raw`\{\{[^{}\n]{1,60}\}\}`;
const JSON_TOKENS = new RegExp(`${TEXT}|\\b(true|false|null)\\b|${NUMBER}|${HOLE}`, "g");

/** The place of a schema by its name. */
type PlaceOf = (name: string) => string | undefined;

/** The name of the schema that a reference of JSON Schema names: `"#/$defs/Pet"`. */
function referred(string: string): string {
  const first = /^"#\/\$defs\/([^/"\\]+)/.exec(string)?.[1] ?? "";
  try {
    return decodeURIComponent(first).replaceAll("~1", "/").replaceAll("~0", "~");
  } catch {
    return "";
  }
}

const REFERENCE = /"#\/\$defs\/(?:[^"\\\n]|\\.)*"/g;

function link(string: string, placeOf: PlaceOf, words: string): string {
  const place = string.startsWith('"#/$defs/') ? placeOf(referred(string)) : undefined;
  return place === undefined ? words : `<a class="ref" href="#${escaped(place)}">${words}</a>`;
}

/** JSON text with its references as links, and nothing else told apart. */
export function linkedHtml(text: string, placeOf: PlaceOf): string {
  let html = "";
  let at = 0;
  for (const { index, 0: string } of text.matchAll(REFERENCE)) {
    html += escaped(text.slice(at, index)) + link(string, placeOf, escaped(string));
    at = index + string.length;
  }
  return html + escaped(text.slice(at));
}

/** JSON text, or any text near it, with its names, texts and numbers told apart. */
export function jsonHtml(text: string, placeOf: PlaceOf = () => undefined): string {
  let html = "";
  let at = 0;
  for (const hit of text.matchAll(JSON_TOKENS)) {
    const [whole, string, colon, word, number] = hit;
    html += escaped(text.slice(at, hit.index));
    at = hit.index + whole.length;
    if (string !== undefined) {
      const kind = colon === undefined ? "s" : "k";
      html += link(string, placeOf, `<span class="${kind}">${escaped(string)}</span>`);
      html += colon ?? "";
    } else if (word !== undefined || number !== undefined) {
      html += `<span class="n">${escaped(whole)}</span>`;
    } else html += `<span class="v">${escaped(whole)}</span>`;
  }
  return html + escaped(text.slice(at));
}

const LINE_MAX = 72;
const DEPTH_MAX = 32;
/** A larger body is shown as it is written. */
const LAID_OUT_MAX = 20_000;

/** A body that is JSON on one long line, on several; texts, numbers and order stay as they are. */
export function laidOut(body: string): string {
  if (body.length <= LINE_MAX || body.length > LAID_OUT_MAX) return body;
  if (body.includes("\n") || !/^[[{]/.test(body)) return body;
  let out = "";
  let depth = 0;
  const line = (): string => `\n${"  ".repeat(depth)}`;
  for (const [token] of body.matchAll(/"(?:[^"\\]|\\.)*"|\{\{[^{}]*\}\}|[[\]{},:]|[^\s]/g)) {
    if (depth > DEPTH_MAX) return body;
    if (token === "{" || token === "[") {
      depth++;
      out += token + line();
    } else if (token === "}" || token === "]") {
      depth--;
      if (depth < 0) return body;
      out = /[[{]\s*$/.test(out.slice(-200)) ? out.trimEnd() + token : out + line() + token;
    } else if (token === ",") out += token + line();
    else out += token === ":" ? ": " : token;
  }
  return depth === 0 ? out : body;
}
