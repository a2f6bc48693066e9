/** Blocks of the document as HTML, each item with its line. */
import type { Span } from "../../base/index.ts";
import type { Block, Bullet, Fence, Inline, Paragraph, Step, Table } from "../../read/index.ts";
import { jsonHtml, linkedHtml } from "./code.ts";
import { exampleHtml } from "./exchanges.ts";
import { gapMark, inlineHtml, marked, proseOf, quoteLines, type Shown } from "./inline.ts";
import { lineId, type Page } from "./page.ts";
import { escaped } from "./text.ts";

/** Where blocks stand. */
export interface Around {
  /** The place of the section or part. */
  readonly at: string;
  /** What it is called, for the labels of tables. */
  readonly name: string;
}

/** The attributes of an element that is one line of the document. */
export function lineOf(page: Page, { start }: Span): string {
  const line = page.lineAt(start);
  return `id="${lineId(line)}" data-l="${line}"`;
}

function paragraphHtml(page: Page, { lines, prose }: Paragraph, shown: Shown): string {
  const first = lines[0];
  if (first === undefined) return "";
  // One paragraph, each line of it a place of its own that links can lead to.
  const inner = lines.map((line, i) => {
    const html = inlineHtml(page, line, { ...shown, isProse: prose });
    return i === 0 ? html : `<span ${lineOf(page, line)}>${html}</span>`;
  });
  return `<p class="line" ${lineOf(page, first)}>${inner.join("\n")}</p>`;
}

function quoteHtml(page: Page, quote: Span, shown: Shown): string {
  const paragraphs = quoteLines(page.text, quote).map((lines) => {
    const html = lines.map((line) => inlineHtml(page, line, { ...shown, isProse: true }));
    return `<p>${html.join("\n")}</p>`;
  });
  const line = lineOf(page, quote);
  return `<aside class="note line" aria-label="Note" ${line}>${paragraphs.join("")}</aside>`;
}

/** The stretch up to the first colon that stands in no code span, and what is behind it. */
function keyAndValue(text: string, inline: Inline): readonly [Inline, Inline] | undefined {
  let isCode = false;
  for (let at = inline.start; at < inline.end; at++) {
    const sign = text[at];
    if (sign === "`") isCode = !isCode;
    else if (sign === ":" && !isCode && /\s/.test(text[at + 1] ?? "")) {
      const key = { start: inline.start, end: at, inCell: false };
      let start = at + 1;
      while (start < inline.end && /\s/.test(text[start] ?? "")) start++;
      return [key, { start, end: inline.end, inCell: false }];
    }
  }
  return undefined;
}

function factHtml(page: Page, bullet: Bullet, shown: Shown): string {
  const both = keyAndValue(page.text, bullet.inline);
  const children = blocksHtml(page, bullet.children, shown);
  if (both === undefined) {
    const html = inlineHtml(page, bullet.inline, shown);
    return `<li class="line" ${lineOf(page, bullet)}>${html}${children}</li>`;
  }
  const [key, value] = both;
  const open = page.questions.within(bullet.inline);
  return (
    `<li class="fact line" ${lineOf(page, bullet)}>` +
    `<span class="key">${marked(page, key, [], { ...shown, isPlain: true })}` +
    `<span class="vh">:</span></span> ` +
    `<span class="value">${marked(page, value, open, shown)}${children}</span></li>`
  );
}

function stepHtml(page: Page, step: Step, shown: Shown): string {
  const html = inlineHtml(page, step.inline, shown);
  const children = blocksHtml(page, step.children, shown);
  return (
    `<li class="line" value="${step.number}" ${lineOf(page, step)}>` +
    `<span class="step">${html}</span>${children}</li>`
  );
}

const OWN_NAMES: ReadonlySet<string> = new Set(["Field", "Input"]);

/** The line of a row; where the row has a place of its own, with a link to it. */
function lineCell(line: number, id: string | undefined): string {
  const words = `<span class="vh">line </span>${line}`;
  return id === undefined ? words : `<a href="#${escaped(id)}">${words}</a>`;
}

function tableHtml(page: Page, table: Table, around: Around): string {
  const heads = table.header.cells.map((cell) => {
    return `<th scope="col">${inlineHtml(page, cell, { isPlain: true })}</th>`;
  });
  const [first] = table.header.cells;
  // What stands first in the row of a field is its own name.
  const isField = OWN_NAMES.has(page.text.slice(first?.start, first?.end).trim());
  const rows = table.rows.map((row) => {
    const line = page.lineAt(row.start);
    const place = page.rows.get(line);
    const cells = row.cells.map((cell, i) => {
      const isPlain = isField && i === 0;
      const html = inlineHtml(page, cell, { at: place?.id ?? around.at, isPlain });
      if (i > 0) return `<td>${html}</td>`;
      const id = place === undefined ? "" : ` id="${escaped(place.id)}"`;
      return `<th scope="row"${id}>${html}</th>`;
    });
    // A question about the row as a whole, which begins in none of its cells.
    const inCells = row.cells.flatMap((cell) => page.questions.within(cell));
    const rest = page.questions.within(row).filter((one) => !inCells.includes(one));
    const left = rest.length === 0 ? "" : `<td>${gapMark(rest, "not answered")}</td>`;
    return (
      `<tr id="${lineId(line)}">${cells.join("")}${left}` +
      `<td class="ln">${lineCell(line, place?.id)}</td></tr>`
    );
  });
  const names = table.header.cells.map((cell) => page.text.slice(cell.start, cell.end).trim());
  const label = escaped(`${around.name}: ${names.join(", ")}`.replaceAll("`", ""));
  return (
    `<div class="scroll" role="region" tabindex="0" aria-label="${label}">` +
    `<table><thead><tr id="${lineId(page.lineAt(table.start))}">${heads.join("")}` +
    `<th scope="col" class="ln"><span class="vh">Line</span></th></tr></thead>` +
    `<tbody>${rows.join("")}</tbody></table></div>`
  );
}

function captionOf(word: string, rest: readonly string[], info: string): string {
  const [kind = "", ...name] = rest;
  if (word === "json" && kind === "schema") return "JSON Schema";
  if (word === "json" && kind === "example") return `Example of the answer ${name.join(" ")}`;
  if (word === "json" && kind === "rows") return `Rows at the start: ${name.join(" ")}`;
  return info === "" ? "Code" : info;
}

/** What is kept for other tools alone: there, and folded away. */
function keptHtml(code: string, line: number): string {
  return (
    `<details class="code line" id="${lineId(line)}" data-l="${line}">` +
    `<summary>Kept for export, not served</summary>` +
    `<pre role="region" tabindex="0" aria-label="Kept for export"><code>${code}</code></pre>` +
    `</details>`
  );
}

/** What a description from elsewhere says of the section, which the document keeps for export. */
export function keptWords(page: Page, blocks: readonly Block[]): string {
  for (const block of blocks) {
    if (block.kind !== "fence" || !/^json\s+openapi$/.test(block.info)) continue;
    try {
      const { start, end } = block.content;
      const { summary, description } = JSON.parse(page.text.slice(start, end));
      const short = typeof summary === "string" ? `**${summary.trim()}**\n\n` : "";
      const long = typeof description === "string" ? description : "";
      const html = proseOf(short + long);
      return html === "" ? "" : `<div class="kept">${html}</div>`;
    } catch {
      return "";
    }
  }
  return "";
}

function fenceHtml(page: Page, fence: Fence): string {
  const { start, end } = fence.content;
  const content = page.text.slice(start, end).replace(/\s+$/, "");
  const [word = "", ...rest] = fence.info.split(/\s+/);
  const line = page.lineAt(fence.start);
  if (word === "http") return exampleHtml({ name: rest.join(" "), content, line });
  const placeOf = (name: string): string | undefined => page.names.get(name);
  const json = page.isLarge ? linkedHtml : jsonHtml;
  const code = word === "json" ? json(content, placeOf) : escaped(content);
  const caption = captionOf(word, rest, fence.info);
  if (word === "json" && rest[0] === "openapi") return keptHtml(code, line);
  return (
    `<figure class="code line" id="${lineId(line)}" data-l="${line}">` +
    `<figcaption>${escaped(caption)}</figcaption>` +
    `<pre role="region" tabindex="0" aria-label="${escaped(caption)}"><code>${code}</code>` +
    `</pre></figure>`
  );
}

type Kind = "bullet" | "step";

function itemsHtml(page: Page, items: readonly (Bullet | Step)[], shown: Shown): string {
  const inner = items.map((item) =>
    item.kind === "step" ? stepHtml(page, item, shown) : factHtml(page, item, shown),
  );
  const isSteps = items[0]?.kind === "step";
  const tag = isSteps ? "ol" : "ul";
  return `<${tag} class="${isSteps ? "steps" : "facts"}" role="list">${inner.join("")}</${tag}>`;
}

/** Blocks in their order; bullets, and steps, that follow one another are one list. */
export function blocksHtml(
  page: Page,
  blocks: readonly Block[],
  shown: Shown,
  around?: Around,
): string {
  const out: string[] = [];
  let items: (Bullet | Step)[] = [];
  let kind: Kind | undefined;
  const flush = (): void => {
    if (items.length > 0) out.push(itemsHtml(page, items, shown));
    items = [];
    kind = undefined;
  };
  for (const block of blocks) {
    if (block.kind === "bullet" || block.kind === "step") {
      if (kind !== undefined && kind !== block.kind) flush();
      kind = block.kind;
      items.push(block);
      continue;
    }
    flush();
    out.push(leafHtml(page, block, shown, around));
  }
  flush();
  return out.join("\n");
}

type Leaf = Exclude<Block, Bullet | Step>;

function leafHtml(page: Page, block: Leaf, shown: Shown, around?: Around): string {
  switch (block.kind) {
    case "paragraph":
      return paragraphHtml(page, block, shown);
    case "quote":
      return quoteHtml(page, block, shown);
    case "table":
      return tableHtml(page, block, around ?? { at: "", name: "Table" });
    case "fence":
      return fenceHtml(page, block);
    case "heading":
    case "html":
    case "other":
      return (
        `<pre class="raw line" ${lineOf(page, block)}>` +
        `${escaped(page.text.slice(block.start, block.end))}</pre>`
      );
  }
}
