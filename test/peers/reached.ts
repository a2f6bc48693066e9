/** Writes as a page which items of the documents suites have reached through the proxy. */
import type { Reached } from "./proxied.ts";

type Suite = Reached & { readonly suite: string };

const HEAD = `# What suites of others reach

Written by \`PROXY=fresh REACHED=docs/reached.md npm run test:peers\` ([how](peers.md#through-the-proxy)): the items of each document whose verdict was \`held\` through
\`lacuna proxy\`, by part, and then each line of the document with the items that were, or were not, reached.
`;

const HELD = "held";

/** The last words of an item's name that tell it from others of the same line. */
const short = (id: string): string => id.split("/").slice(1).join("/").replaceAll("|", "\\|");

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

function ofDocument(document: string, suites: readonly Suite[]): string {
  const items = suites[0]?.items ?? [];
  const heldBy = suites.map((one) => {
    const held = one.items.filter(({ verdict }) => verdict === HELD);
    return new Set(held.map(({ id }) => id));
  });
  const numbers = suites.map((_, i) => String(i + 1));
  const parts = [...new Set(items.map(({ part }) => part))].map((part) => {
    const own = items.filter((one) => one.part === part);
    const counts = heldBy.map((held) => String(own.filter(({ id }) => held.has(id)).length));
    return [part === "" ? "the document" : part, String(own.length), ...counts];
  });
  const rows = [...Map.groupBy(items, ({ line }) => line)].map(([line, own]) => {
    const by = numbers.map((number, i) => {
      const held = own.filter(({ id }) => heldBy[i]?.has(id) === true).length;
      return held === 0 ? "" : `${number}: ${held} of ${own.length}`;
    });
    const reached = by.filter((one) => one !== "").join(", ");
    return [String(line), own.map(({ id }) => `\`${short(id)}\``).join(", "), reached];
  });
  return [
    `## ${document}`,
    "",
    ...suites.map(({ suite, tally }, i) => `${i + 1}. ${suite}: ${tally}`),
    "",
    table(["part", "items", ...numbers], parts),
    "",
    table(["line", "items", "held"], rows),
    "",
  ].join("\n");
}

/** The page, in Markdown. */
export function reachedPage(suites: readonly Suite[]): string {
  const documents = Map.groupBy(suites, ({ document }) => document);
  return [HEAD, ...[...documents].map(([document, own]) => ofDocument(document, own))].join("\n");
}
