/** Words in code spans and lines of documents, said at length (`test/long`) and as they are. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "../..");
const LONG = "test/long";

interface Count {
  readonly document: string;
  /** Words before and now, lines before and now. */
  readonly cells: readonly number[];
}

/** Words between white space in code spans; fenced blocks do not count. */
function wordsIn(text: string): number {
  const unfenced = text.replace(/^(`{3,}).*\n[\s\S]*?^\1$/gm, "");
  return [...unfenced.matchAll(/(`+)(.*?[^`])\1(?!`)/g)]
    .map(([, , code = ""]) => code.trim().split(/\s+/).length)
    .reduce((sum, words) => sum + words, 0);
}

const linesIn = (text: string): number => text.split("\n").length - 1;

/** The documents with a long form, in the order of their names. */
export function counts(): readonly Count[] {
  return readdirSync(join(root, LONG), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .toSorted()
    .map((name) => {
      const isUnseen = name.startsWith("unseen/");
      const document = isUnseen ? `test/${name}` : `examples/${name.slice(0, -3)}/spec.md`;
      const [before, now] = [join(LONG, name), document].map((file) =>
        readFileSync(join(root, file), "utf8"),
      ) as [string, string];
      return { document, cells: [wordsIn(before), wordsIn(now), linesIn(before), linesIn(now)] };
    });
}

/** All of them as one, with how many words fewer there are now. */
export function sumOf(all: readonly Count[]): Count {
  const cells = [0, 1, 2, 3].map((at) => all.reduce((sum, one) => sum + (one.cells[at] ?? 0), 0));
  const [before = 1, now = 0] = cells;
  const less = ((100 * (before - now)) / before).toFixed(1);
  return { document: `in all, ${less} % fewer words`, cells };
}
