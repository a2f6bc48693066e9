/**
 * `npm run test:nodes`: three nodes on one database, under load and faults. `--faults N` (of all
 * kinds, in turn), `--each N` (faults between two looks), `--clients N`, `--pause MS` (of a client
 * between two requests), `--plain` (the document has no calls, and what can be is written where
 * requests are accepted), `--only FAULT`, `--save FILE` (what is wrong, whole); SEED. A control
 * that answers before it commits must be caught.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { campaignOptions } from "../campaigns/options.ts";
import { programs } from "../postgres/server.ts";
import { campaignSeed, randomFrom } from "../random.ts";
import { campaign, FAULTS } from "./campaign.ts";

const CONTROL_FAULTS = 12;
const SHOWN_MAX = 20;

const given = campaignOptions({
  ...({ faults: "count", each: "count", clients: "count", pause: "count" } as const),
  ...({ only: "text", save: "text", plain: "flag" } as const),
});
const { faults = 102, each = 6, clients = 64, pause = 100 } = given;
const only = FAULTS.find((one) => one === given.only);
if (given.only !== undefined && only === undefined) {
  console.error(`--only: there is no ${given.only}; faults: ${FAULTS.join(", ")}`);
  process.exit(2);
}
const bin = programs();
if (bin === undefined) {
  console.error("No PostgreSQL server is installed: LACUNA_POSTGRES_BIN names its programs.");
  process.exit(2);
}
const seed = campaignSeed();
const calls = given.plain ? ", without calls" : "";
console.log(`SEED=${seed}: ${faults} faults, ${clients} clients${calls}`);
const random = randomFrom(seed);
const folder = mkdtempSync(join(tmpdir(), "lacuna-nodes-"));
const say = (line: string): void => console.log(line);
try {
  const common = { bin, clients, random, say, pauseMs: pause, only, calls: !given.plain };
  mkdirSync(join(folder, "real"));
  const real = await campaign({
    ...common,
    kind: "real",
    folder: join(folder, "real"),
    faults,
    each,
  });
  const { wrong, counts, sent, ...figures } = real;
  console.log(JSON.stringify({ ...counts, ...figures, ...sent }));
  if (given.save !== undefined) writeFileSync(given.save, wrong.join("\n"));
  for (const one of wrong.slice(0, SHOWN_MAX)) console.log(`!! ${one.slice(0, 1_000)}`);
  console.log(`${wrong.length} wrong`);
  mkdirSync(join(folder, "control"));
  const control = await campaign({
    ...common,
    kind: "control",
    folder: join(folder, "control"),
    faults: CONTROL_FAULTS,
    each: 1,
    only: "node killed",
    say: () => {},
  });
  console.log(`control: ${control.wrong[0]?.slice(0, 200) ?? "nothing found"}`);
  process.exitCode = wrong.length === 0 && control.wrong.length > 0 ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
