/**
 * `npm run test:limits [-- --only NAME] [-- --seeds N]`: services that are wrong in a limit, a size, a version or
 * a time by one, by half or by twice are verified: each must be found, and its line named; and the
 * right service by as many seeds, with no alarm. SEED is the first.
 */
import { campaignOptions } from "../../campaigns/options.ts";
import { campaignSeed } from "../../random.ts";
import { tried, type Wrong, wrongs } from "./wrong.ts";

const SEEDS = 5;
const BOUNDS = { requests: 600, seconds: 60 };

const { only, seeds = SEEDS } = campaignOptions({ only: "text", seeds: "count" });
const seed = campaignSeed();
console.log(`SEED=${seed}`);

function told({ session, lines, wanted }: Awaited<ReturnType<typeof tried>>): string {
  const [broken] = session.breaks;
  if (broken === undefined) return "SURVIVED";
  if (wanted.some((line) => lines.includes(line))) return "found and named";
  return `found, NOT NAMED: ${JSON.stringify([wanted, broken.items, broken.differences])}`;
}

for (let at = seed; only === undefined && at < seed + seeds; at++) {
  const began = performance.now();
  const { session } = await tried(undefined, { ...BOUNDS, seed: at });
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  const [alarm] = session.breaks;
  const word =
    alarm === undefined ? "no alarm" : `ALARM ${JSON.stringify([alarm.items, alarm.differences])}`;
  console.log(`right, seed ${at}: ${word}, ${session.requests} requests, ${seconds} s`);
  if (alarm !== undefined) process.exitCode = 1;
}

const counts = { of: 0, found: 0, named: 0 };
const isChosen = ({ name }: Wrong): boolean => only === undefined || name.includes(only);
for (const wrong of wrongs.filter(isChosen)) {
  const began = performance.now();
  const found = await tried(wrong, { ...BOUNDS, seed });
  const word = told(found);
  counts.of += 1;
  if (word !== "SURVIVED") counts.found += 1;
  if (word === "found and named") counts.named += 1;
  else process.exitCode = 1;
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  console.log(`${wrong.name}: ${word}, ${found.session.requests} requests, ${seconds} s`);
}
console.log(`${counts.found} of ${counts.of} found, ${counts.named} named by their line`);
