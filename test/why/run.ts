/**
 * Campaign of `why`: each statement of each document alone is changed; an answer that changes must
 * have its line listed, and a listed line must change some answer of that status.
 * `SEED=N npm run test:why -- [--only NAME] [--limit N] [--line N,N] [--jobs N] [--list]`
 * `--limit N`: so many statements of each document. `--line N,N`: those lines alone. `--jobs N`: so many documents at a time, each
 * in a process of its own. `--list`: each exception, with the statements that were not judged.
 * Exit code 1: an exception in either direction.
 */
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { campaignOptions, wrongUse } from "../campaigns/options.ts";
import { subjects, subjectsNamed } from "../gaps/subjects.ts";
import { campaignSeed } from "../random.ts";
import { judgeWhy, type Report } from "./judge.ts";

const CHANGES_MAX = 20;

const given = campaignOptions({
  only: "text",
  limit: "count",
  line: "counts",
  jobs: "count",
  list: "flag",
});
const { only, line: lines, list: lists, jobs = 1 } = given;
const limit = given.limit ?? Number.POSITIVE_INFINITY;
const seed = campaignSeed();

/** Where else the lines that were listed without effect were seen to matter. */
function places({ unproven }: Report): string {
  if (unproven.length === 0) return "";
  const counts = new Map<string, number>();
  for (const { elsewhere } of unproven) counts.set(elsewhere, (counts.get(elsewhere) ?? 0) + 1);
  const all = [...counts].map(([where, count]) => `at ${where} ${count}`);
  return ` (seen ${all.join(", ")})`;
}

function summary(report: Report): string {
  return (
    `${report.statements} statements, ${report.unjudged.length} not judged, ` +
    `${report.changes} changes, ${report.probes} requests, ${report.asked} asked; ` +
    `${report.unstable.length} unlike themselves; ${report.missing.length} not listed; ${report.proven} listed and seen, ` +
    `${report.unproven.length} listed without effect${places(report)}`
  );
}

/** Judges the documents of that name here, or all; gives how many exceptions there are. */
async function here(): Promise<number> {
  console.log(`SEED=${seed}`);
  let exceptions = 0;
  for (const subject of subjectsNamed(only)) {
    const { name } = subject;
    const started = performance.now();
    const since = (): number => Math.round((performance.now() - started) / 1000);
    const told = (text: string): void => console.error(`${name}: ${text} (${since()} s)`);
    const report = await judgeWhy(subject, { seed, limit, lines, changesMax: CHANGES_MAX, told });
    if (report.statements === 0) {
      wrongUse(`${name}: no statement stands on the line ${[...(lines ?? [])].join(", ")}`);
    }
    exceptions += report.missing.length + report.unproven.length + report.unstable.length;
    for (const one of report.unstable) console.log(`unlike itself: ${name}: ${one}`);
    for (const one of report.missing) console.log(`not listed: ${name}: ${one}`);
    for (const one of lists ? report.unproven : []) {
      console.log(`no effect: ${name}: ${one.text} (seen at ${one.elsewhere})`);
    }
    if (lists) for (const one of report.unjudged) console.log(`not judged: ${name}: ${one}`);
    console.log(`${name}: ${summary(report)} (${since()} s)`);
  }
  return exceptions;
}

/** Judges one document in a process of its own; gives whether it has exceptions. */
function beside(name: string): Promise<boolean> {
  const more = [
    ...(limit < Infinity ? ["--limit", String(limit)] : []),
    ...(lists ? ["--list"] : []),
  ];
  const child = spawn(process.execPath, [fileURLToPath(import.meta.url), "--only", name, ...more], {
    stdio: ["ignore", "inherit", "inherit"],
    env: { ...process.env, SEED: String(seed) },
  });
  return new Promise((resolve) => child.on("exit", (code) => resolve(code !== 0)));
}

async function side(names: string[]): Promise<number> {
  let failed = 0;
  for (let name = names.shift(); name !== undefined; name = names.shift()) {
    if (await beside(name)) failed++;
  }
  return failed;
}

/** The longest first, so that none is left alone in the end. */
async function inJobs(): Promise<number> {
  const all = subjects().sort((a, b) => b.bytes.length - a.bytes.length);
  const names = all.map(({ name }) => name);
  const failed = await Promise.all(Array.from({ length: jobs }, () => side(names)));
  return failed.reduce((sum, one) => sum + one, 0);
}

const exceptions = jobs > 1 && only === undefined ? await inJobs() : await here();
if (exceptions > 0) process.exitCode = 1;
