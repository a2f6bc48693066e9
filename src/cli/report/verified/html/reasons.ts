/** What was not reached, by the reason, and what only the operator can tell. */
import { escaped, jsonHtml, laidOut } from "../../../../export/index.ts";
import type { Item, Looked } from "../model.ts";
import { type Group, givenForm, whyGroups } from "../why.ts";
import { itemLink, whyHtml, wordsHtml } from "./pieces.ts";

/** Reasons that differ from item to item. */
const OWN_WORDS: ReadonlySet<Group["is"]> = new Set(["gap", "not told", "code"]);

function groupHtml(looked: Looked, { is, heading, items }: Group): string {
  const groups = OWN_WORDS.has(is)
    ? Map.groupBy(items, (item) => whyHtml(looked, item))
    : new Map([["", items]]);
  const lists = [...groups].map(([words, own]) => {
    const lines = new Map(own.map((item): [string, Item] => [`${item.file}:${item.line}`, item]));
    const links = [...lines.values()].map((item) => `<li>${itemLink(looked, item)}</li>`);
    const said = words === "" ? "" : `<p class="of">${words}</p>`;
    return `${said}<ul class="items" role="list">${links.join("")}</ul>`;
  });
  const head = `${wordsHtml(heading)} <span class="num">${items.length}</span>`;
  return `<details class="reason"><summary>${head}</summary>${lists.join("")}</details>`;
}

/** The section; empty where all was reached. */
export function reasonsHtml(looked: Looked): string {
  const groups = whyGroups(looked);
  if (groups.length === 0) return "";
  const form = givenForm(looked);
  const asked =
    form === undefined
      ? ""
      : `<p>With what only the operator knows, in a file for <code>--given</code>, more is ` +
        `reached:</p><pre role="region" tabindex="0" aria-label="The form of the file"><code>` +
        `${jsonHtml(laidOut(form))}</code></pre>`;
  const all = groups.map((group) => groupHtml(looked, group));
  const count = escaped(String(looked.counts["not reached"]));
  return (
    `<section id="not-reached"><h2>Not reached <span class="num">${count}</span></h2>` +
    `${all.join("")}${asked}</section>`
  );
}
