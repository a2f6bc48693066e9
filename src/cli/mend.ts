/** Records what is silent in a document as `not shown`; reads and writes no file. */
import type { Finding } from "../base/index.ts";
import { check } from "../check/index.ts";
import { read } from "../read/index.ts";
import { withMends, withMissingParts } from "../write/index.ts";

/** An answer can raise a question of its own; more rounds than this are a fault of ours. */
const ROUNDS_MAX = 8;

interface Mended {
  readonly text: string;
  /** How many silent points were recorded. */
  readonly recorded: number;
  /** Silent points that could not be recorded. */
  readonly left: number;
  /** Lines that cannot be read: what they mean to say would be recorded as not shown. */
  readonly unread: number;
}

/** Reading errors that hide nothing: what is missing is just what a mend adds. */
const HIDES_NOTHING = new Set(["missing-part", "no-title"]);

const encoder = new TextEncoder();

/**
 * The document of `bytes`, with everything silent in it recorded, and nothing else changed. One
 * with lines that cannot be read is left alone.
 */
export function mended(bytes: Uint8Array): Mended {
  const first = read(bytes);
  const before = check(first).counts.silent;
  const unread = first.findings.filter(
    ({ code, severity }) => severity === "error" && !HIDES_NOTHING.has(code),
  ).length;
  if (unread > 0) return { text: first.spec.text, recorded: 0, left: before, unread };
  let text = withMissingParts(first.spec);
  let checked = check(read(encoder.encode(text)));
  let recorded = before - checked.counts.silent;
  for (let round = 0; round < ROUNDS_MAX && checked.counts.silent > 0; round++) {
    const useful = usefulMends(text, checked.findings);
    if (useful.length === 0) break;
    recorded += useful.length;
    text = withMends(text, useful);
    checked = check(read(encoder.encode(text)));
  }
  return { text, recorded, left: checked.counts.silent, unread };
}

/** The silent findings that are answered when they are mended: no other mend is to be written. */
function usefulMends(text: string, findings: readonly Finding[]): Finding[] {
  const mends = findings.filter((each) => each.fix !== undefined);
  const after = check(read(encoder.encode(withMends(text, mends)))).findings;
  const unanswered = new Set(after.filter((f) => f.code === "silent").map((f) => f.message));
  return mends.filter((each) => !unanswered.has(each.message));
}
