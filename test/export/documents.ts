/** Documents of the repository that exports are tried with. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "../..");

function whole(text: string): string {
  const found = /````markdown spec\n([\s\S]*?)\n````/.exec(text)?.[1];
  if (found === undefined) throw new Error("the page has no whole document");
  return `${found}\n`;
}

/** Name and bytes of each example, of the six services, and of the first document. */
export function documents(): readonly (readonly [name: string, bytes: Uint8Array])[] {
  const examples = readdirSync(join(root, "examples"))
    .map((name) => `examples/${name}/spec.md`)
    .filter((file) => existsSync(join(root, file)));
  const six = readdirSync(join(root, "test/six"))
    .filter((name) => name.endsWith(".md"))
    .map((name) => `test/six/${name}`);
  const short = readFileSync(join(root, "docs/first-document.md"), "utf8");
  return [
    ...[...examples, ...six].map((file) => [file, readFileSync(join(root, file))] as const),
    ["docs/first-document.md", new TextEncoder().encode(whole(short))],
  ];
}
