/** Measures reading and checking of 1 MB and 10 MB, each in a process of its own; prints ratios. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { documentOfBytes } from "./documents.ts";

const MEGABYTE = 1_000_000;
const RATIO_MAX = 12;
const CPU_MAX_MS = 1000;
const root = fileURLToPath(new URL("..", import.meta.url));

interface Measured {
  readonly cpuMs: number;
  readonly rssMB: number;
  readonly findings: number;
}

/** The built files where there are any (no time goes into stripping types), else the sources. */
function script(built: boolean, file: string): string {
  const at = (room: string) =>
    pathToFileURL(join(root, built ? "dist" : "src", room, built ? "index.js" : "index.ts")).href;
  return `
    const { read } = await import(${JSON.stringify(at("read"))});
    const { check } = await import(${JSON.stringify(at("check"))});
    const { readFileSync } = await import("node:fs");
    const checked = check(read(readFileSync(${JSON.stringify(file)})));
    const { user, system } = process.cpuUsage();
    console.log(JSON.stringify({ cpuMs: (user + system) / 1000,
      rssMB: process.resourceUsage().maxRSS / 1024, findings: checked.findings.length }));`;
}

function measure(built: boolean, file: string): Measured {
  const args = ["--max-semi-space-size=8", "--input-type=module", "-e", script(built, file)];
  const run = spawnSync(process.execPath, args, { encoding: "utf8" });
  if (run.status !== 0) throw new Error(run.stderr);
  return JSON.parse(run.stdout) as Measured;
}

const built = !process.argv.includes("--sources");
const folder = mkdtempSync(join(tmpdir(), "documents-"));
try {
  const results = [1, 10].map((megabytes) => {
    const file = join(folder, `${megabytes}.md`);
    const text = documentOfBytes(megabytes * MEGABYTE);
    writeFileSync(file, text);
    const runs = [1, 2, 3].map(() => measure(built, file)).sort((a, b) => a.cpuMs - b.cpuMs);
    const best = runs[0] as Measured;
    const memoryMax = 30 * (text.length / MEGABYTE) + 100;
    console.log(
      `${megabytes} MB: ${Math.round(best.cpuMs)} ms CPU, peak ${Math.round(best.rssMB)} ` +
        `MB (bound ${Math.round(memoryMax)}), ${best.findings} findings`,
    );
    return { ...best, memoryMax };
  });
  const [one, ten] = results;
  if (one === undefined || ten === undefined) throw new Error("nothing was measured");
  console.log(
    `ratio 10 MB : 1 MB = ${(ten.cpuMs / one.cpuMs).toFixed(1)} (bound ${RATIO_MAX}); ` +
      `1 MB takes ${(one.cpuMs / CPU_MAX_MS).toFixed(2)} of the second allowed`,
  );
} finally {
  rmSync(folder, { recursive: true });
}
