/** The document of the crash run with fields more, which nobody sets. */
import { readFileSync } from "node:fs";

const text = readFileSync(new URL("spec.md", import.meta.url), "utf8");
const LAST_FIELD = /^(\| `counter` \| `Counter` \|.*)$/m;

/** Its text, with these fields of `Hit`, each a text that is null. */
export function edited(fields: readonly string[]): string {
  const rows = fields.map(
    (name) => `| \`${name}\` | string or null | no | no | yes | starts \`null\` |`,
  );
  return text.replace(LAST_FIELD, (line) => [line, ...rows].join("\n"));
}

const RESUME = /^(- Resume: from `Last-Event-ID`, kept) 24 h$/gm;

/** Its text with events that are kept for longer than any clock of the run jumps. */
export function keptForLong(given: string): string {
  const changed = given.replace(RESUME, "$1 15000 days");
  if (changed === given) throw new Error("the document has no stream that can be resumed");
  return changed;
}
