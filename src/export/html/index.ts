/** A document as one page of HTML that needs nothing else: styles, drawings, script are in it. */
import { type Block, type Heading, readBlocks } from "../../read/index.ts";
import type { Exporter } from "../types.ts";
import { type Around, blocksHtml, keptWords, lineOf } from "./blocks.ts";
import { contentsHtml } from "./contents.ts";
import { basePath, type Endpoints, endpointsOf } from "./endpoints.ts";
import { answeringHtml, overviewHtml, questionsHtml } from "./front.ts";
import { inlineHtml, pieces } from "./inline.ts";
import { type Page, type Place, pageOf } from "./page.ts";
import { documentHtml } from "./shell.ts";
import { machinesOf } from "./states/diagram.ts";
import { escaped } from "./text.ts";

interface Making {
  readonly page: Page;
  readonly endpoints: Endpoints;
  readonly machine: ReturnType<typeof machinesOf>;
}

/** A heading with the blocks below it, up to the next one of its level or above. */
interface Chapter {
  readonly heading?: Heading;
  readonly blocks: readonly Block[];
}

/** Cuts blocks at headings of a level; what stands above the first comes first. */
function chapters(blocks: readonly Block[], level: number): Chapter[] {
  const found: { heading?: Heading; blocks: Block[] }[] = [{ blocks: [] }];
  for (const block of blocks) {
    if (block.kind === "heading" && block.level === level) {
      found.push({ heading: block, blocks: [] });
    } else found.at(-1)?.blocks.push(block);
  }
  return found;
}

/** A link to a heading, beside it. */
function anchor(id: string, name: string): string {
  const label = `Link to ${name}`;
  return `<a class="anchor" href="#${escaped(id)}" aria-label="${escaped(label)}">#</a>`;
}

function headingWords(page: Page, heading: Heading): string {
  return pieces(page.text, heading.inline)
    .map(({ text }) => text)
    .join("");
}

/** The heading of an endpoint: its method, its path, and, apart, what it is for. */
function endpointTitle(page: Page, heading: Heading): readonly [string, string] {
  const [first, ...rest] = pieces(page.text, heading.inline);
  const [method = "", path = ""] = first?.isCode ? first.text.split(/\s+/) : [];
  if (path === "") return [inlineHtml(page, heading.inline, { isPlain: true }), ""];
  const title = rest
    .map(({ text }) => text)
    .join("")
    .replace(/^\s*:\s*/, "");
  const named =
    `<span class="m m-${escaped(method.toLowerCase())}">${escaped(method)}</span> ` +
    `<code class="path">${escaped(path)}</code>`;
  if (title === "") return [named, ""];
  return [named, `<span class="title"><span class="vh">: </span>${escaped(title)}</span>`];
}

function sectionHtml({ page, endpoints, machine }: Making, chapter: Chapter): string {
  const { heading, blocks } = chapter;
  if (heading === undefined) return "";
  const place = page.places.get(heading.start);
  const name = headingWords(page, heading);
  const id = place?.id ?? page.ids.take(name);
  const around: Around = { at: id, name };
  const item = place?.section?.id;
  const endpoint = page.endpoints.get(item ?? "");
  const states = page.machines.get(item ?? "");
  const [title, aim] =
    endpoint === undefined
      ? [inlineHtml(page, heading.inline, { isPlain: true }), ""]
      : endpointTitle(page, heading);
  const stated = keptWords(page, blocks) + blocksHtml(page, blocks, { at: id }, around);
  const beside = endpoint === undefined ? "" : endpoints.panels(endpoint, id);
  const drawn = states === undefined ? "" : machine(states, id);
  const base = endpoint === undefined ? "" : basePath(page.plan);
  const below = base === "" ? "" : `<p class="below">below <code>${escaped(base)}</code></p>`;
  const body =
    beside === ""
      ? drawn + stated
      : `<div class="both"><div class="stated">${below}${stated}</div><div class="told">` +
        `${beside}</div></div>`;
  const kind = endpoint === undefined ? "section" : "section endpoint";
  return (
    `<section class="${kind}" id="${escaped(id)}" aria-labelledby="${escaped(id)}--h">` +
    `<h3 id="${escaped(id)}--h" class="line"><span ${lineOf(page, heading)}>${title}</span>` +
    `${aim}${anchor(id, name)}</h3>${body}</section>`
  );
}

function partHtml(making: Making, { heading, blocks }: Chapter): string {
  if (heading === undefined) return "";
  const { page, endpoints } = making;
  const [top, ...sections] = chapters(blocks, 3);
  const place: Place | undefined = page.places.get(heading.start);
  const name = headingWords(page, heading);
  const id = place?.id ?? page.ids.take(name);
  const inner = blocksHtml(page, top?.blocks ?? [], { at: id }, { at: id, name });
  const errors = place?.part.id === "errors" ? answeringHtml(page, endpoints) : "";
  return (
    `<section class="part" id="${escaped(id)}" aria-labelledby="${escaped(id)}--h">` +
    `<h2 id="${escaped(id)}--h" class="line"><span ${lineOf(page, heading)}>` +
    `${inlineHtml(page, heading.inline, { isPlain: true })}</span>${anchor(id, name)}</h2>` +
    `${inner}${errors}${sections.map((one) => sectionHtml(making, one)).join("\n")}</section>`
  );
}

/** The whole page. Total; linear in the document but for the walks that the plan's answers need. */
export const html: Exporter = (from) => {
  const page = pageOf(from);
  const endpoints = endpointsOf(page);
  const making: Making = { page, endpoints, machine: machinesOf(page) };
  const { blocks } = readBlocks(page.text);
  const [front, ...parts] = chapters(blocks, 2);
  const title = front?.blocks.find((one) => one.kind === "heading" && one.level === 1);
  const intro = (front?.blocks ?? []).filter((one) => one.kind !== "heading" || one.level !== 1);
  const main = parts.map((one) => partHtml(making, one)).join("\n");
  const lead = blocksHtml(page, intro, {});
  return documentHtml({
    title: page.spec.title.text.replaceAll("`", ""),
    file: page.file,
    lead: `${lead}${overviewHtml(page)}`,
    contents: contentsHtml(page),
    main: `${main}${questionsHtml(page)}`,
    line: title === undefined ? "" : lineOf(page, title),
    isLarge: page.isLarge,
  });
};
