import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import Database from "better-sqlite3";
import { audit } from "./audit.ts";
import { Client, send } from "./clients.ts";
import type { Write } from "./ledger.ts";
import { Ledger } from "./ledger.ts";
import { start } from "./service.ts";

/** What is done to a sound file, and the fault that must be found. */
const DAMAGE: readonly (readonly [string, RegExp])[] = [
  [`DELETE FROM "r_Hit"`, /lost: hit/],
  [`UPDATE "r_Account" SET f_name = 'x' WHERE _key = 1`, /changed: account/],
  [`UPDATE "r_Account" SET f_balance = f_balance - 1 WHERE _key = 1`, /half applied/],
  [`UPDATE "r_Counter" SET f_value = 9 WHERE f_name = 'a'`, /invariant of a is broken/],
  [`UPDATE "r_Transfer" SET f_amount = 7`, /changed: transfer/],
  [`UPDATE "r_Task" SET f_status = 'finished' WHERE _key = 1`, /timer of/],
  [`INSERT INTO "r_Firing" (f_task, f_at) VALUES (1, 0)`, /timer of/],
  [`DELETE FROM outbox WHERE number = 1`, /no event of account.opened/],
  [
    "INSERT INTO outbox (event, at, content) SELECT event, at, content FROM outbox LIMIT 1",
    /the event .* is there twice/,
  ],
  [
    `INSERT INTO outbox (event, at, content) VALUES ('transfer.done', 0, '{"data":{"tag":"z"}}')`,
    /event without a cause/,
  ],
  [
    `INSERT INTO "r_Account" (f_id, f_tag, f_name, f_balance) VALUES ('z', 'no', 'a', 1000)`,
    /the name a is there twice/,
  ],
  [`UPDATE "r_Task" SET f_claimedBy = 'late'`, /kept though refused: claim/],
];

test("the audit of a crash run finds every kind of damage, and none in a sound file", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "lacuna-audit-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "a.sqlite");
  const ledger = new Ledger();
  const serving = await start(file, "real");
  t.after(() => serving.kill());
  const client = new Client(serving.port);
  const write = async (one: Omit<Write, "tag">): Promise<void> => {
    const whole = { ...one, tag: ledger.tag() };
    const answer = await send(client, whole);
    ledger.answer(whole, answer?.status ?? 0, answer?.body ?? "");
  };
  await write({ what: "account", name: "a" });
  await write({ what: "account", name: "b" });
  const [from, to] = ledger.accounts;
  await write({ what: "transfer", from, to, amount: 5 });
  await write({ what: "transfer", from, to, amount: 999 });
  await write({ what: "hit", counter: "a" });
  await write({ what: "task" });
  client.close();
  await serving.kill();
  assert.equal(ledger.acknowledged.length, 5);
  assert.deepEqual(
    ledger.refused.map(({ what }) => what),
    ["transfer"],
  );
  ledger.refused.push({ what: "claim", tag: "late" });
  assert.deepEqual(audit(file, ledger), []);
  const sound = new Database(file);
  for (const [i, [sql, expected]] of DAMAGE.entries()) {
    const copy = join(folder, `${i}.sqlite`);
    sound.prepare("VACUUM INTO ?").run(copy);
    const db = new Database(copy);
    db.exec(sql);
    db.close();
    const faults = audit(copy, ledger);
    assert.ok(
      faults.some((one) => expected.test(one)),
      `${sql}: ${faults.join("; ")}`,
    );
  }
  sound.close();
});
