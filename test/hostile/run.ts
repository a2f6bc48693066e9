/**
 * The hostile run: `node test/hostile/run.ts [--count N]`; the seed is SEED. Requests that met a
 * fault are written to a folder of their own.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { campaignOptions } from "../campaigns/options.ts";
import { campaignSeed, randomFrom } from "../random.ts";
import { campaign } from "./campaign.ts";
import { SLOW_SENDERS } from "./onlookers.ts";

const MIB = 1_048_576;
const { count = 200_000 } = campaignOptions({ count: "count" });
const seed = campaignSeed();
console.log(`seed ${seed}, ${count} requests`);
const folder = mkdtempSync(join(tmpdir(), "lacuna-hostile-"));
const started = performance.now();
const progress = (line: string): void => console.log(line);
try {
  const result = await campaign({ folder, count, random: randomFrom(seed), progress });
  if (result.faults.length > 0) {
    const found = mkdtempSync(join(tmpdir(), "lacuna-hostile-faults-"));
    for (const [i, { what, target, kind, bytes, times }] of result.faults.entries()) {
      const file = join(found, `${i}.bin`);
      writeFileSync(file, bytes);
      console.log(`${target}, ${kind}, ${times} times: ${what}\n  ${file}`);
    }
  }
  const answers = [...result.answers].sort(([a], [b]) => a - b).map(([a, n]) => `${a}: ${n}`);
  console.log(`${result.sent} requests of ${result.kinds} kinds, ${result.faults.length} faults`);
  console.log(`answers ${answers.join(", ")}`);
  console.log(
    `memory ${Math.round(result.rssStart / MIB)} MiB at first, ` +
      `${Math.round(result.rssMax / MIB)} MiB at most`,
  );
  console.log(
    `${result.slowCut} of ${SLOW_SENDERS} slow senders cut off, ` +
      `${result.events} events for a good reader of a stream`,
  );
  console.log(
    `${result.probes} good requests beside them: ${result.probeP99Ms.toFixed(1)} ms at ` +
      `the 99th percentile, ${result.probeMaxMs.toFixed(1)} ms at most`,
  );
  console.log(`${Math.round((performance.now() - started) / 1000)} s`);
  process.exitCode = result.faults.length > 0 ? 1 : 0;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
