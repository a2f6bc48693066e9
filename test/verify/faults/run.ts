/**
 * `npm run test:faults [-- --only FAULT|PART] [-- --seeds N] [-- --right N] [-- --seconds N]`
 * `[-- --part 1/4]`: a shop written by hand is
 * verified against its document, right and with each fault of `seeded.ts`. SEED. Ends with 1 where
 * the right shop is alarmed about in one of 20 runs, where a fault is not found, or where no
 * right line of the document is named.
 */
import { campaignOptions } from "../../campaigns/options.ts";
import { campaignSeed } from "../../random.ts";
import { judged, told } from "./judged.ts";
import { type Fault, seeded } from "./seeded.ts";

const RIGHT = 20;
const SEEDS = 1;

const given = campaignOptions({
  ...{ only: "text", seeds: "count", right: "count", seconds: "count", part: "part" },
} as const);
const { only, seeds = SEEDS, seconds: most = 60 } = given;
const { right = only === undefined ? RIGHT : 0, part: share = { part: 1, of: 1 } } = given;
const first = campaignSeed();
console.log(`SEED=${first}`);

let alarms = 0;
for (let seed = first; seed < first + right; seed++) {
  const { breaks, requests, seconds, ended } = await judged(seed, undefined, { seconds: most });
  const [one] = breaks;
  if (one !== undefined) {
    alarms += 1;
    console.log(`FALSE ALARM, seed ${seed}: ${told(one)}`);
  }
  console.log(`right, seed ${seed}: ${requests} requests, ${seconds.toFixed(1)} s, ${ended}`);
}

const parts = new Map<string, { runs: number; killed: number; named: number }>();
const missed: string[] = [];
for (const [i, [name, [part]]] of Object.entries(seeded).entries()) {
  if (i % share.of !== share.part - 1) continue;
  if (only !== undefined && name !== only && part !== only) continue;
  const counts = parts.get(part) ?? { runs: 0, killed: 0, named: 0 };
  parts.set(part, counts);
  for (let seed = first; seed < first + seeds; seed++) {
    const { breaks, requests, seconds, named, isNamed } = await judged(seed, name as Fault, {
      seconds: most,
    });
    counts.runs += 1;
    if (breaks.length > 0) counts.killed += 1;
    if (isNamed) counts.named += 1;
    const verdict = isNamed ? "named" : breaks.length > 0 ? `OTHER LINES ${named}` : "NOT FOUND";
    const after = `${requests} requests, ${seconds.toFixed(1)} s`;
    console.log(`${part}: ${name}, seed ${seed}: ${verdict}, ${after}`);
    if (!isNamed) missed.push(`${name}, seed ${seed}: ${verdict}`);
    if (!isNamed && breaks[0] !== undefined) console.log(`    ${told(breaks[0])}`);
  }
}
for (const [part, { runs, killed, named }] of parts) {
  console.log(`${part}: ${killed} of ${runs} found, ${named} named`);
}
for (const one of missed) console.log(`MISSED ${one}`);
console.log(`${alarms} false alarms in ${right} runs, ${missed.length} missed`);
if (alarms > 0 || missed.length > 0) process.exitCode = 1;
