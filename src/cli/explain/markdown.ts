/** Writes the page of a finding in Markdown, for docs/findings. */
import type { CodeEntry } from "../../base/index.ts";
import { never } from "../../base/index.ts";
import type { FormGroup } from "./forms.ts";
import { type Block, pageOf } from "./page.ts";

/** A fence longer than every run of backticks in `text`. */
function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}text\n${text}\n${fence}`;
}

function groupText({ of, examples, inline }: FormGroup): string {
  const shown = inline
    ? `${examples.map((each) => `\`${each}\``).join(", ")}.`
    : fenced(examples.join("\n"));
  if (of === undefined) return shown;
  return inline ? `- ${of}: ${shown}` : `${of}:\n\n${shown}`;
}

function groupsText(groups: readonly FormGroup[]): string {
  return groups.map(groupText).join(groups.every((each) => each.inline) ? "\n" : "\n\n");
}

function blockText(block: Block): string {
  switch (block.kind) {
    case "text":
      return block.text;
    case "sample":
      return fenced(block.text);
    case "forms":
      return groupsText(block.groups);
    case "links":
      return block.links.map(({ title, path }) => `- [${title}](../${path})`).join("\n");
  }
  return never(block);
}

/** One page; ends without a line end. */
export function codePage(code: string, entry: CodeEntry): string {
  const { title, severity, sections } = pageOf(code, entry);
  return [
    `# ${code}\n\n${title}\n\nSeverity: ${severity}.`,
    ...sections.map((each) => `## ${each.title}\n\n${blockText(each.block)}`),
  ]
    .join("\n\n")
    .concat("\n- [All findings](README.md)");
}
