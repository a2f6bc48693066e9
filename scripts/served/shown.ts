/** Which test shows which item: `http` blocks of small documents, and names of tests in code. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** A test that shows items: a block `title` of a document, or a test by its whole name. */
export interface Shown {
  /** Path below the root. */
  readonly file: string;
  readonly title: string;
  readonly items: readonly string[];
}

export const ITEMS = "test/served/items";
const SPAN = /`([^`]+)`/g;

/** The blocks of a document: a note above each names the items that it shows. */
export function blocksShown(file: string, text: string): Shown[] {
  const found: Shown[] = [];
  let noted = "";
  let fence: string | undefined;
  for (const line of text.split("\n")) {
    const [, ticks, title] = /^(`{3,})(?:http (.+))?/.exec(line) ?? [];
    if (fence !== undefined) {
      if (line.trimEnd() === fence) fence = undefined;
    } else if (ticks !== undefined) {
      fence = ticks;
      if (title !== undefined) {
        found.push({ file, title, items: [...noted.matchAll(SPAN)].map(([, item = ""]) => item) });
      }
      noted = "";
    } else if (line.startsWith("> ")) noted += ` ${line.slice(2)}`;
    else if (line !== "") noted = "";
  }
  return found;
}

/** The tests of a file of code whose names are `served: item, item: words`. */
export function testsShown(file: string, text: string): Shown[] {
  // A long name stands in several strings.
  const joined = text.replaceAll(/"\s*\+\s*"/g, "");
  const names = joined.matchAll(/\btest\(\s*(["`])served: ([^"`,]*\/[^"`]*?)(?:: ([^"`]*))?\1/g);
  return [...names].map(([, , items = "", words]) => ({
    file,
    title: words ?? items,
    items: items.split(/,\s+/),
  }));
}

/** Everything that the tests below `root` show, in the order of the files. */
export function allShown(root: string): Shown[] {
  const paths = readdirSync(join(root, "test"), { recursive: true, encoding: "utf8" }).sort();
  return paths.flatMap((path) => {
    const file = `test/${path}`;
    const blocks = file.startsWith(`${ITEMS}/`) && file.endsWith(".md");
    if (!blocks && !file.endsWith(".test.ts")) return [];
    const text = readFileSync(join(root, file), "utf8");
    return blocks ? blocksShown(file, text) : testsShown(file, text);
  });
}
