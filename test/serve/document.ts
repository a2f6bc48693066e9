/** Turns a document into a plan, with the place of each item, as the command does. */
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { lineTable, positionOf } from "../../src/base/index.ts";
import { check, plan } from "../../src/check/index.ts";
import type { Plan } from "../../src/plan/index.ts";
import { read } from "../../src/read/index.ts";

const EXAMPLES = join(dirname(fileURLToPath(import.meta.url)), "../../examples");

export interface Document {
  readonly plan: Plan;
  readonly origins: Record<string, { file: string; line: number; column: number }>;
}

/** The plan of an example, perhaps with some of its text replaced. */
export function example(name: string, edit: (text: string) => string = (text) => text): Document {
  return document(edit(readFileSync(join(EXAMPLES, name, "spec.md"), "utf8")));
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
