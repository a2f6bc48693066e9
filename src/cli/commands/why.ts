/** `lacuna why`: shows the lines of a document that determine an answer of its service. */
import type { Command } from "commander";
import { nearest, positionOf, type Span } from "../../base/index.ts";
import { occurrencesOf } from "../../check/index.ts";
import {
  causesOf,
  type Gap,
  type ItemId,
  nowhereCauses,
  nowhereGap,
  type Service,
  statusesOf,
} from "../../plan/index.ts";
import { type Call, type CommandModule, DONE, ERRORS, examples, refuse } from "../command.ts";
import { ASSUME, obstacles, readReport } from "../pipeline.ts";
import { refuseReport } from "../refusal.ts";
import { sourceLine } from "../render/excerpt.ts";
import { type DocumentReport, named, sourceOf } from "../report/model.ts";
import { assumedBelow } from "../why/assumed.ts";
import { findEndpoint, nameOf, nowhereOf } from "../why/find.ts";
import { type Chapter, chaptersOf } from "../why/lines.ts";
import { valuesBelow } from "../why/values.ts";

interface Options {
  readonly assume?: string;
  readonly format: string;
}

function define(command: Command): void {
  command
    .description(
      "Shows the lines that determine what a request gets: the endpoint, the steps, what refuses " +
        "it, the errors, the shapes. With a status, what ends in it and what is done before.",
    )
    .argument("<file>", "a document; `-` is the standard input")
    .argument("<endpoint>", "method and path, in one word")
    .argument("[status]", "a status code")
    .option(...ASSUME)
    .option("--format <format>", "text, json", "text")
    .addHelpText(
      "after",
      `${examples(
        ['lacuna why spec.md "POST /orders"', "all that determines the answer"],
        ['lacuna why spec.md "POST /orders" 409', "what ends in 409, and the way there"],
        ['lacuna why spec.md "POST /orders" --format json', "for other tools"],
      )}
Exit codes: 0 shown, 1 errors in the document, or nothing ends in that status, 2 wrong use.
`,
    );
}

interface Line {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly span: Span;
}

/** The lines of each chapter, each line once. */
function linesOf(
  report: DocumentReport,
  chapters: readonly Chapter[],
): { title: string; lines: Line[] }[] {
  const { checked } = report;
  const assumed = assumedBelow(checked.origins, chapters);
  const gaps = new Map(checked.gaps.map((gap) => [gap.id, gap.span]));
  const values = valuesBelow(checked, chapters);
  const shown = new Set<string>();
  const rows = chapters.map(({ title, items, inOrder }) => {
    const lines = items
      .flatMap((id) => [id, ...assumed(id), ...values(id)])
      .flatMap((id) => {
        const span = checked.origins.get(id) ?? gaps.get(id);
        if (span === undefined) return [];
        const { file, table } = sourceOf(report, span);
        const { line, column } = positionOf(table, span.start);
        if (shown.has(`${file}:${line}`)) return [];
        shown.add(`${file}:${line}`);
        return [{ file, line, column, span }];
      });
    const at = ({ span, line }: Line): number => (span.file ?? 0) * 2 ** 32 + line;
    return { title, lines: inOrder ? lines : lines.toSorted((one, two) => at(one) - at(two)) };
  });
  return rows.filter(({ lines }) => lines.length > 0);
}

/** What determines an answer, and what is said of it in one line. */
interface Shown {
  readonly name: string;
  readonly status?: number;
  /** Statuses that there are, where none was asked. */
  readonly statuses?: readonly number[];
  readonly says?: string;
  readonly chapters: readonly Chapter[];
}

function show(report: DocumentReport, shown: Shown, call: Call<Options>): void {
  if (call.options.format === "json") showJson(report, shown, call);
  else print(report, shown, call);
}

/** JSON: see docs/cli.md. */
function showJson(report: DocumentReport, shown: Shown, { io }: Call<Options>): void {
  const { name, status, statuses, says, chapters } = shown;
  const rows = linesOf(report, chapters).map(({ title, lines }) => ({
    title,
    lines: lines.map(({ file, line, column, span }) => {
      const { text, table } = sourceOf(report, span);
      const words = sourceLine(text, table, span.start, Number.MAX_SAFE_INTEGER);
      return { file, line, column, text: words, assumed: span.file === 1 };
    }),
  }));
  const found = { formatVersion: 1, endpoint: name, status, statuses, says, chapters: rows };
  io.out(`${JSON.stringify(found, undefined, 2)}\n`);
}

function print(
  report: DocumentReport,
  { name, status, statuses, says, chapters }: Shown,
  call: Call<Options>,
): void {
  const { io, paint } = call;
  const tail = `${status ?? statuses?.join(", ")}${says === undefined ? "" : `: ${says}`}`;
  io.out(`${paint.bold(name)} ${paint.dim("→")} ${tail}\n`);
  const rows = linesOf(report, chapters);
  const place = ({ file, line }: Line): string => `${file}:${line}`;
  const width = Math.max(...rows.flatMap((row) => row.lines.map((each) => place(each).length)), 0);
  const mark = report.assumptions === undefined ? "" : "assumed".padEnd("assumed".length + 2);
  for (const { title, lines } of rows) {
    io.out(`\n${paint.bold(title)}\n`);
    for (const each of lines) {
      const { text, table } = sourceOf(report, each.span);
      const columns = Math.max(40, io.columns - width - mark.length - 4);
      const source = sourceLine(text, table, each.span.start, columns);
      const said = each.span.file === 1 ? paint.warning(mark) : " ".repeat(mark.length);
      io.out(`  ${paint.code(place(each).padEnd(width))}  ${said}${source}\n`);
    }
  }
}

const NOWHERE = {
  "unknown path": "no endpoint has this path",
  "unknown method": "the path has other methods",
  options: "no endpoint states OPTIONS here: it is answered with the methods of the path",
  "options of all": "it is asked of no path",
} as const;

/** The gap that every request meets where no endpoint is stated. */
function unstatedOf({ gaps, streams }: Service): ItemId | undefined {
  const of = (subject: string): Gap | undefined =>
    gaps.find((gap) => gap.part === "Endpoints" && gap.subject === subject);
  return streams.length > 0 ? undefined : (of("paths") ?? of("methods"))?.id;
}

/** The lines that answer a request which belongs to no endpoint. */
function whyNowhere(report: DocumentReport, wanted: string, call: Call<Options>): number {
  const { io, args } = call;
  const { service } = report.checked;
  const names = service.endpoints.map(nameOf);
  const near = nearest(wanted, names);
  const meant = near === undefined ? "" : ` Did you mean \`${near}\`?`;
  const nowhere = nowhereOf(service, wanted);
  const asked = args[2];
  const blank = names.length === 0 ? unstatedOf(service) : undefined;
  const isOfPath = nowhere !== undefined && nowhere.is !== "options of all";
  if (isOfPath && blank !== undefined && (asked ?? "501") === "501") {
    const causes = { ends: [blank], before: [], shown: [] };
    const chapters = chaptersOf(service, undefined, { causes, status: 501 });
    show(report, { name: wanted, status: 501, says: "no endpoint is stated", chapters }, call);
    return DONE;
  }
  // Without a status a name that is nearly right is taken for a slip.
  const isSlip =
    near !== undefined && asked === undefined && nowhere?.is.startsWith("options") !== true;
  if (nowhere === undefined || (names.length === 0 && isOfPath) || isSlip) {
    const all =
      names.length === 0
        ? "The document has none."
        : `There ${names.length === 1 ? "is" : "are"}: ${names.join(" · ")}`;
    return refuse(io, `${args[0]} has no endpoint \`${wanted}\`.${meant}`, all);
  }
  const { causes, status } = nowhereCauses(service, nowhere);
  const met = nowhereGap(service, nowhere);
  if (met !== undefined && asked === "501" && status !== 501) {
    const chapters = chaptersOf(service, undefined, { causes: met, status: 501 });
    show(report, { name: wanted, status: 501, says: "it meets a gap", chapters }, call);
    return DONE;
  }
  if (asked !== undefined && Number(asked) !== status) {
    io.err(`lacuna: \`${wanted}\` ends in ${status}: ${NOWHERE[nowhere.is]}.${meant}\n`);
    return ERRORS;
  }
  const chapters = chaptersOf(service, undefined, { causes, status });
  show(report, { name: wanted, status, says: NOWHERE[nowhere.is], chapters }, call);
  return DONE;
}

async function run(call: Call<Options>): Promise<number> {
  const { io, args, options } = call;
  if (options.format !== "text" && options.format !== "json") {
    return refuse(io, `there is no format \`${options.format}\`; there are text, json`);
  }
  const [file = "", wanted = "", status] = args;
  if (status !== undefined && !/^[1-5]\d\d$/.test(status)) {
    return refuse(io, `\`${status}\` is no status code`);
  }
  const report = await readReport(io, file, options.assume);
  if (typeof report === "string") return refuse(io, report);
  const { service } = report.checked;
  const errors = obstacles(report.checked);
  const endpoint = findEndpoint(service, wanted);
  if (endpoint === undefined) {
    if (errors.length > 0) {
      refuseReport(report, errors, call);
      return ERRORS;
    }
    return whyNowhere(report, wanted, call);
  }
  const asked = status === undefined ? undefined : Number(status);
  const about = occurrencesOf(service)(endpoint);
  const statuses = statusesOf(service, endpoint, about);
  const causes = causesOf(service, endpoint, {
    ...about,
    ...(asked === undefined ? {} : { status: asked }),
  });
  if (causes === undefined) {
    io.err(
      `lacuna: nothing at \`${nameOf(endpoint)}\` ends in ${status}. ` +
        `It can end in ${statuses.join(", ")}.\n`,
    );
    return ERRORS;
  }
  const chapters = chaptersOf(service, endpoint, { causes, status: asked });
  const isHead = /^\s*head\s/i.test(wanted);
  const says = isHead ? `as \`${nameOf(endpoint)}\`, without content` : undefined;
  const name = isHead ? wanted.trim() : nameOf(endpoint);
  const ends = asked === undefined ? { statuses } : { status: asked };
  show(report, { name, ...ends, ...(says === undefined ? {} : { says }), chapters }, call);
  if (errors.length > 0) {
    io.err(
      `\nlacuna: ${file} has errors; lines that cannot be read are not among these. ` +
        `Next: \`lacuna check ${named(report)}\`.\n`,
    );
  }
  return DONE;
}

export const why: CommandModule<Options> = { define, run };
