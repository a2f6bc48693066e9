/**
 * Writes what the command says of each example beside it (`check.txt`, `check.json`, `plan.json`),
 * and the client of one of them for the tests; with `--check` it writes nothing and fails where a
 * file is not up to date.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { lacuna } from "../test/cli/world.ts";

const here = fileURLToPath(new URL(".", import.meta.url));

const outputs: readonly (readonly [file: string, args: readonly string[]])[] = [
  ["check.txt", ["check"]],
  ["check.json", ["check", "--format", "json"]],
  ["plan.json", ["plan", "--format", "json"]],
];

const CLIENT = "test/export/golden/conduit.ts";

/** What the command prints for one document, named by its path from the project's root. */
async function printed(args: readonly string[], document: string): Promise<string> {
  const [name = "", ...more] = args;
  const { code, out, err } = await lacuna([name, document, ...more]);
  if (code !== 0) throw new Error(`${args.join(" ")} ${document}: ${err}`);
  return out;
}

/** The golden files that are not what the command prints, with what it prints. */
export async function stale(): Promise<ReadonlyMap<string, string>> {
  process.chdir(join(here, ".."));
  const found = new Map<string, string>();
  const client = await printed(["export", "--to", "typescript"], "examples/conduit/spec.md");
  if (!existsSync(CLIENT) || readFileSync(CLIENT, "utf8") !== client) found.set(CLIENT, client);
  for (const example of readdirSync(here).sort()) {
    if (!existsSync(join(here, example, "spec.md"))) continue;
    for (const [file, args] of outputs) {
      const path = `examples/${example}/${file}`;
      const text = await printed(args, `examples/${example}/spec.md`);
      if (!existsSync(path) || readFileSync(path, "utf8") !== text) found.set(path, text);
    }
  }
  return found;
}

if (import.meta.main) {
  const onlyCheck = process.argv.includes("--check");
  const found = await stale();
  if (!onlyCheck) for (const [path, text] of found) writeFileSync(path, text);
  const what = onlyCheck ? "not up to date" : "written";
  const lines = [...found.keys()].map((path) => `${what}: ${path}`);
  console.log(found.size === 0 ? "all up to date" : lines.join("\n"));
  if (onlyCheck && found.size > 0) process.exitCode = 1;
}
