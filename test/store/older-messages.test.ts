/** Stores written before messages told their event: what waits there is kept and delivered. */
import assert from "node:assert/strict";
import { test } from "node:test";
import Database from "better-sqlite3";
import { schemaOf } from "../../src/store/schema/schema.ts";
import { MESSAGE_TABLE } from "../../src/store/schema/tables.ts";
import { SqliteMessages } from "../../src/store/sqlite/messages.ts";
import { makeOthers } from "../../src/store/sqlite/widen.ts";
import { bells } from "../serve/bells.ts";

test("messages get the columns that they lack, once, and keep what they have", (t) => {
  const db = new Database(":memory:");
  t.after(() => db.close());
  for (const statement of MESSAGE_TABLE) db.exec(statement);
  db.exec("ALTER TABLE messages DROP COLUMN event; ALTER TABLE messages DROP COLUMN sent");
  db.exec(
    "INSERT INTO messages (webhook, receiver, name, body, attempts, due) " +
      "VALUES ('hooks', 1, 'msg_1', '{}', 2, 7)",
  );
  db.defaultSafeIntegers(true);
  const schema = schemaOf(bells().plan);
  makeOthers(db, schema);
  makeOthers(db, schema);
  const receiver = { webhook: "hooks", receiver: 1 };
  const kept = { ...receiver, number: 1, name: "msg_1", body: "{}", attempts: 2, due: 7n };
  assert.deepEqual(new SqliteMessages(db).first(receiver), { ...kept, event: "", sent: 0n });
});
