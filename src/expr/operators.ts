/* data table */
/** The operators of expressions: forms, exact meaning, a true example; the reference shows it. */
import type { Form } from "./functions/form.ts";

/** An operator. `fn` is its name in code; `example` is an expression that is true. */
interface OperatorEntry {
  readonly fn: string;
  readonly written: string;
  readonly forms: readonly Form[];
  /** Exact meaning, faults included. */
  readonly does: string;
  readonly example: string;
}

function form(takes: string, gives: string): Form {
  return { takes: takes.split(", "), gives };
}

/** Binding strength of the binary operators; all of them associate to the left. */
export const STRENGTH: ReadonlyMap<string, number> = new Map([
  ["||", 1],
  ["&&", 2],
  ["==", 3],
  ["!=", 3],
  ["<", 3],
  ["<=", 3],
  [">", 3],
  [">=", 3],
  ["in", 3],
  ["+", 4],
  ["-", 4],
  ["*", 5],
  ["/", 5],
  ["%", 5],
]);

const ORDERED: readonly Form[] = [
  form("integer, integer", "boolean"),
  form("decimal(p), decimal(p)", "boolean"),
  form("number, number", "boolean"),
  form("string, string", "boolean"),
  form("timestamp, timestamp", "boolean"),
  form("duration, duration", "boolean"),
  form("date, date", "boolean"),
];

const ORDER_TEXT =
  "Both sides have the same type; a decimal literal with fewer places than the other side is " +
  "widened exactly. Texts compare by Unicode code points.";

const OPERATORS = [
  {
    fn: "!",
    written: "!a",
    forms: [form("boolean", "boolean")],
    does: "True where `a` is false.",
    example: "!false",
  },
  {
    fn: "neg",
    written: "-a",
    forms: [form("integer", "integer"), form("decimal(p)", "decimal(p)"), form("number", "number")],
    does: "The value with the other sign.",
    example: "-(1 + 1) == -2",
  },
  {
    fn: "*",
    written: "a * b",
    forms: [
      form("integer, integer", "integer"),
      form("decimal(p), integer", "decimal(p)"),
      form("integer, decimal(p)", "decimal(p)"),
      form("decimal(p), decimal(q)", "decimal(p+q)"),
      form("number, number", "number"),
    ],
    does:
      "The exact product: the places of two decimals add up. Past 38 digits it is a fault, as is " +
      "a number that is not finite.",
    example: "1.5 * 0.25 == 0.375",
  },
  {
    fn: "/",
    written: "a / b",
    forms: [form("integer, integer", "integer"), form("number, number", "number")],
    does:
      "The quotient; of integers cut towards zero. A divisor that may be zero needs a guard. Decimals are " +
      "divided with `divide`, which states the rounding.",
    example: "-7 / 2 == -3",
  },
  {
    fn: "%",
    written: "a % b",
    forms: [form("integer, integer", "integer")],
    does: "What is left by `/`: it has the sign of `a`. A divisor that may be zero needs a guard.",
    example: "-7 % 2 == -1",
  },
  {
    fn: "+",
    written: "a + b",
    forms: [
      form("integer, integer", "integer"),
      form("decimal(p), decimal(p)", "decimal(p)"),
      form("number, number", "number"),
      form("string, string", "string"),
      form("list of T, list of T", "list of T"),
      form("timestamp, duration", "timestamp"),
      form("duration, timestamp", "timestamp"),
      form("duration, duration", "duration"),
    ],
    does:
      "The exact sum (past 38 digits a fault), texts or lists one after the other, an instant " +
      "moved by a duration (outside years 0001 to 9999 a fault).",
    example: '"a" + "b" == "ab"',
  },
  {
    fn: "-",
    written: "a - b",
    forms: [
      form("integer, integer", "integer"),
      form("decimal(p), decimal(p)", "decimal(p)"),
      form("number, number", "number"),
      form("timestamp, timestamp", "duration"),
      form("timestamp, duration", "timestamp"),
      form("duration, duration", "duration"),
    ],
    does: "The exact difference, with the bounds of `+`; of two instants the time between them.",
    example: "2.50 - 1 * 0.50 == 2.00",
  },
  { fn: "<", written: "a < b", forms: ORDERED, does: ORDER_TEXT, example: "1.5 < 1.55" },
  { fn: "<=", written: "a <= b", forms: ORDERED, does: ORDER_TEXT, example: '"B" <= "a"' },
  { fn: ">", written: "a > b", forms: ORDERED, does: ORDER_TEXT, example: "2 > -3" },
  { fn: ">=", written: "a >= b", forms: ORDERED, does: ORDER_TEXT, example: "2 >= 2" },
  {
    fn: "==",
    written: "a == b",
    forms: [form("T, T", "boolean")],
    does:
      "Whether both are the same value: null equals null alone; lists item by item; maps key by " +
      "key in any order; references and rows when they are the same row. Either side may be null.",
    example: '{"a": [1]} == {"a": [1]}',
  },
  {
    fn: "!=",
    written: "a != b",
    forms: [form("T, T", "boolean")],
    does: "The opposite of `==`.",
    example: '"a" != "A"',
  },
  {
    fn: "in",
    written: "a in b",
    forms: [form("T, list of T", "boolean"), form("string, map of T", "boolean")],
    does: "Whether some item of the list equals `a`; whether the map has the key `a`.",
    example: '"b" in ["a", "b"]',
  },
  {
    fn: "[]",
    written: "a[i], m[k]",
    forms: [form("list of T, integer", "T"), form("map of T, string", "T")],
    does:
      "The item at a position (the first is 0); the value of a key. An item that may not be there " +
      "needs a guard: `size(a) > i && ...`, with `i >= 0` where `i` may be below zero, or " +
      '`k in m && ...`. `header["If-Match"]` is a member whose name is no word.',
    example: '[5, 6][1] + {"a": 1}["a"] == 7',
  },
  {
    fn: "&&",
    written: "a && b",
    forms: [form("boolean, boolean", "boolean")],
    does:
      "Whether both hold. Where one side is false the other does not matter, even if it is a " +
      "fault. `b` may rely on `a` (guards).",
    example: '!("a" == "b" && "ab".startsWith("a"))',
  },
  {
    fn: "||",
    written: "a || b",
    forms: [form("boolean, boolean", "boolean")],
    does:
      "Whether one holds. Where one side is true the other does not matter, even if it is a " +
      "fault. `b` may rely on `a` being false (guards).",
    example: '"a" == "b" || "ab".startsWith("a")',
  },
  {
    fn: "?:",
    written: "c ? a : b",
    forms: [form("boolean, T, T", "T")],
    does: "`a` where `c` holds, else `b`; the other one is not evaluated.",
    example: "(1 < 2 ? 5 : 6) == 5",
  },
] as const satisfies readonly OperatorEntry[];

/** The names in code of all operators. */
export type OperatorName = Exclude<(typeof OPERATORS)[number]["fn"], "[]">;

/** Every operator, weakest binding last. */
export const operatorTable: readonly OperatorEntry[] = OPERATORS;

/** The same entries, found by their name in code. */
export const operatorsByName: ReadonlyMap<string, OperatorEntry> = new Map(
  operatorTable.map((entry) => [entry.fn, entry]),
);
