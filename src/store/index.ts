/** The door of `store`: stores of a plan's rows, behind the session port of `run`. */

export { MemorySession } from "./memory/session.ts";
export { type OpenStore, openStore, prepareStore, type StoreOptions } from "./open.ts";
export { schemaOf } from "./schema/schema.ts";
export { StorageFault } from "./sqlite/fault.ts";
export { SqliteSession } from "./sqlite/session.ts";
export { backupStore, restoreStore } from "./whole/copy.ts";
