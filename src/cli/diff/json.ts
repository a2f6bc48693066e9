/** The changes between two documents, for other tools. */
import type { Diff, Entry } from "./model.ts";
import type { Place } from "./places.ts";

function placed(file: string, place: Place | undefined): object | undefined {
  return (
    place && { file: place.file ?? file, line: place.line, column: place.column, text: place.text }
  );
}

/** JSON text with a line end; `formatVersion` grows when a reader must change. */
export function diffJson(diff: Diff): string {
  const { files, entries, unjudged } = diff;
  const count = (verdict: Entry["verdict"]): number =>
    entries.filter((one) => one.verdict === verdict).length;
  const whole = {
    format: "lacuna-diff",
    formatVersion: 1,
    ...files,
    ...(diff.judge === undefined ? {} : { rules: diff.judge }),
    ...(diff.isCut === true ? { operations: "at least" } : {}),
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
      at: placed(diff.judge ?? files.before, at),
    })),
    history: diff.history,
  };
  return `${JSON.stringify(whole, null, 2)}\n`;
}
