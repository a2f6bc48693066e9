/** What a document is assumed to say, for people: each answer with its place and its gap's. */
import type { AssumedReport } from "../../check/index.ts";
import type { Paint } from "../paint.ts";
import { wrap } from "../render/wrap.ts";
import { locator, placeOf, type Report } from "./model.ts";

interface AssumedOptions {
  readonly paint: Paint;
  readonly columns: number;
  readonly all: boolean;
}

const SHOWN_MAX = 10;
const INDENT = "  ";

function gapOf(report: Report, { instead }: AssumedReport): string {
  if (instead === undefined) return "the document is silent";
  return `not shown in line ${placeOf(report, instead).line}`;
}

/** One line or more for each answer: its place, its words, and the gap that it fills. */
export function assumedLines(report: Report, options: AssumedOptions): string[] {
  const { paint, columns, all } = options;
  const {
    assumptions,
    checked: { assumed = [] },
  } = report;
  if (assumptions === undefined || assumed.length === 0) return [];
  const count = assumed.length === 1 ? "" : ` × ${assumed.length}`;
  const shown = all || assumed.length <= SHOWN_MAX + 1 ? assumed : assumed.slice(0, SHOWN_MAX);
  const places = shown.map((each) => locator(report, each.span));
  const width = Math.max(0, ...places.map((place) => place.length));
  const room = Math.max(30, columns - INDENT.length - width - 2);
  const lines = shown.flatMap((each, index) =>
    wrap(`${each.text} (${gapOf(report, each)})`, room).map(
      (line, i) =>
        `${INDENT}${paint.code((i === 0 ? (places[index] ?? "") : "").padEnd(width))}  ${line}`,
    ),
  );
  const rest = assumed.length - shown.length;
  const more = rest === 0 ? [] : [INDENT + paint.dim(`… and ${rest} more (--all shows them)`)];
  return [
    `${paint.warning(`assumed${count}`)}  ${paint.bold("Answers of the assumptions file")}`,
    "",
    ...lines,
    ...more,
    "",
  ];
}
