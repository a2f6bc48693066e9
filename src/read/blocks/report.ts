/** Collects findings of known codes, at most so many of each; must not know how they arise. */
import type { Finding } from "../../base/index.ts";
import { type BlockCode, blockCodes } from "./codes.ts";

/** Findings listed for each code; a hostile document could otherwise fill the memory with them. */
export const FINDINGS_MAX = 1000;

/** Takes findings in the order in which they are met. */
export interface Report {
  /** Adds a finding; `detail` replaces the code's title where it says more. */
  add(code: BlockCode, start: number, end: number, detail?: string): void;
  /** All findings in document order, with one for those that were not listed. */
  findings(): Finding[];
}

interface Surplus {
  count: number;
  readonly start: number;
  readonly end: number;
}

/** A new, empty report. */
export function newReport(): Report {
  const listed: Finding[] = [];
  const counts = new Map<BlockCode, number>();
  const surplus = new Map<BlockCode, Surplus>();
  return {
    add(code, start, end, detail) {
      const count = counts.get(code) ?? 0;
      if (count < FINDINGS_MAX) {
        counts.set(code, count + 1);
        listed.push(finding(code, start, end, detail));
        return;
      }
      const more = surplus.get(code);
      if (more === undefined) surplus.set(code, { count: 1, start, end });
      else more.count++;
    },
    findings() {
      const all = [...listed];
      for (const [code, more] of surplus) {
        const detail = `${more.count} more of \`${code}\` from here on are not listed`;
        const severity = blockCodes[code].severity;
        all.push({ ...finding("too-many", more.start, more.end, detail), severity });
      }
      return all.sort((a, b) => a.span.start - b.span.start);
    },
  };
}

function finding(code: BlockCode, start: number, end: number, detail?: string): Finding {
  const { severity, title, mend } = blockCodes[code];
  return { code, severity, message: detail ?? title, span: { start, end }, hint: mend };
}
