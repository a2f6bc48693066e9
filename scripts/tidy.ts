/** Checks the structure of the repository: rooms, cycles, lengths, comments, paths in documents. */
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { judgePlacesOf } from "./tidy/inner.ts";
import { judgeLock, judgePaths, judgePlaces } from "./tidy/prose.ts";
import { cycles, judgeImports, roomOf } from "./tidy/rooms.ts";
import { judgeShape } from "./tidy/shape.ts";
import type { Problem, Source } from "./tidy/source.ts";
import { readSource } from "./tidy/source.ts";
import { judgeExports } from "./tidy/unused.ts";

const NOT_OURS = new Set([".git", "node_modules", "dist", ".setup", "coverage"]);
const BASE_FILES_MAX = 12;
const BINARY = /\.(png|ico|woff2|db|sqlite)$/;

/** The files of the repository, relative to `root`: git's, or all where there is no git. */
export function listFiles(root: string): string[] {
  const args = ["ls-files", "--cached", "--others", "--exclude-standard", "-z"];
  const listed = spawnSync("git", args, { cwd: root, encoding: "utf8", maxBuffer: 1 << 26 });
  const files = listed.status === 0 && existsSync(join(root, ".git")) ? listed.stdout : "";
  if (files !== "") return files.split("\0").filter((each) => existsSync(join(root, each)) && each);
  const below = (folder: string): string[] =>
    readdirSync(join(root, folder), { withFileTypes: true }).flatMap((each) => {
      const path = folder === "" ? each.name : `${folder}/${each.name}`;
      if (NOT_OURS.has(each.name)) return [];
      return each.isDirectory() ? below(path) : [path];
    });
  return below("").sort();
}

/** Every breach in the repository at `root`, in the order of the files. */
export function tidy(root: string): Problem[] {
  const files = listFiles(root);
  const text = (path: string): string => readFileSync(join(root, path), "utf8");
  const sources: Source[] = [];
  const problems: Problem[] = [];
  for (const path of files.filter((each) => /^(src|scripts)\/.*\.(ts|mjs)$/.test(each))) {
    try {
      sources.push(readSource(path, text(path)));
    } catch (error) {
      problems.push({ path, line: 1, rule: "syntax", message: String(error) });
    }
  }
  problems.push(...judgeImports(sources), ...judgePlacesOf(sources));
  problems.push(...sources.flatMap(judgeShape));
  const others = files.filter((each) => /^(test|bench|examples)\/.*\.(ts|mjs)$/.test(each));
  problems.push(...judgeExports(sources, others.map(text)));
  for (const cycle of cycles(sources)) {
    const message = `import cycle: ${[...cycle, cycle[0]].join(" -> ")}`;
    problems.push({ path: cycle[0] ?? "", line: 1, rule: "cycle", message });
  }
  const baseFiles = sources.filter((each) => roomOf(each.path) === "base").length;
  if (baseFiles > BASE_FILES_MAX) {
    const message = `${baseFiles} files; at most ${BASE_FILES_MAX}`;
    problems.push({ path: "src/base", line: 1, rule: "base", message });
  }
  for (const path of files.filter((each) => !BINARY.test(each))) {
    problems.push(...judgePlaces(path, text(path)));
    if (/^([A-Z]+|docs\/.*)\.md$/.test(path)) {
      problems.push(...judgePaths(path, text(path), files));
    }
    if (path === "package-lock.json") problems.push(...judgeLock(path, text(path)));
  }
  return problems;
}

/** A problem on one line, as compilers print it. */
export function formatProblem({ path, line, rule, message }: Problem): string {
  return `${path}:${line}: ${rule}: ${message}`;
}

const here = fileURLToPath(import.meta.url);
if (process.argv[1] !== undefined && resolve(process.argv[1]) === here) {
  const problems = tidy(dirname(dirname(here)));
  for (const problem of problems) process.stdout.write(`${formatProblem(problem)}\n`);
  process.exitCode = problems.length > 0 ? 1 : 0;
}
