/** The campaign of raw requests: `node test/raw/run.ts [--count N]`; the seed is SEED. */
import { campaignOptions } from "../campaigns/options.ts";
import { campaignSeed, randomFrom } from "../random.ts";
import { campaign } from "./campaign.ts";
import { rawDocuments } from "./documents.ts";

const SHOWN = 20;
const { count = 20_000 } = campaignOptions({ count: "count" });
const seed = campaignSeed();
const documents = rawDocuments();
console.log(`seed ${seed}, ${count} requests at ${documents.length} documents`);
const started = performance.now();
const { sent, kinds, statuses, unexplained } = await campaign(documents, count, randomFrom(seed));
for (const { document, kind, why, bytes } of unexplained.slice(0, SHOWN)) {
  console.log(
    `${document}, ${kind}: ${why}\n  ${JSON.stringify(bytes.toString("latin1", 0, 300))}`,
  );
}
const counted = (all: ReadonlyMap<number | string, number>): string =>
  [...all]
    .map(([one, times]) => `${one}: ${times}`)
    .sort()
    .join(", ");
console.log(`answers ${counted(kinds)}`);
console.log(`statuses ${counted(statuses)}`);
console.log(`${sent} requests, ${unexplained.length} unexplained`);
console.log(`${Math.round((performance.now() - started) / 1000)} s`);
process.exitCode = unexplained.length > 0 ? 1 : 0;
