/** Finds or installs the programs that judge from outside; must not know what they judge. */
import { spawnSync } from "node:child_process";
import { accessSync, constants, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";

/** Published packages, at exact versions, outside the dependencies of this one. */
export const PACKAGES = {
  newman: "6.2.2",
  "playwright-core": "1.65.1",
  stripe: "23.1.0",
  "@octokit/rest": "22.0.1",
} as const;

function isInstalled(folder: string, name: string, version: string): boolean {
  const path = join(folder, name, "package.json");
  if (!existsSync(path)) return false;
  return (JSON.parse(readFileSync(path, "utf8")) as { version: string }).version === version;
}

type Installed = { readonly folder: string } | { readonly missing: string };

/**
 * Packages at exact versions in a folder of that name below the system's one for temporary files,
 * installed there where they are missing; or why that failed.
 */
export function installed(name: string, wanted: Readonly<Record<string, string>>): Installed {
  const own = join(tmpdir(), name);
  const folder = join(own, "node_modules");
  if (Object.entries(wanted).every((each) => isInstalled(folder, ...each))) return { folder };
  mkdirSync(own, { recursive: true });
  writeFileSync(join(own, "package.json"), JSON.stringify({ private: true, dependencies: wanted }));
  const args = ["install", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"];
  const { status, stderr } = spawnSync("npm", args, { cwd: own, encoding: "utf8" });
  if (status === 0) return { folder };
  return {
    missing: `npm could not install ${Object.keys(wanted).join(", ")}: ${stderr ?? ""}`.trim(),
  };
}

/** The folder with the programs that judge. */
export const packages = (): Installed => installed("lacuna-test-peers", PACKAGES);

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The path of a program: the one that a variable names, or the first of the names in PATH. */
export function program(variable: string, ...names: readonly string[]): string | undefined {
  const named = process.env[variable];
  if (named !== undefined) return isProgram(named) ? named : undefined;
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  return folders.flatMap((folder) => names.map((name) => join(folder, name))).find(isProgram);
}

/** The name and number that a program prints of its version. */
export function versionOf(path: string): string {
  const { stdout } = spawnSync(path, ["--version"], { encoding: "utf8" });
  return /^.*?\d[\d.]*/.exec(stdout ?? "")?.[0] ?? "";
}
