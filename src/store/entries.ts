/** Where the modules are that threads of a store begin with. */

const ENDING = import.meta.url.endsWith(".ts") ? "ts" : "js";

/**
 * The address of the module by which connections are encrypted. It is the same seen from here and,
 * where modules are joined, from the folder of the joined ones.
 */
export function relayEntry(): URL {
  return new URL(`../store/postgres/relay-entry.${ENDING}`, import.meta.url);
}
