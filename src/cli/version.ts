/** Gives the version of the installed package, read from its own package.json. */
import { readFileSync } from "node:fs";

/** The version as package.json has it (semver); the path is the same seen from src and dist. */
export function version(): string {
  const text = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
  return (JSON.parse(text) as { version: string }).version;
}
