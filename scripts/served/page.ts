/** The page `docs/served.md`: each item of the language and the tests that show it served. */
import { code, table } from "../docs/cells.ts";
import { allItems, groups, type Item } from "./items.ts";
import { allShown, type Shown } from "./shown.ts";

const INTRODUCTION = `# What is served

Every item that the notation can state, with the test that shows it served. A test is an \`http\`
block of a small document below \`test/served/items\`, run as it stands on both stores, or a test
in code whose name begins with \`served:\` and the item. This page is made by \`scripts/docs.ts\`; a
test fails where an item has no test, a test names no item, or the page is stale.

An item's name says its table, its scope or column, and its form; \`=word\` is one choice of the
form, \`[slot]\` a piece that may be left out, \`/none\` and \`/free\` those values.`;

function shownBy(item: Item, byItem: ReadonlyMap<string, readonly Shown[]>): string {
  const tests = byItem.get(item.id) ?? [];
  if (tests.length === 0) return item.unserved ?? "**not yet shown**";
  return tests
    .slice(0, 3)
    .map(({ file, title }) => `[${file.replace("test/", "")}](../${file}): ${title}`)
    .join("<br>");
}

/** The page's text; files below \`root\` are read. */
export function servedPage(root: string): string {
  const byItem = new Map<string, Shown[]>();
  for (const shown of allShown(root)) {
    for (const item of shown.items) byItem.set(item, [...(byItem.get(item) ?? []), shown]);
  }
  const items = allItems();
  const sections = groups.map((group) => {
    const rows = items
      .filter((item) => item.group === group)
      .map((item) => [code(item.id), code(item.form), shownBy(item, byItem)]);
    return `## ${group}\n\n${table(["Item", "Form", "Shown by"], rows)}`;
  });
  return `${[INTRODUCTION, ...sections].join("\n\n")}\n`;
}
