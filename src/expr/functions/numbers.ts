/* data table */
/** Functions of numbers. */
import { type FunctionEntry, form } from "./form.ts";

const ROUNDING =
  "`half_even` (to the nearest; half way, to the even digit), `half_up` (to the nearest; half " +
  "way, away from zero) or `down` (towards zero)";

export const NUMBERS = [
  {
    name: "abs",
    forms: [form("integer", "integer"), form("decimal(p)", "decimal(p)"), form("number", "number")],
    does: "The value without its sign.",
    example: "abs(-2.50) == 2.50",
  },
  {
    name: "ceil",
    forms: [form("decimal(p)", "integer"), form("number", "number")],
    does: "The least whole number that is not below the value.",
    example: "ceil(-1.50) == -1",
  },
  {
    name: "divide",
    forms: [
      form("decimal(p), decimal(q), places, rounding", "decimal(places)"),
      form("decimal(p), integer, places, rounding", "decimal(places)"),
      form("integer, decimal(p), places, rounding", "decimal(places)"),
      form("integer, integer, places, rounding", "decimal(places)"),
    ],
    does:
      "The exact quotient of the first two, rounded once to the given places. The rounding is " +
      `${ROUNDING}. A divisor that may be zero needs a guard.`,
    example: 'divide(10.00, 3, 2, "half_even") == 3.33',
  },
  {
    name: "floor",
    forms: [form("decimal(p)", "integer"), form("number", "number")],
    does: "The greatest whole number that is not above the value.",
    example: "floor(-1.50) == -2",
  },
  {
    name: "int",
    forms: [form("string", "integer"), form("integer", "integer"), form("decimal(0)", "integer")],
    does:
      "The integer that a text writes: an optional `-`, then decimal digits, nothing else; any " +
      "other text, or more than 38 digits, is a fault. A decimal must have 0 places: round it " +
      "first.",
    example: 'int("-42") == -42',
  },
  {
    name: "int_or_null",
    forms: [form("string", "integer or null")],
    does: "As `int`, and null for a text that it cannot read.",
    example: 'int_or_null("12a") == null',
  },
  {
    name: "max",
    forms: [form("O, O", "O"), form("list of O", "O")],
    does: "The greatest; of equal values the first. A list that may be empty needs a guard.",
    example: "max([3, 9, 4]) == 9",
  },
  {
    name: "min",
    forms: [form("O, O", "O"), form("list of O", "O")],
    does: "The least; of equal values the first. A list that may be empty needs a guard.",
    example: "min(3, 9) == 3",
  },
  {
    name: "number",
    forms: [form("integer", "number"), form("decimal(p)", "number")],
    does: "The binary64 number that is nearest to the value; of two, the even one.",
    example: "number(2.50) == 2.5e0",
  },
  {
    name: "round_down",
    forms: [form("decimal(p), places", "decimal(places)")],
    does: "The value with the given places, rounded towards zero.",
    example: "round_down(-1.999, 2) == -1.99",
  },
  {
    name: "round_half_even",
    forms: [form("decimal(p), places", "decimal(places)")],
    does: "The value with the given places, rounded to the nearest; half way, to the even digit.",
    example: "round_half_even(2.345, 2) == 2.34",
  },
  {
    name: "round_half_up",
    forms: [form("decimal(p), places", "decimal(places)")],
    does: "The value with the given places, rounded to the nearest; half way, away from zero.",
    example: "round_half_up(-2.345, 2) == -2.35",
  },
  {
    name: "sum",
    forms: [
      form("list of integer", "integer"),
      form("list of decimal(p)", "decimal(p)"),
      form("list of number", "number"),
    ],
    does:
      "The sum of the items, added from first to last; 0 for an empty list. Past 38 digits it is " +
      "a fault.",
    example: "sum([1.25, 2.50]) == 3.75",
  },
] as const satisfies readonly FunctionEntry[];
