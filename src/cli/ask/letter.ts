/** Takes a report, gives the open questions as Markdown, by part, the most blocking first. */

import type { GapReport } from "../../check/index.ts";
import { parts } from "../../language/index.ts";
import { sourceLine } from "../render/excerpt.ts";
import { counted } from "../render/wrap.ts";
import { locator, placeOf, type Report, sourceOf } from "../report/model.ts";
import { firstHeading, statedBy } from "./answers.ts";
import { type Asked, askedBy, askedOfRow, blockingRank } from "./phrase.ts";

const SOURCE_COLUMNS = 160;

interface Open {
  readonly gap: GapReport;
  readonly asked: Asked;
  readonly rank: number;
}

/** A code span that holds any text. */
function span(text: string): string {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const ticks = "`".repeat(longest + 1);
  const pad = text.startsWith("`") || text.endsWith("`") ? " " : "";
  return `${ticks}${pad}${text}${pad}${ticks}`;
}

/** How the answer is written: by example, and by `none` or `free` where they may stand. */
function answerLines({ part, scope, subject }: GapReport, { forms }: Asked): string[] {
  if (forms !== undefined) {
    const ways = [...forms.examples, ...forms.words].map(span).join(" or ");
    return [`Answered by such as ${ways}.`];
  }
  const stated = scope === part ? statedBy(part, subject) : undefined;
  if (stated === undefined) return [];
  const none = `${subject.charAt(0).toUpperCase()}${subject.slice(1)}: none.`;
  return [`Answered by ${stated}, or by ${span(none)}`];
}

/** How to begin, where no endpoint is stated yet. */
function firstLines({ checked }: Report): string[] {
  const methods = checked.parts
    .flatMap((part) => part.facets)
    .find((facet) => facet.name === "methods");
  if (methods?.status === "stated") return [];
  return [
    `The first answer is best an endpoint: a heading such as ${span(firstHeading())} under`,
    "`## Endpoints`, in place of the sentence there. It raises the questions that follow from it.",
    "",
  ];
}

/** What the gap blocks, as far as the document goes today. */
function blocksText(gap: GapReport, { blocks }: Asked): string {
  if (gap.blocking || blocks.startsWith("nothing")) return `Blocks ${blocks}.`;
  return `Blocks nothing yet; once the document has such requests: ${blocks}.`;
}

function item(report: Report, { gap, asked }: Open, number: number): string {
  const { text, table } = sourceOf(report, gap.span);
  const about = asked.about === undefined ? "" : `${asked.about}: `;
  const source = sourceLine(text, table, gap.span.start, SOURCE_COLUMNS);
  const lead = " ".repeat(String(number).length + 2);
  const where = gap.silent ? "Nothing is said at" : "Not shown at";
  return [
    `${number}. ${about}**${asked.asks}**`,
    `${lead}- ${where} \`${locator(report, gap.span)}\`${source === "" ? "" : `: ${span(source)}`}`,
    `${lead}- ${blocksText(gap, asked)}`,
    ...answerLines(gap, asked).map((line) => `${lead}- ${line}`),
  ].join("\n");
}

/** What is answered by assumptions is no question here, and no answer of the author either. */
function assumedLines({ checked, assumptions }: Report): string[] {
  const count = checked.assumed?.length ?? 0;
  if (assumptions === undefined || count === 0) return [];
  return [
    `${counted(count, "point")} more ${count === 1 ? "is" : "are"} assumed, in ` +
      `\`${assumptions.file}\`, until the author says so.`,
    "",
  ];
}

/** The questions: one for each gap, and one for a row of which all but its name is a gap. */
function openOf(gaps: readonly GapReport[]): Open[] {
  const rows = Map.groupBy(gaps, (gap) =>
    gap.cell?.isWhole === true ? `${gap.part}\n${gap.scope}\n${gap.cell.row}` : gap.id,
  );
  return [...rows.values()].flatMap((row): Open[] => {
    const whole = askedOfRow(row);
    const all = row.map((gap) => {
      const asked = askedBy(gap);
      return { gap, asked: whole ?? asked, rank: blockingRank(gap, asked) };
    });
    const [first] = all.toSorted((a, b) => a.rank - b.rank);
    return whole === undefined || first === undefined ? all : [first];
  });
}

/** The questions as data, the most blocking first within each part. */
export function questionsOf(report: Report): readonly unknown[] {
  const open = openOf(report.checked.gaps);
  return parts.flatMap((part) =>
    open
      .filter(({ gap }) => gap.part === part.title)
      .toSorted((a, b) => a.rank - b.rank || a.gap.span.start - b.gap.span.start)
      .map(({ gap, asked }) => {
        const { line, column } = placeOf(report, gap.span);
        return {
          question: gap.id,
          part: gap.part,
          scope: gap.scope,
          subject: gap.subject,
          ...(asked.about === undefined ? {} : { about: asked.about }),
          asks: asked.asks,
          blocks: asked.blocks,
          blocking: gap.blocking,
          silent: gap.silent,
          answers: asked.forms === undefined ? [] : [...asked.forms.examples, ...asked.forms.words],
          file: sourceOf(report, gap.span).file,
          line,
          column,
        };
      }),
  );
}

/** The letter; a document without an open question gets one sentence. */
export function letter(report: Report): string {
  const { checked, file } = report;
  const title = checked.title === "" ? file : checked.title;
  const open = openOf(checked.gaps);
  if (open.length === 0) return `# Open questions on ${title}\n\nNone: everything is said.\n`;
  const blocking = checked.gaps.filter((gap) => gap.blocking).length;
  const points =
    open.length === checked.gaps.length
      ? counted(open.length, "question")
      : `${counted(checked.gaps.length, "point")} in ${counted(open.length, "question")}`;
  const head = [
    `# Open questions on ${title}`,
    "",
    `${points}, ` +
      (blocking === 0
        ? "none of which keeps the service from answering a request."
        : `${blocking} of which ${blocking === 1 ? "keeps" : "keep"} the service from answering ` +
          "some request."),
    "Within each part the most blocking come first. Each says in which ways it can be answered.",
    "",
    ...firstLines(report),
    ...assumedLines(report),
  ];
  let number = 0;
  const sections = parts.flatMap((part) => {
    const own = open
      .filter((each) => each.gap.part === part.title)
      .toSorted((a, b) => a.rank - b.rank || a.gap.span.start - b.gap.span.start);
    if (own.length === 0) return [];
    return [`## ${part.title}`, "", ...own.map((each) => item(report, each, ++number)), ""];
  });
  return [...head, ...sections].join("\n");
}
