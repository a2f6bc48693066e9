/** Writes the file of decisions that is to be filled in, and what a migration does, as text. */
import { subjectText } from "../../change/index.ts";
import type { Weighed } from "../../store/index.ts";
import { counted } from "../render/wrap.ts";
import { HEADER, type Said } from "./read.ts";

const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("\n", " ");

/** How many of what is kept the change is about; "" for a change that is about nothing kept. */
export function countText({ change: { waiting, resource }, count }: Weighed): string {
  if (waiting !== undefined) return counted(count, waiting.is === "messages" ? "message" : "call");
  return resource === undefined ? "" : counted(count, "row");
}

/** What may be decided of the change. */
function choices({ change: { subject, now } }: Weighed): string {
  switch (subject.is) {
    case "resource":
      return "`dropped`; or name it behind `renamed from` at a resource that is new.";
    case "field":
      return now === undefined
        ? "`dropped`; or name it behind `renamed from` at a field that is new."
        : "`value` and an expression over `it`, the row as it was; or `renamed from`.";
    case "transition":
      return "`value` and an expression over `it`: when it is due first.";
    case "webhook":
    case "call":
      return `\`dropped\`; or \`renamed from\` at a ${subject.is} that is new.`;
    case "fixed":
      return "Nothing can be decided: keep the rows as they are.";
    case "word":
    case "event":
    case "key":
    case "invariant":
      return "";
  }
}

function table(rows: readonly (readonly string[])[]): string {
  const all = [HEADER, HEADER.map(() => "---"), ...rows];
  return all.map((row) => `| ${row.join(" | ")} |\n`).join("");
}

/** The file with what is decided, as it was written, and what is open. */
export function decisionsFile(
  said: readonly (readonly [text: string, decision: string])[],
  open: readonly Weighed[],
): string {
  const known = new Set(said.map(([text]) => text));
  const left = new Map<string, string[]>();
  for (const one of open) {
    const text = subjectText(one.change.subject);
    const why = `${one.text} ${countText(one)}. ${choices(one)}`;
    left.set(text, [...(left.get(text) ?? []), why]);
  }
  const rows = [...left]
    .filter(([text]) => !known.has(text))
    .map(([text, why]) => [text, "not shown", cell(why.join(" "))]);
  return `# Decisions\n\n${table([...said.map((one) => [...one, ""]), ...rows])}`;
}

/** What was decided, as it was written. */
export function writtenDecisions(
  text: string,
  said: readonly Said[],
): (readonly [string, string])[] {
  return said.flatMap(({ subject, what }): (readonly [string, string])[] => {
    const name = subjectText(subject);
    switch (what.is) {
      case "open":
        return [];
      case "dropped":
        return [[name, "dropped"]];
      case "renamed":
        return [[name, `renamed from \`${what.from}\``]];
      case "value":
        return [[name, `value ${text.slice(what.text.start, what.text.end)}`]];
    }
  });
}
