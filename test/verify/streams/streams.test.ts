/** A sample of `npm run test:streams`: faults in streams are named. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { served } from "../../peers/served.ts";
import { DOCUMENT, FAULTS, missed, verified } from "./cases.ts";

/** Where all that is sought is found soon. */
const SAMPLE = ["swaps"];

test("faults in streams are named", async () => {
  const service = await served({ args: [DOCUMENT] });
  try {
    for (const one of FAULTS) {
      if (!SAMPLE.includes(one[0])) continue;
      assert.equal(
        missed(await verified(service.address, one[0], { requestsMax: 120 }), one),
        undefined,
        one[0],
      );
    }
  } finally {
    await service.stop();
  }
});
