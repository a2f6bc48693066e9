/** What came of the examples: as JSON, and as the XML of JUnit for those that show tests. */
import { positionOf } from "../../base/index.ts";
import type { Block } from "./blocks.ts";
import type { Played } from "./play.ts";

/** One example: played, or not, and why not. */
export interface Tried {
  readonly block: Block;
  readonly played?: Played;
  readonly reason?: string;
}

/** Whether an answer was otherwise than the example says. */
export const isWrong = ({ played }: Tried): boolean => played?.difference !== undefined;

/** Where in its file the example says what was otherwise; where it begins, where nothing was. */
export function placeOf({ block, played }: Tried): { file: string; line: number; column: number } {
  const { source, start } = block;
  const offset = start + (played?.difference?.at.start ?? 0);
  return { file: source.file, ...positionOf(source.table, offset) };
}

function resultOf(one: Tried): string {
  if (one.played === undefined) return "not run";
  return isWrong(one) ? "different" : "as stated";
}

/** JSON: `{"formatVersion": 1, "examples": [...], "counts": {...}}`; see docs/cli.md. */
export function triedJson(all: readonly Tried[]): string {
  const examples = all.map((one) => {
    const { block, played, reason } = one;
    const { difference, exchanges, right, notes } = played ?? {};
    return {
      title: block.title,
      ...placeOf({ block }),
      result: resultOf(one),
      ...(played === undefined ? { reason } : { exchanges, right }),
      ...(difference === undefined
        ? {}
        : {
            difference: { ...placeOf(one), message: difference.message, body: difference.body },
            notes,
          }),
    };
  });
  const counts = {
    examples: all.length,
    different: all.filter(isWrong).length,
    notRun: all.filter(({ played }) => played === undefined).length,
  };
  return `${JSON.stringify({ formatVersion: 1, examples, counts }, undefined, 2)}\n`;
}

/** Text as XML 1.0 has it; characters that it cannot have are left out. */
function xml(text: string): string {
  return text
    .replaceAll(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, "")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}

function testCase(one: Tried): string {
  const { block, played, reason } = one;
  const { file, line, column } = placeOf(one);
  const open = `  <testcase name="${xml(block.title)}" classname="${xml(file)}"`;
  if (played === undefined) return `${open}><skipped message="${xml(reason ?? "")}"/></testcase>`;
  const { difference, notes } = played;
  if (difference === undefined) return `${open}/>`;
  const lines = [`${file}:${line}:${column}`, difference.body ?? "", ...notes];
  const text = lines.filter((each) => each !== "").join("\n");
  return `${open}><failure message="${xml(difference.message)}">${xml(text)}</failure></testcase>`;
}

/** The XML that JUnit writes, and that tools for continuous integration read. */
export function triedJunit(all: readonly Tried[]): string {
  const failures = all.filter(isWrong).length;
  const skipped = all.filter(({ played }) => played === undefined).length;
  const counts = `tests="${all.length}" failures="${failures}" skipped="${skipped}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${counts}>`,
    `<testsuite name="lacuna try" ${counts}>`,
    ...all.map(testCase),
    "</testsuite>",
    "</testsuites>\n",
  ].join("\n");
}
