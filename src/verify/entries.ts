/** Where the modules are that threads begin with. */

const ENDING = import.meta.url.endsWith(".ts") ? "ts" : "js";

/**
 * The address of such a module, by its path below this folder without an ending. It is the same
 * seen from here and, where modules are joined, from the folder of the joined ones.
 */
function entryAt(path: "proxy/forward-entry" | "events/receiver-entry"): URL {
  return new URL(`../verify/${path}.${ENDING}`, import.meta.url);
}

/** Of the proxy. */
export const forwarderEntry = (): URL => entryAt("proxy/forward-entry");

/** Of the receiver of messages. */
export const receiverEntry = (): URL => entryAt("events/receiver-entry");
