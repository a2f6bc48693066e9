/** The door of `store`: stores of a plan's rows, behind the session port of `run`. */

export { type Copied, copyStore } from "./copy/copy.ts";
export { rehoused } from "./copy/rehouse.ts";
export { MemorySession } from "./memory/session.ts";
export { judgeStore, openStore, prepareStore, type StoreOptions } from "./open.ts";
export type { Attempt, Lead, OpenStore, Ran } from "./opened.ts";
export { placeNamed, type StorePlace, shownPlace } from "./place.ts";
export { type Connection, connectionOf, hearing } from "./postgres/connection.ts";
export { keptInSchema } from "./postgres/kept.ts";
export { schemaOf } from "./schema/schema.ts";
export type { Decisions, Valued } from "./sqlite/decisions.ts";
export type { Weighed } from "./sqlite/document.ts";
export { StorageFault } from "./sqlite/fault.ts";
export { type Migration, type Outlook, Stopped } from "./sqlite/migration.ts";
export { SqliteSession } from "./sqlite/session.ts";
export { backupStore, restoreStore } from "./whole/copy.ts";
export { keptDocument } from "./whole/path.ts";
