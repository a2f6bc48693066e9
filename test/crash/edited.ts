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
