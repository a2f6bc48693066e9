/** Reads a file of decisions: a table of what is decided, in the style of the notation. */
import { type LineTable, lineTable, positionOf, type Span } from "../../base/index.ts";
import { type Subject, subjectText } from "../../change/index.ts";
import { type CodeToken, decode, type Inline, readBlocks, tokens } from "../../read/index.ts";

/** What is wrong in the file, and where. */
export interface Wrong {
  readonly at: Span;
  readonly message: string;
}

/** What one row says. */
export interface Said {
  readonly subject: Subject;
  readonly at: Span;
  readonly what:
    | { readonly is: "renamed"; readonly from: string; readonly at: Span }
    | { readonly is: "dropped" }
    | { readonly is: "value"; readonly text: CodeToken }
    /** `not shown`: it is still to be decided. */
    | { readonly is: "open" };
}

export interface Read {
  readonly text: string;
  readonly table: LineTable;
  readonly said: readonly Said[];
  readonly wrong: readonly Wrong[];
}

/** The columns of the table; what stands under the last is for people. */
export const HEADER = ["What", "Decision", "Why"] as const;

const FORMS =
  "`renamed from` and the old name in backticks, `value` and an expression in backticks, " +
  "`dropped`, or `not shown` as long as it is not decided";
const SUBJECTS =
  "a resource, a field (`Item.price`), value `x` of `Item.kind`, transition `x` of `Item`, " +
  "webhook `x`, call `x` or event `x`";

interface Cell {
  readonly words: string;
  readonly codes: readonly CodeToken[];
}

/** The words of a cell, with `#` for each code span. */
function cellOf(text: string, inline: Inline): Cell {
  const all = tokens(text, inline);
  return {
    words: all.map((one) => (one.kind === "code" ? "#" : one.text)).join(" "),
    codes: all.filter((one) => one.kind === "code"),
  };
}

function subjectOf({ words, codes }: Cell): Subject | undefined {
  const [first = "", second = ""] = codes.map((one) => one.text);
  const [holder = "", field, ...more] = (words === "#" ? first : second).split(".");
  if (more.length > 0) return undefined;
  switch (words) {
    case "#":
      return field === undefined
        ? { is: "resource", resource: holder }
        : { is: "field", holder, field };
    case "value # of #":
      return field === undefined ? undefined : { is: "word", holder, field, word: first };
    case "transition # of #":
      return { is: "transition", resource: second, transition: first };
    case "webhook #":
      return { is: "webhook", name: first };
    case "call #":
      return { is: "call", name: first };
    case "event #":
      return { is: "event", name: first };
    default:
      return undefined;
  }
}

function whatOf({ words, codes }: Cell): Said["what"] | undefined {
  const [code] = codes;
  if (words === "dropped") return { is: "dropped" };
  if (words === "not shown") return { is: "open" };
  if (code === undefined) return undefined;
  if (words === "renamed from #") return { is: "renamed", from: code.text, at: code };
  return words === "value #" ? { is: "value", text: code } : undefined;
}

/** Reads the bytes of a file. Total: what cannot be read is told. */
export function readDecisions(bytes: Uint8Array): Read {
  const { text, findings } = decode(bytes);
  const blocks = readBlocks(text);
  const wrong: Wrong[] = [...findings, ...blocks.findings]
    .filter((one) => one.severity === "error")
    .map(({ span, message }) => ({ at: span, message }));
  const said: Said[] = [];
  const known = new Map<string, Span>();
  const table = lineTable(text);
  for (const block of blocks.blocks) {
    if (block.kind !== "table") continue;
    const names = block.header.cells.map((one) => text.slice(one.start, one.end).trim());
    if (names.join() !== HEADER.join()) {
      wrong.push({ at: block.header, message: `The table has the columns ${HEADER.join(", ")}.` });
      continue;
    }
    for (const row of block.rows) {
      const [first, second] = row.cells;
      if (first === undefined || second === undefined) continue;
      const subject = subjectOf(cellOf(text, first));
      const what = whatOf(cellOf(text, second));
      if (subject === undefined) wrong.push({ at: first, message: `It names ${SUBJECTS}.` });
      if (what === undefined) wrong.push({ at: second, message: `A decision is ${FORMS}.` });
      if (subject === undefined || what === undefined) continue;
      const name = subjectText(subject);
      const before = known.get(name);
      if (before !== undefined) {
        const { line } = positionOf(table, before.start);
        wrong.push({ at: first, message: `${name} is decided in line ${line}.` });
        continue;
      }
      known.set(name, first);
      said.push({ subject, at: first, what });
    }
  }
  return { text, table, said, wrong };
}
