/**
 * `npm run test:growth [-- --only NAME,...] [-- --count N]`: descriptions that are large in one way,
 * in sizes of N, 2 N and 4 N: processor time and memory of each command. Ends with 1 where the time
 * for the largest is more than five times that of the one half as large, or a command fails.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { campaignOptions } from "../campaigns/options.ts";
import { growing } from "./growing.ts";

const COUNT = 1_000;
/** A doubling doubles the time; what else the machine does is in it, too. */
const RATIO_MAX = 5;
/** Below that the start of the command is most of it. */
const SECONDS_TOLD = 1.5;
const SECONDS_MAX = 120;
const MAIN = join(import.meta.dirname, "../../src/cli/main.ts");
/** Prints what a command took, whatever it printed. */
const MEASURED = join(import.meta.dirname, "measured.mjs");

interface Took {
  readonly seconds: number;
  readonly megabytes: number;
  readonly code: number | null;
  readonly out: string;
}

function took(...args: readonly string[]): Took {
  const done = spawnSync(process.execPath, ["--import", MEASURED, MAIN, ...args], {
    encoding: "utf8",
    maxBuffer: 2 ** 30,
    timeout: SECONDS_MAX * 1000,
  });
  const [, seconds = "0", megabytes = "0"] = /took ([\d.]+) s, (\d+) MB/.exec(done.stderr) ?? [];
  return {
    seconds: Number(seconds),
    megabytes: Number(megabytes),
    code: done.status,
    out: done.stdout,
  };
}

const FORMS = ["openapi", "typescript", "html", "jsonschema"];

/** What each command takes for one size; the document that the import writes goes on. */
function measured(folder: string, name: string, count: number): Map<string, Took> {
  const file = join(folder, "description.json");
  const other = join(folder, "other.json");
  const document = join(folder, "document.md");
  writeFileSync(file, JSON.stringify(growing[name]?.(count), undefined, 1));
  writeFileSync(other, JSON.stringify(growing[name]?.(count - 1), undefined, 1));
  const found = new Map([["check", took("check", "--format", "json", file)]]);
  found.set("diff", took("diff", other, file));
  const imported = took("import", file);
  found.set("import", imported);
  writeFileSync(document, imported.out);
  if (imported.code !== 0) return found;
  found.set("check of the import", took("check", "--format", "json", document));
  for (const form of FORMS) found.set(form, took("export", document, "--to", form));
  return found;
}

const { only, count = COUNT } = campaignOptions({ only: "text", count: "count" });
const names = only === undefined ? Object.keys(growing) : only.split(",");
const folder = mkdtempSync(join(tmpdir(), "lacuna-growth-"));
try {
  for (const name of names) {
    const sizes = [1, 2, 4].map((times) => measured(folder, name, count * times));
    const [, half, whole] = sizes;
    for (const [command, most] of whole ?? []) {
      const before = half?.get(command)?.seconds ?? 0;
      const isSlow = most.seconds > SECONDS_TOLD && most.seconds > RATIO_MAX * before;
      // 1: errors in the description.
      const isWrong = isSlow || (most.code !== 0 && most.code !== 1);
      const all = sizes.map((one) => (one.get(command)?.seconds ?? 0).toFixed(2)).join(" ");
      const word = isWrong ? `WRONG (${most.code})` : "right";
      console.log(`${name}, ${command}: ${word}, ${all} s, ${most.megabytes} MB`);
      if (isWrong) process.exitCode = 1;
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
