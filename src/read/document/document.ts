/** Reads blocks into a specification: the title, the nine parts, their sections. */
import { nearest } from "../../base/index.ts";
import { type PartEntry, parts } from "../../language/index.ts";
import type { PartNode, SectionNode, Spec, TextSlot } from "../../spec/index.ts";
import type { Block, Heading } from "../blocks/index.ts";
import { type Context, report } from "./context.ts";
import { readSection } from "./section.ts";

interface Cut {
  readonly entry: PartEntry;
  readonly heading: Heading;
  readonly blocks: Block[];
}

function inlineText(context: Context, heading: Heading): string {
  return context.text.slice(heading.inline.start, heading.inline.end).trim();
}

function readTitle(context: Context, blocks: readonly Block[]): TextSlot {
  const titles = blocks.filter((block) => block.kind === "heading" && block.level === 1);
  const [first, second] = titles;
  if (first?.kind !== "heading") {
    report(
      context,
      "no-title",
      { start: 0, end: 0 },
      {
        message: "The document has no title.",
        hint: "Begin it with a line `# Name of the service`.",
      },
    );
    return { kind: "text", text: "", start: 0, end: 0 };
  }
  if (second !== undefined)
    report(context, "second-title", second, { message: "A document has one title." });
  const before = blocks.find((block) => block.start < first.start && block.kind !== "quote");
  if (before !== undefined) {
    report(context, "before-title", before, { message: "Nothing may stand above the title." });
  }
  return {
    kind: "text",
    text: inlineText(context, first),
    start: first.inline.start,
    end: first.inline.end,
  };
}

function partOf(context: Context, heading: Heading, cuts: readonly Cut[]): PartEntry | undefined {
  const written = inlineText(context, heading);
  const entry = parts.find((part) => part.title === written);
  if (entry === undefined) {
    const near = nearest(
      written,
      parts.map((part) => part.title),
    );
    report(context, "unknown-part", heading.inline, {
      message: `'${written}' is none of the nine parts.`,
      hint:
        near === undefined
          ? `The parts: ${parts.map((part) => part.title).join(" · ")}.`
          : `Nearest: ${near}.`,
    });
    return undefined;
  }
  const before = cuts.at(-1);
  if (cuts.some((cut) => cut.entry === entry)) {
    report(context, "second-part", heading.inline, {
      message: `The part '${entry.title}' stands here again.`,
      hint: "Put everything of a part under one heading.",
    });
    return undefined;
  }
  if (before !== undefined && parts.indexOf(entry) < parts.indexOf(before.entry)) {
    report(context, "part-order", heading.inline, {
      message: `The part '${entry.title}' stands behind '${before.entry.title}'.`,
      hint: `The order is: ${parts.map((part) => part.title).join(" · ")}.`,
    });
  }
  return entry;
}

/** Cuts the blocks into parts; blocks above the first part are free prose. */
function cutParts(context: Context, blocks: readonly Block[]): Cut[] {
  const cuts: Cut[] = [];
  let current: Cut | undefined;
  let lost = false;
  for (const block of blocks) {
    if (block.kind === "heading" && block.level === 2) {
      const entry = partOf(context, block, cuts);
      lost = entry === undefined;
      if (entry === undefined) continue;
      current = { entry, heading: block, blocks: [] };
      cuts.push(current);
    } else if (!lost && (block.kind !== "heading" || block.level !== 1)) {
      if (current !== undefined) current.blocks.push(block);
      else if (
        block.kind !== "paragraph" &&
        block.kind !== "quote" &&
        block.kind !== "other" &&
        block.kind !== "html"
      ) {
        report(context, "before-parts", block, {
          message: "Above the first part stands prose alone.",
        });
      }
    }
  }
  return cuts;
}

function readPart(context: Context, cut: Cut): PartNode {
  const sections: SectionNode[] = [];
  let heading: Heading | undefined;
  let blocks: Block[] = [];
  const flush = () => {
    const section = readSection(context, cut.entry, heading, blocks);
    if (section !== undefined) sections.push(section);
  };
  for (const block of cut.blocks) {
    if (block.kind === "heading" && block.level === 3) {
      flush();
      heading = block;
      blocks = [];
    } else blocks.push(block);
  }
  flush();
  const { start, end } = cut.heading.inline;
  return { title: cut.entry.title, id: cut.entry.id, sections, start, end };
}

/** Reads blocks into a specification; findings go to the context. Total. */
export function readDocument(context: Context, blocks: readonly Block[]): Spec {
  const title = readTitle(context, blocks);
  const cuts = cutParts(context, blocks);
  return { text: context.text, title, parts: cuts.map((cut) => readPart(context, cut)) };
}
