/** The `http` blocks to run: those of a document, and those of a file that has nothing else. */
import { lineTable } from "../../base/index.ts";
import type { Planned } from "../../check/index.ts";
import { parseExample } from "../../spec/index.ts";
import type { Input } from "../files.ts";
import { type Report, type Source, sourceOf } from "../report/model.ts";

/** An example, where its text begins, and the text that it stands in. */
export interface Block {
  readonly title: string;
  readonly text: string;
  readonly start: number;
  readonly source: Source;
}

const FENCE = /^(`{3,}|~{3,})(.*)\r?\n([^]*?)^\1[ \t]*$/gm;

/** The examples of a document. */
export function blocksOf(planned: Planned, report: Report): Block[] {
  return planned.plan.examples.map(({ id, title, text }) => {
    const span = planned.origins.get(id) ?? { start: 0, end: 0 };
    const source = sourceOf(report, span);
    const from = source.text.indexOf(text, span.start);
    return { title, text, source, start: from < 0 ? span.start : from };
  });
}

/** The examples of a Markdown file; or a line that says what is wrong with one. */
export function blocksIn({ file, bytes }: Input): Block[] | string {
  const text = new TextDecoder().decode(bytes);
  const source = { file, text, table: lineTable(text) };
  const blocks = [...text.matchAll(FENCE)].flatMap((hit): Block[] => {
    const [all, , info = "", content = ""] = hit;
    const [, title] = /^\s*http\s+(\S.*?)\s*$/.exec(info) ?? [];
    const start = hit.index + all.indexOf("\n") + 1;
    return title === undefined ? [] : [{ title, text: content.trimEnd(), source, start }];
  });
  for (const { title, text: example } of blocks) {
    const [problem] = parseExample(example).problems;
    if (problem !== undefined) return `${file}, ${title}: ${problem.message} ${problem.hint}`;
  }
  return blocks;
}
