/** The Markdown of the documentation and its fenced blocks. */
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";

const root = join(import.meta.dirname, "..", "..");

export interface Sample {
  /** File and line of the fence. */
  readonly place: string;
  readonly info: string;
  readonly text: string;
}

/** README.md and the pages below docs: absolute paths. */
export function markdownFiles(): string[] {
  const docs = readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => join(root, "docs", name));
  return [join(root, "README.md"), ...docs.sort()];
}

/** Every fenced block of README.md and docs, in order. */
export function samples(): Sample[] {
  return markdownFiles().flatMap((file) => {
    const found: Sample[] = [];
    const lines = readFileSync(file, "utf8").split("\n");
    for (let i = 0; i < lines.length; i++) {
      const fence = /^(`{3,})(.*)$/.exec(lines[i] ?? "");
      if (fence === null) continue;
      const end = lines.indexOf(fence[1] as string, i + 1);
      const last = end < 0 ? lines.length : end;
      const place = `${relative(root, file)}:${i + 1}`;
      const text = `${lines.slice(i + 1, last).join("\n")}\n`;
      found.push({ place, info: (fence[2] ?? "").trim(), text });
      i = last;
    }
    return found;
  });
}
