/** Makes sentences of the language at random from its tables: right in form, at times in meaning. */
import type { Form, SlotKind } from "../../src/language/index.ts";
import {
  conditions,
  rules,
  steps,
  type tables,
  types,
  typeTails,
} from "../../src/language/index.ts";
import { type PatternNode, parsePattern } from "../../src/read/forms/pattern.ts";

export type Random = () => number;

/** One of `from`. */
export function pick<T>(random: Random, from: readonly T[]): T {
  return from[Math.floor(random() * from.length)] as T;
}

const names = [
  "Order",
  "Line",
  "Card",
  "Page",
  "Problem",
  "order",
  "orders",
  "status",
  "title",
  "owner",
  "total",
  "at",
  "items",
  "pay",
  "expire",
  "open",
  "paid",
  "key",
  "hooks",
  "feed",
  "charge",
  "post",
  "found",
  "page",
  "id",
  "body",
  "it",
  "x",
  "now",
  "caller",
  "version",
  "note",
  "Note",
];
const words = [
  "invalid",
  "not_found",
  "wrong",
  "order.paid",
  "user",
  "anyone",
  "HS256",
  "POST",
  "v1",
];
const expressions = [
  "it.total",
  "it.total > 0.00",
  "caller",
  "null",
  "now",
  'it.status == "open"',
  "order.title",
  "order",
  "orders",
  "size(orders)",
  "orders.filter(o, o.total > 1.00)",
  "query.limit",
  "body.title",
  "body",
  "has(body.note)",
  "body.note",
  "true",
  "1",
  "0.00",
  '"x"',
  "it.owner.title",
  "path.id",
  "orders.map(o, o.title)",
  "order.total * 2",
  "setting.zone",
  "it.items[0].title",
  'value != ""',
  'order.note != null && order.note != ""',
  '{"a": 1}',
  "[1, 2]",
  "error.name",
  "failures",
  "has(query.limit) ? query.limit : 20",
  "it == order",
  "it.owner == caller",
  "event",
  "data",
  "receiver.url",
  "claims.sub",
  "1 +",
  "(",
  '"',
  "it.nothing",
  'date("2026-01-01")',
  "found.x",
  "sum(orders.map(o, o.total))",
  "orders.exists(o, o.owner == it)",
  'duration("30m")',
  "-1",
  "it",
];
const code = (text: string): string => `\`${text}\``;
const many = (random: Random, make: () => string, joint: string): string =>
  Array.from({ length: 1 + Math.floor(random() * 3) }, make).join(joint);

const assigned = (random: Random, between: string): string =>
  `${code(pick(random, names))} ${between} ${code(pick(random, expressions))}`;

function refusal(random: Random): string {
  if (random() < 0.2) return "not shown";
  const on = random() < 0.3 ? ` on ${code(pick(random, names))}` : "";
  const given = random() < 0.2 ? ` with ${assigned(random, "=")}` : "";
  return code(pick(random, words)) + on + given;
}

const state = (random: Random): string =>
  code(pick(random, ["open", "paid", "done"])) + pick(random, ["", "", " (initial)", " (final)"]);

const orderKey = (random: Random): string =>
  `${code(pick(random, expressions))} ${pick(random, ["ascending", "descending"])}`;

const durations = ["5 s", "10 min", "24 h", "1 day", "30 days", "250 ms", "0 s", "999999999 days"];
const endpoints = [
  "GET /orders",
  "POST /orders",
  "GET /orders/{id}",
  "PUT /{a}/{a}",
  "get /x",
  "/x",
];

type Filler = (random: Random, depth: number) => string;

const fillers: Readonly<Record<SlotKind, Filler>> = {
  name: (r) => code(pick(r, names)),
  dotted: (r) => code(many(r, () => pick(r, names), ".")),
  word: (r) => code(pick(r, words)),
  code: (r) => code(pick(r, [...endpoints, "application/json", "/v1", "Bearer {credential}", "x"])),
  expr: (r) => code(pick(r, expressions)),
  condition: (r, depth) =>
    r() < 0.7 ? code(pick(r, expressions)) : sentence(r, pick(r, conditions), depth + 1),
  is: (r) => many(r, () => assigned(r, "is"), " and "),
  simple: (r) => pick(r, ["null", "20", "`[]`", "false"]),
  literal: (r) => pick(r, ["1", "0.00", "100", '`"a"`', "2026-10-01", "`null`", "-5"]),
  count: (r) => pick(r, ["0", "1", "2", "16", "999999999999999"]),
  status: (r) => pick(r, ["200", "201", "204", "404", "`200`", "`201`", "`204`", "99"]),
  duration: (r) => pick(r, durations),
  names: (r) => many(r, () => code(pick(r, names)), ", "),
  words: (r) => many(r, () => code(pick(r, words)), " or "),
  values: (r) => many(r, () => code(`${pick(r, words)} ${pick(r, words)}`), " or "),
  assigns: (r) => many(r, () => assigned(r, "="), " and "),
  headers: (r) => many(r, () => `header ${code("X-A")} = ${code(pick(r, expressions))}`, ", "),
  order: (r) => many(r, () => orderKey(r), ", then "),
  states: (r) => many(r, () => state(r), ", "),
  durations: (r) => many(r, () => pick(r, durations), ", "),
  refusal: (r) => refusal(r),
  tail: (r) => `else ${refusal(r)}`,
  type: (r, depth) =>
    depth > 5
      ? "string"
      : sentence(r, pick(r, types), depth + 1) + (r() < 0.2 ? ` ${pick(r, typeTails).form}` : ""),
  step: (r, depth) => {
    const text = depth > 5 ? "Do nothing" : sentence(r, pick(r, steps), depth + 1);
    return text.charAt(0).toLowerCase() + text.slice(1);
  },
  text: (r) => pick(r, ["unknown path", "absent", "too long", "how it is done", "state added"]),
};

function filled(random: Random, nodes: readonly PatternNode[], depth: number): string {
  let text = "";
  const add = (more: string): void => {
    const close = /^[,;:.)]/.test(more) || text.endsWith("(");
    text += text === "" || more === "" || close ? more : ` ${more}`;
  };
  for (const node of nodes) {
    if (node.is === "word" || node.is === "mark") add(node.text);
    else if (node.is === "code") add(code(node.text));
    else if (node.is === "either") add(pick(random, node.words));
    else if (node.is === "choice") add(pick(random, node.options));
    else if (node.is === "slot") add(fillers[node.kind](random, depth));
    else if (node.is === "optional" && random() < 0.5) add(filled(random, node.body, depth));
  }
  return text;
}

const parsed = new Map<string, PatternNode[]>();

/** A sentence of that form with random words in its slots. */
export function sentence(random: Random, form: Form, depth = 0): string {
  let nodes = parsed.get(form.form);
  if (nodes === undefined) {
    nodes = parsePattern(form.form);
    parsed.set(form.form, nodes);
  }
  return filled(random, nodes, depth);
}

/** A table of the language with random cells. */
export function randomTable(random: Random, entry: (typeof tables)[number]): string {
  const short = entry.short !== undefined && random() < 0.2 ? entry.short : [];
  const columns = entry.columns
    .filter((column) => !short.includes(column.title))
    .flatMap((column) => (column.title === "*" && random() < 0.3 ? [] : [column]));
  const head = columns.map((column) => (column.title === "*" ? code("title") : column.title));
  const row = (): string[] =>
    columns.map((column) => {
      const chance = random();
      if (chance < 0.05) return "not shown";
      if (chance < 0.2 && column.none) return "none";
      const forms = column.cells.length === 0 ? rules : column.cells;
      const one = (): string => sentence(random, pick(random, forms));
      return column.many && random() < 0.4 ? `${one()}; ${one()}` : one();
    });
  const rows = Array.from({ length: 1 + Math.floor(random() * 3) }, row);
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(head), `|${"---|".repeat(head.length)}`, ...rows.map(line)].join("\n");
}
