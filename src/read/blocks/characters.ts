/** Takes a text, reports characters that a reader cannot see or trust; must not know Markdown. */
import { type BlockCode, blockCodes } from "./codes.ts";
import type { Report } from "./report.ts";

const LF = 10;
const CR = 13;

/** Reports runs of characters that no viewer shows as written, one finding for each run. Linear. */
export function inspectCharacters(text: string, report: Report): void {
  const length = text.length;
  let i = 0;
  while (i < length) {
    const code = text.charCodeAt(i);
    if (code >= 32 && code < 127) {
      i++;
      continue;
    }
    const point = text.codePointAt(i) ?? 0;
    const width = point > 0xffff ? 2 : 1;
    const fault = characterFault(point);
    if (fault === undefined) {
      i += width;
      continue;
    }
    let end = i + width;
    while (end < length && characterFault(text.codePointAt(end) ?? 0) === fault) {
      end += (text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1;
    }
    report.add(fault, i, end, `${blockCodes[fault].title}: ${name(point)}`);
    i = end;
  }
}

function name(point: number): string {
  return `U+${point.toString(16).toUpperCase().padStart(4, "0")}`;
}

/** The finding that one code point earns, or undefined. */
function characterFault(point: number): BlockCode | undefined {
  if (point < 0x20) return point === 9 || point === LF || point === CR ? undefined : CONTROL;
  if (point < 0x7f) return undefined;
  if (point < 0xa0) return CONTROL;
  if (point === 0xad || point === 0x200b || point === 0xfeff) return INVISIBLE;
  if (point < 0x2000) return point === 0x61c ? BIDIRECTIONAL : undefined;
  if (point < 0x2070) return generalPunctuationFault(point);
  if (point >= 0xd800 && point <= 0xdfff) return "lone-surrogate";
  if (point >= 0xe0000 && point <= 0xe0fff) return INVISIBLE;
  return undefined;
}

const CONTROL = "control-character";
const BIDIRECTIONAL = "bidirectional-control";
const INVISIBLE = "invisible-character";

/** The block U+2000 to U+206F: separators, bidirectional controls, invisible operators. */
function generalPunctuationFault(point: number): BlockCode | undefined {
  if (point === 0x200e || point === 0x200f) return BIDIRECTIONAL;
  if (point >= 0x202a && point <= 0x202e) return BIDIRECTIONAL;
  if (point >= 0x2066 && point <= 0x2069) return BIDIRECTIONAL;
  if (point === 0x2028 || point === 0x2029) return CONTROL;
  return point >= 0x2060 ? INVISIBLE : undefined;
}

/** Reports the first line end that differs from the file's first one. Linear. */
export function inspectLineEnds(text: string, report: Report): void {
  if (!text.includes("\r")) return;
  let first = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code !== LF && code !== CR) continue;
    const width = code === CR && text.charCodeAt(i + 1) === LF ? 2 : 1;
    const kind = code * width;
    if (first === 0) first = kind;
    if (kind !== first) {
      report.add("line-ends", i, i + width);
      return;
    }
    i += width - 1;
  }
}
