/** Measures `lacuna check` as a process on documents of 1 MB and 10 MB of several kinds. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { type Kind, kinds } from "./kinds.ts";

const MEGABYTE = 1_000_000;
const RATIO_MAX = 12;
const CPU_MAX_MS = 1000;
const PEAK_PER_BYTE = 30;
const PEAK_MORE = 100 * MEGABYTE;
const COMMAND = fileURLToPath(new URL("../dist/cli/main.js", import.meta.url));

/** Runs in the measured process: what it took, at its end, to the fourth file that it has. */
const METER = `data:text/javascript,import{writeSync}from"node:fs";
process.on("exit",()=>writeSync(3,JSON.stringify(process.resourceUsage())))`.replace("\n", "");

const { values } = parseArgs({
  options: {
    kind: { type: "string" },
    runs: { type: "string", default: "3" },
    format: { type: "string", default: "text" },
  },
});

interface Measured {
  /** The least of the runs: other work on the machine only adds. */
  readonly cpuMs: number;
  /** The most of the runs. */
  readonly peakBytes: number;
}

function measureOnce(file: string): Measured {
  const run = spawnSync(
    process.execPath,
    ["--import", METER, COMMAND, "check", "--format", values.format, file],
    { stdio: ["ignore", "ignore", "inherit", "pipe"] },
  );
  const used = JSON.parse(String(run.output[3])) as NodeJS.ResourceUsage;
  const cpuMs = (used.userCPUTime + used.systemCPUTime) / 1000;
  return { cpuMs, peakBytes: used.maxRSS * 1024 };
}

function measure(file: string): Measured {
  const runs = Array.from({ length: Number(values.runs) }, () => measureOnce(file));
  return {
    cpuMs: Math.min(...runs.map((run) => run.cpuMs)),
    peakBytes: Math.max(...runs.map((run) => run.peakBytes)),
  };
}

const held = (is: boolean): string => (is ? "held" : "MISSED");

/** Measures one kind at both sizes; prints a line for each, and whether the bars are held. */
function judge(kind: Kind, folder: string): void {
  const [one, ten] = [1, 10].map((megabytes) => {
    const file = join(folder, `${megabytes}.md`);
    const text = kind.make(megabytes * MEGABYTE);
    writeFileSync(file, text);
    const measured = measure(file);
    const peakMax = PEAK_PER_BYTE * text.length + PEAK_MORE;
    const peak = `${Math.round(measured.peakBytes / MEGABYTE)} MB`.padStart(6);
    console.log(
      `${kind.name.padEnd(12)}${String(megabytes).padStart(3)} MB  ` +
        `${String(Math.round(measured.cpuMs)).padStart(6)} ms CPU  peak ${peak}, at most ` +
        `${Math.round(peakMax / MEGABYTE)} MB ${held(measured.peakBytes <= peakMax)}`,
    );
    return measured;
  }) as [Measured, Measured];
  const ratio = ten.cpuMs / one.cpuMs;
  console.log(
    `${"".padEnd(12)}10 : 1  ${ratio.toFixed(1).padStart(6)} times, at most ${RATIO_MAX} ` +
      `${held(ratio <= RATIO_MAX)}; 1 MB at most ${CPU_MAX_MS} ms ${held(one.cpuMs <= CPU_MAX_MS)}`,
  );
}

const chosen = kinds.filter(({ name }) => values.kind === undefined || values.kind === name);
if (chosen.length === 0) throw new Error(`kinds: ${kinds.map(({ name }) => name).join(", ")}`);
const folder = mkdtempSync(join(tmpdir(), "documents-"));
try {
  console.log(`Node ${process.version}, ${values.format}, ${values.runs} runs each`);
  for (const kind of chosen) judge(kind, folder);
} finally {
  rmSync(folder, { recursive: true });
}
