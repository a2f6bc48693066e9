/** Writes the page of a finding for a terminal: without fences, headings' signs and links. */
import type { CodeEntry } from "../../base/index.ts";
import { never } from "../../base/index.ts";
import type { Paint } from "../paint.ts";
import { wrap } from "../render/wrap.ts";
import type { FormGroup } from "./forms.ts";
import { type Block, pageOf } from "./page.ts";

const MARGIN = "  ";

const indented = (text: string): string[] =>
  text.split("\n").map((line) => (line === "" ? "" : `${MARGIN}${line}`));

const wrapped = (text: string, columns: number): string[] =>
  wrap(text, columns - MARGIN.length).map((line) => `${MARGIN}${line}`);

function groupLines({ of, examples, inline }: FormGroup, columns: number, paint: Paint): string[] {
  const head = of === undefined ? [] : [`${MARGIN}${paint.dim(`${of}:`)}`];
  const shown = inline
    ? wrapped(`${MARGIN}${examples.map((each) => `\`${each}\``).join(", ")}`, columns)
    : examples.flatMap(indented);
  return [...head, ...shown];
}

function blockLines(block: Block, columns: number, paint: Paint): string[] {
  switch (block.kind) {
    case "text":
      return wrapped(block.text, columns);
    case "sample":
      return indented(block.text);
    case "forms":
      return block.groups.flatMap((each) => groupLines(each, columns, paint));
    case "links":
      return block.links.flatMap(({ title, path }) => [
        ...wrapped(title, columns),
        `${MARGIN}${MARGIN}${paint.dim(`docs/${path}`)}`,
      ]);
  }
  return never(block);
}

/** The lines of the page. */
export function codeLines(
  code: string,
  entry: CodeEntry,
  columns: number,
  paint: Paint,
): readonly string[] {
  const { title, severity, sections } = pageOf(code, entry);
  return [
    `${paint[severity](severity)} ${paint.bold(code)}: ${title}`,
    ...sections.flatMap((each) => [
      "",
      paint.bold(each.title),
      ...blockLines(each.block, columns, paint),
    ]),
  ];
}
