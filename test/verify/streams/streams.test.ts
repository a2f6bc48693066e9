/** A sample of `npm run test:streams`: faults in streams are named. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { served } from "../../peers/served.ts";
import { DOCUMENT, FAULTS, missed, verified } from "./cases.ts";

/** Where all that is sought is found soon. */
const SAMPLE = ["swaps"];
/** What is asked hangs on how fast the machine is, so one run may miss what most runs find. */
const SEEDS = [1, 2, 3];

for (const one of FAULTS.filter(([fault]) => SAMPLE.includes(fault))) {
  test(`a fault in streams is named: ${one[0]}`, async () => {
    const service = await served({ args: [DOCUMENT] });
    try {
      const said: string[] = [];
      for (const seed of SEEDS) {
        const why = missed(
          await verified(service.address, one[0], { requestsMax: 120, seed }),
          one,
        );
        if (why === undefined) return;
        said.push(why);
      }
      assert.fail(`missed with each seed; said: ${said.join(" | ")}`);
    } finally {
      await service.stop();
    }
  });
}
