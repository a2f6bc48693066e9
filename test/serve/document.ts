/** Turns a document into a plan, with the place of each item, as the command does. */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { lineTable, positionOf } from "../../src/base/index.ts";
import { check, plan } from "../../src/check/index.ts";
import type { Plan } from "../../src/plan/index.ts";
import { read } from "../../src/read/index.ts";

const HERE = dirname(fileURLToPath(import.meta.url));

export interface Document {
  readonly plan: Plan;
  readonly origins: Record<string, { file: string; line: number; column: number }>;
}

/** The plan of an example, or of its long form with some of the text replaced. */
export function example(name: string, edit?: (text: string) => string): Document {
  const short = join(HERE, "../../examples", name, "spec.md");
  const long = join(HERE, "../long", `${name}.md`);
  const file = edit !== undefined && existsSync(long) ? long : short;
  const text = readFileSync(file, "utf8");
  return document(edit === undefined ? text : edit(text));
}

export function document(text: string): Document {
  const checked = check(read(Buffer.from(text)));
  const planned = plan(checked);
  if (!planned) {
    const wrong = checked.findings.filter((one) => one.severity === "error");
    throw new Error(wrong.map((one) => one.message).join("\n"));
  }
  const table = lineTable(text);
  const spans = [...planned.origins, ...checked.gaps.map((gap) => [gap.id, gap.span] as const)];
  const origins = Object.fromEntries(
    spans.map(([id, span]) => [id, { file: "spec.md", ...positionOf(table, span.start) }]),
  );
  return { plan: planned.plan, origins };
}
