import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { test } from "node:test";
import { randomFrom, testSeed } from "../random.ts";
import { cases } from "../whole.ts";
import { births } from "./births.ts";
import { campaign, isCaught } from "./campaign.ts";
import { fillDisk, LIMIT_BYTES } from "./disk.ts";
import { races } from "./races.ts";

const seed = testSeed;
console.log(`seed ${seed}`);

function folder(t: TestContext): string {
  const path = mkdtempSync(join(tmpdir(), "lacuna-crash-"));
  t.after(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

const load = { clients: 64, loadMs: 400, acknowledgedMin: 40 };

test("two kills under load: nothing lost or half done, all timers and events come", async (t) => {
  const common = { ...load, folder: folder(t), random: randomFrom(seed) };
  const result = await campaign({ ...common, kind: "real", kills: 2 });
  const { faults, acknowledged, tasks, messages, events, registered, booked } = result;
  assert.deepEqual(faults, []);
  assert.ok(acknowledged > 50 && tasks > 5, JSON.stringify(result));
  assert.ok(messages > 50 && events > 100 && registered > 20 && booked > 3, JSON.stringify(result));
});

test("a service that answers before it commits is caught within five kills", async (t) => {
  const common = { ...load, folder: folder(t), random: randomFrom(seed) };
  const { faults, kills } = await campaign({ ...common, kind: "control", kills: 5 });
  assert.ok(isCaught(faults), `${kills} kills, found: ${faults.join("; ") || "nothing"}`);
});

test("a service that is killed while it makes its file makes it whole in the end", async (t) => {
  const { faults } = await births({
    folder: folder(t),
    rounds: cases(1, 8),
    random: randomFrom(seed),
  });
  assert.deepEqual(faults, []);
});

test("64 clients race for one name and one transition: one winner", async (t) => {
  const file = join(folder(t), "races.sqlite");
  const { faults } = await races({ file, clients: 64, rounds: 5 });
  assert.deepEqual(faults, []);
});

test("a full disk is answered as stated, loses nothing, and is no end", {
  skip: process.platform === "win32" && "the system has no limit on the size of files",
}, async (t) => {
  const full = await fillDisk(join(folder(t), "full.sqlite"), randomFrom(seed));
  assert.deepEqual(full.wrong, []);
  assert.ok(full.before > 0 && full.faults >= 200, JSON.stringify(full));
  assert.match(full.said, /the store failed/);
  // One line for all who were told at once, and rows went into the file when its log was full.
  const lines = full.said.split("\n").filter((line) => line.startsWith("fault: "));
  assert.ok(lines.length < full.faults / 2, `${lines.length} lines for ${full.faults} faults`);
  assert.ok(full.fileBytes > LIMIT_BYTES / 2, `${full.fileBytes} bytes in the file`);
  assert.ok(full.after >= 100, JSON.stringify(full));
});
