/** The changes between two documents, for other tools. */
import { historyLines } from "./history.ts";
import type { Diff, Entry } from "./model.ts";
import type { Place } from "./places.ts";

function placed(file: string, place: Place | undefined): object | undefined {
  return place && { file, line: place.line, column: place.column, text: place.text };
}

/** JSON text with a line end; `formatVersion` grows when a reader must change. */
export function diffJson(diff: Diff): string {
  const { before, now, entries, unjudged } = diff;
  const files = { before: before.report.file, now: now.report.file };
  const count = (verdict: Entry["verdict"]): number =>
    entries.filter((one) => one.verdict === verdict).length;
  const whole = {
    format: "lacuna-diff",
    formatVersion: 1,
    ...files,
    breaking: count("breaking"),
    notJudged: count("not judged"),
    free: count("free"),
    compatible: count("compatible"),
    changes: entries.map(({ before: old, now: own, ...entry }) => ({
      ...entry,
      before: placed(files.before, old),
      now: placed(files.now, own),
    })),
    notJudgedBecause: unjudged.map(({ at, ...one }) => ({
      ...one,
      at: placed(files.before, at),
    })),
    history: diff.history.length === 0 ? [] : historyLines(diff),
  };
  return `${JSON.stringify(whole, null, 2)}\n`;
}
