/**
 * Makes what the documents take from tables in code: the pages of the findings, and the lists
 * between `<!-- generated:NAME -->` and `<!-- /generated -->`. `--check` writes nothing.
 */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { codeEntries } from "../src/cli/codes.ts";
import { codePage } from "../src/cli/explain/markdown.ts";
import { table } from "./docs/cells.ts";
import { generatedList } from "./docs/lists.ts";
import { llmsText } from "./docs/llms.ts";
import { servedPage } from "./served/page.ts";

const FINDINGS = "docs/findings";
const BLOCK = /(<!-- generated:([^\n]*?) -->\n)[\s\S]*?(<!-- \/generated -->)/g;
/** Folders and documents with generated lists. */
const WITH_LISTS = [
  "docs/reference",
  "docs/how-to",
  "docs/short.md",
  "docs/cli.md",
  "docs/shorter.md",
];

/** The Markdown files that a path names below `root`: itself, or those in its folder. */
function markdownAt(root: string, path: string): string[] {
  if (path.endsWith(".md")) return [path];
  return readdirSync(join(root, path))
    .filter((name) => name.endsWith(".md"))
    .toSorted()
    .map((name) => `${path}/${name}`);
}

function findingIndex(): string {
  const rows = [...codeEntries()].map(([code, entry]) => [
    `[\`${code}\`](${code}.md)`,
    entry.severity,
    entry.title,
  ]);
  return [
    "# Findings",
    "",
    "Every finding of `lacuna check`, with a page for each; `lacuna explain CODE` shows the same " +
      "page.",
    "",
    table(["Code", "Severity", "Title"], rows),
    "",
  ].join("\n");
}

/** The text with each generated list renewed; throws on a name that no list has. */
export function withLists(text: string): string {
  return text.replaceAll(
    BLOCK,
    (_, open: string, name: string, close: string) => `${open}\n${generatedList(name)}\n\n${close}`,
  );
}

/** Every generated file below `root`: path, and the text that it must have. */
export function generatedFiles(root: string): Map<string, string> {
  const files = new Map<string, string>([[`${FINDINGS}/README.md`, findingIndex()]]);
  for (const [code, entry] of codeEntries()) {
    files.set(`${FINDINGS}/${code}.md`, `${codePage(code, entry)}\n`);
  }
  for (const path of WITH_LISTS.flatMap((each) => markdownAt(root, each))) {
    files.set(path, withLists(readFileSync(join(root, path), "utf8")));
  }
  files.set("llms.txt", llmsText());
  files.set("docs/served.md", servedPage(root));
  return files;
}

/** Pages of findings that no code has any more. */
export function strayPages(root: string): string[] {
  const folder = join(root, FINDINGS);
  const known = generatedFiles(root);
  return (existsSync(folder) ? readdirSync(folder) : [])
    .map((name) => `${FINDINGS}/${name}`)
    .filter((path) => !known.has(path));
}

/** Paths below `root` whose text is not the generated one. */
export function outdated(root: string): string[] {
  const wrong = [...generatedFiles(root)].filter(
    ([path, text]) =>
      !existsSync(join(root, path)) || readFileSync(join(root, path), "utf8") !== text,
  );
  return [...wrong.map(([path]) => path), ...strayPages(root)];
}

const here = fileURLToPath(import.meta.url);
if (process.argv[1] !== undefined && resolve(process.argv[1]) === here) {
  const root = dirname(dirname(here));
  const paths = outdated(root);
  if (process.argv.includes("--check")) {
    for (const path of paths) process.stdout.write(`${path} is outdated: npm run docs\n`);
    process.exitCode = paths.length > 0 ? 1 : 0;
  } else {
    mkdirSync(join(root, FINDINGS), { recursive: true });
    for (const path of strayPages(root)) unlinkSync(join(root, path));
    for (const [path, text] of generatedFiles(root)) writeFileSync(join(root, path), text);
    process.stdout.write(`${paths.length} written\n`);
  }
}
