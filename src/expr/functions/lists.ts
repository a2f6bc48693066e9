/* data table */
/** Functions of lists, maps and JSON. */
import { type FunctionEntry, form } from "./form.ts";

export const LISTS = [
  {
    name: "at_or_null",
    forms: [form("list of T, integer", "T or null"), form("map of T, string", "T or null")],
    does: "As `a[i]` and `m[k]`; null where there is no such item.",
    example: 'at_or_null([5, 6], 2) == null && at_or_null({"a": 1}, "a") == 1',
  },
  {
    name: "distinct",
    forms: [form("list of T", "list of T")],
    does: "The list without the items that are equal to an earlier one.",
    example: "distinct([2, 1, 2]) == [2, 1]",
  },
  {
    name: "first_or_null",
    forms: [form("list of T", "T or null")],
    does: "The first item; null of an empty list.",
    example: "first_or_null([5, 6]) == 5",
  },
  {
    name: "flatten",
    forms: [form("list of list of T", "list of T")],
    does: "The items of the lists in the list, one list after another: one level.",
    example: "flatten([[1], [], [2, 3]]) == [1, 2, 3]",
  },
  {
    name: "is_unique",
    forms: [form("list of T", "boolean")],
    does: "Whether no two items are equal.",
    example: "is_unique([1, 2, 3])",
  },
  {
    name: "json",
    forms: [form("json", "json")],
    does:
      "The value as JSON. A literal may have members and items of several types there. Numbers are " +
      "JSON numbers, a decimal with all its places, as they are wherever JSON is wanted.",
    example: 'json({"a": 1, "b": ["x", 2.50]}) == json({"b": ["x", 2.5], "a": 1})',
  },
  {
    name: "patched",
    forms: [form("json, json", "json")],
    does: "The first value patched by the second, RFC 7396: null takes a member away.",
    example: 'patched(json({"a": 1, "b": 2}), json({"b": null})) == json({"a": 1})',
  },
  {
    name: "last_or_null",
    forms: [form("list of T", "T or null")],
    does: "The last item; null of an empty list.",
    example: "last_or_null([5, 6]) == 6",
  },
  {
    name: "positions",
    forms: [form("list of T", "list of integer")],
    does: "0, 1 and so on, as many as the list has items: `positions(l).map(i, l[i])`.",
    example: 'positions(["a", "b"]) == [0, 1]',
  },
  {
    name: "range",
    forms: [form("count", "list of integer")],
    does: "0, 1 and so on up to, not including, a literal of at most 1,000.",
    example: "range(3) == [0, 1, 2]",
  },
  {
    name: "reverse",
    forms: [form("list of T", "list of T"), form("string", "string")],
    does: "The items, or the code points of a text, from last to first.",
    example: "reverse([1, 2, 3]) == [3, 2, 1]",
  },
  {
    name: "size",
    forms: [form("string", "integer"), form("list of T", "integer"), form("map of T", "integer")],
    does: "Of a text the number of Unicode code points, of a list or map the number of items.",
    example: 'size("🜁b") == 2',
  },
  {
    name: "slice",
    forms: [form("list of T, integer, integer", "list of T")],
    does:
      "The items from one position (the first is 0) up to, not including, another. A position " +
      "below 0 is 0, one past the size is the size; where the second is not behind the first, the " +
      "list is empty.",
    example: "slice([5, 6, 7], 1, 3) == [6, 7]",
  },
  {
    name: "sorted",
    forms: [form("list of O", "list of O")],
    does: "The items in ascending order (as `<` has it); equal items keep their order.",
    example: "sorted([3, 1, 2]) == [1, 2, 3]",
  },
] as const satisfies readonly FunctionEntry[];
