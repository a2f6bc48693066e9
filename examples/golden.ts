/**
 * Writes what the command says of each example beside it (`check.txt`, `check.json`, `plan.json`);
 * with `--check` it writes nothing and fails where a file is not up to date.
 */
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(new URL(".", import.meta.url));
const root = join(here, "..");
const command = join(root, "src", "cli", "main.ts");

const outputs: readonly (readonly [file: string, args: readonly string[]])[] = [
  ["check.txt", ["check"]],
  ["check.json", ["check", "--format", "json"]],
  ["plan.json", ["plan", "--format", "json"]],
];

/** What the command prints for one document, named by its path from the project's root. */
function printed(args: readonly string[], document: string): string {
  const [name = "", ...more] = args;
  const run = spawnSync(process.execPath, [command, name, document, ...more], {
    cwd: root, encoding: "utf8", maxBuffer: 64 * 1024 * 1024,
    env: { ...process.env, NO_COLOR: "1", FORCE_COLOR: "" },
  });
  if (run.status !== 0) throw new Error(`${args.join(" ")} ${document}: ${run.stderr}`);
  return run.stdout;
}

const onlyCheck = process.argv.includes("--check");
const stale: string[] = [];
for (const example of readdirSync(here).sort()) {
  if (!existsSync(join(here, example, "spec.md"))) continue;
  for (const [file, args] of outputs) {
    const path = join(here, example, file);
    const text = printed(args, `examples/${example}/spec.md`);
    if (existsSync(path) && readFileSync(path, "utf8") === text) continue;
    stale.push(`examples/${example}/${file}`);
    if (!onlyCheck) writeFileSync(path, text);
  }
}
const what = onlyCheck ? "not up to date" : "written";
console.log(stale.length === 0 ? "all up to date" : stale.map((f) => `${what}: ${f}`).join("\n"));
if (onlyCheck && stale.length > 0) process.exitCode = 1;
