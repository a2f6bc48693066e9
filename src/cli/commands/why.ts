/** `lacuna why`: shows the lines of a document that determine an answer of its service. */
import type { Command } from "commander";
import { nearest, positionOf } from "../../base/index.ts";
import type { Endpoint } from "../../model/index.ts";
import { type Call, type CommandModule, DONE, ERRORS, examples, refuse } from "../command.ts";
import { readInput } from "../files.ts";
import { obstacles, reportOf } from "../pipeline.ts";
import { refuseReport } from "../refusal.ts";
import { sourceLine } from "../render/excerpt.ts";
import type { Report } from "../report/model.ts";
import { answerWith, type Chapter, statusesOf, wholeAnswer } from "../why/lines.ts";

function define(command: Command): void {
  command
    .description(
      "Shows the lines that determine what a request gets: the endpoint, the steps, what refuses " +
        "it,\nthe errors, the shapes. With a status, only what ends in it.",
    )
    .argument("<file>", "a document; `-` is the standard input")
    .argument("<endpoint>", "method and path as the document has them, in one word")
    .argument("[status]", "a status code")
    .addHelpText("after", `${examples(
      ['lacuna why spec.md "POST /orders"', "all that determines the answer"],
      ['lacuna why spec.md "POST /orders" 409', "only what ends in 409"],
    )}
Exit codes: 0 shown, 1 errors in the document, or nothing ends in that status, 2 wrong use.
`);
}

/** The endpoint as the document writes it: `GET /todos/{id}`. */
function nameOf(endpoint: Endpoint): string {
  const path = endpoint.path.map((part) => "literal" in part ? part.literal : `{${part.param}}`);
  return `${endpoint.method} /${path.join("/")}`;
}

const plain = (name: string): string =>
  name.trim().replace(/\s+/g, " ").replaceAll(/\{[^}]*\}/g, "{}").replace(/(?<=\S)\/$/, "");

function find(endpoints: readonly Endpoint[], wanted: string): Endpoint | undefined {
  const [method = "", ...path] = wanted.trim().split(/\s+/);
  const name = `${method.toUpperCase()} ${path.join(" ")}`;
  return endpoints.find((each) => nameOf(each) === name) ??
    endpoints.find((each) => plain(nameOf(each)) === plain(name));
}

function print(report: Report, chapters: readonly Chapter[], { io, paint }: Call): void {
  const { checked, table, file } = report;
  const gaps = new Map(checked.gaps.map((gap) => [gap.id, gap.span]));
  const shown = new Set<number>();
  const rows = chapters.map(({ title, items }) => ({
    title,
    lines: items.flatMap((id) => {
      const span = checked.origins.get(id) ?? gaps.get(id);
      if (span === undefined) return [];
      const { line } = positionOf(table, span.start);
      if (shown.has(line)) return [];
      shown.add(line);
      return [{ line, at: span.start }];
    }),
  }));
  const width = Math.max(...rows.flatMap((row) =>
    row.lines.map((each) => `${file}:${each.line}`.length)), 0);
  for (const { title, lines } of rows) {
    if (lines.length === 0) continue;
    io.out(`\n${paint.bold(title)}\n`);
    for (const { line, at } of lines) {
      const source = sourceLine(checked.text, table, at, Math.max(40, io.columns - width - 4));
      io.out(`  ${paint.code(`${file}:${line}`.padEnd(width))}  ${source}\n`);
    }
  }
}

async function run(call: Call): Promise<number> {
  const { io, args, paint } = call;
  const [file = "", wanted = "", status] = args;
  if (status !== undefined && !/^[1-5]\d\d$/.test(status)) {
    return refuse(io, `\`${status}\` is no status code`);
  }
  const input = await readInput(io, file);
  if (typeof input === "string") return refuse(io, input);
  const report = reportOf(input);
  const { service } = report.checked;
  const errors = obstacles(report.checked);
  const endpoint = find(service.endpoints, wanted);
  if (endpoint === undefined) {
    if (errors.length > 0) {
      refuseReport(report, errors, call);
      return ERRORS;
    }
    const names = service.endpoints.map(nameOf);
    const near = nearest(wanted, names);
    const all = names.length === 0 ? "The document has none."
      : `There ${names.length === 1 ? "is" : "are"}: ${names.join(" · ")}`;
    return refuse(io, `${file} has no endpoint \`${wanted}\`.` +
      (near === undefined ? "" : ` Did you mean \`${near}\`?`), all);
  }
  const chapters = status === undefined ? wholeAnswer(service, endpoint)
    : answerWith(service, endpoint, Number(status));
  const statuses = statusesOf(service, endpoint);
  if (chapters.length === 0) {
    io.err(`lacuna: nothing at \`${nameOf(endpoint)}\` ends in ${status}. ` +
      `It can end in ${statuses.join(", ")}.\n`);
    return ERRORS;
  }
  io.out(`${paint.bold(nameOf(endpoint))} ${paint.dim("→")} ${status ?? statuses.join(", ")}\n`);
  print(report, chapters, call);
  if (errors.length > 0) {
    io.err(`\nlacuna: ${file} has errors; lines that cannot be read are not among these. ` +
      `Next: \`lacuna check ${file}\`.\n`);
  }
  return DONE;
}

export const why: CommandModule = { define, run };
