/** Code of the document as HTML: JSON and HTTP messages in colours, all else as it is. */
import { escaped } from "./text.ts";

const TEXT = String.raw`("(?:[^"\\\n]|\\.)*")(\s*:)?`;
const NUMBER = String.raw`(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)`;
const HOLE = String.raw`\{\{[^{}\n]{1,60}\}\}`;
const JSON_TOKENS = new RegExp(`${TEXT}|\\b(true|false|null)\\b|${NUMBER}|${HOLE}`, "g");

/** JSON text, or any text near it, with its names, texts and numbers told apart. */
export function jsonHtml(text: string): string {
  let html = "";
  let at = 0;
  for (const hit of text.matchAll(JSON_TOKENS)) {
    const [whole, string, colon, word, number] = hit;
    html += escaped(text.slice(at, hit.index));
    at = hit.index + whole.length;
    if (string !== undefined) {
      const kind = colon === undefined ? "s" : "k";
      html += `<span class="${kind}">${escaped(string)}</span>${colon ?? ""}`;
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
