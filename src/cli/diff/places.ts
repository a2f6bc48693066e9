/** Finds the line of each document that a change is about; must not know what the change is. */
import { type LineTable, positionOf, type Span } from "../../base/index.ts";
import { facetItem } from "../../change/index.ts";
import type { Planned } from "../../check/index.ts";
import type { ItemId } from "../../plan/index.ts";
import type { Report } from "../report/model.ts";

/** A document with its plan. */
export interface Side {
  readonly report: Report;
  readonly planned: Planned;
}

/** One-based, with the line as it is written, without spaces at its ends. */
export interface Place {
  /** Undefined: the file itself, and none that it refers to. */
  readonly file?: string;
  readonly line: number;
  readonly column: number;
  readonly text: string;
}

/** Where each item stands: of an item without a place of its own, the one that it is part of. */
function spansOf({ report, planned }: Side): (item: ItemId) => Span | undefined {
  const gaps = new Map(report.checked.gaps.map(({ id, span }) => [id, span]));
  const facets = new Map(
    report.checked.parts.flatMap((part) =>
      part.facets.map((one) => [facetItem(part.name, one.name), one] as const),
    ),
  );
  const own = (item: ItemId): Span | undefined =>
    planned.origins.get(item) ?? gaps.get(item) ?? facets.get(item);
  return (item) => {
    for (let at = item; at !== ""; at = at.slice(0, Math.max(0, at.lastIndexOf("/")))) {
      const span = own(at);
      if (span !== undefined) return span;
    }
    return undefined;
  };
}

function lineAt({ text, table }: Report, line: number): string {
  return text.slice(table.starts[line] ?? text.length, table.starts[line + 1] ?? text.length);
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

function lineOf(table: LineTable, offset: number): number {
  return positionOf(table, offset).line - 1;
}

/** The lines of a statement, from nought: its own, and those that are indented below it. */
function linesOf(report: Report, span: Span): readonly number[] {
  const { table } = report;
  const first = lineOf(table, span.start);
  const last = lineOf(table, Math.max(span.start, span.end - 1));
  const lines = Array.from({ length: last - first + 1 }, (_, at) => first + at);
  const indent = indentOf(lineAt(report, first));
  for (let line = last + 1; line < table.starts.length; line++) {
    const text = lineAt(report, line);
    if (text.trim() === "" || indentOf(text) <= indent) break;
    lines.push(line);
  }
  return lines;
}

function placeAt(report: Report, line: number, column: number): Place {
  return { line: line + 1, column, text: lineAt(report, line).trim() };
}

function whole(report: Report, span: Span): Place {
  const { line, column } = positionOf(report.table, span.start);
  return placeAt(report, line - 1, column);
}

export interface Both {
  readonly before?: Place;
  readonly now?: Place;
}

/** Of a statement that is in both documents: its first line that is not the same in both. */
function differing(a: { report: Report; span: Span }, b: { report: Report; span: Span }): Both {
  const [old, own] = [linesOf(a.report, a.span), linesOf(b.report, b.span)];
  const text = (side: typeof a, line: number | undefined): string | undefined =>
    line === undefined ? undefined : lineAt(side.report, line).trim();
  const at = own.findIndex((line, index) => text(b, line) !== text(a, old[index]));
  const [from, to] = [old[at], own[at]];
  if (at <= 0 || from === undefined || to === undefined) {
    return { before: whole(a.report, a.span), now: whole(b.report, b.span) };
  }
  const column = (side: typeof a, line: number): number => indentOf(lineAt(side.report, line)) + 1;
  return {
    before: placeAt(a.report, from, column(a, from)),
    now: placeAt(b.report, to, column(b, to)),
  };
}

/** Gives the places of changes between two documents. */
export function placesOf(
  before: Side,
  now: Side,
): (items: { readonly before?: ItemId; readonly now?: ItemId }) => Both {
  const [old, own] = [spansOf(before), spansOf(now)];
  return (items) => {
    const from = items.before === undefined ? undefined : old(items.before);
    const to = items.now === undefined ? undefined : own(items.now);
    if (from !== undefined && to !== undefined) {
      const [a, b] = [before.report, now.report];
      return differing({ report: a, span: from }, { report: b, span: to });
    }
    return {
      ...(from === undefined ? {} : { before: whole(before.report, from) }),
      ...(to === undefined ? {} : { now: whole(now.report, to) }),
    };
  };
}
