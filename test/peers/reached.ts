/** Writes as a page which items of the documents suites have reached through the proxy. */
import type { Reached } from "./proxied.ts";

type Suite = Reached & { readonly suite: string };

const HEAD = `# What suites of others reach

Written by \`PROXY=fresh REACHED=docs/reached.md npm run test:peers\` ([how](peers.md#through-the-proxy)): the items of each document whose verdict was \`held\` through
\`lacuna proxy\`, by part, and then each line of the document with the items that were, or were not, reached.
`;

const HELD = "held";

/** Where what stands below an item begins in its name. */
const BELOW =
  /\/(?:step|rule|who|body|path|query|header|cookie|else|then|under|says|status|fields|on)(?:[ /].*)?$/;

/** The item that one is, or stands below. */
function ownerOf(id: string): string {
  const whole = id.slice(id.indexOf("/") + 1);
  const at = whole.search(BELOW);
  const short = at < 0 ? whole : whole.slice(0, at);
  return short.replaceAll("|", "\\|");
}

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
  const isHeld = (id: string): boolean => heldBy.some((held) => held.has(id));
  const groups = [...Map.groupBy(items, ({ id }) => ownerOf(id))];
  const reached = groups.filter(([, own]) => own.some(({ id }) => isHeld(id)));
  const rows = reached.map(([owner, own]) => {
    const by = numbers.filter((_, i) => own.some(({ id }) => heldBy[i]?.has(id) === true));
    const count = own.filter(({ id }) => isHeld(id)).length;
    return [`\`${owner}\``, `${count} of ${own.length}`, by.join(", ")];
  });
  return [
    `## ${document}`,
    "",
    ...suites.map(({ suite, tally }, i) => `${i + 1}. ${suite}: ${tally}`),
    "",
    table(["part", "items", ...numbers], parts),
    "",
    table(["item", "reached", "by"], rows),
    "",
    `Of ${groups.length - reached.length} more nothing was reached.`,
    "",
  ].join("\n");
}

/** The page, in Markdown. */
export function reachedPage(suites: readonly Suite[]): string {
  const documents = Map.groupBy(suites, ({ document }) => document);
  return [HEAD, ...[...documents].map(([document, own]) => ofDocument(document, own))].join("\n");
}
