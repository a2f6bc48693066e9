/**
 * `npm run test:right [-- --only NAME] [-- --seeds N]`: `lacuna verify` against services that were
 * written by hand and are right, each in a manner of its own for each seed. SEED is the first. Each
 * answer that is called broken is a false alarm: it ends with exit code 1.
 */
import { campaignOptions } from "../../campaigns/options.ts";
import { campaignSeed } from "../../random.ts";
import { right, verifiedRight } from "./services.ts";

const SEEDS = 20;
const PRINTED = Number(process.env["PRINTED"] ?? 1_500);
const { only, seeds = SEEDS } = campaignOptions({ only: "text", seeds: "count" });
const first = campaignSeed();
console.log(`SEED=${first}`);

for (const one of right) {
  if (only !== undefined && one.name !== only) continue;
  let alarms = 0;
  let requests = 0;
  const held: number[] = [];
  for (let seed = first; seed < first + seeds; seed++) {
    const { counts, broken, messages, run } = await verifiedRight(one, { seed });
    requests += run.requests;
    held.push(counts["held"] ?? 0);
    if (counts["broken"] === 0) continue;
    alarms += 1;
    const [alarm] = [...broken, ...messages];
    console.log(`${one.name}, seed ${seed}:`, JSON.stringify(alarm).slice(0, PRINTED));
  }
  const word = alarms === 0 ? "no alarm" : `${alarms} ALARMS`;
  const range = `${Math.min(...held)} to ${Math.max(...held)} held`;
  console.log(`${one.name}: ${word}, ${seeds} seeds, ${requests} requests, ${range}`);
  if (alarms > 0) process.exitCode = 1;
}
