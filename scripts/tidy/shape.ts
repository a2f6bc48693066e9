/** The rules about the shape of one file: lengths, columns, `any`, header, docs, platform. */
import { mayUsePlatform } from "./rooms.ts";
import type { Problem, Source } from "./source.ts";

export const FILE_LINES_MAX = 400;
export const FUNCTION_LINES_MAX = 70;
export const PARAMETERS_MAX = 4;
export const COLUMNS_MAX = 100;
const HEADER_LENGTH_MIN = 12;
const QUOTED = /"(\\.|[^"\\])*"|'(\\.|[^'\\])*'|`(\\.|[^`\\])*`/g;
const DATA_TABLE = "/* data table */";

/**
 * Judges one file. A data table, marked on line 1 or 2, may be long and may hold texts of any
 * length, but may not branch.
 */
export function judgeShape(source: Source): Problem[] {
  const { path } = source;
  const problems: Problem[] = [];
  const add = (line: number, rule: string, message: string): void => {
    problems.push({ path, line, rule, message });
  };
  const lines = source.text.split("\n");
  const isData = lines.slice(0, 2).some((line) => line.trim() === DATA_TABLE);
  const length = lines.at(-1) === "" ? lines.length - 1 : lines.length;
  if (!isData && length > FILE_LINES_MAX) {
    add(FILE_LINES_MAX + 1, "file-length", `${length} lines; at most ${FILE_LINES_MAX}`);
  }
  if (isData) {
    for (const line of source.branches) add(line, "data-table", "a data table may not branch");
  }
  lines.forEach((line, index) => {
    const columns = [...(isData ? line.replace(QUOTED, "") : line)].length;
    if (columns > COLUMNS_MAX) {
      add(index + 1, "columns", `${columns} columns; at most ${COLUMNS_MAX}`);
    }
  });
  for (const each of source.functions) {
    if (each.lines > FUNCTION_LINES_MAX) {
      add(each.line, "function-length", `${each.lines} lines; at most ${FUNCTION_LINES_MAX}`);
    }
    if (each.parameters > PARAMETERS_MAX) {
      add(each.line, "parameters", `${each.parameters} parameters; at most ${PARAMETERS_MAX}`);
    }
  }
  if (path.startsWith("src/")) {
    for (const line of source.unnamed) {
      add(line, "unnamed-kinds", "name every kind, and call `never` behind them: no `default`");
    }
  }
  if (path.startsWith("src/") && !path.startsWith("src/plan/")) {
    for (const line of source.bareStated) {
      add(line, "bare-stated", "ask `statedOf` or `isStated`, and meet the gap (`gapOf`)");
    }
  }
  for (const line of source.any) add(line, "any", "the type `any` switches checking off");
  for (const comment of source.comments) {
    if (/@ts-(ignore|nocheck)/.test(comment.text)) {
      add(comment.line, "any", "a comment may not switch checking off");
    }
  }
  return [...problems, ...judgeComments(source), ...judgeGlobals(source)];
}

function judgeComments(source: Source): Problem[] {
  const { path, text, comments } = source;
  const problems: Problem[] = [];
  const header = comments.find((each) => `/*${each.text}*/` !== DATA_TABLE);
  const before = text
    .slice(0, header?.start ?? 0)
    .replace(/^#!.*/, "")
    .replace(DATA_TABLE, "");
  const words = header?.text.replace(/[\s*]+/g, " ").trim() ?? "";
  if (header === undefined || before.trim() !== "" || words.length < HEADER_LENGTH_MIN) {
    const message = "begin the file with a sentence on what it takes, gives, must not know";
    problems.push({ path, line: 1, rule: "header", message });
  }
  for (const each of source.exported) {
    const doc = comments.findLast((comment) => comment.end <= each.start);
    const gap = text.slice(doc?.end ?? 0, each.start);
    const isNear = doc?.isDoc === true && doc !== header && /^[ \t]*\r?\n?[ \t]*$/.test(gap);
    if (isNear) continue;
    const message = `the exported function \`${each.name}\` has no doc comment`;
    problems.push({ path, line: each.line, rule: "doc", message });
  }
  return problems;
}

function judgeGlobals(source: Source): Problem[] {
  const { path } = source;
  if (!path.startsWith("src/") || mayUsePlatform(path)) return [];
  return source.globals.map(({ name, line }) => {
    const message = `\`${name}\`: clock, chance, console and platform come in as parameters`;
    return { path, line, rule: "platform", message };
  });
}
