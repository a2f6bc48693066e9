/** Reads paragraphs, and decides for each line below a line of text whether it continues it. */
import { classify, underline } from "./classify.ts";
import { trimEnd } from "./lines.ts";
import { inspectText, isDefinition, nextLine, place, placeOther, type Reader } from "./state.ts";
import type { Inline } from "./types.ts";

/** `setext` and `table` lines would turn the text above into a heading or a table. */
type Continuation = "text" | "setext" | "table" | "stop";

const CODE_INDENT = 4;

/**
 * What the current line does to the text right above it, whose block's content stands at column
 * `base`. Reports a line that a viewer would join although it does not look so.
 */
export function continuation(reader: Reader, base: number): Continuation {
  const { text, lines, report } = reader;
  if (lines.done || lines.blank || lines.tooLong) return "stop";
  const kind = classify(text, lines.at, lines.end);
  const isText = kind === "text" || kind === "hash";
  const indent = lines.indent - base;
  if (indent < 0) {
    if (isText || kind === "pipe") report.add("lazy-line", lines.at, lines.end);
    return "stop";
  }
  const turned = indent < CODE_INDENT ? underline(text, lines.at, lines.end) : undefined;
  if (turned !== undefined) return turned;
  if (indent < CODE_INDENT && !isText) return "stop";
  if (lines.tabbed) report.add("tab", lines.start, lines.at);
  if (indent >= CODE_INDENT && kind !== "text") report.add("indent", lines.at, lines.end);
  else if (kind === "hash") report.add("heading-space", lines.at, lines.end);
  return "text";
}

/** Reads the paragraph that begins in the current line, which holds text. */
export function readParagraph(reader: Reader): void {
  const { text, lines } = reader;
  const start = lines.at;
  const prose = reader.parts < 2;
  const found: Inline[] = [];
  let next: Continuation = "text";
  let end = start;
  while (next === "text") {
    end = trimEnd(text, lines.at, lines.end);
    const inline = { start: lines.at, end, inCell: false };
    const spaces = lines.end - end;
    found.push(inline);
    nextLine(reader);
    next = continuation(reader, 0);
    if (next !== "stop" && spaces >= 2 && !prose)
      reader.report.add("hard-break", end, end + spaces);
  }
  if (next !== "stop") {
    const what = next === "setext" ? "an underlined heading" : "a table without leading `|`";
    placeOther(reader, { start, end: trimEnd(text, lines.at, lines.end) }, what);
    nextLine(reader);
  } else if (isDefinition(text, { start, end })) {
    placeOther(reader, { start, end }, "a link definition, which no viewer shows");
  } else {
    for (const inline of found) inspectText(reader, inline, prose);
    if (isPipe(reader, 0)) reader.report.add("blank-line", lines.at, lines.end);
    place(reader, { kind: "paragraph", start, end, lines: found, prose });
  }
}

/** Reads text, headings or tables inside an item, where none may stand, as one block. */
export function readMisplaced(reader: Reader, base: number): void {
  const { text, lines, report } = reader;
  const start = lines.at;
  const first = classify(text, lines.at, lines.end);
  report.add("item-content", start, lines.end);
  let end = start;
  let next: Continuation = "text";
  do {
    end = trimEnd(text, lines.at, lines.end);
    nextLine(reader);
    if (first === "heading") break;
    next = continuation(reader, base);
    if (next === "stop" && first === "pipe" && isPipe(reader, base)) next = "text";
  } while (next !== "stop");
  place(reader, { kind: "other", what: "a block inside an item", start, end });
}

function isPipe({ text, lines }: Reader, base: number): boolean {
  return !lines.done && !lines.blank && lines.indent >= base && text[lines.at] === "|";
}
