/** Keeps the indexes of a store as its plan wants them. */
import type Database from "better-sqlite3";
import type { Schema } from "../schema/schema.ts";

/** Makes indexes that the plan wants now and drops those that it no longer wants. */
export function refreshIndexes(db: Database.Database, schema: Schema): void {
  const wanted = new Map(
    schema.statements
      .filter((one) => one.startsWith("CREATE INDEX"))
      .map((one) => [/INDEX "?(.+?)"? ON /.exec(one)?.[1] ?? "", one]),
  );
  const there = db
    .prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'index' " + "AND sql IS NOT NULL")
    .all() as { name: string; sql: string }[];
  for (const { name, sql } of there) {
    if (wanted.get(name.replaceAll('"', '""')) === sql) wanted.delete(name.replaceAll('"', '""'));
    else db.exec(`DROP INDEX "${name.replaceAll('"', '""')}"`);
  }
  for (const statement of wanted.values()) db.exec(statement);
}
