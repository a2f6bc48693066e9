/** Files that are shipped beside the program. It stands as deep here as where it is built. */
import { fileURLToPath } from "node:url";

/** The path of the compatibility table that says what most tools assume. */
export function assumedRules(): string {
  return fileURLToPath(new URL("../../docs/assumed-compatibility.md", import.meta.url));
}
