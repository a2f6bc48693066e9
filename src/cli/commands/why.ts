/** `lacuna why`: shows the lines of a document that determine an answer of its service. */
import type { Command } from "commander";
import { nearest, positionOf } from "../../base/index.ts";
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
import { named, type Report, sourceOf } from "../report/model.ts";
import { assumedBelow } from "../why/assumed.ts";
import { findEndpoint, nameOf, nowhereOf } from "../why/find.ts";
import { type Chapter, chaptersOf } from "../why/lines.ts";
import { valuesBelow } from "../why/values.ts";

interface Options {
  readonly assume?: string;
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
    .addHelpText(
      "after",
      `${examples(
        ['lacuna why spec.md "POST /orders"', "all that determines the answer"],
        ['lacuna why spec.md "POST /orders" 409', "what ends in 409, and the way there"],
      )}
Exit codes: 0 shown, 1 errors in the document, or nothing ends in that status, 2 wrong use.
`,
    );
}

function print(report: Report, chapters: readonly Chapter[], { io, paint }: Call<Options>): void {
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
        const { line } = positionOf(table, span.start);
        const place = `${file}:${line}`;
        if (shown.has(place)) return [];
        shown.add(place);
        return [{ place, span, at: (span.file ?? 0) * 2 ** 32 + line }];
      });
    return { title, lines: inOrder ? lines : lines.toSorted((a, b) => a.at - b.at) };
  });
  const width = Math.max(...rows.flatMap((row) => row.lines.map((each) => each.place.length)), 0);
  const mark = report.assumptions === undefined ? "" : "assumed".padEnd("assumed".length + 2);
  for (const { title, lines } of rows) {
    if (lines.length === 0) continue;
    io.out(`\n${paint.bold(title)}\n`);
    for (const { place, span } of lines) {
      const { text, table } = sourceOf(report, span);
      const columns = Math.max(40, io.columns - width - mark.length - 4);
      const source = sourceLine(text, table, span.start, columns);
      const said = span.file === 1 ? paint.warning(mark) : " ".repeat(mark.length);
      io.out(`  ${paint.code(place.padEnd(width))}  ${said}${source}\n`);
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
function whyNowhere(report: Report, wanted: string, call: Call<Options>): number {
  const { io, args, paint } = call;
  const { service } = report.checked;
  const names = service.endpoints.map(nameOf);
  const near = nearest(wanted, names);
  const meant = near === undefined ? "" : ` Did you mean \`${near}\`?`;
  const nowhere = nowhereOf(service, wanted);
  const asked = args[2];
  const blank = names.length === 0 ? unstatedOf(service) : undefined;
  const isOfPath = nowhere !== undefined && nowhere.is !== "options of all";
  if (isOfPath && blank !== undefined && (asked ?? "501") === "501") {
    io.out(`${paint.bold(wanted)} ${paint.dim("→")} 501: no endpoint is stated\n`);
    const causes = { ends: [blank], before: [], shown: [] };
    print(report, chaptersOf(service, undefined, { causes, status: 501 }), call);
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
    io.out(`${paint.bold(wanted)} ${paint.dim("→")} 501: it meets a gap\n`);
    print(report, chaptersOf(service, undefined, { causes: met, status: 501 }), call);
    return DONE;
  }
  if (asked !== undefined && Number(asked) !== status) {
    io.err(`lacuna: \`${wanted}\` ends in ${status}: ${NOWHERE[nowhere.is]}.${meant}\n`);
    return ERRORS;
  }
  io.out(`${paint.bold(wanted)} ${paint.dim("→")} ${status}: ${NOWHERE[nowhere.is]}\n`);
  print(report, chaptersOf(service, undefined, { causes, status }), call);
  return DONE;
}

async function run(call: Call<Options>): Promise<number> {
  const { io, args, paint, options } = call;
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
  const note = isHead ? `: as \`${nameOf(endpoint)}\`, without content` : "";
  const name = isHead ? wanted.trim() : nameOf(endpoint);
  io.out(`${paint.bold(name)} ${paint.dim("→")} ${status ?? statuses.join(", ")}${note}\n`);
  print(report, chapters, call);
  if (errors.length > 0) {
    io.err(
      `\nlacuna: ${file} has errors; lines that cannot be read are not among these. ` +
        `Next: \`lacuna check ${named(report)}\`.\n`,
    );
  }
  return DONE;
}

export const why: CommandModule<Options> = { define, run };
