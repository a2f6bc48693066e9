/** Why items were not reached, in words, and what only the operator can tell. */
import type { BaseType, Field, ItemId } from "../../../plan/index.ts";
import type { Why } from "../../../verify/index.ts";
import { endedWords, type Item, type Looked } from "./model.ts";

/** `file:line:column`. */
export function placeOfItem({ file, line, column }: Item): string {
  return `${file}:${line}:${column}`;
}

function placeById({ byId }: Looked, id: ItemId): string {
  const item = byId.get(id);
  return item === undefined ? `\`${id}\`` : placeOfItem(item);
}

const listed = (word: string, names: readonly string[]): string =>
  `${word}${names.length === 1 ? "" : "s"} ${names.map((name) => `\`${name}\``).join(", ")}`;

/** One reason in words, as a whole sentence without its full stop. */
export function whyWords(looked: Looked, item: Item, why: Why): string {
  switch (why.is) {
    case "gap":
      return why.gap === item.id
        ? "the document does not say it, and no request came to it"
        : `every way to it goes past the gap at ${placeById(looked, why.gap)}`;
    case "not told": {
      const settings = why.settings.length === 0 ? [] : [listed("setting", why.settings)];
      const rows = why.rows.map((name) => `the rows of \`${name}\` at the start`);
      return `only the operator knows ${[...settings, ...rows].join(" and ")}`;
    }
    case "limit": {
      const at = placeById(looked, why.limit);
      return `the limit at ${at} let nothing through: others, or a run before, used it up`;
    }
    case "code":
      return `every way to it asks the code behind \`${why.call}\``;
    case "fault":
      return `\`${why.condition}\`: nobody can bring that about from outside`;
    case "time":
      return "it needs time to pass";
    case "no answer":
      return "no answer to a request hangs on it";
    case "not tried":
      return `no request came to it, and ${endedWords(looked.outcome)}`;
  }
}

/** Under which headings reasons are listed, in this order. */
const HEADINGS: Readonly<Record<Why["is"], string>> = {
  "not told": "Only the operator can tell: `--given`",
  gap: "Behind a gap of the document",
  limit: "Behind a limit that was used up",
  code: "Hangs on code behind a call",
  time: "Needs time to pass",
  "not tried": "No request came to it",
  fault: "Nobody can bring it about from outside",
  "no answer": "No answer hangs on it",
};

export interface Group {
  readonly is: Why["is"];
  readonly heading: string;
  readonly items: readonly Item[];
}

/** What was not reached, by the reason. */
export function whyGroups({ items }: Looked): readonly Group[] {
  return (Object.keys(HEADINGS) as Why["is"][]).flatMap((is) => {
    const own = items.filter(({ why }) => why?.is === is);
    return own.length === 0 ? [] : [{ is, heading: HEADINGS[is], items: own }];
  });
}

/** What an operator writes in place of a value. */
function placeholder({ kind }: BaseType): unknown {
  if (kind === "integer" || kind === "number" || kind === "decimal") return 0;
  if (kind === "boolean") return false;
  return kind === "list" ? [] : kind === "map" || kind === "structure" ? {} : `<${kind}>`;
}

/** Whether the service fills the field in by itself. */
function isMade({ rules, type }: Field): boolean {
  const makes = new Set(["set", "starts", "counts up"]);
  return type.orNull || rules.some(({ kind }) => makes.has(kind));
}

/** The form of the file for `--given` that tells what was asked for; undefined: nothing was. */
export function givenForm({ plan, items }: Looked): string | undefined {
  const asked = items.flatMap(({ why }) => (why?.is === "not told" ? [why] : []));
  if (asked.length === 0) return undefined;
  const settings = [...new Set(asked.flatMap((one) => one.settings))];
  const rows = [...new Set(asked.flatMap((one) => one.rows))];
  const typeOf = (name: string): BaseType =>
    plan.about.settings.find((one) => one.name === name)?.type.type ?? { kind: "json" };
  const fieldsOf = (name: string): readonly Field[] =>
    plan.resources.find((one) => one.name === name)?.fields ?? [];
  const form = {
    ...(settings.length === 0
      ? {}
      : { settings: Object.fromEntries(settings.map((one) => [one, placeholder(typeOf(one))])) }),
    ...(rows.length === 0
      ? {}
      : {
          rows: Object.fromEntries(
            rows.map((name) => {
              const fields = fieldsOf(name).filter((field) => !isMade(field));
              const row = fields.map((field) => [field.name, placeholder(field.type.type)]);
              return [name, [Object.fromEntries(row)]];
            }),
          ),
        }),
  };
  return JSON.stringify(form);
}
