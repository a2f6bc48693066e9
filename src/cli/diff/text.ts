/** The changes between two documents, for people at a terminal. */
import { audiences } from "../../language/index.ts";
import type { Brush, Paint } from "../paint.ts";
import { counted } from "../render/wrap.ts";
import { historyLines } from "./history.ts";
import { type Diff, detailOf, type Entry, type Unjudged } from "./model.ts";
import type { Place } from "./places.ts";

type Verdict = Entry["verdict"];

const VERDICTS = ["breaking", "not judged", "free", "compatible"] as const;

const WIDTH = Math.max(...VERDICTS.map((one) => one.length));

const ROWS: Readonly<Record<NonNullable<Entry["rows"]>, string>> = {
  wider: "rows that are kept are taken over",
  narrower: "rows that are kept have to fit",
  other: "rows that are kept cannot be taken over as they are",
};

const WHY: Readonly<Record<Unjudged["why"], string>> = {
  "not shown": "the compatibility is not shown",
  "no rules": "there are no compatibility rules",
  "no row": "the compatibility table has no row for it",
};

function brushOf(verdict: Verdict, paint: Paint): Brush {
  switch (verdict) {
    case "breaking":
      return paint.error;
    case "compatible":
      return paint.good;
    case "free":
      return paint.note;
    case "not judged":
      return paint.gap;
    default:
      return verdict satisfies never;
  }
}

/** How many there are of each verdict. */
export function countsOf({ entries }: Diff): string {
  const counts = VERDICTS.flatMap((verdict) => {
    const count = entries.filter((one) => one.verdict === verdict).length;
    return count === 0 ? [] : [`${count} ${verdict}`];
  });
  const all = counted(entries.length, "change");
  return entries.length === 0 ? "nothing has changed its meaning" : `${all}: ${counts.join(", ")}`;
}

/** What is said of a change beside its lines. */
export function notesOf({ for: who, rows }: Entry): string {
  const audience = who.map((one) => audiences[one]).join(", ");
  return `for ${audience}${rows === undefined ? "" : `; ${ROWS[rows]}`}`;
}

/** Why some changes are not judged: one line for each reason. */
export function unjudgedLines({ unjudged, before }: Diff): readonly string[] {
  return unjudged.map(({ why, kinds, at }) => {
    const place = at === undefined ? before.report.file : `${before.report.file}:${at.line}`;
    return `Not judged: ${WHY[why]} (${place}): ${kinds.map((one) => `\`${one}\``).join(", ")}`;
  });
}

/** Entries by part, in the order of the parts. */
export function byPart({ entries, now }: Diff): readonly (readonly [string, readonly Entry[]])[] {
  return now.planned.plan.parts.flatMap(({ name }) => {
    const own = entries.filter(({ part }) => part === name);
    return own.length === 0 ? [] : [[name, own] as const];
  });
}

function lines(entry: Entry, diff: Diff, paint: Paint): readonly string[] {
  const { kind, about, verdict, before, now } = entry;
  const mark = brushOf(verdict, paint)(verdict.padEnd(WIDTH));
  const head = `  ${mark}  ${paint.bold(about)}  ${kind}${detailOf(entry)}`;
  const margin = " ".repeat(WIDTH + 4);
  const files = { before: diff.before.report.file, now: diff.now.report.file };
  const places = [before && `${files.before}:${before.line}`, now && `${files.now}:${now.line}`];
  const width = Math.max(...places.map((one) => one?.length ?? 0));
  const line = (sign: string, place: Place | undefined, at: string | undefined): string[] => {
    if (place === undefined || at === undefined) return [];
    const brush = sign === "-" ? paint.error : paint.good;
    return [`${margin}${brush(sign)} ${paint.code(at.padEnd(width))}  ${place.text}`];
  };
  const isSame = before?.text === now?.text;
  const shown = isSame
    ? [`${margin}  ${paint.code(places.join(" → "))}  ${now?.text ?? ""}`]
    : [...line("-", before, places[0]), ...line("+", now, places[1])];
  return [head, ...shown, `${margin}${paint.dim(notesOf(entry))}`];
}

/** The whole report, with a line end. */
export function diffText(diff: Diff, paint: Paint): string {
  const { before, now, history } = diff;
  const title = `${before.report.file} → ${now.report.file}`;
  const parts = byPart(diff).flatMap(([name, entries]) => [
    "",
    paint.bold(name),
    ...entries.flatMap((entry) => lines(entry, diff, paint)),
  ]);
  const unjudged = unjudgedLines(diff);
  const write = historyLines(diff);
  return [
    `${paint.bold(title)}: ${countsOf(diff)}`,
    ...parts,
    ...(unjudged.length > 0 ? ["", ...unjudged] : []),
    ...(history.length > 0 ? ["", paint.bold("For the history:"), ...write] : []),
    "",
  ].join("\n");
}
