/** The functions of expressions: forms, exact meaning, a true example; the reference shows it. */
import { ENCODINGS } from "./functions/encodings.ts";
import type { FunctionEntry } from "./functions/form.ts";
import { LISTS } from "./functions/lists.ts";
import { MAPS } from "./functions/maps.ts";
import { NUMBERS } from "./functions/numbers.ts";
import { SECRETS } from "./functions/secrets.ts";
import { TEXTS } from "./functions/texts.ts";
import { TIMES } from "./functions/times.ts";

/** The names of all functions: a function that nobody evaluates does not compile. */
export type FunctionName =
  | (typeof NUMBERS)[number]["name"]
  | (typeof TEXTS)[number]["name"]
  | (typeof ENCODINGS)[number]["name"]
  | (typeof LISTS)[number]["name"]
  | (typeof MAPS)[number]["name"]
  | (typeof TIMES)[number]["name"]
  | (typeof SECRETS)[number]["name"];

/** Every function, by name. The two without an example depend on what the document states. */
export const functionTable: readonly FunctionEntry[] = [
  ...NUMBERS,
  ...TEXTS,
  ...ENCODINGS,
  ...LISTS,
  ...MAPS,
  ...TIMES,
  ...SECRETS,
].sort((a, b) => (a.name < b.name ? -1 : 1));

/** The same entries, found by name. */
export const functionsByName: ReadonlyMap<string, FunctionEntry> = new Map(
  functionTable.map((entry) => [entry.name, entry]),
);
