/** What docs/short.md takes from tables: the language by its examples, and one document. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { functionTable, macroTable, operatorTable } from "../../src/expr/index.ts";
import {
  blocks,
  bullets,
  conditions,
  failureConditions,
  headings,
  names,
  parts,
  rules,
  rulesCell,
  scopes,
  steps,
  tables,
  typeCell,
  types,
  typeTails,
} from "../../src/language/index.ts";
import { code } from "./cells.ts";

/** An explanation with more words than this stands in the reference alone. */
const WORDS_MAX = 12;

interface Line {
  readonly example: string;
  readonly means: string;
}

/** The first sentence, where it is short and says more than the example. */
function said(means: string): string {
  const first = /^.*?(?<![.])[.](?=\s|$)/s.exec(means)?.[0] ?? means;
  const isWhole = first.split("(").length === first.split(")").length;
  return !isWhole || first.split(/\s+/).length > WORDS_MAX ? "" : first;
}

const unescaped = (text: string): string => code(text).replaceAll("\\|", "|");

const line = ({ example, means }: Line, before = ""): string =>
  `- ${unescaped(before + example)} ${said(means)}`.trim();

const list = (lines: readonly Line[], before = ""): string =>
  lines.map((each) => line(each, before)).join("\n");

const examples = (lines: readonly { readonly example: string }[]): string =>
  lines
    .filter((each) => each.example !== "")
    .map((each) => unescaped(each.example))
    .join(", ");

/** The bullets and tables that may stand in each scope, in the order of the language. */
function scopeTexts(): string[] {
  const told = new Set<unknown>();
  return Object.entries(scopes).flatMap(([scope, title]) => {
    const isHere = (each: { readonly in: readonly string[] }): boolean => each.in.includes(scope);
    const own = bullets.filter(isHere);
    const fresh = own.filter((each) => !told.has(each));
    const old = own.filter((each) => told.has(each)).map((each) => each.id);
    const grids = tables.filter((each) => isHere(each) && !told.has(each));
    for (const each of [...own, ...grids]) told.add(each);
    if (fresh.length === 0 && grids.length === 0) return [];
    const texts = [
      list(fresh, "- "),
      old.length === 0 ? "" : `Also, as above: ${[...new Set(old)].join(", ")}.`,
      ...grids.map(tableText),
    ];
    return [`### ${title}\n\n${texts.filter((text) => text !== "").join("\n\n")}`];
  });
}

function tableText(table: (typeof tables)[number]): string {
  const header = table.columns.map((each) => (each.title === "*" ? "`name`" : each.title));
  const columns = table.columns
    .filter((each) => each.cells !== rulesCell && each.cells !== typeCell)
    .filter((each) => each.cells.length > 0)
    .map((each) => `- ${each.title === "*" ? "`name`" : each.title}: ${examples(each.cells)}`);
  return `Table \`| ${header.join(" | ")} |\`\n\n${columns.join("\n")}`;
}

/** The headings, each with the parts in which it stands. */
function headingTexts(): string {
  const places = Map.groupBy(headings, (each) => each.parts.join("; "));
  return [...places].map(([of, some]) => `In ${of}:\n\n${list(some, "### ")}`).join("\n\n");
}

/** The conditions of the failure table, by class. */
function failureTexts(): string {
  const groups = Map.groupBy(failureConditions, (each) => each.class ?? "HTTP itself");
  return [...groups]
    .map(([of, some]) => `- ${of}: ${some.map((each) => each.name).join(", ")}`)
    .join("\n");
}

function nameTexts(): string {
  return names
    .map((each) => `- ${each.names.map(unescaped).join(", ")} ${said(each.is)}`.trim())
    .join("\n");
}

/** The examples of functions; those that have none by their names. */
function functionTexts(): string {
  const bare = functionTable.filter((each) => each.example === "");
  return [examples(functionTable), ...bare.map((each) => unescaped(each.name))].join(", ");
}

/** The language, as one list: each form by an example. */
export function shortLanguage(): string {
  return [
    `## Parts\n\n${parts.map((each, at) => `${at + 1}. \`## ${each.title}\``).join("\n")}`,
    `## Headings\n\n${headingTexts()}`,
    "## Bullets and tables",
    ...scopeTexts(),
    `## Types\n\n${list(types)}\n\nBehind a type:\n\n${list(typeTails)}`,
    `## Rules\n\nIn a Rules cell, joined by \`;\`:\n\n${list(rules)}`,
    `## Steps\n\n${list(steps)}`,
    `Conditions of When and Require, besides expressions:\n\n${list(conditions)}`,
    `## Failures\n\nConditions of the failure table, by class:\n\n${failureTexts()}`,
    "## Expressions",
    `Names:\n\n${nameTexts()}`,
    `Operators: ${examples(operatorTable)}`,
    `Macros:\n\n${list(macroTable.map((each) => ({ example: each.example, means: each.does })))}`,
    `Functions: ${functionTexts()}`,
    `## Blocks\n\n${list(blocks, "```")}`,
  ].join("\n\n");
}

/** The document that a beginner is shown first, in its fence. */
export function shortDocument(): string {
  const text = readFileSync(join(import.meta.dirname, "../../docs/first-document.md"), "utf8");
  const found = /^````markdown spec\n[\s\S]*?^````$/m.exec(text)?.[0];
  if (found === undefined) throw new Error("docs/first-document.md has no document");
  return found;
}
