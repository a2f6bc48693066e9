/** Reads the rows that a document states (`json rows NAME`). */
import type { StartRow, StartRows } from "../../../plan/index.ts";
import type { FenceNode, Match, SectionNode, TextSlot } from "../../../spec/index.ts";
import type { FieldDraft } from "../names/collect.ts";
import { origin, type Resolver, report, slotOf, unknownName } from "../names/resolver.ts";

interface JsonSpan {
  readonly start: number;
  readonly end: number;
}

/** Offsets of the values in a JSON array of flat objects; a light scan behind `JSON.parse`. */
function membersOf(text: string): { name: string; value: JsonSpan; row: number }[] {
  const found: { name: string; value: JsonSpan; row: number }[] = [];
  let depth = 0;
  let row = -1;
  let name: string | undefined;
  let from = -1;
  for (let i = 0; i < text.length; i++) {
    const char = text[i] as string;
    if (char === '"') {
      const start = i;
      for (i++; i < text.length && text[i] !== '"'; i++) if (text[i] === "\\") i++;
      if (depth === 2 && name === undefined) {
        name = JSON.parse(text.slice(start, i + 1)) as string;
        from = -1;
      }
      continue;
    }
    if (char === "[" || char === "{") {
      depth++;
      if (depth === 2) row++;
    } else if ((char === "}" || char === ",") && depth === 2 && name !== undefined) {
      found.push({ name, value: { start: from, end: i }, row });
      name = undefined;
    }
    if (char === "]" || char === "}") depth--;
    else if (char === ":" && depth === 2 && from < 0) from = i + 1;
  }
  return found;
}

function parseRows(r: Resolver, fence: FenceNode, drafts: readonly FieldDraft[]): StartRow[] {
  const { text, start } = fence.content;
  const at = { start, end: fence.content.end };
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (error) {
    report(r, "rows", at, { message: `This block is not JSON: ${(error as Error).message}.` });
    return [];
  }
  if (
    !Array.isArray(parsed) ||
    parsed.some((row) => typeof row !== "object" || row === null || Array.isArray(row))
  ) {
    report(r, "rows", at, {
      message: "This block is not a JSON array of objects.",
      hint: 'Write `[{"field": value}]`.',
    });
    return [];
  }
  const names = drafts.map((draft) => draft.name.text);
  const rows: Record<string, string>[] = parsed.map(() => ({}));
  for (const member of membersOf(text)) {
    const span = { start: start + member.value.start, end: start + member.value.end };
    const slot: TextSlot = { kind: "text", text: member.name, ...span };
    if (!names.includes(member.name)) unknownName(r, slot, "field", names);
    const row = rows[member.row];
    if (row === undefined) continue;
    if (Object.hasOwn(row, member.name)) {
      report(r, "rows", span, {
        message: `The member \`${member.name}\` stands twice in this row.`,
      });
    }
    row[member.name] = text.slice(member.value.start, member.value.end).trim();
  }
  return rows;
}

/** The rows that a bullet `Rows at the start` states. */
export function startRows(
  r: Resolver,
  section: SectionNode,
  match: Match,
  drafts: readonly FieldDraft[],
): StartRows {
  const block = slotOf(match, "block");
  if (block === undefined) return { is: "given when the service starts" };
  const fence = section.fences.find((one) => one.block === "rows" && one.name.text === block.text);
  if (fence === undefined) {
    unknownName(
      r,
      block,
      "block `json rows`",
      section.fences.map((one) => one.name.text),
    );
    return { is: "block", block: block.text, rows: [] };
  }
  origin(r, `${section.id}/rows at the start/block`, fence.content);
  return { is: "block", block: block.text, rows: parseRows(r, fence, drafts) };
}
