/** Finds what is exported and nobody imports: neither sources nor tests, scripts, examples. */
import type { Problem, Source } from "./source.ts";

/** The public door: what it exports is for others, with all the types of plans. */
const DOOR = "src/index.ts";
const PUBLIC_TYPES = "src/plan/";

/** `import { a, type b as c }`, `{ a } = await import("...")` and `(await import("...")).a`. */
const LISTS = [/\bimport\s+(?:type\s+)?\{([^}]*)\}/g, /\{([^{}]*)\}\s*=\s*await import\(/g];
const MEMBER = /\bimport\("[^"]*"\)\)\.(\w+)/g;

/** The names that a text imports, by the names that they were exported by. */
function importedNames(text: string): string[] {
  const listed = LISTS.flatMap((list) => [...text.matchAll(list)])
    .flatMap(([, names = ""]) => names.split(","))
    .map((each) => each.trim().replace(/^type /, ""))
    .map((each) => each.replace(/( as |:).*$/, ""));
  return [...listed, ...[...text.matchAll(MEMBER)].map(([, name = ""]) => name)];
}

/** Breaches in `sources`; `others`: texts of further files that may import from them. */
export function judgeExports(sources: readonly Source[], others: readonly string[]): Problem[] {
  const used = new Set([...sources.map(({ text }) => text), ...others].flatMap(importedNames));
  for (const { path, names } of sources) {
    if (path === DOOR) for (const { name } of names) used.add(name);
  }
  const rule = "unused-export";
  return sources
    .filter(({ path }) => path.startsWith("src/"))
    .flatMap(({ path, names }) =>
      names
        .filter(({ name, isType }) => !used.has(name) && !(isType && path.startsWith(PUBLIC_TYPES)))
        .map(({ name, line }) => ({ path, line, rule, message: `nobody imports \`${name}\`` })),
    );
}
