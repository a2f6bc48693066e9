/** Takes a document that reads without error, gives it in its normal form; no meaning changes. */
import { formatItems, ITEM, withoutEnd } from "./items.ts";
import { type Line, lineEndOf, linesOf } from "./lines.ts";
import { formatTable } from "./table.ts";

type Kind = "heading" | "fence" | "quote" | "table" | "list" | "text";

interface Block {
  readonly kind: Kind;
  readonly lines: Line[];
  /** It stands directly below the line before it. */
  readonly tight: boolean;
}

const HEADING = /^ {0,3}(#{1,6})[ \t]+(.*)$/;
const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const QUOTE = /^ {0,3}>/;
const TABLE = /^ {0,3}\|/;
const TOP_ITEM = /^ {0,3}(-|\d{1,9}\.) +\S/;
const CLOSED = /:\s{1,80}(not\s{1,80}shown|none|free)\s{0,80}\.$/;

function kindOf(line: string): Kind {
  if (FENCE.test(line)) return "fence";
  if (HEADING.test(line)) return "heading";
  if (QUOTE.test(line)) return "quote";
  if (TABLE.test(line)) return "table";
  return TOP_ITEM.test(line) ? "list" : "text";
}

const isBlank = (line: Line | undefined): boolean => line === undefined || line.text.trim() === "";

/** Index behind the fence that begins at `from`. */
function fenceEnd(lines: readonly Line[], from: number): number {
  const mark = FENCE.exec(lines[from]?.text ?? "")?.[1] ?? "```";
  for (let i = from + 1; i < lines.length; i++) {
    const text = lines[i]?.text.trim() ?? "";
    const isMark = text !== "" && [...text].every((character) => character === mark[0]);
    if (isMark && text.length >= mark.length) return i + 1;
  }
  return lines.length;
}

/** Index behind the list at `from`: its items, what continues them, blank lines between them. */
function listEnd(lines: readonly Line[], from: number): number {
  const isStep = (text: string): boolean => /^ {0,3}\d/.test(text);
  const first = isStep(lines[from]?.text ?? "");
  let end = from + 1;
  for (let i = end; i < lines.length; i++) {
    const text = lines[i]?.text ?? "";
    if (text.trim() === "") continue;
    const isBelow = /^ {2}/.test(text);
    const isSibling = TOP_ITEM.test(text) && !isBelow && isStep(text) === first;
    const isContinuation = isBelow && (!isBlank(lines[i - 1]) || ITEM.test(text));
    if (!isSibling && !isContinuation) break;
    end = i + 1;
  }
  return end;
}

function blockEnd(lines: readonly Line[], from: number, kind: Kind): number {
  if (kind === "fence") return fenceEnd(lines, from);
  if (kind === "heading") return from + 1;
  if (kind === "list") return listEnd(lines, from);
  let end = from + 1;
  while (end < lines.length && !isBlank(lines[end])) {
    const next = kindOf(lines[end]?.text ?? "");
    if (next !== kind) break;
    end++;
  }
  return end;
}

/** Cuts lines into blocks; blank lines belong to none, except those in fences and lists. */
function blocksOf(lines: readonly Line[]): Block[] {
  const blocks: Block[] = [];
  let at = 0;
  while (at < lines.length) {
    if (isBlank(lines[at])) {
      at++;
      continue;
    }
    const kind = kindOf(lines[at]?.text ?? "");
    const end = blockEnd(lines, at, kind);
    blocks.push({ kind, lines: lines.slice(at, end), tight: at > 0 && !isBlank(lines[at - 1]) });
    at = end;
  }
  return blocks;
}

/** `Subject: not shown.` as a bullet; undefined where the line says something else. */
function gapBullet(line: string): string | undefined {
  const sentence = line.trim();
  const found = CLOSED.exec(sentence);
  const subject = sentence.slice(0, found?.index).trimEnd();
  const word = found?.[1] ?? "";
  const ticks = subject.split("`").length - 1;
  if (found === null || subject === "" || ticks % 2 !== 0) return undefined;
  return `- ${subject}: ${word.replaceAll(/\s+/g, " ")}`;
}

function formatText(lines: readonly Line[]): readonly string[] | undefined {
  if (lines.length < 2) return undefined;
  const bullets = lines.map((line) => gapBullet(line.text));
  return bullets.every((bullet) => bullet !== undefined) ? bullets : undefined;
}

/** The block's lines in normal form; undefined where it stays as it is. */
function formatBlock({ kind, lines }: Block): readonly string[] | undefined {
  if (kind === "heading") {
    const [, marks = "#", text = ""] = HEADING.exec(lines[0]?.text ?? "") ?? [];
    return [`${marks} ${withoutEnd(text)}`];
  }
  if (kind === "table") return formatTable(lines.map((line) => line.text));
  if (kind === "list") return formatItems(lines);
  return kind === "text" ? formatText(lines) : undefined;
}

/** Whether two blocks are one list for a reader: gap lines made bullets below bullets. */
function isBulletList(lines: readonly string[]): boolean {
  return lines[0]?.startsWith("- ") === true;
}

/** Whether the author may choose: no blank line below a heading, or between bullets and steps. */
function staysTight(before: Kind | undefined, { kind, tight }: Block): boolean {
  return tight && (before === "heading" || (before === "list" && kind === "list"));
}

/**
 * The normal form of a document: one blank line between blocks, but none below a heading or between
 * bullets and steps where the author has left it out; one line end at the end, aligned
 * tables, `- ` and one space, consecutive gap lines as bullets. Code spans, fences, quotes and
 * prose stay as they are, and so do the document's line ends. Idempotent and linear.
 */
export function format(text: string): string {
  const lineEnd = lineEndOf(text);
  const out: string[] = [];
  let wasBullets = false;
  let before: Kind | undefined;
  for (const block of blocksOf(linesOf(text))) {
    const formatted = formatBlock(block);
    const isBullets = formatted !== undefined && isBulletList(formatted);
    const joins = (wasBullets && isBullets) || staysTight(before, block);
    if (out.length > 0 && !joins) out.push(lineEnd);
    if (formatted !== undefined) for (const line of formatted) out.push(line + lineEnd);
    else for (const line of block.lines) out.push(line.text + (line.end || lineEnd));
    wasBullets = isBullets;
    before = block.kind;
  }
  return out.join("");
}
