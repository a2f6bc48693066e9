/** Takes counted entries out of a SQLite database that no window holds any more. */
import type Database from "better-sqlite3";

/**
 * Takes out what was counted before `from` under a name for the group behind another, and gives
 * that group; undefined: there is none. A seek, however many groups there are.
 */
export function pruneTallies(
  db: Database.Database,
  name: string,
  after: number | undefined,
  from: bigint,
): number | undefined {
  const group = db
    .prepare<unknown[]>(
      "SELECT grp FROM tallies WHERE name = ? AND grp > ? " + "ORDER BY grp LIMIT 1",
    )
    .pluck(true)
    .safeIntegers(false)
    .get(name, after ?? -1) as number | undefined;
  if (group !== undefined) {
    db.prepare("DELETE FROM tallies WHERE name = ? AND grp = ? AND at < ?").run(name, group, from);
  }
  return group;
}
