/**
 * `npm run test:races [-- --only FAULT] [-- --seeds N] [-- --right N]`: a box office written by hand
 * is verified with requests at the same time, right and with each fault that only they show. SEED.
 * What is found is run again 10 times. Ends with 1 where the right one is alarmed about, where a
 * fault is not found, where no right line of the document is named, or where a break needs more than
 * 4 requests of 2 clients at the same time or does not show in 8 of 10 runs.
 */

import type { NotShrunk, Shrunk } from "../../../src/verify/index.ts";
import { campaignOptions } from "../../campaigns/options.ts";
import { campaignSeed } from "../../random.ts";
import { faults, verified } from "./judged.ts";
import { replays } from "./replays.ts";
import { type Fault, service } from "./service.ts";

const RIGHT = 20;
const SEEDS = 5;

const given = campaignOptions({ only: "text", seeds: "count", right: "count" } as const);
const { only, seeds = SEEDS, right = only === undefined ? RIGHT : 0 } = given;
const first = campaignSeed();
console.log(`SEED=${first}`);

/** Operations at the same time that one break may need, and requests of clients. */
const MOST = 4;
const REPLAYS = 10;
const ENOUGH = 8;
let weak = 0;

/** How few requests show it, how often they do, and what they say of a right service. */
async function replayed(one: Shrunk | NotShrunk, url: URL): Promise<string> {
  if (!("replay" in one)) {
    weak += 1;
    return `    NOT SHOWN AGAIN: ${one.why}`;
  }
  const { requests } = one.replay;
  const clients = requests.flatMap(({ client }) => client ?? []);
  const found = await replays(one, url, { times: REPLAYS, is: "still broken" });
  const right = await service();
  const fixed = await replays(one, right.url, { times: 1, is: "fixed" });
  await right.stop();
  const isFew = clients.length <= MOST && new Set(clients).size <= 2;
  const isShown = found.replay >= ENOUGH && found.script >= ENOUGH;
  const isFixed = fixed.replay === 1 && fixed.script === 1;
  if (!isFew || !isShown || !isFixed) weak += 1;
  const said = `${requests.length} requests, ${clients.length} at once`;
  const shown = `shown by ${found.replay} replays and ${found.script} scripts of ${found.of}`;
  return `    ${said}, ${shown}; mended: ${isFixed ? "yes" : "NO"} ${found.why}${fixed.why}`;
}

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
    const again: string[] = [];
    const { session, races, seconds } = await verified(seed, name as Fault, {
      shrink: 2_000,
      then: async ({ shrunk }, url) => {
        for (const one of shrunk) again.push(await replayed(one, url));
      },
    });
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
    for (const line of again) console.log(line);
  }
  missed += seeds - isNamed;
  console.log(`${name}: ${found} of ${seeds} found, ${isNamed} named`);
}
console.log(`${alarms} false alarms in ${right} runs, ${missed} missed, ${weak} not shown well`);
if (alarms > 0 || missed > 0 || weak > 0) process.exitCode = 1;
