/** Makes gaps at random places of a document: bullets, cells, tails and conditional steps. */
import { randomFrom } from "../../random.ts";

/** Numbers below `n`, the same for the same seed. */
export function numbersFrom(seed: number): (n: number) => number {
  const unit = randomFrom(seed);
  return (n) => Math.floor(unit() * n);
}

interface Hole {
  readonly at: number;
  readonly line: string;
}

/** Bullets that answer a question, so that a gap may stand in their place. */
const ANSWERS = new RegExp(
  "^- (Base path|Body format|One request|Timestamps|Cross-origin|Rows at the start|Clock|" +
    "Credential|Lifetime|Key kept|Key per|Address|Signature|Guarantee|Failures reported|" +
    "This version|Sent with every answer): ",
);

/** Columns whose cells are one item that nothing else in a document needs to be read. */
const CELLS = /^\| (`[^`]+`|[a-z][a-z ]+) \| (\d{3}|`[a-z_]+`( on its name)?) \|/;

/** The same line with a gap in it, for each way there is. */
function waysOf(line: string): string[] {
  const ways: string[] = [];
  const answer = ANSWERS.exec(line);
  if (answer !== null) ways.push(`${answer[0]}not shown`);
  const tail = /, else `[^`]+`( on `[^`]+`)?(?=[.;|\n]| \||$)/.exec(line);
  if (tail !== null && !line.startsWith("- Deleted")) {
    const { index } = tail;
    ways.push(`${line.slice(0, index)}, else not shown${line.slice(index + tail[0].length)}`);
  }
  const cell = CELLS.exec(line);
  if (cell?.[1] !== undefined && cell[2] !== undefined) {
    ways.push(line.replace(` | ${cell[2]} |`, " | not shown |"));
  }
  const when = /^( *\d+\. When (`[^`]+`)), [^:]*\.$/.exec(line);
  if (when?.[1] !== undefined) ways.push(`${when[1]}, not shown.`);
  return ways;
}

/** Lines that state something: none of a fenced block, a note or prose. */
function statedLines(text: string): { lines: string[]; at: number[] } {
  const lines = text.split("\n");
  let fenced = false;
  const at = lines.flatMap((line, i) => {
    if (line.startsWith("```")) fenced = !fenced;
    return fenced || line.startsWith("> ") ? [] : [i];
  });
  return { lines, at };
}

/** The document with so many gaps in it (or fewer, where two fall on one line). */
export function holes(
  text: string,
  seed: number,
  count: number,
): { readonly text: string; readonly places: readonly string[] } {
  const { lines, at } = statedLines(text);
  const random = numbersFrom(seed);
  const all: Hole[] = at.flatMap((i) => waysOf(lines[i] ?? "").map((line) => ({ at: i, line })));
  const places: string[] = [];
  for (let n = 0; n < count; n++) {
    const hole = all[random(all.length)];
    if (hole === undefined) break;
    lines[hole.at] = hole.line;
    places.push(`${hole.at + 1}: ${hole.line}`);
  }
  return { text: lines.join("\n"), places };
}

/** Documents in which one stated number or status is another. */
export function lineGaps(
  text: string,
  seed: number,
  count: number,
): { readonly line: string; readonly changed: string | undefined }[] {
  const { lines, at } = statedLines(text);
  const random = numbersFrom(seed);
  const numbered = at.filter((i) => /^(\||-|\d+\.).*[^`\w.-]\d+\b/.test(lines[i] ?? ""));
  return Array.from({ length: count }, () => {
    const i = numbered[random(numbered.length)] ?? 0;
    const line = lines[i] ?? "";
    const other = line.replace(
      /(?<=[^`\w.-])(\d+)\b(?!.*[^`\w.-]\d+\b)/,
      (n) => `${Number(n) + 1}`,
    );
    if (other === line) return { line, changed: undefined };
    return { line: other, changed: lines.with(i, other).join("\n") };
  });
}
