/** Every link of the documents leads to a file and a heading that there are; old ones still do. */
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { test } from "node:test";
import { markdownFiles } from "./prose.ts";

const root = join(import.meta.dirname, "../..");

interface Page {
  readonly anchors: ReadonlySet<string>;
  readonly links: readonly { readonly line: number; readonly to: string }[];
}

/** The anchor that a Markdown viewer gives a heading. */
function anchorOf(heading: string): string {
  return heading
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_ -]/gu, "")
    .replaceAll(" ", "-");
}

/** Headings and links outside of fenced blocks and code spans. */
function pageOf(file: string): Page {
  const anchors = new Set<string>();
  const links: { line: number; to: string }[] = [];
  let fence: string | undefined;
  for (const [index, line] of readFileSync(file, "utf8").split("\n").entries()) {
    const mark = /^(`{3,})/.exec(line)?.[1];
    if (mark !== undefined && (fence === undefined || fence === mark)) {
      fence = fence === undefined ? mark : undefined;
    }
    if (fence !== undefined) continue;
    const heading = /^#{1,6} (.*)$/.exec(line)?.[1];
    if (heading !== undefined) anchors.add(anchorOf(heading));
    const plain = line.replaceAll(/(`+)(?!`).*?(?<!`)\1(?!`)/g, "code");
    for (const [, to = ""] of plain.matchAll(/\]\(([^)\s]+)\)/g))
      links.push({ line: index + 1, to });
  }
  return { anchors, links };
}

const files = [
  ...markdownFiles(),
  ...readdirSync(root)
    .filter((name) => name.endsWith(".md") && name !== "README.md")
    .map((name) => join(root, name)),
];
const pages = new Map(files.map((file) => [file, pageOf(file)]));

test("every link leads somewhere", () => {
  const broken: string[] = [];
  for (const [file, { links }] of pages) {
    for (const { line, to } of links.filter((link) => !/^[a-z]+:/.test(link.to))) {
      const [path = "", hash] = to.split("#");
      const target = path === "" ? file : join(dirname(file), path);
      const page = pages.get(target);
      const isThere =
        hash === undefined
          ? existsSync(target)
          : page?.anchors.has(hash) === true && statSync(target).isFile();
      if (!isThere) broken.push(`${relative(root, file)}:${line}: ${to}`);
    }
  }
  assert.deepEqual(broken, []);
});

/** The headings of the one page that the reference was, by which links from outside name them. */
const OLD = `a-first-document text five-values parts-and-facets gap-sentences what-the-service-does
  resources-and-their-fields types rules shapes-and-views states-and-transitions endpoints steps
  expressions calls-and-named-steps authentication events errors-and-failures limits versioning
  examples-in-a-document questions gaps-when-the-service-runs what-published-standards-fix
  what-the-host-answers-by-itself bounds how-do-i-say paths-that-nest a-body-with-more-in-it pages
  totals-and-groups redirects-and-texts accounts keys roles invariants time the-next-one
  many-at-once other-systems webhooks-and-streams counts-for-the-caller what-the-service-sets
  what-cannot-be-said`.split(/\s+/);

test("llms.txt has the layout of llmstxt.org, and its links lead somewhere", () => {
  const text = readFileSync(join(root, "llms.txt"), "utf8");
  assert.match(text, /^# \S[^\n]*\n\n> \S[^\n]*\n\n/);
  const links = [...text.matchAll(/^- \[[^\]]+\]\(([^)]+)\): \S/gm)].map(([, to = ""]) => to);
  assert.equal(links.length, text.split("\n").filter((line) => line.startsWith("- ")).length);
  assert.deepEqual(
    links.filter((to) => !existsSync(join(root, to))),
    [],
  );
  const { files } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    files: string[];
  };
  assert.ok(files.includes("llms.txt") && files.includes("docs"));
});

test("each old heading of the notation is a line that links on", () => {
  const text = readFileSync(join(root, "docs/notation.md"), "utf8");
  const onward = new Map<string, string>();
  for (const [, heading = "", body = ""] of text.matchAll(/^#{2,3} (.*)\n\n(.*)$/gm)) {
    onward.set(anchorOf(heading), body);
  }
  for (const old of OLD)
    assert.match(onward.get(old) ?? "", /\]\([a-z-]+\/?[^)]*\.md[^)]*\)/i, old);
});

test("each page of a folder of the documents is named by its index", () => {
  for (const folder of ["docs", "docs/reference", "docs/how-to", "docs/explanation"]) {
    const path = join(root, folder);
    if (!existsSync(path)) continue;
    const index = pages.get(join(path, "README.md"));
    const named = new Set(index?.links.map(({ to }) => to.split("#")[0]));
    const own = readdirSync(path).filter((name) => name.endsWith(".md") && name !== "README.md");
    const left = own.filter((name) => !named.has(name) && name !== "notation.md");
    assert.deepEqual(left, [], folder);
  }
});
