/** Where the modules are that threads begin with. */

const ENDING = import.meta.url.endsWith(".ts") ? "ts" : "js";

/**
 * The address of such a module, by its path below this folder without an ending. It is the same
 * seen from here and, where modules are joined, from the folder of the joined ones.
 */
export function entryAt(path: "threads/thread-entry" | "calls/code-entry"): URL {
  return new URL(`../serve/${path}.${ENDING}`, import.meta.url);
}
