/** The clauses of a document, each with the one edit that makes a gap of it; judges nothing. */

import { questions } from "../../src/language/index.ts";
import {
  type CellNode,
  type Match,
  type SectionNode,
  type SentenceNode,
  type Spec,
  type StepNode,
  statusOf,
  unfolded,
} from "../../src/spec/index.ts";

/** What is replaced by `not shown`, or (`answer`) taken away, so that the document is silent. */
export type ClauseKind = "cell" | "bullet" | "step" | "sentence" | "answer";

export interface Clause {
  readonly kind: ClauseKind;
  /** One-based: the line that a gap of this clause is named by. */
  readonly line: number;
  /** Where it stands: a heading, and for a cell the row and the column. */
  readonly where: string;
  readonly before: string;
  readonly text: string;
  /** Whether it answers for all endpoints, or all resources, at once. */
  readonly general: boolean;
}

interface Edit {
  readonly kind: ClauseKind;
  readonly start: number;
  readonly end: number;
  readonly insert: string;
  readonly where: string;
  readonly general?: boolean;
}

/** Keys of the bullets that answer a question, in lower case. */
const answering = new Set(
  questions.flatMap((one) =>
    [...one.answeredBy.matchAll(/`- ([A-Z][^:`]*?) ?(?:`[^`]*`)?:/g)].map((hit) =>
      (hit[1] ?? "").toLowerCase(),
    ),
  ),
);

const isGap = (status: string): boolean => status === "not shown";

/** The end of the line that `offset` is in. */
function lineEnd(text: string, offset: number): number {
  const end = text.indexOf("\n", offset);
  return end < 0 ? text.length : end;
}

/** Whole lines, the line break behind them included. */
function lines(text: string, start: number, end: number): { start: number; end: number } {
  return { start: text.lastIndexOf("\n", start - 1) + 1, end: lineEnd(text, end) + 1 };
}

/** Sections whose bullets answer for all that have none of their own. */
const GENERAL = new Set(["every endpoint", "every resource", "service"]);

/** Whether the question would be answered without the bullet, for all at once. */
function isAnsweredAbove({ parts }: Spec, own: SectionNode, key: string): boolean {
  return parts.some((part) =>
    part.sections.some(
      (one) =>
        one !== own && GENERAL.has(one.scope) && one.bullets.some((bullet) => bullet.key === key),
    ),
  );
}

const textIn = (cell: CellNode | undefined): string | undefined => {
  const slot = cell && unfolded(cell).matches[0]?.slots.in;
  return slot?.kind === "text" ? slot.text : undefined;
};

/** Whether rows of an input table make the body, which is no question then. */
function hasBodyRows({ tables }: SectionNode): boolean {
  return tables.some(
    ({ table, columns, rows }) =>
      table === "inputs" &&
      rows.some(({ cells }) =>
        columns.some(
          ({ slot, title }, i) => (slot?.text ?? title) === "In" && textIn(cells[i]) === "body",
        ),
      ),
  );
}

function bulletEdits(spec: Spec, section: SectionNode, where: string): Edit[] {
  const { text } = spec;
  return section.bullets.flatMap((bullet): Edit[] => {
    if (isGap(bullet.status)) return [];
    const written = text.slice(bullet.start, lineEnd(text, bullet.end));
    const colon = /^(?:[^`:]|`[^`]*`)*:/.exec(written)?.[0].length ?? 0;
    if (colon === 0) return [];
    const start = bullet.start + colon;
    const end = bullet.status === "stated" ? bullet.end : lineEnd(text, bullet.end);
    const name = `${where}, ${written.slice(0, colon - 1)}`;
    const gap: Edit = { kind: "bullet", start, end, insert: " not shown", where: name };
    // A Path bullet answers a question of streams alone.
    const isAnswer =
      answering.has(bullet.key) && (bullet.key !== "path" || section.scope === "stream");
    if (!isAnswer || isAnsweredAbove(spec, section, bullet.key)) return [gap];
    if (bullet.key === "body" && hasBodyRows(section)) return [gap];
    return [gap, { kind: "answer", ...lines(text, bullet.start, end), insert: "", where: name }];
  });
}

function cellEdits(cell: CellNode, where: string): Edit[] {
  if (isGap(statusOf(cell)) || cell.start === cell.end) return [];
  return [{ kind: "cell", start: cell.start, end: cell.end, insert: "not shown", where }];
}

/** The `else` behind a rule: an answer that can be taken away alone. */
function tailEdits(text: string, match: Match, where: string): Edit[] {
  const refusal = Object.values(match.slots).find((slot) => slot.kind === "refusal");
  if (refusal === undefined || refusal.kind !== "refusal" || refusal.gap) return [];
  const head = text.slice(match.start, refusal.start);
  const tail = /,? *(?:else )?$/.exec(head)?.[0].length ?? 0;
  if (!/else /.test(text.slice(refusal.start - tail, refusal.end))) return [];
  return [
    {
      kind: "answer",
      start: refusal.start - tail,
      end: refusal.end,
      insert: "",
      where: `${where}, else`,
    },
    {
      kind: "cell",
      start: refusal.start - tail,
      end: refusal.end,
      insert: ", else not shown",
      where: `${where}, else`,
    },
  ];
}

function tableEdits(text: string, section: SectionNode, where: string): Edit[] {
  return section.tables
    .filter(({ restated }) => restated === undefined)
    .flatMap((table) =>
      table.rows.flatMap((row): Edit[] => {
        const [first] = row.cells;
        const name = first === undefined ? "" : text.slice(first.start, first.end);
        const edits = row.cells.slice(1).flatMap((cell, i): Edit[] => {
          const { slot, title } = table.columns[i + 1] ?? {};
          const column = slot?.text ?? title ?? String(i + 1);
          const at = `${where}, ${name}, ${column}`;
          const tails =
            table.table === "fields" && column === "Rules"
              ? unfolded(cell).matches.flatMap((match) => tailEdits(text, match, at))
              : [];
          return [...cellEdits(cell, at), ...tails];
        });
        const gone = lines(text, row.start, row.end);
        return table.table === "failures" && !row.cells.some((cell) => isGap(statusOf(cell)))
          ? [...edits, { kind: "answer", ...gone, insert: "", where: `${where}, ${name}` }]
          : edits;
      }),
    );
}

/** Where a step ends, with all that is nested in it. */
function endOf(step: StepNode): number {
  return Math.max(
    step.end,
    ...step.children.map(endOf),
    ...step.cases.map((one) => Math.max(one.end, endOf(one.step))),
    ...step.conditions.map((one) => one.end),
  );
}

function stepEdits(text: string, steps: readonly StepNode[], where: string): Edit[] {
  return steps.flatMap((step): Edit[] => {
    const insert = step.match.form === "gap" ? "" : "What is done here: not shown.";
    const own: Edit = { kind: "step", start: step.start, end: endOf(step), insert, where };
    const cases = step.cases.map((one): Edit => {
      const written = text.slice(one.start, one.end);
      const colon = /^(?:[^`:]|`[^`]*`)*:/.exec(written)?.[0].length ?? 0;
      const end = Math.max(one.end, endOf(one.step));
      return { kind: "step", start: one.start + colon, end, insert: " not shown.", where };
    });
    return [...(insert === "" ? [] : [own]), ...cases, ...stepEdits(text, step.children, where)];
  });
}

/** A sentence about several facets: one of them is not shown, and it says the rest as before. */
function sentenceEdits(text: string, sentences: readonly SentenceNode[], where: string): Edit[] {
  const stated = sentences.filter(({ status }) => !isGap(status));
  return [...Map.groupBy(stated, (one) => lines(text, one.start, one.end).start)].flatMap(
    ([start, pieces]) =>
      pieces.map((own): Edit => {
        const rest = pieces.filter((one) => one !== own);
        const names = rest.map(({ subject }) => subject.text).join(", ");
        const isBullet = text.startsWith("- ", start);
        const said = (subject: string, status: string) =>
          isBullet ? `- ${subject}: ${status}` : `${subject}: ${status}.`;
        const others =
          rest.length === 0 ? "" : `${isBullet ? "\n" : "\n\n"}${said(names, own.status)}`;
        const insert = `${said(own.subject.text, "not shown")}${others}`;
        return { kind: "sentence", start, end: lineEnd(text, own.end), insert, where };
      }),
  );
}

function editsOf(spec: Spec): Edit[] {
  const { text } = spec;
  return spec.parts.flatMap((part) =>
    part.sections.flatMap((section) => {
      const where =
        section.heading === undefined
          ? part.title
          : text.slice(section.heading.start, section.heading.end).replaceAll("\n", " ");
      const general = GENERAL.has(section.scope);
      const edits = [
        ...bulletEdits(spec, section, where),
        ...tableEdits(text, section, where),
        ...stepEdits(text, section.steps, where),
        ...sentenceEdits(text, section.sentences, where),
      ];
      return edits.map((edit) => ({ ...edit, general }));
    }),
  );
}

/** Every clause of a document, in its order; each text differs from the document in that alone. */
export function clausesOf(spec: Spec): Clause[] {
  const { text } = spec;
  let line = 1;
  let from = 0;
  return editsOf(spec)
    .sort((a, b) => a.start - b.start)
    .map((edit) => {
      for (; from < edit.start; from++) if (text[from] === "\n") line++;
      return {
        kind: edit.kind,
        line,
        where: edit.where,
        before: text.slice(edit.start, edit.end).trim(),
        text: text.slice(0, edit.start) + edit.insert + text.slice(edit.end),
        general: edit.general === true,
      };
    });
}

/** The document with every clause `not shown` at once: the outermost of those inside each other. */
export function hollowed(spec: Spec): string {
  const { text } = spec;
  const edits = editsOf(spec)
    .filter(({ kind }) => kind !== "answer")
    .sort((a, b) => a.start - b.start || b.end - a.end);
  let hollow = "";
  let at = 0;
  for (const { start, end, insert } of edits) {
    if (start < at) continue;
    hollow += text.slice(at, start) + insert;
    at = end;
  }
  return hollow + text.slice(at);
}
