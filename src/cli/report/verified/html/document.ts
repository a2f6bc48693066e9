/** The document's own lines in their order, each with what was found of it. */
import { escaped } from "../../../../export/index.ts";
import type { Verdict } from "../../../../verify/index.ts";
import { sourceOf } from "../../model.ts";
import type { Item, Line, Looked } from "../model.ts";
import { classOf, lineId, requestLinks, signHtml, VERDICTS, whyHtml } from "./pieces.ts";

interface Row {
  readonly number: number;
  readonly text: string;
  /** What it states; undefined: nothing. */
  readonly line: Line | undefined;
}

interface Part {
  readonly name: string;
  /** Whether it is the first of that name. */
  readonly isNew: boolean;
  readonly rows: readonly Row[];
}

/** The part that most items of some lines are of; a gap may stand at the title of another. */
function nameOf(rows: readonly Row[]): string {
  const items = rows.flatMap(({ line }) => line?.items ?? []);
  const groups = [...Map.groupBy(items, ({ part }) => part)];
  return groups.toSorted(([, a], [, b]) => b.length - a.length)[0]?.[0] ?? "";
}

/** The lines of a file, cut at the titles of the parts. */
function partsOf({ lines }: Looked, file: string, text: string): readonly Part[] {
  const known = new Map(lines.flatMap((one) => (one.file === file ? [[one.line, one]] : [])));
  const parts: Row[][] = [[]];
  let isCode = false;
  for (const [i, own] of text.split(/\r\n|\r|\n/).entries()) {
    if (/^\s*(?:```|~~~)/.test(own)) isCode = !isCode;
    if (!isCode && own.startsWith("## ")) parts.push([]);
    parts.at(-1)?.push({ number: i + 1, text: own, line: known.get(i + 1) });
  }
  const taken = new Set<string>();
  return parts.map((rows) => {
    const name = nameOf(rows);
    const isNew = !taken.has(name);
    taken.add(name);
    return { name, rows, isNew };
  });
}

/** Names of the parts that have a place in the page. */
export function placedParts(looked: Looked): ReadonlySet<string> {
  const { file, text } = looked.outcome.report;
  return new Set(partsOf(looked, file, text).map(({ name }) => name));
}

/** The text of a line, what of it is broken marked. */
function markedHtml(text: string, items: readonly Item[], number: number): string {
  const spans = items
    .filter(({ verdict }) => verdict === "broken")
    .map(({ column, endLine, endColumn }) => ({
      from: column - 1,
      to: endLine === number ? endColumn - 1 : text.length,
    }))
    .toSorted((a, b) => a.from - b.from);
  let html = "";
  let at = 0;
  for (const { from, to } of spans) {
    if (to <= at) continue;
    const start = Math.max(at, from);
    html += `${escaped(text.slice(at, start))}<mark>${escaped(text.slice(start, to))}</mark>`;
    at = to;
  }
  return html + escaped(text.slice(at));
}

function itemHtml(looked: Looked, item: Item): string {
  const { verdict, requests } = item;
  const why = item.why === undefined ? "" : `: ${whyHtml(looked, item)}`;
  const by =
    requests.length === 0
      ? ""
      : ` <span class="by">by request${requests.length === 1 ? "" : "s"} ` +
        `${requestLinks(requests)}</span>`;
  return (
    `<li>${signHtml(verdict)} <code>${escaped(item.id)}</code> ` +
    `<span class="said">${verdict}${why}</span>${by}</li>`
  );
}

/** How many of the items of a line are as the line is called, where that is not all. */
function shareHtml({ items, verdict }: Line): string {
  const own = items.filter((one) => one.verdict === verdict).length;
  return own === items.length ? "" : `<span class="share">${own} of ${items.length}</span>`;
}

function rowHtml(looked: Looked, file: string, { number, text, line }: Row): string {
  const id = lineId(looked, { file, line: number });
  const isHeading = /^#{1,6} /.test(text);
  const kind = isHeading ? " h" : "";
  if (line === undefined) {
    return (
      `<div class="row plain${kind}" id="${id}"><span class="no">${number}</span><span></span>` +
      `<code>${escaped(text)}</code></div>`
    );
  }
  const items = line.items.map((item) => itemHtml(looked, item));
  return (
    `<details class="row v-${classOf(line.verdict)}${kind}" id="${id}"><summary>` +
    `<span class="no">${number}</span>${signHtml(line.verdict)}` +
    `<code>${markedHtml(text, line.items, number)}</code>${shareHtml(line)}</summary>` +
    `<ul class="found" role="list">${items.join("")}</ul></details>`
  );
}

function fileHtml(looked: Looked, file: string, text: string): string {
  return partsOf(looked, file, text)
    .map(({ name, rows, isNew }, i) => {
      const isOwn = name !== "" && isNew && file === looked.outcome.report.file;
      const id = isOwn
        ? `in-${name}`
        : `lines-${file === looked.outcome.report.file ? "" : "a"}${i}`;
      const inner = rows.map((row) => rowHtml(looked, file, row)).join("");
      return `<div class="lines" id="${escaped(id)}" data-part="${escaped(name)}">${inner}</div>`;
    })
    .join("");
}

/** Choices that need no script: the style asks which is taken. */
function choicesHtml({ parts }: Looked): string {
  const choice = (group: string, value: string, words: string): string => {
    const id = `${group}-${value === "" ? "all" : value}`;
    const isFirst = value === "" ? " checked" : "";
    return (
      `<input type="radio" name="${group}" id="${escaped(id)}"${isFirst}>` +
      `<label for="${escaped(id)}">${words}</label>`
    );
  };
  const verdicts = VERDICTS.map((one: Verdict) => choice("show", classOf(one), one));
  const names = parts.map(({ name }) => choice("part", name, escaped(name)));
  return (
    `<div class="choices"><fieldset><legend>Lines</legend>${choice("show", "", "all")}` +
    `${verdicts.join("")}</fieldset><fieldset><legend>Part</legend>${choice("part", "", "all")}` +
    `${names.join("")}</fieldset></div>`
  );
}

/** Which lines the choices hide. */
export function choiceStyle({ parts }: Looked): string {
  const rows = VERDICTS.map((one) => {
    const name = classOf(one);
    return `body:has(#show-${name}:checked) .lines .row:not(.v-${name}) { display: none; }`;
  });
  // Names of parts are those of ids of items: letters alone.
  const own = parts.filter(({ name }) => /^[a-z]+$/.test(name));
  const groups = own.map(
    ({ name }) =>
      `body:has(#part-${name}:checked) .lines:not([data-part="${name}"]) { display: none; }`,
  );
  return [...rows, ...groups].join("\n");
}

/** All lines of the document, and of the assumptions where there are some. */
export function documentHtml(looked: Looked): string {
  const { report, origins } = looked.outcome;
  const assumed = [...origins.values()].find(({ file }) => file !== undefined);
  const other = assumed === undefined ? undefined : sourceOf(report, assumed);
  const more =
    other === undefined || other.file === report.file
      ? ""
      : `<h3>${escaped(other.file)}</h3>${fileHtml(looked, other.file, other.text)}`;
  return (
    `<section id="document"><h2>The document</h2><p class="of">Each line with what was found of ` +
    `it; a line opens on what it states, and the requests that show it.</p>` +
    `${choicesHtml(looked)}${fileHtml(looked, report.file, report.text)}${more}</section>`
  );
}
