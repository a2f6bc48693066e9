/**
 * `node scripts/same-plan.ts A B`: whether two documents state the same plan, and where not. Exit
 * codes: 0 the same, 1 another, 2 a document cannot be read or has no plan.
 */
import { readFileSync } from "node:fs";
import { compile } from "../src/index.ts";
import { type Difference, differences } from "./same-plan/differences.ts";

const SHOWN_MAX = 40;
const WIDTH_MAX = 160;

/** The plan of the document at `file`, or undefined after a line that says why there is none. */
function planAt(file: string): unknown {
  let bytes: Uint8Array;
  try {
    bytes = readFileSync(file);
  } catch (problem) {
    console.error(`${file}: cannot be read: ${problem instanceof Error ? problem.message : ""}`);
    return undefined;
  }
  const { planned, checked } = compile(bytes);
  if (planned !== undefined) return planned.plan;
  const errors = checked.findings.filter(({ severity }) => severity === "error");
  console.error(
    `${file}: has no plan: ${errors.length} errors; \`lacuna check ${file}\` says which`,
  );
  return undefined;
}

function shown(value: unknown): string {
  if (value === undefined) return "nothing";
  const text = JSON.stringify(value);
  return text.length <= WIDTH_MAX
    ? text
    : `${text.slice(0, WIDTH_MAX)}… (${text.length} characters)`;
}

function print(files: readonly string[], found: readonly Difference[]): void {
  console.log(`${found.length} differences between ${files[0]} and ${files[1]}`);
  for (const { path, before, now } of found.slice(0, SHOWN_MAX)) {
    console.log(`\n${path}\n  - ${shown(before)}\n  + ${shown(now)}`);
  }
  if (found.length > SHOWN_MAX) console.log(`\nand ${found.length - SHOWN_MAX} more`);
}

function main(files: readonly string[]): number {
  if (files.length !== 2) {
    console.error("usage: node scripts/same-plan.ts A B, the paths of two documents");
    return 2;
  }
  const [before, now] = files.map(planAt);
  if (before === undefined || now === undefined) return 2;
  const found = differences(before, now);
  if (found.length === 0) {
    console.log("the same plan");
    return 0;
  }
  print(files, found);
  return 1;
}

process.exitCode = main(process.argv.slice(2));
