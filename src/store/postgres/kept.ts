/** The document by which the rows of a schema were written. */
import type { Plan } from "../../plan/index.ts";
import { StorageFault } from "../sqlite/fault.ts";
import { connectionOf } from "./connection.ts";
import { placeOf } from "./place.ts";
import { quoted, Statements } from "./statements.ts";

/** The plan, and JSON text of where its items stand. Rejects with `StorageFault`. */
export async function keptInSchema(
  url: string,
): Promise<{ readonly plan: Plan; readonly places: string }> {
  const connection = await connectionOf({ postgres: url });
  if (connection === undefined) throw new Error("a URL of PostgreSQL names no place");
  const sql = new Statements(() => connection.wire);
  try {
    const { schema } = placeOf(url);
    sql.ask("SELECT set_config('search_path', $1, false)", [quoted(schema)]);
    const isThere = sql.ask("SELECT to_regclass('meta')")[0]?.[0] !== null;
    const text = isThere ? sql.read("plan") : undefined;
    if (text === undefined) {
      throw new StorageFault("SCHEMA", `the schema ${schema} holds no store`);
    }
    return { plan: JSON.parse(text) as Plan, places: sql.read("places") ?? "{}" };
  } finally {
    connection.wire.close();
  }
}
