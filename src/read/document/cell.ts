/** Reads the cells of tables: what each states, and which repeat one further up. */
import { packed } from "../../base/index.ts";
import { type Column, type Form, rules, rulesCell } from "../../language/index.ts";
import type { CellNode, Match, TextSlot, WrittenCell, WrittenStatus } from "../../spec/index.ts";
import type { Inline, Token } from "../blocks/index.ts";
import {
  type CompiledForm,
  compileForms,
  matchForms,
  noForm,
  type Stretch,
} from "../forms/index.ts";
import { type Context, part, report, stretchOf, wordsOf } from "./context.ts";
import { keepCell, knownCell, type ReadCell } from "./known.ts";
import { closingStatus } from "./statement.ts";

const compiled = new Map<Column, readonly CompiledForm<Form>[]>();

function formsOf(column: Column): readonly CompiledForm<Form>[] {
  const known = compiled.get(column);
  if (known !== undefined) return known;
  const forms = compileForms(column.cells === rulesCell ? rules : column.cells);
  compiled.set(column, forms);
  return forms;
}

/** Splits at semicolons, which part the statements of a cell. */
function pieces(stretch: Stretch): Stretch[] {
  const found: Stretch[] = [];
  let from = 0;
  stretch.tokens.forEach((token, at) => {
    if (token.kind === "mark" && token.text === ";") {
      found.push(part(stretch, from, at));
      from = at + 1;
    }
  });
  found.push(part(stretch, from));
  return found;
}

const isOnly = (tokens: readonly Token[], ...words: string[]): boolean =>
  tokens.length === words.length &&
  tokens.every((token, i) => token.kind === "word" && token.text === words[i]);

const NONE: readonly never[] = [];

function readNew(context: Context, inline: Inline, column: Column): ReadCell {
  const stretch = stretchOf(context, inline);
  const { tokens, start, end } = stretch;
  const at = { start, end };
  const plain = (status: WrittenStatus): WrittenCell => ({
    status,
    matches: NONE,
    gaps: NONE,
    start,
    end,
  });
  if (tokens.length === 0) {
    report(context, "empty-cell", at, {
      message: "This cell is empty.",
      hint: `Write ${column.none ? "'none' or " : ""}'not shown', or a value.`,
    });
    return plain("not shown");
  }
  if (isOnly(tokens, "not", "shown")) return plain("not shown");
  if (column.none && isOnly(tokens, "none")) return plain("none");
  if (column.free && isOnly(tokens, "free")) return plain("free");
  const matches: Match[] = [];
  const gaps: TextSlot[] = [];
  let reported = 0;
  for (const piece of column.many ? pieces(stretch) : [stretch]) {
    const gap = column.many ? closingStatus(piece, false) : undefined;
    if (gap?.status === "not shown") {
      const { subject } = gap;
      const text = wordsOf(subject);
      gaps.push({ kind: "text", text, start: subject.start, end: subject.end });
      continue;
    }
    // `none; order of items: not shown`: no rule is stated, and one is missing.
    if (column.none && column.many && isOnly(piece.tokens, "none")) continue;
    const forms = formsOf(column);
    const attempt = matchForms(piece, forms);
    if (attempt.match === undefined) {
      const what = column.cells === rulesCell ? "rule" : cellName(column);
      context.findings.push(noForm(piece, attempt, what, forms));
      reported++;
    } else matches.push(attempt.match);
  }
  // A cell that was reported says nothing; what depends on it stands as a gap.
  const said = matches.length > 0 || gaps.length > 0 || reported === 0;
  if (!said) return plain("not shown");
  const [only] = matches;
  if (only !== undefined && matches.length + gaps.length === 1) return { only, start, end };
  return { status: "stated", matches: packed(matches), gaps: packed(gaps), start, end };
}

function cellName(column: Column): string {
  return column.title === "Type" ? "type" : "cell";
}

/** Reads one cell. A text that the column had before is not read again. */
export function readCell(context: Context, inline: Inline, column: Column): CellNode {
  const { text, known, findings } = context;
  const first = knownCell(known, text, inline, column);
  if (first !== undefined) return { first, start: inline.start, end: inline.end };
  const before = findings.length;
  const cell = readNew(context, inline, column);
  // What is wrong is reported wherever it stands.
  const shared = findings.length === before && ("only" in cell || cell.gaps.length === 0);
  if (shared) keepCell(known, text, cell, column);
  return cell;
}
