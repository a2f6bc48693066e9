/**
 * `npm run test:streams [-- --seeds N]`: `lacuna verify` before a service with each fault in its
 * streams, which it is to name, and before one without, of which it is to say nothing. SEED is the
 * first. Ends with 1 where a fault is missed, or a right service is called broken.
 */
import { campaignOptions } from "../../campaigns/options.ts";
import { served } from "../../peers/served.ts";
import { campaignSeed } from "../../random.ts";
import { DOCUMENT, FAULTS, missed, verified } from "./cases.ts";

const { only, seeds = 1 } = campaignOptions({ only: "text", seeds: "count" });
const first = campaignSeed();
console.log(`SEED=${first}`);
const service = await served({ args: [DOCUMENT] });
let wrong = 0;
try {
  for (let seed = first; seed < first + seeds; seed++) {
    const right =
      only === undefined ? await verified(service.address, undefined, { seed }) : undefined;
    const alarms = right && [...right.session.breaks, ...right.session.eventBreaks];
    if (alarms !== undefined && alarms.length > 0) {
      wrong += 1;
      console.log(
        `ALARM, seed ${seed}:`,
        JSON.stringify(alarms.slice(0, 2), (_, one) =>
          typeof one === "bigint" ? String(one) : one,
        ),
      );
    }
    for (const one of FAULTS) {
      if (only !== undefined && one[0] !== only) continue;
      const found = await verified(service.address, one[0], { seed });
      const why = missed(found, one);
      if (why !== undefined) wrong += 1;
      const word = why === undefined ? "named" : `MISSED, said: ${why.slice(0, 1_500)}`;
      console.log(`${one[0]}, seed ${seed}: ${word}, ${found.seconds.toFixed(1)} s`);
    }
  }
} finally {
  await service.stop();
}
if (wrong > 0) process.exitCode = 1;
