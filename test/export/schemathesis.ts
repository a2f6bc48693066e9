/**
 * `npm run test:schemathesis [-- --only NAME] [-- --seconds N]`: Schemathesis as published on the
 * export of each example, served by `lacuna serve`. SEED. It is found by `LACUNA_SCHEMATHESIS` or
 * as `schemathesis` or `st` in PATH; where it is not, that is said. Ends with 1 where it fails.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { exporters } from "../../src/export/index.ts";
import type { Plan } from "../../src/plan/index.ts";
import { campaignOptions } from "../campaigns/options.ts";
import { ROOT, served } from "../peers/served.ts";
import { program, versionOf } from "../peers/tools.ts";
import { campaignSeed } from "../random.ts";
import { type Example, examples } from "./examples.ts";
import { exportableOf } from "./exported.ts";
import { excuses, type Failure, failuresIn } from "./judge.ts";

const SECONDS = 60;
/** It ends by itself sooner; what takes longer is ended. */
const GRACE_MS = 30_000;

interface Ran {
  readonly code: number | null;
  readonly out: string;
}

/** Runs a program, and ends it where it takes longer. */
function ran(command: string, args: readonly string[], cwd: string, limitMs: number): Promise<Ran> {
  const child = spawn(command, args, {
    cwd,
    env: { ...process.env, NO_COLOR: "1", COLUMNS: "200" },
  });
  const late = setTimeout(() => child.kill("SIGKILL"), limitMs);
  let out = "";
  child.stdout.on("data", (chunk) => (out += String(chunk)));
  child.stderr.on("data", (chunk) => (out += String(chunk)));
  return new Promise((done, fail) => {
    child.once("error", fail);
    child.once("close", (code) => {
      clearTimeout(late);
      done({ code, out });
    });
  });
}

interface Bounds {
  readonly tool: string;
  readonly seed: number;
  readonly seconds: number;
}

/** Whatever 4xx a wrong request gets is for the document to say. */
const CONFIG = '[checks]\nnegative_data_rejection.expected-statuses = ["4xx"]\n';

/** The document as it is served: with its assumptions, where it has some. */
function exportOf(file: string, args: readonly string[]): { plan: Plan; text: string } {
  const at = args.indexOf("--assume");
  const assumed = at < 0 ? undefined : readFileSync(join(ROOT, args[at + 1] ?? ""));
  const from = exportableOf(file, readFileSync(join(ROOT, file)), assumed);
  return { plan: from.plan, text: exporters["openapi"]?.(from, { openapi: "3.1" }) ?? "" };
}

interface Judged {
  readonly code: number | null;
  readonly out: string;
  readonly excused: ReadonlyMap<string, number>;
  readonly failures: readonly Failure[];
}

async function judged(example: Example, { tool, seed, seconds }: Bounds): Promise<Judged> {
  const { file = `examples/${example.name}/spec.md` } = example;
  const folder = mkdtempSync(join(tmpdir(), "lacuna-schemathesis-"));
  const { args = [], settings = {} } = example;
  const { plan, text } = exportOf(file, args);
  const service = await served({ args: [file, ...args], settings });
  try {
    const schema = join(folder, "openapi.json");
    writeFileSync(schema, text);
    const config = join(folder, "schemathesis.toml");
    writeFileSync(config, CONFIG);
    const base = String(JSON.parse(text).servers?.[0]?.url ?? "").replace(/\/$/, "");
    const credential = await example.credential?.(`${service.address}${base}`);
    const all = [
      ...["--config-file", config, "run", schema, "--url", `${service.address}${base}`],
      ...["--seed", String(seed), "--max-time", String(seconds), "--continue-on-failure"],
      ...(credential === undefined ? [] : ["--header", `Authorization: ${credential}`]),
    ];
    const { code, out } = await ran(tool, all, folder, seconds * 1000 + GRACE_MS);
    const excuse = excuses(plan, text);
    const excused = new Map<string, number>();
    const failures = failuresIn(out).filter((failure) => {
      const why = excuse(failure);
      if (why !== undefined) excused.set(why, (excused.get(why) ?? 0) + 1);
      return why === undefined;
    });
    return { code, out, excused, failures };
  } finally {
    await service.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

const PRINTED = 1500;

function report(name: string, { code, out, excused, failures }: Judged): void {
  const generated = /(\d+) generated/.exec(out)?.[1] ?? "0";
  // 0: nothing failed, 1: something did, and it is printed.
  const isWhole = code === 0 || (code === 1 && failures.length + excused.size > 0);
  const verdict = isWhole && failures.length === 0 ? "no failure" : "FAILED";
  const known = [...excused].map(([why, count]) => `${count} ${why}`).join(", ");
  const beside = known === "" ? "" : `; explained: ${known}`;
  console.log(`${name}: ${verdict}, ${generated} test cases${beside}`);
  for (const { operation, text } of failures) console.log(operation, text.slice(0, PRINTED));
  if (!isWhole) console.log(`ended with ${code}`, out.slice(-PRINTED));
  if (verdict === "FAILED") process.exitCode = 1;
}

const { only, seconds = SECONDS } = campaignOptions({ only: "text", seconds: "count" });
const tool = program("LACUNA_SCHEMATHESIS", "schemathesis", "st");
if (tool === undefined) {
  console.log("Schemathesis not found, skipped: `pip install schemathesis`");
} else {
  const seed = campaignSeed();
  console.log(`SEED=${seed}; ${versionOf(tool)}`);
  for (const example of examples) {
    if (only !== undefined && example.name !== only) continue;
    report(example.name, await judged(example, { tool, seed, seconds }));
  }
}
