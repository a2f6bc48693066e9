/**
 * Gap campaign: each clause of each document alone is replaced by `not shown` (or, where it answers
 * a question, taken away), and what `check` and the service make of that is judged.
 * `npm run test:gaps -- [--only NAME or FILE] [--static] [--limit N] [--list]`
 * `--static`: `check` alone. `--limit N`: so many clauses of each document, chosen by SEED.
 * `--list`: clauses without a fault, too. Exit code 1: there are faults.
 */
import { existsSync, readFileSync } from "node:fs";
import { campaignSeed } from "../random.ts";
import { type Judged, judge, type Outcome, outcomes } from "./judge.ts";
import { type Subject, subjects } from "./subjects.ts";

const option = (name: string): string | undefined => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? undefined : process.argv[at + 1];
};
const only = option("only");
const limit = Number(option("limit") ?? Number.POSITIVE_INFINITY);
const lists = process.argv.includes("--list");
const faulty = new Set<Outcome>(["contagious", "filled", "misnamed"]);

/** Documents by name, or one of a file. */
function chosen(): Subject[] {
  if (only === undefined) return subjects();
  const named = subjects().filter((one) => one.name === only || one.name.endsWith(`/${only}`));
  if (named.length > 0) return named;
  if (existsSync(only)) return [{ name: only, bytes: readFileSync(only) }];
  throw new Error(`there is no document ${only}`);
}

function line({ clause, outcome, why }: Judged, name: string): string {
  const before = clause.before.replaceAll(/\s+/g, " ").slice(0, 70);
  const what = clause.kind === "answer" ? "taken away" : "not shown";
  return `${outcome} ${name}:${clause.line} ${clause.where} (${what}) | ${before} | ${why}`;
}

const tally = new Map<Outcome, number>();
const seed = campaignSeed();
console.log(`SEED=${seed}`);
for (const subject of chosen()) {
  const started = performance.now();
  const own = new Map<Outcome, number>();
  const options = { seed, limit, serves: !process.argv.includes("--static") };
  for await (const one of judge(subject, options)) {
    own.set(one.outcome, (own.get(one.outcome) ?? 0) + 1);
    if (lists || faulty.has(one.outcome)) console.log(line(one, subject.name));
  }
  for (const [outcome, count] of own) tally.set(outcome, (tally.get(outcome) ?? 0) + count);
  const counts = [...own].map(([outcome, count]) => `${count} ${outcome}`).join(", ");
  const seconds = Math.round((performance.now() - started) / 1000);
  console.log(`${subject.name}: ${counts || "no clauses"} (${seconds} s)`);
}
const clauses = [...tally.values()].reduce((sum, count) => sum + count, 0);
const counts = outcomes.map((outcome) => `${tally.get(outcome) ?? 0} ${outcome}`).join(", ");
console.log(`${clauses} clauses: ${counts}`);
if ([...faulty].some((outcome) => tally.has(outcome))) process.exitCode = 1;
