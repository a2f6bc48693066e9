/** Every item that the language can state, made from its tables; must not know any document. */
import { functionTable, macroTable, operatorTable } from "../../src/expr/index.ts";
import {
  blocks,
  bullets,
  type Column,
  conditions,
  type Form,
  failureConditions,
  headings,
  parts,
  rules,
  rulesCell,
  type Scope,
  steps,
  tables,
  typeCell,
  types,
  typeTails,
} from "../../src/language/index.ts";

/** One item. `form` is what is written; `unserved` says why serving shows nothing of it. */
export interface Item {
  readonly id: string;
  /** Where the page lists it: a part of a document, or a piece of every part. */
  readonly group: string;
  readonly form: string;
  readonly unserved?: string;
}

const RESOURCES = "Resources and their fields";
const STATES = "States and transitions";
const partOf: Readonly<Record<Scope, string>> = {
  service: "What the service does",
  resources: RESOURCES,
  "every resource": RESOURCES,
  resource: RESOURCES,
  part: RESOURCES,
  view: RESOURCES,
  shape: RESOURCES,
  schema: RESOURCES,
  states: STATES,
  machine: STATES,
  routine: "Endpoints",
  value: RESOURCES,
  call: "Endpoints",
  endpoints: "Endpoints",
  "every endpoint": "Endpoints",
  group: "Endpoints",
  endpoint: "Endpoints",
  authentication: "Authentication",
  scheme: "Authentication",
  events: "Events",
  webhook: "Events",
  stream: "Events",
  errors: "Errors",
  limits: "Limits",
  versioning: "Versioning",
};

/** Choices that are one word in two numbers. */
const NUMBERS = new Set(["unit"]);
const SLOT = /\{(\w+)(?::\w+|=([^}]*))\}/g;

/** Endings of an item's id for what its form leaves to choose: `=word` and `[slot]`. */
function variants(form: string): string[] {
  const optional = new Set(
    [...form.matchAll(/\[([^[\]]*)\]/g)].flatMap(([, inner = ""]) =>
      [...inner.matchAll(SLOT)].map(([slot]) => slot),
    ),
  );
  const found: string[] = [];
  let fixed = true;
  for (const [slot, name = "", options] of form.matchAll(SLOT)) {
    if (options !== undefined && !NUMBERS.has(name)) {
      if (!optional.has(slot)) fixed = false;
      found.push(...options.split("|").map((option) => `=${option}`));
    } else if (optional.has(slot)) found.push(`[${name}]`);
  }
  return fixed ? ["", ...found] : found;
}

function itemsOf(prefix: string, group: string, form: Form, written = form.form): Item[] {
  const { unserved } = form;
  return variants(form.form).map((ending) => ({
    id: `${prefix}${ending}`,
    group,
    form: written,
    ...(unserved === undefined ? {} : { unserved }),
  }));
}

const VALUES = ["none", "free"] as const;

function bulletItems(): Item[] {
  return bullets.flatMap((bullet) =>
    bullet.in.flatMap((scope) => {
      // What holds below a path is written out into endpoints before anything is served.
      if (scope === "group") return [];
      const key = `- ${bullet.form.slice(0, bullet.form.indexOf(":"))}`;
      const [prefix, group] = [`bullets/${scope}/${bullet.id}`, partOf[scope]];
      return [
        ...itemsOf(prefix, group, bullet, `- ${bullet.form}`),
        ...VALUES.filter((value) => bullet[value]).map((value) => ({
          id: `${prefix}/${value}`,
          group,
          form: `${key}: ${value}`,
        })),
      ];
    }),
  );
}

function columnItems(table: string, group: string, column: Column): Item[] {
  const prefix = `tables/${table}/${column.title.toLowerCase()}`;
  const { cells } = column;
  const own = cells === rulesCell || cells === typeCell ? [] : cells;
  const written = (form: string): string => `${column.title}: ${form}`;
  const [first] = own;
  const reason = own.every((each) => each.unserved) ? first?.unserved : undefined;
  return [
    ...own.flatMap((each) => itemsOf(`${prefix}/${each.id}`, group, each, written(each.form))),
    ...VALUES.filter((value) => column[value]).map((value) => ({
      id: `${prefix}/${value}`,
      group,
      form: written(value),
      ...(reason === undefined ? {} : { unserved: reason }),
    })),
  ];
}

function tableItems(): Item[] {
  const header = {
    id: "tables/errors/*/header",
    group: "Errors",
    form: "header `Name`: {text:code}",
  };
  return [
    ...tables.flatMap((table) => {
      const group =
        table.id === "cases" || table.id === "inputs" || table.id === "says"
          ? "Endpoints"
          : partOf[table.in[0] as Scope];
      return table.columns.flatMap((column) => columnItems(table.id, group, column));
    }),
    header,
  ];
}

const plain = (prefix: string, group: string, list: readonly Form[]): Item[] =>
  list.flatMap((form) => itemsOf(`${prefix}/${form.id}`, group, form));

/** Pieces that many forms share. */
const pieces: readonly Item[] = [
  ["refusal", "{...:refusal}"],
  ["refusal[on]", "... on {on:word}"],
  ["refusal[with]", "... with {with:assigns}"],
  ["refusal/not shown", "not shown"],
  ["order/ascending", "{by:expr} ascending"],
  ["order/descending", "{by:expr} descending"],
].map(([id = "", form = ""]) => ({ id: `pieces/${id}`, group: "Steps", form }));

/** Every item of the language, in the order of its parts. */
export function allItems(): readonly Item[] {
  const expressions = [
    ...operatorTable.map(({ fn, written }) => ({ id: `operators/${fn}`, form: written })),
    ...macroTable.map(({ name, written }) => ({ id: `macros/${name}`, form: written.join(", ") })),
    ...functionTable.map(({ name }) => ({ id: `functions/${name}`, form: name })),
  ].map((item) => ({ ...item, group: "Expressions" }));
  const found = [
    ...headings.flatMap((form) =>
      itemsOf(`headings/${form.id}`, form.parts[0] ?? "", form, `### ${form.form}`),
    ),
    ...bulletItems(),
    ...tableItems(),
    ...plain("types", "Types", [...types, ...typeTails]),
    ...plain("rules", "Rules", rules),
    { id: "rules/none", group: "Rules", form: "none" },
    ...plain("steps", "Steps", steps),
    ...plain("conditions", "Steps", conditions),
    ...pieces,
    ...expressions,
    ...failureConditions.map(({ name }) => ({
      id: `failures/${name}`,
      group: "Failures",
      form: name,
    })),
    ...blocks.flatMap((form) => itemsOf(`blocks/${form.id}`, "Blocks", form)),
  ];
  return groups.flatMap((group) => found.filter((item) => item.group === group));
}

/** The groups of the page, in its order. */
export const groups: readonly string[] = parts.flatMap(({ title }) =>
  title === RESOURCES
    ? [title, "Types", "Rules"]
    : title === "Endpoints"
      ? [title, "Steps", "Expressions"]
      : title === "Errors"
        ? [title, "Failures"]
        : title === "Versioning"
          ? [title, "Blocks"]
          : [title],
);
