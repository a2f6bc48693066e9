/** What may stand where a finding is, from the tables of the language: examples by group. */
import type { FormList } from "../../base/index.ts";
import { operatorTable } from "../../expr/index.ts";
import {
  blocks,
  bullets,
  conditions,
  failureConditions,
  headings,
  names,
  parts,
  rules,
  scopes,
  steps,
  tables,
  types,
  typeTails,
} from "../../language/index.ts";

/** Some examples, and what they have in common where there are several groups. */
export interface FormGroup {
  readonly of?: string;
  readonly examples: readonly string[];
  /** Short words that stand side by side in one sentence. */
  readonly inline: boolean;
}

const lines = (examples: readonly string[]): FormGroup => ({ examples, inline: false });
const words = (examples: readonly string[]): FormGroup => ({ examples, inline: true });

const examplesOf = (list: readonly { readonly example: string }[]): string[] => [
  ...new Set(list.map((each) => each.example)),
];

/** The keys of the bullets of each scope. */
function bulletGroups(): FormGroup[] {
  return Object.entries(scopes).flatMap(([scope, of]) => {
    const own = bullets.filter((each) => (each.in as readonly string[]).includes(scope));
    const keys = new Set(own.map((each) => each.example.replace(/[ :]*(`|:).*/s, "")));
    return keys.size === 0 ? [] : [{ of, ...words([...keys]) }];
  });
}

/** What may stand in a column of a table; throws where there is no such column. */
function cellsOf(id: string, title: string): FormGroup {
  const column = tables
    .find((each) => each.id === id)
    ?.columns.find((each) => each.title === title);
  if (column === undefined) throw new Error(`there is no column "${title}" of "${id}"`);
  return { of: `in the column ${title}`, ...lines(examplesOf(column.cells)) };
}

function headerOf(table: (typeof tables)[number]): string {
  const titles = table.columns.map((each) => (each.title === "*" ? "`name`" : each.title));
  return `| ${titles.join(" | ")} |`;
}

const lists: Readonly<Record<FormList, () => readonly FormGroup[]>> = {
  blocks: () => [lines(examplesOf(blocks))],
  bullets: bulletGroups,
  causes: () => [cellsOf("transitions", "On")],
  conditions: () => [
    { of: "in a step", ...lines(examplesOf(conditions)) },
    { of: "in the failure table", ...lines(failureConditions.map((each) => each.name)) },
  ],
  counts: () => [cellsOf("limits", "Counts")],
  failures: () => [lines(failureConditions.map((each) => each.name))],
  headings: () =>
    parts.flatMap(({ title }) => {
      const own = headings.filter((each) => each.parts.includes(title));
      const examples = examplesOf(own).map((each) => `### ${each}`);
      return own.length === 0 ? [] : [{ of: title, ...lines(examples) }];
    }),
  names: () => [words(names.flatMap((each) => each.names))],
  operators: () => [lines(operatorTable.map((each) => each.written))],
  parts: () => [lines(parts.map((each) => `## ${each.title}`))],
  rules: () => [lines(examplesOf(rules))],
  steps: () => [lines(examplesOf(steps))],
  tables: () => {
    const own = Map.groupBy(tables, (table) => table.in.map((scope) => scopes[scope]).join(", "));
    return [...own].map(([of, some]) => ({ of, ...lines(some.map(headerOf)) }));
  },
  types: () => [lines(examplesOf(types)), { of: "behind a type", ...lines(examplesOf(typeTails)) }],
};

/** The groups of a list, in the order of the language. */
export function formGroups(list: FormList): readonly FormGroup[] {
  return lists[list]();
}
