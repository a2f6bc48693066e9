/** Console transcripts in the documentation: each command runs and prints what stands there. */
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { samples } from "./prose.ts";
import { assertLike, commandsOf } from "./transcript.ts";

const root = join(import.meta.dirname, "..", "..");
const main = join(root, "src/cli/main.ts");

/** What such a line would run here; undefined where it is no command of the product. */
function argumentsOf(line: string): string[] | undefined {
  const words = line.match(/"[^"]*"|\S+/g)?.map((word) => word.replaceAll('"', "")) ?? [];
  const own = words[0] === "lacuna" || words[0] === "./lacuna";
  return own && words[1] !== "serve" && !/[|<>;&]/.test(line) ? words.slice(1) : undefined;
}

function runs(args: readonly string[], folder: string): string {
  const done = spawnSync(process.execPath, [main, ...args], {
    cwd: folder,
    encoding: "utf8",
    env: { ...process.env, NO_COLOR: "1", COLUMNS: "80" },
    timeout: 30_000,
  });
  return done.stdout + done.stderr;
}

const note = samples().find(
  ({ info, place }) => info === "markdown spec" && place.startsWith("docs/first-document.md"),
);

for (const sample of samples().filter(({ info }) => info === "console")) {
  test(`the transcript at ${sample.place}`, () => {
    const folder = mkdtempSync(join(tmpdir(), "lacuna-docs-"));
    try {
      cpSync(join(root, "examples"), join(folder, "examples"), { recursive: true });
      writeFileSync(join(folder, "notes.md"), note?.text ?? "");
      writeFileSync(join(folder, "shorter.md"), note?.text.replace("1 to 500", "1 to 300") ?? "");
      for (const { line, output } of commandsOf(sample.text)) {
        const args = argumentsOf(line);
        if (args === undefined || output.trim() === "") continue;
        assertLike(runs(args, folder), output, `${sample.place}: ${line}`);
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
}
