/** Kills `lacuna migrate` at moments of chance: the data are those of one document or of the other. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { copyFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { isDeepStrictEqual } from "node:util";
import { CannotServe, movableClock, serve } from "../../src/serve/index.ts";
import { document } from "../serve/document.ts";
import { ask, base, edited, ITEM, type Kept, type Row } from "./base.ts";

const MAIN = fileURLToPath(new URL("../../src/cli/main.ts", import.meta.url));
const ROWS = 1000;
const PRICE = "| `price` | decimal 2 | required | no | yes | none |";
const NOW = edited([[PRICE, "| `cost` | decimal 3 | required | no | yes | none |"]]);
const DECISIONS = `| What | Decision | Why |
|---|---|---|
| \`Item.price\` | dropped | |
| \`Item.cost\` | value \`it.price * 1.0\` | |
`;

/** The rows, or why the document is not served on them. */
async function rowsIn(file: string, text: string, now: bigint): Promise<Row[] | string> {
  const { plan, origins } = document(text);
  try {
    const clock = movableClock(now);
    const { address, stop } = await serve(plan, { file, origins, inline: true, clock });
    const rows = (await ask(address, "/items")) as Row[];
    await stop();
    return rows;
  } catch (fault) {
    if (fault instanceof CannotServe) return fault.message;
    throw fault;
  }
}

/** How many of so many kills left the old, and how many the new; throws where it is neither. */
export async function killed(
  folder: string,
  kept: Kept,
  count: number,
  random: () => number,
): Promise<{ readonly old: number; readonly migrated: number }> {
  const large = join(folder, "large.sqlite");
  copyFileSync(kept.file, large);
  const { plan, origins } = document(base);
  const clock = movableClock(kept.now);
  const { address, stop } = await serve(plan, { file: large, origins, inline: true, clock });
  for (let n = 0; n < ROWS; n++) await ask(address, "/items", { ...ITEM, size: n % 10 });
  const before = (await ask(address, "/items")) as Row[];
  await stop();
  const after = before.map(({ price, ...row }) => ({ ...row, cost: price }));
  const names = ["old.md", "kills.new.md", "kills.md"].map((one) => join(folder, one));
  const [old = "", edit = "", decisions = ""] = names;
  writeFileSync(old, base);
  writeFileSync(edit, NOW);
  writeFileSync(decisions, DECISIONS);
  /** Gives how long it ran. */
  const run = async (file: string, killedAtMs: number | undefined): Promise<number> => {
    copyFileSync(large, file);
    const args = [MAIN, "migrate", old, edit, "--data", file, "--decisions", decisions];
    const begun = performance.now();
    const child = spawn(process.execPath, args, { stdio: "ignore" });
    const ended = new Promise((resolve) => child.once("exit", resolve));
    if (killedAtMs !== undefined) {
      await Promise.race([ended, wait(killedAtMs)]);
      child.kill("SIGKILL");
    }
    await ended;
    return performance.now() - begun;
  };
  const whole = await run(join(folder, "whole.sqlite"), undefined);
  const found = { old: 0, migrated: 0 };
  for (let n = 0; n < count; n++) {
    const file = join(folder, `kill-${n}.sqlite`);
    await run(file, whole * (0.4 + 0.7 * random()));
    const was = await rowsIn(file, base, kept.now);
    const is = typeof was === "string" ? await rowsIn(file, NOW, kept.now) : was;
    if (typeof is === "string") throw new Error(`neither is served: ${was}; ${is}`);
    const isOld = typeof was !== "string";
    assert.ok(
      isDeepStrictEqual(is, isOld ? before : after),
      `half of the ${isOld ? "old" : "new"}`,
    );
    found[isOld ? "old" : "migrated"]++;
  }
  return found;
}
