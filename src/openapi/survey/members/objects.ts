/** The objects of a version, from the words of its table. */
import { OPENAPI_30, OPENAPI_31, OPENAPI_32, SWAGGER, type Table } from "./tables.ts";

/** What an object's member is: of which kind, alone, in a list, or under names. */
export interface Inner {
  readonly kind: string;
  readonly as: "one" | "list" | "names";
}

/** The members of one kind of object; a member that is no object of a kind has no `Inner`. */
export interface Members {
  readonly own: ReadonlyMap<string, Inner | undefined>;
  /** What stands under every other name. */
  readonly rest?: Inner;
}

function innerOf(what: string): Inner {
  const kind = what.replaceAll(/[[\]{}]/g, "");
  return { kind, as: what.startsWith("[") ? "list" : what.startsWith("{") ? "names" : "one" };
}

function membersOf(words: string): Members {
  const own = new Map<string, Inner | undefined>();
  let rest: Inner | undefined;
  for (const word of words.split(" ")) {
    const [name = "", what] = word.split(":");
    if (name === "*" && what !== undefined) rest = innerOf(what);
    else own.set(name, what === undefined ? undefined : innerOf(what));
  }
  return { own, ...(rest && { rest }) };
}

const made = new Map<Table, ReadonlyMap<string, Members>>();

/** The objects of a version, by their kinds. */
export function objectsOf(kind: string, version: string): ReadonlyMap<string, Members> {
  const later = version.startsWith("3.2") ? OPENAPI_32 : OPENAPI_31;
  const openapi = version.startsWith("3.0") ? OPENAPI_30 : later;
  const table = kind === "swagger" ? SWAGGER : openapi;
  const known = made.get(table);
  if (known !== undefined) return known;
  const all = new Map(Object.entries(table).map(([name, words]) => [name, membersOf(words)]));
  made.set(table, all);
  return all;
}
