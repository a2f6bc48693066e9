/** The report on a description for people: what it states, and the questions that block most. */
import type { Finding } from "../../base/index.ts";
import { displayWidth } from "../../write/index.ts";
import { counted, wrap } from "../render/wrap.ts";
import { groupsOf, locator, type Report, sourceOf } from "./model.ts";
import { groupLines, partLines, type TextOptions } from "./text.ts";

const QUESTIONS_MAX = 10;
const NAMES = { openapi: "OpenAPI", swagger: "Swagger", asyncapi: "AsyncAPI" } as const;
const thousands = new Intl.NumberFormat("en-US");

/** `1,223 operations · 3,526 parameters · …`, without what there is none of. */
function sizes({ counts }: Report): string {
  if (counts === undefined) return "";
  const items: readonly (readonly [count: number, one: string, many?: string])[] = [
    [counts.operations, "operation"],
    [counts.parameters, "parameter"],
    [counts.responses, "answer"],
    [counts.schemas, "named schema"],
    [counts.securitySchemes, "security scheme"],
    [counts.webhooks, "webhook"],
    [counts.callbacks, "callback"],
  ];
  const said = items.flatMap(([count, one]) =>
    count === 0 ? [] : [`${thousands.format(count)} ${count === 1 ? one : `${one}s`}`],
  );
  return said.length === 0 ? "no operation" : said.join(" · ");
}

/** Above this many characters a place has the name of its file without the folders. */
const NAME_MAX = 32;

/** The first place; a question has said what stands there. */
function placeOf(report: Report, { span }: Finding): string {
  const { file } = sourceOf(report, span);
  const place = locator(report, span);
  return file.length > NAME_MAX ? place.slice(file.lastIndexOf("/") + 1) : place;
}

/** Stands for the space between a method and its path while lines are broken. */
const JOINT = "\ue000";

/** Lines of a width, in which a method stays with its path. */
function namedLines(text: string, columns: number): string[] {
  const joined = text.replaceAll(/`([A-Z]+) (?=\/)/g, `\`$1${JOINT}`);
  return wrap(joined, columns).map((line) => line.replaceAll(JOINT, " "));
}

/** The place and the code, behind what stands there, on as many lines as the columns need. */
function placeLines(
  report: Report,
  cause: Finding,
  { what, options: { paint, columns } }: { readonly what: string; readonly options: TextOptions },
): string[] {
  const place = placeOf(report, cause);
  const end = `${paint.code(place)}  ${paint.dim(cause.code)}`;
  const width = columns - 5;
  const said = namedLines(what, width);
  const last = said.at(-1);
  if (last === undefined) return [end];
  const room = width - displayWidth(last) - 2;
  if (place.length + 2 + cause.code.length > room) return [...said, end];
  return [...said.slice(0, -1), `${last}  ${end}`];
}

/** What stands at the first place, and at how many more it is met. */
function subjectOf({ counted, related = [] }: Finding): string {
  const more = related.length;
  return `${counted?.subject ?? ""}${more === 0 ? "" : ` and ${thousands.format(more)} more`}`;
}

/** A contradiction or a warning: what, where, what to do. */
function causeLines(report: Report, cause: Finding, options: TextOptions): string[] {
  const { paint, columns } = options;
  const mark = paint[cause.severity](cause.severity === "error" ? "✗" : "!");
  const said = wrap(cause.message, columns - 4);
  const lines = said.map((line, index) => (index === 0 ? `  ${mark} ${line}` : `    ${line}`));
  const hint = cause.hint === undefined ? [] : wrap(`→ ${cause.hint}`, columns - 4);
  return [
    ...lines,
    ...hint.map((line) => `    ${paint.dim(line)}`),
    ...placeLines(report, cause, { what: subjectOf(cause), options }).map((line) => `    ${line}`),
  ];
}

function questionLines(
  report: Report,
  [index, cause]: readonly [number, Finding],
  options: TextOptions,
): string[] {
  const { paint, columns } = options;
  const number = `${index + 1}.`.padStart(4);
  const said = wrap(cause.message, columns - 5);
  return [
    ...namedLines(cause.question ?? "", columns - 5).map((line, at) =>
      at === 0 ? `${paint.gap(number)} ${paint.bold(line)}` : `     ${paint.bold(line)}`,
    ),
    ...said.map((line) => `     ${line}`),
    ...placeLines(report, cause, { what: "", options }).map((line) => `     ${line}`),
  ];
}

function nextLine(report: Report, errors: number): string {
  const which = errors === 1 ? "contradiction" : counted(errors, "contradiction");
  const mend = errors === 0 ? "" : `Mend the ${which} first. `;
  return (
    `${mend}Next: \`lacuna import ${report.file} > spec.md\` writes the document of nine parts ` +
    "in which each question can be answered."
  );
}

/** What `--all` would show, too. */
function restLines(rest: number, noted: readonly Finding[], { paint }: TextOptions): string[] {
  const said = [
    ...(rest === 0 ? [] : [counted(rest, "more question")]),
    ...(noted.length === 0 ? [] : [counted(noted.length, "note")]),
  ];
  return said.length === 0 ? [] : [paint.dim(`     … and ${said.join(", ")} (--all)`), ""];
}

/** The report on one description. */
export function describedText(report: Report, options: TextOptions): string {
  const { paint, columns, all } = options;
  const { checked, counts, file } = report;
  if (counts === undefined) return unreadableText(report, options);
  const kind = `${NAMES[counts.kind]} ${counts.version}`;
  const wrong = checked.findings.filter(({ severity }) => severity === "error");
  const doubtful = checked.findings.filter(({ severity }) => severity === "warning");
  const asked = checked.findings.filter(({ severity }) => severity === "gap");
  const noted = checked.findings.filter(({ severity }) => severity === "note");
  const shown = all ? asked : asked.slice(0, QUESTIONS_MAX);
  const rest = asked.length - shown.length;
  const group = (title: string, findings: readonly Finding[]): string[] =>
    findings.length === 0
      ? []
      : [paint.bold(title), ...findings.flatMap((each) => causeLines(report, each, options)), ""];
  const title = checked.title === "" ? paint.dim("(no title)") : checked.title;
  const lines = [
    `${paint.bold(title)}  ${paint.dim(`${file}  ${kind}`)}`,
    ...wrap(sizes(report), columns),
    "",
    ...partLines(report, options),
    "",
    ...group(`Contradictions: ${wrong.length}`, wrong),
    ...group(`Hardly meant: ${doubtful.length}`, doubtful),
    ...(asked.length === 0 ? [] : [paint.bold(questionsTitle(shown.length, asked.length)), ""]),
    ...[...shown.entries()].flatMap((each) => questionLines(report, each, options)),
    ...(asked.length === 0 ? [] : [""]),
    ...group(`Notes: ${noted.length}`, all ? noted : []),
    ...(all ? [] : restLines(rest, noted, options)),
    ...wrap(nextLine(report, wrong.length), columns).map((line) =>
      line.replaceAll(/`[^`]*`/g, (code) => paint.code(code)),
    ),
  ];
  return `${lines.join("\n")}\n`;
}

/** A file that cannot be read: what is wrong with it, and where. */
function unreadableText(report: Report, options: TextOptions): string {
  const groups = groupsOf(report.checked.findings);
  const lines = groups.flatMap((group) => groupLines(report, group, options));
  return `${[`${options.paint.bold(report.file)} cannot be read`, "", ...lines].join("\n")}`;
}

function questionsTitle(shown: number, all: number): string {
  const which = shown < all ? `The ${shown} that block most of ${all}` : `${all}`;
  return `Open questions: ${which}`;
}
