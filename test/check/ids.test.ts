/** What is put before an item changes no name: ids are made of words, not of places. */
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { check } from "../../src/check/index.ts";
import { bullets, type Column, tables } from "../../src/language/index.ts";
import { read } from "../../src/read/index.ts";
import { type SectionNode, type StepNode, type TableNode, unfolded } from "../../src/spec/index.ts";

const root = join(import.meta.dirname, "../..");
const documents = ["examples", "test/unseen"].flatMap((folder) =>
  readdirSync(join(root, folder)).flatMap((name) => {
    const file = name.endsWith(".md") ? join(folder, name) : join(folder, name, "spec.md");
    return existsSync(join(root, file)) ? [file] : [];
  }),
);

/** A text that is put before the character at `at`. */
interface Insertion {
  readonly at: number;
  readonly text: string;
}

interface Reading {
  readonly text: string;
  readonly sections: readonly SectionNode[];
}

/** Gives what is to be put into a document; each of them before an item of its kind. */
type Inserting = (reading: Reading) => Insertion[];

function readingOf(text: string): ReturnType<typeof read> {
  return read(new TextEncoder().encode(text));
}

const lineStart = (text: string, at: number): number => text.lastIndexOf("\n", at - 1) + 1;
const lineAt = (text: string, at: number): string =>
  text.slice(lineStart(text, at), text.indexOf("\n", at));

/** The line of an item with another text in the stretch from `from` to `to`. */
function changedLine(
  text: string,
  { from, to }: { from: number; to: number },
  by: string,
): Insertion {
  const at = lineStart(text, from);
  const end = text.indexOf("\n", from) + 1;
  return { at, text: text.slice(at, from) + by + text.slice(to, end) };
}

function beforeSteps({ text, sections }: Reading): Insertion[] {
  const found: Insertion[] = [];
  const visit = (steps: readonly StepNode[]): void => {
    for (const step of steps) {
      const at = lineStart(text, step.start);
      const indent = /^ */.exec(text.slice(at))?.[0] ?? "";
      const isFirst = !step.match.form.startsWith("otherwise");
      const words = `${indent}1. Let \`z${found.length}\` be \`${found.length}\`.\n`;
      if (isFirst) found.push({ at, text: words });
      visit(step.children);
      for (const one of step.cases) {
        const [value] = one.values;
        if (value === undefined) continue;
        const before = { from: value.start, to: value.end };
        found.push(changedLine(text, before, JSON.stringify(`z${found.length}`)));
        visit(one.step.children);
      }
    }
  };
  for (const section of sections) visit(section.steps);
  return found;
}

/** Bullets that may stand again, with another value, or with another name in their key. */
function beforeBullets({ text, sections }: Reading): Insertion[] {
  const many = new Set(bullets.flatMap((entry) => (entry.many ? [entry.id] : [])));
  return sections.flatMap((section) =>
    section.bullets.flatMap((bullet, i) => {
      if (!many.has(bullet.match.form)) return [];
      const line = lineAt(text, bullet.start);
      const at = lineStart(text, bullet.start);
      const [, name] = /`(.+?)`/.exec(line) ?? [];
      if (name === undefined) return [];
      const from = at + line.indexOf(name);
      return [changedLine(text, { from, to: from + name.length }, `${name} + z${i}`)];
    }),
  );
}

/** Rows that differ in one of the columns that tell the rows of their table apart. */
const beforeRows =
  (entry: (typeof tables)[number], title: string): Inserting =>
  ({ text, sections }) =>
    sections.flatMap((section) =>
      section.tables
        .filter((table) => table.table === entry.id && table.restated === undefined)
        .flatMap((table) => rowsWithout(text, table, columnOf(table, entry.columns, title))),
    );

function columnOf(table: TableNode, columns: readonly Column[], title: string): number {
  if (title !== "*") return table.columns.findIndex((column) => column.title === title);
  const known = new Set(columns.map((column) => column.title));
  return table.columns.findIndex((column) => column.slot !== undefined || !known.has(column.title));
}

function rowsWithout(text: string, table: TableNode, column: number): Insertion[] {
  return table.rows.flatMap((row, i) => {
    const cell = row.cells[column];
    if (cell === undefined) return [];
    return [changedLine(text, { from: cell.start, to: cell.end }, `\`z${i}\``)];
  });
}

/** In a cell that may hold several: the example of a form that the cell does not have yet. */
const beforeMatches =
  (entry: (typeof tables)[number], title: string): Inserting =>
  ({ sections }) =>
    sections.flatMap((section) =>
      section.tables
        .filter((table) => table.table === entry.id && table.restated === undefined)
        .flatMap((table) => cellsWith(table, entry.columns, title)),
    );

function cellsWith(table: TableNode, columns: readonly Column[], title: string): Insertion[] {
  const forms = columns.find((column) => column.title === title)?.cells ?? [];
  const at = table.columns.findIndex((column) => column.title === title);
  return table.rows.flatMap((row) => {
    const cell = row.cells[at];
    if (cell === undefined) return [];
    const { matches } = unfolded(cell);
    const other =
      forms.find((form) => matches.every((match) => match.form !== form.id)) ?? forms[0];
    return matches.map(({ start }) => ({ at: start, text: `${other?.example}; ` }));
  });
}

const insertings: [name: string, inserting: Inserting][] = [
  ["steps and cases", beforeSteps],
  ["bullets", beforeBullets],
  ...tables.flatMap((entry) =>
    (entry.toldApartBy ?? [entry.columns[0]?.title ?? ""]).map((title): [string, Inserting] => [
      `rows of ${entry.id} with another ${title}`,
      beforeRows(entry, title),
    ]),
  ),
  ...tables.flatMap((entry) =>
    entry.columns
      .filter((column) => column.many)
      .map(({ title }): [string, Inserting] => [
        `more in ${title} of ${entry.id}`,
        beforeMatches(entry, title),
      ]),
  ),
];

/** The text with all of them, and where what stood at a place stands in it. */
function inserted(text: string, insertions: readonly Insertion[]) {
  const sorted = insertions.toSorted((a, b) => a.at - b.at);
  let made = "";
  let from = 0;
  for (const one of sorted) {
    made += text.slice(from, one.at) + one.text;
    from = one.at;
  }
  const placeOf = (at: number, isBehind: boolean): number =>
    sorted
      .filter((one) => one.at < at || (isBehind && one.at === at))
      .reduce((sum, one) => sum + one.text.length, at);
  return { text: made + text.slice(from), placeOf };
}

const served: Record<string, number> = {};

for (const document of documents) {
  test(`what is put before an item of ${document} leaves the names of others`, () => {
    const text = readFileSync(join(root, document), "utf8");
    const before = readingOf(text);
    const { origins } = check(before);
    const reading = { text, sections: before.spec.parts.flatMap((part) => part.sections) };
    const wrong: string[] = [];
    for (const [name, inserting] of insertings) {
      const insertions = inserting(reading);
      served[name] = (served[name] ?? 0) + insertions.length;
      if (insertions.length === 0) continue;
      const { text: more, placeOf } = inserted(text, insertions);
      const after = check(readingOf(more)).origins;
      for (const [id, span] of origins) {
        const at = after.get(id)?.start;
        if (at === placeOf(span.start, true) || at === placeOf(span.start, false)) continue;
        wrong.push(`${name}: ${id}${at === undefined ? " is gone" : " is another"}`);
      }
    }
    assert.deepEqual(wrong, []);
  });
}

test("every kind of item was put before others somewhere", () => {
  assert.deepEqual(
    Object.entries(served).filter(([, count]) => count === 0),
    [],
  );
});
