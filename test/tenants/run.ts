/** The campaign of tenants: `npm run test:tenants [-- --count N]`, N ways at random; SEED. */
import { campaignOptions } from "../campaigns/options.ts";
import { campaignSeed, randomFrom } from "../random.ts";
import { campaign } from "./campaign.ts";
import { tenantsPlan } from "./document.ts";
import { caught, seeded } from "./seeded.ts";
import { builtWays, randomWays, statedWays } from "./ways.ts";

const AT_ONCE = 1_000;
const { count = 4_000 } = campaignOptions({ count: "count" });
const seed = campaignSeed();
console.log(`SEED=${seed}`);
const started = performance.now();
const random = randomFrom(seed);
const rounds = [[...statedWays(), ...builtWays()]];
for (let made = 0; made < count; made += AT_ONCE) rounds.push([...randomWays(random, AT_ONCE)]);
let [asked, went, told] = [0, 0, 0];
let hasFailed = false;
for (const wanted of rounds) {
  const { plan, ways } = tenantsPlan(wanted);
  const result = await campaign(plan, ways);
  asked += result.asked;
  went += ways.length;
  told += result.effective.size;
  for (const { way, caller, why } of result.leaks) {
    const steps = ways.find(({ name }) => name === way)?.steps ?? "";
    console.log(`LEAK ${way} ${caller}: ${why.slice(0, 400)}\n${steps}`);
    hasFailed = true;
  }
}
for (const one of seeded) {
  const isCaught = await caught(one);
  console.log(`seeded: ${one.name}: ${isCaught ? "caught" : "NOT CAUGHT"}`);
  hasFailed ||= !isCaught;
}
console.log(`${went} ways, ${told} of them tell their owner of the rows; ${asked} requests`);
console.log(
  `${hasFailed ? "leaks" : "0 leaks"}; ${Math.round((performance.now() - started) / 1000)} s`,
);
process.exitCode = hasFailed ? 1 : 0;
