/** Each statement of a document with the text without it; judges nothing. */
import type { SectionNode, Spec, StepNode } from "../../src/spec/index.ts";

export interface Removal {
  /** One-based lines that are taken away, first and last. */
  readonly from: number;
  readonly to: number;
  /** The first of them, as written. */
  readonly before: string;
  readonly text: string;
}

interface Place {
  readonly start: number;
  readonly end: number;
}

function lineOf(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf("\n"); at >= 0 && at < offset; at = text.indexOf("\n", at + 1)) line++;
  return line;
}

const NUMBERED = /^(\s*)(\d+)\. /;

/** The numbers of the steps that stood behind one, in its list, are each one less. */
function renumbered(lines: readonly string[], at: number, indent: string): string[] {
  let isList = true;
  return lines.map((line, i) => {
    if (i < at || !isList) return line;
    const found = NUMBERED.exec(line);
    const depth = /^ */.exec(line)?.[0].length ?? 0;
    if (line.trim() === "" || depth < indent.length) isList = false;
    if (found === null || found[1] !== indent || !isList) return line;
    return line.replace(NUMBERED, `${indent}${Number(found[2]) - 1}. `);
  });
}

function removal(text: string, { start, end }: Place): Removal {
  const from = lineOf(text, start);
  const to = lineOf(text, Math.max(start, end - 1));
  const lines = text.split("\n");
  const before = lines[from - 1] ?? "";
  const left = [...lines.slice(0, from - 1), ...lines.slice(to)];
  const step = NUMBERED.exec(before);
  const kept = step === null ? left : renumbered(left, from - 1, step[1] ?? "");
  return { from, to, before: before.trim(), text: kept.join("\n") };
}

function stepPlaces(steps: readonly StepNode[]): Place[] {
  return steps.flatMap((step) => [step, ...stepPlaces(step.children)]);
}

function sectionPlaces(section: SectionNode): Place[] {
  return [
    ...section.bullets,
    ...section.tables.flatMap((table) => table.rows),
    ...stepPlaces(section.steps),
  ];
}

/** Every bullet, row and step of a document, each alone taken away. */
export function removalsOf({ text, parts }: Spec): Removal[] {
  const places = parts.flatMap((part) => part.sections.flatMap(sectionPlaces));
  return places.map((place) => removal(text, place)).sort((a, b) => a.from - b.from);
}
