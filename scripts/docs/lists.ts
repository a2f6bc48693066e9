/** The generated lists of the reference, by name; each is made from one table of the language. */

import { howTos } from "../../src/cli/explain/how-to.ts";
import { environmentOf, flagOf, OPTION_NAMES, optionAt } from "../../src/cli/serve-options.ts";
import { functionTable, macroTable, operatorTable } from "../../src/expr/index.ts";
import {
  type audiences,
  blocks,
  bullets,
  type Column,
  changeKinds,
  conditions,
  type Denial,
  type Form,
  failureConditions,
  headings,
  type NameEntry,
  type NamePlace,
  namePlaces,
  names,
  parts,
  questions,
  rules,
  rulesCell,
  slotKinds,
  steps,
  tables,
  typeCell,
  types,
  typeTails,
  uses,
} from "../../src/language/index.ts";
import type { HttpCondition } from "../../src/plan/index.ts";
import { type RuleKind, ruleKinds } from "../../src/plan/index.ts";
import { RUN_BOUNDS } from "../../src/run/evaluate/bounds.ts";
import { BOUNDS } from "../../src/serve/http/bounds.ts";
import { OWN_ANSWERS } from "../../src/serve/http/own.ts";
import { code, table } from "./cells.ts";
import { shortDocument, shortLanguage } from "./short.ts";
import { counts, sumOf } from "./spans.ts";

/** The form beside its example; empty where both are the same words. */
const formOf = (form: string, example: string, before = ""): string =>
  form === example ? "" : code(`${before}${form}`);

function forms(list: readonly Form[]): string {
  return table(
    ["Example", "Form", "Means"],
    list.map((each) => [code(each.example), formOf(each.form, each.example), each.means]),
  );
}

/** Whether `none` or `free` may stand for the answer, and what then may not stand beside it. */
function also({ none, free }: Pick<Column, "none" | "free">): string {
  const words = [none === false ? "" : `\`none\` (${besideNone(none)})`, free ? "`free`" : ""];
  const said = words.filter((word) => word !== "");
  return said.length === 0 ? "" : ` Or ${said.join(", or ")}.`;
}

function besideNone(none: Denial): string {
  if ("unused" in none) return none.unused;
  return `which contradicts ${none.usedBy.map((use) => uses[use]).join(", and ")}`;
}

function bulletList(scope: string): string {
  const own = bullets.filter((each) => (each.in as readonly string[]).includes(scope));
  if (own.length === 0) throw new Error(`no bullet may stand in the scope "${scope}"`);
  return table(
    ["Example", "Bullet", "Means"],
    own.map((each) => [
      code(`- ${each.example}`),
      formOf(each.form, each.example, "- "),
      `${each.means}${also(each)}${each.many ? " May stand several times." : ""}`,
    ]),
  );
}

function headingList(part: string): string {
  const own = headings.filter((each) => each.parts.includes(part));
  if (own.length === 0) throw new Error(`no heading may stand in the part "${part}"`);
  return table(
    ["Example", "Heading", "Means"],
    own.map((each) => [
      code(`### ${each.example}`),
      formOf(each.form, each.example, "### "),
      each.means,
    ]),
  );
}

function columnRows(column: Column): string[][] {
  const title =
    column.title === "*" ? "any number of columns, each a name in a code span" : column.title;
  const tail = also(column) + (column.many ? " Several are joined by `;`." : "");
  if (column.cells === rulesCell) {
    return [[title, code("not empty"), "a [rule](rules.md)", `The rules, joined by \`;\`.${tail}`]];
  }
  if (column.cells === typeCell) {
    return [[title, code("string"), "a [type](types.md)", `A type.${tail}`]];
  }
  return column.cells.map((each, index) => [
    index === 0 ? title : "",
    code(each.example),
    formOf(each.form, each.example),
    index === 0 ? `${each.means}${tail}` : each.means,
  ]);
}

function tableList(id: string): string {
  const entry = tables.find((each) => each.id === id);
  if (entry === undefined) throw new Error(`there is no table "${id}"`);
  const header = `| ${entry.columns
    .map((each) => (each.title === "*" ? "`name`" : each.title))
    .join(" | ")} |`;
  return [
    entry.means,
    "",
    "```text",
    header,
    "```",
    "",
    table(["Column", "Example", "Cell", "Means"], entry.columns.flatMap(columnRows)),
  ].join("\n");
}

function typesOf({ types, items }: RuleKind): string {
  if (types === "all") return "all";
  const names = types.map((each) => (each === "structure" ? "a part" : code(each))).join(", ");
  return items === true ? `${names}; lists and maps of it` : names;
}

/** Where most rules may stand: told above their list, once. */
const USUAL_PLACES = "field, part, input";

function placesOf({ places }: RuleKind): string {
  const names = Object.entries(places).filter(([, stands]) => stands === true);
  const said = names.map(([name]) => name).join(", ");
  return said === USUAL_PLACES ? "" : said;
}

/** The places where a name is seen, by those where it is not where these are fewer. */
function seenBy({ seenBy: seen }: NameEntry): string {
  const all = Object.keys(namePlaces) as NamePlace[];
  const isSeen = (place: NamePlace): boolean => seen === "all" || seen.includes(place);
  const words = (wanted: boolean): string =>
    all
      .filter((place) => isSeen(place) === wanted)
      .map((place) => namePlaces[place])
      .join("; ");
  if (all.every(isSeen)) return "everything";
  return all.filter(isSeen).length > all.length / 2
    ? `everything but: ${words(false)}`
    : words(true);
}

interface TakesGives {
  readonly takes: readonly string[];
  readonly gives: string;
}

/** What is taken, by what is given. */
function takesGives(list: readonly TakesGives[]): string {
  const given = Map.groupBy(list, (each) => each.gives);
  return [...given]
    .map(([gives, own]) => `${own.map((it) => `(${it.takes.join(", ")})`).join(", ")}: ${gives}`)
    .join("; ");
}

/** Rows about the same thing as one: the cells of `joined` side by side. */
function merged(
  rows: readonly (readonly string[])[],
  joined: readonly number[],
): (readonly string[])[] {
  const same = Map.groupBy(rows, (row) => row.filter((_, at) => !joined.includes(at)).join("|"));
  return [...same.values()].map(([first = [], ...more]) =>
    first.map((text, at) =>
      joined.includes(at) ? [text, ...more.map((row) => row[at])].join(", ") : text,
    ),
  );
}

/** The first cell of a row, left out where it says what the row above says. */
function ditto(rows: readonly (readonly string[])[]): (readonly string[])[] {
  return rows.map((row, at) => (row[0] === rows[at - 1]?.[0] ? ["", ...row.slice(1)] : row));
}

/** Whom a change is for, in one word. */
const WHO: Readonly<Record<keyof typeof audiences, string>> = {
  sends: "senders",
  reads: "readers",
  receives: "receivers",
  runs: "operators",
};

/** Changes that say no more than that there is one more, or one less, stand in one row. */
function changeRows(): (readonly string[])[] {
  const rows = changeKinds.map(({ name, means, for: whom }) => {
    const plain = / (added|removed)$/.test(name) && / (more|less)\.$/.test(means);
    const said = plain && means.split(" ").length <= 4 ? "One more; one less." : means;
    return [
      code(name),
      said,
      whom.map((one) => WHO[one]).join(", "),
      plain ? name.replace(/ \w+$/, "") : name,
    ];
  });
  return merged(rows, [0]).map((row) => row.slice(0, 3));
}

const lists: Readonly<Record<string, (argument: string) => string>> = {
  slots: () =>
    table(
      ["Place", "Filled by"],
      Object.entries(slotKinds).map(([kind, means]) => [code(`{...:${kind}}`), means]),
    ),
  facets: () =>
    table(
      ["Part", "Facet", "Stated by", "Other words for it"],
      parts.flatMap((part) =>
        part.facets.map((facet, index) => [
          index === 0 ? part.title : "",
          facet.name,
          facet.statedBy,
          facet.also.join(", ") || "-",
        ]),
      ),
    ),
  bullets: bulletList,
  headings: headingList,
  table: tableList,
  types: () => `${forms(types)}\n\nBehind a type:\n\n${forms(typeTails)}`,
  rules: () =>
    table(
      ["Example", "Form", "For the types", "Stands at", "Means"],
      rules.map((each) => [
        code(each.example),
        formOf(each.form, each.example),
        typesOf(ruleKinds[each.kind]),
        placesOf(ruleKinds[each.kind]),
        each.means,
      ]),
    ),
  steps: () => forms(steps),
  conditions: () => forms(conditions),
  blocks: () =>
    table(
      ["Example", "Info string", "Means"],
      blocks.map((each) => [code(each.example), formOf(each.form, each.example), each.means]),
    ),
  operators: () =>
    table(
      ["Example", "Written", "Takes and gives", "Does"],
      merged(
        operatorTable.map((each) => [
          code(each.example),
          code(each.written),
          takesGives(each.forms),
          each.does,
        ]),
        [0, 1],
      ),
    ),
  macros: () =>
    table(
      ["Example", "Written", "Does"],
      macroTable.map((each) => [code(each.example), each.written.map(code).join(", "), each.does]),
    ),
  functions: () =>
    table(
      ["Example", "Takes and gives", "Does"],
      functionTable.map((each) => [
        each.example === "" ? "" : code(each.example),
        `${code(each.name)}${takesGives(each.forms)}`,
        each.does,
      ]),
    ),
  names: () =>
    table(
      ["Name", "Seen by", "Is"],
      names.map((each) => [each.names.map(code).join(", "), seenBy(each), each.is]),
    ),
  failures: () =>
    table(
      ["Condition", "Class", "Occurs when", "May be `ignored`"],
      failureConditions
        .filter((each) => each.occurs !== "HTTP itself")
        .map((each) => [
          code(each.name),
          each.class ?? "",
          each.means,
          each.ignorable ? "yes" : "no",
        ]),
    ),
  "host-answers": () =>
    table(
      ["Condition", "Occurs when", "Status", "Source"],
      failureConditions
        .filter((each) => each.occurs === "HTTP itself")
        .map(({ name, means }) => {
          const { status, title, source } = OWN_ANSWERS[name as HttpCondition];
          return [code(name), means, `${status} ${title}`, source];
        }),
    ),
  "host-bounds": () =>
    table(
      ["Bound", "Value", "Bounds"],
      Object.values(BOUNDS).map(({ name, value, unit, means }) => [
        code(name),
        `${value.toLocaleString("en")}${unit === "requests" ? "" : ` ${unit}`}`,
        means,
      ]),
    ),
  "serve-options": () =>
    table(
      ["Option", "Environment", "Does"],
      OPTION_NAMES.map((name) => [
        code(flagOf(name)),
        code(environmentOf(name)),
        optionAt(name).means,
      ]),
    ),
  "run-bounds": () =>
    table(
      ["What", "Bound", "Past it"],
      Object.values(RUN_BOUNDS).map(({ what, value, unit, past }) => [
        what,
        `${value.toLocaleString("en")} ${unit}`,
        code(past),
      ]),
    ),
  "short-language": shortLanguage,
  "short-document": shortDocument,
  "how-tos": () =>
    table(
      ["Wish", "Page"],
      Object.entries(howTos).map(([name, { title, wish }]) => [wish, `[${title}](${name}.md)`]),
    ),
  spans: () => {
    const all = counts();
    const heads = ["Document", "Words in code spans, at length", "now", "Lines, at length", "now"];
    return table(
      heads,
      [...all, sumOf(all)].map(({ document, cells }) => [document, ...cells.map(String)]),
    );
  },
  changes: () => table(["Change", "Means", "For"], changeRows()),
  questions: () =>
    table(
      ["Raised by", "Asks", "Answered by", "Unanswered or not shown, it blocks"],
      ditto(questions.map((each) => [each.raisedBy, each.asks, each.answeredBy, each.blocks])),
    ),
};

/** The list of a mark: its first word names the list, the rest what it is about. */
export function generatedList(name: string): string {
  const [first = "", ...rest] = name.trim().split(" ");
  const make = lists[first];
  if (make === undefined) throw new Error(`there is no generated list "${first}"`);
  return make(rest.join(" "));
}
