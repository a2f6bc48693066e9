/** A program that uses the library, as docs/library.md shows it. */
import { readFileSync } from "node:fs";
import { join } from "node:path";

const page = readFileSync(join(import.meta.dirname, "../../docs/library.md"), "utf8");

/** How compilers find the types of a package. */
export const RESOLUTIONS = [
  { module: "node16", moduleResolution: "node16" },
  { module: "nodenext", moduleResolution: "nodenext" },
  { module: "esnext", moduleResolution: "bundler" },
] as const;

/** The program of the page. */
export const program: string = /```ts library\n([\s\S]*?)```/.exec(page)?.[1] ?? "";

/** What the page says of the exports: the names in its table. */
export const exportsNamed: readonly string[] = [...page.matchAll(/^\| (`.*?`) \|/gm)].flatMap(
  ([, cell = ""]) => [...cell.matchAll(/`(\w+)\(/g)].map(([, name]) => name ?? ""),
);

/** The same, with uses of types and a mistake that a compiler must find. */
export const consumer = `${program}
import type { CheckedSpec, Compiled, Finding, Plan } from "lacuna";

export const made: Compiled = compile(bytes);
export const findings: readonly Finding[] = made.checked.findings;
export const checkedSpec: CheckedSpec = made.checked;
export const plan: Plan | undefined = made.planned?.plan;
// @ts-expect-error: a document is bytes
compile("text");
`;
