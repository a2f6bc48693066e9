/** The example documents of the repository, by name. */
import { existsSync, readdirSync, readFileSync } from "node:fs";

const folder = new URL("../../examples/", import.meta.url);

/** Names of the examples, in a fixed order. */
export function examples(): string[] {
  return readdirSync(folder)
    .filter((name) => existsSync(new URL(`${name}/spec.md`, folder)))
    .sort();
}

/** The document of an example. */
export function exampleText(name: string): string {
  return readFileSync(new URL(`${name}/spec.md`, folder), "utf8");
}
