/** The documents of the campaign, each with what it is served with. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export interface Subject {
  /** As `bank` or `unseen/chat`. */
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly assumptions?: Uint8Array;
  /** JSON text of the rows that are given when the service starts. */
  readonly rows?: string;
  /** Texts of settings, as the environment gives them. */
  readonly environment?: Readonly<Record<string, string>>;
}

const EXAMPLES = fileURLToPath(new URL("../../examples/", import.meta.url));
const UNSEEN = fileURLToPath(new URL("../unseen/", import.meta.url));

/** A document, and what stands in `examples.md` beside it at its end. */
function withExamples(file: string): Buffer {
  const beside = join(dirname(file), "examples.md");
  if (!file.startsWith(EXAMPLES) || !existsSync(beside)) return readFileSync(file);
  const blocks = readFileSync(beside, "utf8").match(/^```http [^]*?^```$/gm) ?? [];
  return Buffer.from([readFileSync(file, "utf8"), ...blocks].join("\n\n"));
}

function subject(name: string, file: string, beside: { assumptions: string; rows: string }) {
  const { assumptions, rows } = beside;
  return {
    name,
    bytes: withExamples(file),
    ...(existsSync(assumptions) ? { assumptions: readFileSync(assumptions) } : {}),
    ...(existsSync(rows) ? { rows: readFileSync(rows, "utf8") } : {}),
  };
}

/** All examples and all documents of `test/unseen`, in a fixed order. */
export function subjects(): Subject[] {
  const examples = readdirSync(EXAMPLES)
    .filter((name) => existsSync(`${EXAMPLES}${name}/spec.md`))
    .map((name) =>
      subject(name, `${EXAMPLES}${name}/spec.md`, {
        assumptions: `${EXAMPLES}${name}/assumptions.md`,
        rows: `${EXAMPLES}${name}/rows.json`,
      }),
    );
  const environment = JSON.parse(readFileSync(`${UNSEEN}settings.json`, "utf8")) as Record<
    string,
    string
  >;
  const unseen = readdirSync(UNSEEN)
    .filter((name) => name.endsWith(".md"))
    .map((file) => {
      const name = file.replace(/\.md$/, "");
      const assumptions = `${UNSEEN}${name}.assumptions.md`;
      const rows = `${UNSEEN}${name}.rows.json`;
      return {
        ...subject(`unseen/${name}`, `${UNSEEN}${file}`, { assumptions, rows }),
        environment,
      };
    });
  return [...examples.sort((a, b) => (a.name < b.name ? -1 : 1)), ...unseen];
}

/** Those of these names, joined by commas, or all; ends the process with 2 where one has no document. */
export function subjectsNamed(names: string | undefined): Subject[] {
  const all = subjects();
  if (names === undefined) return all;
  const wanted = names.split(",");
  const unknown = wanted.filter((name) => !all.some((one) => one.name === name));
  if (unknown.length === 0) return all.filter(({ name }) => wanted.includes(name));
  console.error(`There is no document ${unknown.join(", ")}; there are:`);
  console.error(`  ${all.map(({ name }) => name).join(" ")}`);
  process.exit(2);
}
