/** The statements of a document, each with the texts in which it alone is other; judges nothing. */
import type { SectionNode, Spec, StepNode } from "../../src/spec/index.ts";
import { clausesOf } from "../gaps/clauses.ts";

/** A whole document in which one statement is other. */
export interface Change {
  readonly how: "taken away" | "not shown" | "other";
  /** What stands in its place. */
  readonly becomes: string;
  readonly text: () => string;
  /** The assumptions beside it, which name what it names. Default: as they are. */
  readonly beside?: (assumptions: string) => string;
}

export interface Statement {
  /** One-based: where it begins. */
  readonly line: number;
  readonly before: string;
  readonly changes: readonly Change[];
}

interface Place {
  readonly start: number;
  readonly end: number;
  readonly is: "bullet" | "row" | "step" | "heading" | "sentence";
  /** Titles of the columns of a row. */
  readonly columns?: readonly string[];
}

const NUMBERED = /^(\s*)(\d+)\. /;

function lineOf(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf("\n"); at >= 0 && at < offset; at = text.indexOf("\n", at + 1)) line++;
  return line;
}

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

function stepPlaces(steps: readonly StepNode[]): Place[] {
  return steps.flatMap((step): Place[] => [
    { start: step.start, end: step.end, is: "step" },
    ...step.cases.flatMap((one): Place[] => [
      { start: one.start, end: one.end, is: "step" },
      ...stepPlaces(one.step.children),
    ]),
    ...stepPlaces(step.children),
  ]);
}

function sectionPlaces(section: SectionNode): Place[] {
  const { heading, scope } = section;
  return [
    ...(heading !== undefined && scope === "endpoint"
      ? [{ start: heading.start, end: heading.end, is: "heading" } as const]
      : []),
    ...section.bullets.map(({ start, end }): Place => ({ start, end, is: "bullet" })),
    ...section.sentences.map(({ start, end }): Place => ({ start, end, is: "sentence" })),
    ...section.tables.flatMap((table) =>
      table.rows.map(({ start, end }): Place => {
        const columns = table.columns.map((one) => one.slot?.text ?? one.title);
        return { start, end, is: "row", columns };
      }),
    ),
    ...stepPlaces(section.steps),
  ];
}

/** Words instead of which others may stand. */
const INSTEAD: readonly (readonly [RegExp, string])[] = [
  [/\bascending\b/g, "descending"],
  [/\bdescending\b/g, "ascending"],
  [/\brequired\b/g, "optional"],
  [/\boptional\b/g, "required"],
  [/\| yes \|/g, "| no |"],
  [/\| no \|/g, "| yes |"],
  [/\btrue\b/g, "false"],
  [/\bfalse\b/g, "true"],
  [/==/g, "!="],
  [/!=/g, "=="],
  [/<(?!=)/g, "<="],
  [/>(?!=)/g, ">="],
  [/<=/g, "<"],
  [/>=/g, ">"],
  [/&&/g, "||"],
  [/\|\|/g, "&&"],
  [/ \+ /g, " - "],
  [/\bor\b/g, "and"],
  [/\bsliding\b/g, "fixed"],
  [/\bfirst\b/g, "all"],
  [/\ball\b/g, "first"],
  [/\bin the order given\b/g, "in any order"],
  [/\bPATCH\b/g, "PUT"],
  [/\bPUT\b/g, "PATCH"],
  [/\bGET\b/g, "DELETE"],
  [/\bDELETE\b/g, "GET"],
  [/\bPOST\b/g, "PUT"],
  [/`"/g, '`"zz'],
  [/"`/g, 'zz"`'],
  [/"([^"`]+)"/g, '"$1zz"'],
  [/\/([a-z][a-z-]*)/g, "/$1zz"],
  [/ or null\b/g, ""],
  [/ \(final\)/g, ""],
  [/\bcaller\b/g, "everyone"],
  [/\baddress\b/g, "everyone"],
  [/`([A-Z][A-Za-z-]+)`/g, "`$1-Zz`"],
];

const NUMBER = /(?<![\w.#&/{-])\d+(?:\.\d+)?(?![\w.}-])|(?<=\b)\d+(?= ?(?:s|ms|min|h|days?|m)\b)/g;

/** Texts with one match of a pattern replaced, each match in its turn. */
function replacedEach(text: string, pattern: RegExp, by: (found: string) => readonly string[]) {
  return [...text.matchAll(pattern)].flatMap((hit) => {
    const [found] = hit;
    return by(found).map(
      (one) => text.slice(0, hit.index) + one + text.slice(hit.index + found.length),
    );
  });
}

function otherNumbers(found: string): string[] {
  const value = Number(found);
  const places = found.split(".")[1]?.length ?? 0;
  return [value + 1, 1, 0, value * 2]
    .map((one) => one.toFixed(places))
    .filter((one) => one !== found);
}

/** What other statements of the same kind say, by key or column. */
type Said = ReadonlyMap<string, readonly string[]>;

const cellsOf = (line: string): string[] =>
  line
    .trim()
    .split(/(?<!\\)\|/)
    .slice(1, -1);
const keyOf = (line: string): string =>
  /^\s*- (?:[^`:]|`[^`]*`)*?:/.exec(line)?.[0].replaceAll(/`[^`]*`/g, "`") ?? "";

/** Cells that may stand in a column of any document. */
const OFTEN: Readonly<Record<string, readonly string[]>> = {
  Type: [" integer ", " string ", " boolean "],
};

/** Columns with the same values have one name. */
function columnOf({ columns }: Place, at: number): string {
  const name = columns?.[at] ?? "";
  return name === "To" ? "From" : name;
}

function saidIn(lines: readonly string[], places: readonly Place[], text: string): Said {
  const said = new Map<string, string[]>();
  const add = (key: string, value: string): void => {
    const known = said.get(key) ?? [];
    if (!known.includes(value)) said.set(key, [...known, value]);
  };
  for (const place of places) {
    const line = lines[lineOf(text, place.start) - 1] ?? "";
    if (place.is === "row") {
      for (const [i, cell] of cellsOf(line).entries()) add(columnOf(place, i), cell);
    } else if (place.is === "bullet") add(keyOf(line), line.slice(keyOf(line).length));
    for (const [, name = ""] of line.matchAll(/else `([a-z_]+)`/g)) add("else", name);
  }
  return said;
}

/** Rows of a table with one cell in turn as others of its column have it. */
function otherCells(line: string, place: Place, said: Said): string[][] {
  const cells = cellsOf(line);
  return cells.slice(1).map((cell, before) => {
    const column = columnOf(place, before + 1);
    const others = [...(said.get(column) ?? []), " none ", ...(OFTEN[column] ?? [])];
    return others
      .filter((one) => one !== cell)
      .map((other) => `|${cells.with(before + 1, other).join("|")}|`);
  });
}

/** The first of each list, then the second, and so on. */
function inTurn(lists: readonly (readonly string[])[]): string[] {
  const most = Math.max(0, ...lists.map((one) => one.length));
  return Array.from({ length: most }, (_, i) => lists.flatMap((one) => one.slice(i, i + 1))).flat();
}

/** Of many changes of one statement so many. */
const OTHERS_MAX = 14;

/** The line with other values in it, those that other statements have among them. */
function othersOf(line: string, place: Place, said: Said): string[] {
  const prefix = NUMBERED.exec(line)?.[0] ?? "";
  const rest = line.slice(prefix.length);
  const inside = [
    replacedEach(rest, NUMBER, otherNumbers),
    ...INSTEAD.map(([pattern, by]) =>
      replacedEach(rest, pattern, (one) => [one.replace(pattern, by)]),
    ),
    replacedEach(rest, /(?<=else `)[a-z_]+(?=`)/g, (one) =>
      (said.get("else") ?? []).filter((other) => other !== one).slice(0, 2),
    ),
    replacedEach(rest, /(?:[;,] )[^;,|]+/g, () => [""]),
    replacedEach(rest, /[^;,|:]+[;,] /g, () => [" "]),
  ].map((list) => list.map((one) => prefix + one));
  const key = keyOf(line);
  const whole =
    place.is === "row"
      ? otherCells(line, place, said)
      : place.is === "bullet"
        ? [[...(said.get(key) ?? []), " none"].map((one) => key + one)]
        : [];
  const made = new Set(inTurn([...whole, ...inside]));
  return [...made].filter((one) => one !== line).slice(0, OTHERS_MAX);
}

/**
 * The text without what no answer depends on and what another document need not fit: its blocks of
 * requests, and which states are final.
 */
function eased(text: string): string {
  return text
    .replaceAll(" (final)", "")
    .replaceAll(/^```http.*?^```$/gms, (block) => block.replaceAll(/[^\n]+/g, ""));
}

/** An endpoint has another method or path, wherever the document speaks of it. */
function renamed(text: string, before: string, after: string): string {
  const span = (line: string): string => /`[^`]*`/.exec(line)?.[0] ?? line;
  return text.replaceAll(before, after).replaceAll(span(before), span(after));
}

/** Every bullet, row, step, sentence and endpoint of a document, with all its changes. */
export function statementsOf(spec: Spec): Statement[] {
  const { text, parts } = spec;
  const lines = text.split("\n");
  const places = parts.flatMap((part) => part.sections.flatMap(sectionPlaces));
  const said = saidIn(lines, places, text);
  const gaps = Map.groupBy(clausesOf(spec), (one) => one.line);
  const seen = new Set<number>();
  const made: Statement[] = [];
  for (const place of places.toSorted((a, b) => a.start - b.start)) {
    const line = lineOf(text, place.start);
    if (seen.has(line)) continue;
    seen.add(line);
    made.push(statement({ text, lines, said, gaps }, place, line));
  }
  return made;
}

interface Whole {
  readonly text: string;
  readonly lines: readonly string[];
  readonly said: Said;
  readonly gaps: ReadonlyMap<number, ReturnType<typeof clausesOf>>;
}

/** What a limit counts says where it holds: without that it is a statement of another kind. */
const isOfOwnKind = ({ where }: { readonly where: string }): boolean => !/, Counts$/.test(where);

function statement({ text, lines, said, gaps }: Whole, place: Place, line: number): Statement {
  const last = lineOf(text, Math.max(place.start, place.end - 1));
  const before = lines[line - 1] ?? "";
  const gone = (): string => {
    const left = [...lines.slice(0, line - 1), ...lines.slice(last)];
    const step = NUMBERED.exec(before);
    const kept = step === null ? left : renumbered(left, line - 1, step[1] ?? "");
    return eased(kept.join("\n"));
  };
  return {
    line,
    before: before.trim(),
    changes: [
      ...(place.is === "heading" ? [] : [{ how: "taken away", becomes: "", text: gone } as const]),
      ...(gaps.get(line) ?? [])
        .filter(isOfOwnKind)
        .map(
          (one): Change => ({ how: "not shown", becomes: one.where, text: () => eased(one.text) }),
        ),
      ...othersOf(before, place, said).map(
        (one): Change => ({
          how: "other",
          becomes: one.trim(),
          ...(place.is === "heading"
            ? { beside: (assumed: string) => renamed(assumed, before, one) }
            : {}),
          text: () =>
            eased(
              place.is === "heading"
                ? renamed(text, before, one)
                : lines.with(line - 1, one).join("\n"),
            ),
        }),
      ),
    ],
  };
}
