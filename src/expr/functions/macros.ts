/* data table */
/** The macros of expressions. */

/** The macros: calls whose arguments see a variable, or ask for presence. */
interface MacroEntry {
  readonly name: string;
  /** How it is written, one line for each number of arguments. */
  readonly written: readonly string[];
  readonly does: string;
  readonly example: string;
}

/** Every macro. A list may be a map: then its keys are gone through. */
export const macroTable: readonly MacroEntry[] = [
  {
    name: "all",
    written: ["list.all(x, condition)"],
    does:
      "Whether the condition holds for every item; true for an empty list. A false item decides, " +
      "even beside an item that is a fault. This and the other macros go through the keys of a " +
      "map: `m.all(k, m[k] > 0)`.",
    example: '{"a": 1}.all(k, size(k) == 1)',
  },
  {
    name: "exists",
    written: ["list.exists(x, condition)"],
    does:
      "Whether the condition holds for some item; false for an empty list. A true item decides, " +
      "even beside an item that is a fault.",
    example: "[1, 2].exists(x, x > 1)",
  },
  {
    name: "exists_one",
    written: ["list.exists_one(x, condition)"],
    does: "Whether the condition holds for exactly one item.",
    example: "[1, 2].exists_one(x, x > 1)",
  },
  {
    name: "filter",
    written: ["list.filter(x, condition)"],
    does: "The items for which the condition holds, in their order.",
    example: "[1, 2, 3].filter(x, x != 2) == [1, 3]",
  },
  {
    name: "group",
    written: ["list.group(x, key, value)"],
    does:
      "A map from each key (a string) to the list of the values that have it; keys in the order " +
      "in which they come first, values in the order of the list.",
    example: '[1, 2, 3].group(x, x == 2 ? "even" : "odd", x) == {"odd": [1, 3], "even": [2]}',
  },
  {
    name: "has",
    written: ["has(a.b)"],
    does:
      "Whether the member is given: present, null included. On a map: whether it has that key. " +
      "What is left of the last dot must itself be there.",
    example: 'has({"a": null}.a)',
  },
  {
    name: "map",
    written: ["list.map(x, value)", "list.map(x, condition, value)"],
    does: "The values for the items (with three arguments: those for which the condition holds).",
    example: "[1, 2, 3].map(x, x > 1, x * x) == [4, 9]",
  },
];
