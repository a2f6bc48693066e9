/**
 * `npm run test:races [-- --only FAULT] [-- --seeds N] [-- --right N]`: a box office written by hand
 * is verified with requests at the same time, right and with each fault that only they show. SEED.
 * Ends with 1 where the right one is alarmed about, where a fault is not found, or where no right
 * line of the document is named.
 */
import { campaignOptions } from "../../campaigns/options.ts";
import { campaignSeed } from "../../random.ts";
import { faults, verified } from "./judged.ts";
import type { Fault } from "./service.ts";

const RIGHT = 20;
const SEEDS = 5;

const given = campaignOptions({ only: "text", seeds: "count", right: "count" } as const);
const { only, seeds = SEEDS, right = only === undefined ? RIGHT : 0 } = given;
const first = campaignSeed();
console.log(`SEED=${first}`);

let alarms = 0;
for (let seed = first; seed < first + right; seed++) {
  const { session, races, seconds } = await verified(seed);
  for (const one of session.breaks) {
    alarms += 1;
    const { request, answer, items } = one;
    console.log(`FALSE ALARM, seed ${seed}: ${request.method} ${request.target}`, answer, items);
    for (const { client, ...each } of one.race?.raced ?? []) console.log(client, each);
  }
  console.log(`right, seed ${seed}: ${seconds.toFixed(1)} s`, races);
}

let missed = 0;
for (const [name, items] of Object.entries(faults)) {
  if (only !== undefined && name !== only) continue;
  let [found, isNamed] = [0, 0];
  for (let seed = first; seed < first + seeds; seed++) {
    const { session, races, seconds } = await verified(seed, name as Fault);
    const all = session.breaks.filter(({ race }) => race !== undefined);
    const named = all.flatMap((one) => one.items);
    if (all.length > 0) found += 1;
    const isRight = items.some((item) => named.includes(item));
    if (isRight) isNamed += 1;
    const verdict = isRight
      ? "named"
      : all.length > 0
        ? `OTHERS: ${named.join(", ")}`
        : "NOT FOUND";
    console.log(`${name}, seed ${seed}: ${verdict}, ${seconds.toFixed(1)} s`, races);
  }
  missed += seeds - isNamed;
  console.log(`${name}: ${found} of ${seeds} found, ${isNamed} named`);
}
console.log(`${alarms} false alarms in ${right} runs, ${missed} missed`);
if (alarms > 0 || missed > 0) process.exitCode = 1;
