/** Two outlines of a document in one form: ours, and a Markdown viewer's (mdast with GFM). */
import type { Node, Nodes, Root } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { gfm } from "micromark-extension-gfm";
import { type Block, type Inline, tokens } from "../../../src/read/blocks/index.ts";

/** What running text shows: its characters without blanks, its code spans as they stand. */
type Shown = string;

/** One entry of an outline, deep-comparable. */
export type Entry = readonly (string | number | readonly Shown[] | readonly (readonly Shown[])[])[];

function shown(text: string, inline: Inline): Shown {
  return tokens(text, inline)
    .map((token) => (token.kind === "code" ? `\`${token.text}\`` : token.text))
    .join("");
}

/** The outline of what was read; text of free prose is left out. */
export function ourOutline(text: string, blocks: readonly Block[]): Entry[] {
  const entries: Entry[] = [];
  let parts = 0;
  const visit = (block: Block, depth: number): void => {
    switch (block.kind) {
      case "heading":
        if (block.level === 2) parts++;
        entries.push(["heading", block.level, shown(text, block.inline)]);
        return;
      case "paragraph":
        if (block.prose !== parts < 2) throw new Error("prose");
        entries.push(
          block.prose
            ? ["paragraph"]
            : ["paragraph", block.lines.map((line) => shown(text, line)).join("")],
        );
        return;
      case "bullet":
      case "step": {
        const number = block.kind === "step" ? block.number : 0;
        if (block.depth !== depth) throw new Error("depth");
        entries.push(["item", depth, number, parts > 0 ? shown(text, block.inline) : ""]);
        for (const child of block.children) visit(child, depth + 1);
        return;
      }
      case "table":
        entries.push([
          "table",
          [block.header, ...block.rows].map((row) => row.cells.map((cell) => shown(text, cell))),
        ]);
        return;
      case "fence":
        entries.push([
          "fence",
          block.info.split(/[ \t]+/).join(" "),
          lines(text.slice(block.content.start, block.content.end)),
        ]);
        return;
      default:
        entries.push([block.kind]);
    }
  };
  for (const block of blocks) visit(block, 0);
  return entries;
}

/** The lines of a fence with LF; mdast drops empty ones at both ends, so they are dropped here. */
function lines(text: string): string {
  return text.replace(/\r\n?/g, "\n").replace(/^\n+|\n+$/g, "");
}

/** What a viewer shows of running text; any construct but text and code shows up by its name. */
function viewed(node: Node): Shown {
  const it = node as Nodes;
  if (it.type === "text") return it.value.replace(/[ \t\r\n]/g, "");
  if (it.type === "inlineCode") return `\`${it.value}\``;
  const inner = "children" in it ? it.children.map(viewed).join("") : "";
  const plain = it.type === "paragraph" || it.type === "heading" || it.type === "tableCell";
  return plain ? inner : `<${it.type} ${inner}>`;
}

/** The outline that a viewer has of `text`. */
export function viewerOutline(text: string): Entry[] {
  const tree: Root = fromMarkdown(text, {
    extensions: [gfm()],
    mdastExtensions: [gfmFromMarkdown()],
  });
  const entries: Entry[] = [];
  let parts = 0;
  const visit = (it: Nodes, depth: number): void => {
    switch (it.type) {
      case "heading":
        if (it.depth === 2) parts++;
        entries.push(["heading", it.depth, viewed(it)]);
        return;
      case "paragraph":
        entries.push(parts < 2 ? ["paragraph"] : ["paragraph", viewed(it)]);
        return;
      case "list":
        it.children.forEach((item, index) => {
          const [first, ...rest] = item.children;
          const number = it.ordered === true ? (it.start ?? 1) + index : 0;
          const text = parts === 0 ? "" : first?.type === "paragraph" ? viewed(first) : "?";
          const task = typeof item.checked === "boolean" && parts > 0 ? ["task"] : [];
          entries.push(["item", depth, number, text, ...task]);
          for (const child of rest) visit(child, depth + 1);
        });
        return;
      case "table":
        entries.push(["table", it.children.map((row) => row.children.map(viewed))]);
        return;
      case "code": {
        const info = [it.lang, it.meta].filter((part) => part != null).join(" ");
        entries.push([
          "fence",
          info
            .trim()
            .split(/[ \t]+/)
            .join(" "),
          lines(it.value),
        ]);
        return;
      }
      case "blockquote":
        entries.push(["quote"]);
        return;
      default:
        entries.push([it.type]);
    }
  };
  for (const child of tree.children) visit(child, 0);
  return entries;
}
