/**
 * `node scripts/spans.ts [REVISION]`: words in code spans and lines of the documents in `examples`
 * and `test/unseen`, at a revision of git (without one: before the shorter forms) and now. A word
 * ends at white space; fenced blocks do not count, and documents that were not there neither.
 */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");
const BEFORE = "9a54d5ac1451afc840c1b6dad5387009a6260c17";
const DOCUMENT = /^(examples\/[^/]+\/spec|test\/unseen\/[^/]+)\.md$/;

function git(...args: readonly string[]): string {
  return execFileSync("git", args, { cwd: root, encoding: "utf8" });
}

/** The words in code spans of a document. */
function wordsIn(text: string): number {
  const unfenced = text.replace(/^(`{3,}).*\n[\s\S]*?^\1$/gm, "");
  return [...unfenced.matchAll(/(`+)(.*?[^`])\1(?!`)/g)]
    .map(([, , code = ""]) => code.trim().split(/\s+/).length)
    .reduce((sum, words) => sum + words, 0);
}

const linesIn = (text: string): number => text.split("\n").length - 1;

function row(name: string, cells: readonly number[]): string {
  return name.padEnd(28) + cells.map((cell) => String(cell).padStart(8)).join("");
}

function main(revision: string): void {
  const files = git("ls-tree", "-r", "--name-only", revision)
    .split("\n")
    .filter((file) => DOCUMENT.test(file));
  const counts = files.map((file) => {
    const before = git("show", `${revision}:${file}`);
    const now = readFileSync(join(root, file), "utf8");
    return [wordsIn(before), wordsIn(now), linesIn(before), linesIn(now)];
  });
  const sums = [0, 1, 2, 3].map((at) => counts.reduce((sum, one) => sum + (one[at] ?? 0), 0));
  const [before = 0, now = 0] = sums;
  console.log(`${"words in code spans, lines".padEnd(28)}  before     now  before     now`);
  for (const [at, file] of files.entries()) console.log(row(file, counts[at] ?? []));
  console.log(row("in all", sums));
  console.log(`${((100 * (before - now)) / before).toFixed(1)} % fewer words in code spans`);
}

main(process.argv[2] ?? BEFORE);
