/** The functions of expressions: forms, exact meaning, a true example; the reference shows it. */
import type { FunctionEntry } from "./functions/form.ts";
import { LISTS } from "./functions/lists.ts";
import { NUMBERS } from "./functions/numbers.ts";
import { SECRETS } from "./functions/secrets.ts";
import { TEXTS } from "./functions/texts.ts";
import { TIMES } from "./functions/times.ts";

/** The names of all functions: a function that nobody evaluates does not compile. */
export type FunctionName =
  | (typeof NUMBERS)[number]["name"]
  | (typeof TEXTS)[number]["name"]
  | (typeof LISTS)[number]["name"]
  | (typeof TIMES)[number]["name"]
  | (typeof SECRETS)[number]["name"];

/** Every function, by name. The two without an example depend on what the document states. */
export const functionTable: readonly FunctionEntry[] = [
  ...NUMBERS,
  ...TEXTS,
  ...LISTS,
  ...TIMES,
  ...SECRETS,
].sort((a, b) => (a.name < b.name ? -1 : 1));

/** The same entries, found by name. */
export const functionsByName: ReadonlyMap<string, FunctionEntry> = new Map(
  functionTable.map((entry) => [entry.name, entry]),
);
