/**
 * Gap campaign: each clause of each document alone is replaced by `not shown` (or, where it answers
 * a question, taken away), and what `check` and the service make of that is judged.
 * `npm run test:gaps -- [--jobs N] [--only NAME or FILE] [--line N,N] [--static] [--limit N] [--list]`
 * `--jobs N`: in so many processes. `--static`: `check` alone. `--limit N`: so many clauses of each
 * document, chosen by SEED. `--list`: clauses without a fault, too. Exit code 1: there are faults.
 */
import { spawn } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { campaignOptions, wrongUse } from "../campaigns/options.ts";
import { campaignSeed } from "../random.ts";
import { judge, type Options } from "./judge.ts";
import { type Line, Report } from "./report.ts";
import { type Subject, subjectsNamed } from "./subjects.ts";

const given = campaignOptions({
  only: "text",
  limit: "count",
  line: "counts",
  jobs: "count",
  static: "flag",
  list: "flag",
  slice: "text",
});
const { only, line: lines, jobs = 1 } = given;
const seed = campaignSeed();
const [at = 0, of = 1] = (given.slice ?? "0/1").split("/").map(Number);
const options: Options = {
  seed,
  limit: given.limit ?? Number.POSITIVE_INFINITY,
  searches: true,
  serves: !given.static,
  slice: { at, of },
  lines,
};

/** Documents by name, or one of a file. */
function chosen(): Subject[] {
  const isFile = only !== undefined && statSync(only, { throwIfNoEntry: false })?.isFile() === true;
  return isFile ? [{ name: only, bytes: readFileSync(only) }] : subjectsNamed(only);
}

/** Judges in this process, and tells of each clause, and of the end of each document. */
async function here(tell: (line: Line) => void): Promise<void> {
  for (const { name, ...subject } of chosen()) {
    for await (const { clause, outcome, why } of judge({ name, ...subject }, options)) {
      const { kind, line: at, where, before } = clause;
      tell({ is: "clause", subject: name, kind, line: at, where, before, outcome, why });
    }
    tell({ is: "end", subject: name });
  }
}

/** Judges one document in a process of its own. */
function there(name: string, tell: (line: Line) => void): Promise<void> {
  const file = fileURLToPath(import.meta.url);
  const child = spawn(
    process.execPath,
    [file, "--only", name, "--slice", "0/1", ...process.argv.slice(2)],
    {
      env: { ...process.env, SEED: String(seed) },
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  createInterface({ input: child.stdout }).on("line", (text) => {
    tell(JSON.parse(text) as Line);
  });
  return new Promise((resolve, reject) => {
    child.once("close", (code) => {
      if (code === 0) resolve();
      else reject(new Error(`the process of ${name} ended with ${code}`));
    });
  });
}

if (given.slice !== undefined) {
  await here((told) => console.log(JSON.stringify(told)));
} else {
  console.log(`SEED=${seed}`);
  const report = new Report({ seed, lists: given.list });
  const tell = (told: Line): void => report.take(told);
  if (jobs === 1) await here(tell);
  else {
    // The largest first: so that all processes end at about the same time.
    const left = chosen().sort((a, b) => b.bytes.length - a.bytes.length);
    const work = async (): Promise<void> => {
      for (let next = left.shift(); next !== undefined; next = left.shift()) {
        await there(next.name, tell);
      }
    };
    await Promise.all(Array.from({ length: jobs }, work));
  }
  if (lines !== undefined && report.clauses === 0) wrongUse("No clause stands on that line.");
  process.exitCode = report.end();
}
