/** The table of contents: parts, and what stands in them, with the open questions of each. */

import { pieces } from "./inline.ts";
import type { Page, Place } from "./page.ts";
import { counted, escaped } from "./text.ts";

/** How many questions are open there, in words for those who hear it. */
function badge(count: number): string {
  if (count === 0) return "";
  const words = `<span class="vh">, ${counted(count, "open question")}</span>`;
  const shown = `<span aria-hidden="true">${count}<span> open</span></span>`;
  return ` <span class="badge">${shown}${words}</span>`;
}

function headingOf(page: Page, { section, part }: Place): string {
  if (section === undefined) return escaped(part.title);
  const rest = page.text.slice(section.start);
  const end = rest.search(/[\r\n]/);
  const start = section.start + (/^#+\s*/.exec(rest)?.[0].length ?? 0);
  const inline = { start, end: end < 0 ? page.text.length : section.start + end, inCell: false };
  const [first, ...others] = pieces(page.text, inline);
  const [method = "", path = ""] = first?.text.split(/\s+/) ?? [];
  if (section.scope === "endpoint" && path !== "") {
    return (
      `<span class="m m-${escaped(method.toLowerCase())}">${escaped(method)}</span> ` +
      `<span class="path">${escaped(path).replaceAll("/", "/<wbr>")}</span>`
    );
  }
  return escaped([first, ...others].map((one) => one?.text ?? "").join(""));
}

function entry(page: Page, place: Place): string {
  const { section, id } = place;
  const own = section === undefined ? [] : page.questions.within(section);
  const words = `${headingOf(page, place)}${badge(own.length)}`;
  const kind = section?.scope === "endpoint" ? ` class="way"` : "";
  return `<li><a${kind} href="#${escaped(id)}">${words}</a></li>`;
}

/** The list for the navigation. */
export function contentsHtml(page: Page): string {
  const parts: string[] = [];
  const { text, questions } = page;
  const places = [...page.places.entries()].toSorted(([a], [b]) => a - b);
  const starts = places.flatMap(([start, { section }]) => (section === undefined ? [start] : []));
  let at = 0;
  for (const start of starts) {
    const end = starts[++at] ?? text.length;
    const inside = places.filter(([own]) => own >= start && own < end).map(([, place]) => place);
    const [part, ...sections] = inside;
    if (part === undefined) continue;
    const count = badge(questions.within({ start, end }).length);
    const inner = sections.map((one) => entry(page, one)).join("");
    parts.push(
      `<li><a class="part" href="#${escaped(part.id)}">${headingOf(page, part)}${count}</a>` +
        `${inner === "" ? "" : `<ul role="list">${inner}</ul>`}</li>`,
    );
  }
  const open = questions.all.length;
  const last =
    open === 0
      ? ""
      : `<li><a class="part" href="#open-questions">Open questions${badge(open)}</a></li>`;
  return `<ul role="list" class="toc">${parts.join("")}${last}</ul>`;
}
