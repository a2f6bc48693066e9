/**
 * Runs random histories: `--steps N`, `--only NAME`, `--length N`, `--failures N`,
 * `--store memory`, `--store postgres://...`, `--store "moving postgres://..."`, `--older`,
 * `--together`, `--coverage`; SEED names the first. Fails for a difference, and for a whole run
 * (20,000 steps and more) that does not come across all of the plan's vocabulary. With
 * `--together` (on `postgres://...`) requests come several at a time, and it is asked ahead what
 * they will ask for. With `--older` each document is served as an older version beside one that
 * has more fields.
 */

import { campaignOptions } from "../campaigns/options.ts";
import { campaignSeed } from "../random.ts";
import { reached } from "../reference/coverage.ts";
import { campaign, coverageLines, statusLine } from "./campaign.ts";
import type { StoreKind } from "./engine.ts";
import { sixSubjects, writtenSubjects } from "./subjects.ts";
import { wanting } from "./vocabulary.ts";

const WHOLE = 20_000;
const given = campaignOptions({
  steps: "count",
  only: "text",
  length: "count",
  failures: "count",
  store: "text",
  coverage: "flag",
  older: "flag",
  together: "flag",
});
const { only, steps = 200_000 } = given;
if (given.together && given.store?.startsWith("postgres://") !== true) {
  console.error("--together takes a database: --store postgres://user@host/database");
  process.exit(2);
}
const seed = campaignSeed();
console.log(`SEED=${seed}`);
const result = await campaign({
  seed,
  steps,
  length: given.length ?? 60,
  subjects: (only?.startsWith("six/") ? sixSubjects() : writtenSubjects()).filter(
    (one) => only === undefined || one.name === only,
  ),
  made: only === undefined || only === "made",
  store: (given.store ?? "sqlite") as StoreKind,
  older: given.older,
  together: given.together,
  failuresMax: given.failures ?? 1,
  say: console.log,
});
const whole = only === undefined && !given.together && result.steps >= WHOLE;
if (whole || given.coverage) console.log(coverageLines().join("\n"));
const { histories, documents, differences, statuses, unsupported, milliseconds } = result;
console.log(
  `${result.steps} steps in ${histories} histories, ${documents} of them over a document made at random`,
);
console.log(`answers ${statusLine(statuses)}`);
for (const [name, count] of unsupported) console.log(`not served: ${name} (${count})`);
console.log(`${differences.length} differences; ${Math.round(milliseconds / 1000)} s`);
if (differences.length > 0 || (whole && wanting(reached()).length > 0)) process.exitCode = 1;
