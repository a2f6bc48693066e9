/* data table */
/** Functions of maps. */
import { type FunctionEntry, form } from "./form.ts";

export const MAPS = [
  {
    name: "keys",
    forms: [form("map of T", "list of string")],
    does: "The keys, in their order.",
    example: 'keys({"a": 1, "b": 2}) == ["a", "b"]',
  },
  {
    name: "merge",
    forms: [form("map of T, map of T", "map of T")],
    does: "The members of both; of a key of both, the second value. New keys come last.",
    example: 'merge({"a": 1, "b": 2}, {"b": 3}) == {"a": 1, "b": 3}',
  },
  {
    name: "only",
    forms: [form("map of T, list of string", "map of T")],
    does: "The members whose keys are in the list.",
    example: 'only({"a": 1, "b": 2}, ["b", "c"]) == {"b": 2}',
  },
  {
    name: "values",
    forms: [form("map of T", "list of T")],
    does: "The values, in the order of their keys.",
    example: 'values({"a": 1, "b": 2}) == [1, 2]',
  },
  {
    name: "without",
    forms: [form("map of T, list of string", "map of T")],
    does: "The members whose keys are not in the list.",
    example: 'without({"a": 1, "b": 2}, ["b", "c"]) == {"a": 1}',
  },
] as const satisfies readonly FunctionEntry[];
