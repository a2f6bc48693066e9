/** The changes between two documents, for people at a terminal. */
import { audiences } from "../../language/index.ts";
import type { Brush, Paint } from "../paint.ts";
import { counted } from "../render/wrap.ts";
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
  "no table": "no compatibility table is given with `--rules FILE`",
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
export function notesOf({ for: who, rows, operations, first }: Entry): string {
  const audience = who.map((one) => audiences[one]).join(", ");
  const more = (operations ?? 0) - 1;
  const reach = more > 0 && first !== undefined ? `; reaches ${first} and ${more} more` : "";
  return `for ${audience}${rows === undefined ? "" : `; ${ROWS[rows]}`}${reach}`;
}

/** Why some changes are not judged: one line for each reason. */
export function unjudgedLines({ unjudged, files, judge }: Diff): readonly string[] {
  return unjudged.map(({ why, kinds, at }) => {
    const file = judge ?? files.before;
    const place = why === "no table" ? "" : ` (${at === undefined ? file : `${file}:${at.line}`})`;
    return `Not judged: ${WHY[why]}${place}: ${kinds.map((one) => `\`${one}\``).join(", ")}`;
  });
}

/** Which table judges, where it is not the first document's own. */
export function judgeLine({ judge }: Diff): readonly string[] {
  return judge === undefined ? [] : [`Judged by the table of ${judge}.`];
}

/** How many changes are not listed here, because they are of words alone; what was not counted. */
export function quietLines({ entries, quiet, isCut }: Diff): readonly string[] {
  const counts = [...quiet].flatMap((kind) => {
    const count = entries.filter((one) => isQuiet(one, quiet) && one.kind === kind).length;
    return count === 0 ? [] : [`${count} ${kind}`];
  });
  return [
    ...(counts.length === 0 ? [] : [`Not listed: ${counts.join(", ")} (\`--format json\`).`]),
    ...(isCut === true
      ? ["Numbers of operations are at least these: not all ways were gone."]
      : []),
  ];
}

function isQuiet({ kind, verdict }: Entry, quiet: Diff["quiet"]): boolean {
  return quiet.has(kind) && verdict !== "breaking";
}

/** Entries by part, in the order of the parts. */
export function byPart({
  entries,
  parts,
  quiet,
}: Diff): readonly (readonly [string, readonly Entry[]])[] {
  return parts.flatMap((name) => {
    const own = entries.filter((one) => one.part === name && !isQuiet(one, quiet));
    return own.length === 0 ? [] : [[name, own] as const];
  });
}

/** A place as people find it. */
function placeText(file: string, { file: own, line, column }: Place): string {
  return own === undefined ? `${file}:${line}` : `${own}:${line}:${column}`;
}

function lines(entry: Entry, diff: Diff, paint: Paint): readonly string[] {
  const { kind, about, verdict, before, now } = entry;
  const mark = brushOf(verdict, paint)(verdict.padEnd(WIDTH));
  const head = `  ${mark}  ${paint.bold(about)}  ${kind}${detailOf(entry)}`;
  const margin = " ".repeat(WIDTH + 4);
  const { files } = diff;
  const places = [before && placeText(files.before, before), now && placeText(files.now, now)];
  const width = Math.max(...places.map((one) => one?.length ?? 0));
  const line = (sign: string, place: Place | undefined, at: string | undefined): string[] => {
    if (place === undefined || at === undefined) return [];
    const brush = sign === "-" ? paint.error : paint.good;
    return [`${margin}${brush(sign)} ${paint.code(at.padEnd(width))}  ${place.text}`];
  };
  const isSame = before !== undefined && before.text === now?.text;
  const shown = isSame
    ? [`${margin}  ${paint.code(places.join(" → "))}  ${now?.text ?? ""}`]
    : [...line("-", before, places[0]), ...line("+", now, places[1])];
  return [head, ...shown, `${margin}${paint.dim(notesOf(entry))}`];
}

/** The whole report, with a line end. */
export function diffText(diff: Diff, paint: Paint): string {
  const { files, history } = diff;
  const title = `${files.before} → ${files.now}`;
  const parts = byPart(diff).flatMap(([name, entries]) => [
    "",
    paint.bold(name),
    ...entries.flatMap((entry) => lines(entry, diff, paint)),
  ]);
  const said = [...quietLines(diff), ...judgeLine(diff), ...unjudgedLines(diff)];
  return [
    `${paint.bold(title)}: ${countsOf(diff)}`,
    ...parts,
    ...(said.length > 0 ? ["", ...said] : []),
    ...(history.length > 0 ? ["", paint.bold("For the history:"), ...history] : []),
    "",
  ].join("\n");
}
