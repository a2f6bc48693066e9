/** Whose database a file is, and in which format a store was written. */
import type Database from "better-sqlite3";
import { STORAGE_FORMAT, STORAGE_FORMATS_READ } from "../schema/schema.ts";
import { readMeta } from "./document.ts";
import { StorageFault } from "./fault.ts";

/** Whether anything was ever made in the database. */
export function hasTables(db: Database.Database): boolean {
  return db.prepare("SELECT 1 FROM sqlite_schema LIMIT 1").get() !== undefined;
}

/** Throws `StorageFault` where the database is no store of this format. */
export function judgeFormat(db: Database.Database, file: string): void {
  const isOurs = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'meta'").get() !== undefined;
  const format = isOurs ? readMeta(db, "storage") : undefined;
  if (format === undefined) {
    throw new StorageFault("SCHEMA", `${file} is a database of another program: name another file`);
  }
  if (!STORAGE_FORMATS_READ.some((one) => String(one) === format)) {
    throw new StorageFault(
      "SCHEMA",
      `${file} was written in storage format ${format}, and this version of Lacuna writes ` +
        `${STORAGE_FORMAT} and reads ${STORAGE_FORMATS_READ.join(" and ")}: ` +
        "use the version that wrote it",
    );
  }
}
