/** The door of `store`: stores of a plan's rows, behind the session port of `run`. */
export { StorageFault } from "./fault.ts";
export { MemorySession } from "./memory.ts";
export { type OpenStore, openStore, prepareStore, type StoreOptions } from "./open.ts";
export { schemaOf } from "./schema.ts";
export { SqliteSession } from "./session.ts";
