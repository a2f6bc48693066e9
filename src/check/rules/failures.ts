/** Rule: every condition that can occur has an answer, and no answer waits for one that cannot. */
import { failureConditions, questions } from "../../language/index.ts";
import type { SectionNode, TableNode } from "../../spec/index.ts";
import { type Rule, type RuleContext, report } from "./context.ts";
import { type Conditions, conditionsAt, generalOf } from "./occurs.ts";
import { endpointKey } from "./places.ts";

interface Met {
  /** The first endpoint where it can occur and no row of its own answers. */
  first: string;
  count: number;
}

function lineEnd(text: string, offset: number): number {
  const found = /[\r\n]/g;
  found.lastIndex = offset;
  return found.exec(text)?.index ?? text.length;
}

/** Where a failure row can be written, and what goes before and behind its condition. */
function rowPlace(c: RuleContext, section: SectionNode) {
  // What is said at the errors themselves has no rows to write others behind.
  const tables = section.tables.filter(
    ({ table, restated }) => table === "failures" && restated === undefined,
  );
  const table: TableNode | undefined = tables.at(-1);
  const last = table?.rows.at(-1);
  if (table !== undefined && last !== undefined) {
    const more = table.columns
      .slice(2)
      .map(() => " not shown |")
      .join("");
    return { at: lineEnd(c.spec.text, last.end), head: "", tail: ` | not shown |${more}` };
  }
  const part = c.spec.parts.find((one) => one.sections.includes(section));
  const at = lineEnd(c.spec.text, Math.max(section.end, part?.end ?? 0));
  return { at, head: "\n\n| Failure | Error |\n|---|---|", tail: " | not shown |" };
}

const asks = questions.find((one) => one.id === "failure")?.asks ?? "";

function ask(c: RuleContext, section: SectionNode, missing: ReadonlyMap<string, Met>): void {
  const place = rowPlace(c, section);
  const part = c.spec.parts.find((one) => one.sections.includes(section));
  const at = section.tables.find((one) => one.table === "failures") ?? part ?? section;
  const span = { start: at.start, end: lineEnd(c.spec.text, at.start) };
  let head = place.head;
  for (const { name } of failureConditions) {
    const met = missing.get(name);
    if (met === undefined) continue;
    const id = `${section.id}/${name}`;
    const more = met.count > 1 ? ` and ${met.count - 1} more` : "";
    const message = `'${name}': ${asks} It can occur at \`${met.first}\`${more}.`;
    c.findings.push({
      code: "silent",
      severity: "error",
      question: id,
      span,
      message,
      hint: `Write a row \`| ${name} | ... |\` in the failure table, or \`not shown\` in its cell.`,
      fix: { at: place.at, insert: `${head}\n| ${name}${place.tail}` },
    });
    head = "";
    c.gaps.set(id, {
      id,
      part: part?.title ?? "Errors",
      scope: "Errors",
      subject: name,
      sentence: message,
      blocking: true,
      silent: true,
      span,
    });
  }
}

function idle(c: RuleContext, id: string, condition: string, where: string): void {
  report(c, {
    code: "never-occurs",
    severity: "warning",
    at: id,
    message: `'${condition}' can never occur ${where}.`,
    hint: "Take the row away, or state what makes it occur.",
  });
}

/** Reports `silent`, `never-occurs`. */
export const failures: Rule = (c) => {
  const { endpoints } = c.service;
  const section = c.sections.get("errors");
  const status = c.facets.get("error codes");
  if (endpoints.length === 0 || section === undefined) return;
  const common = generalOf(c);
  const general = new Set(c.service.failures.map((row) => row.condition));
  const anywhere = new Set<string>(
    failureConditions.filter((one) => one.occurs === "HTTP itself").map((one) => one.name),
  );
  const missing = new Map<string, Met>();
  // A row of a group is one of several endpoints.
  const rows = new Map<string, string>();
  const met = new Set<string>();
  for (const endpoint of endpoints) {
    const occurs: Conditions = conditionsAt(c, endpoint, common);
    const own = new Set(endpoint.failures.map((row) => row.condition));
    for (const name of occurs) {
      anywhere.add(name);
      if (general.has(name) || own.has(name)) continue;
      const before = missing.get(name);
      if (before === undefined) missing.set(name, { first: endpointKey(endpoint), count: 1 });
      else before.count++;
    }
    for (const row of endpoint.failures) {
      if (occurs.has(row.condition)) met.add(row.id);
      rows.set(row.id, row.condition);
    }
  }
  for (const [id, condition] of rows) if (!met.has(id)) idle(c, id, condition, "here");
  for (const row of c.service.failures) {
    if (!anywhere.has(row.condition)) idle(c, row.id, row.condition, "at any endpoint");
  }
  if (status !== "not shown" && status !== "silent") ask(c, section, missing);
};
