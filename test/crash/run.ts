/**
 * The crash run: `node test/crash/run.ts [--kills N] [--clients N] [--load MS]`; the seed is SEED.
 * First the service, then the control, which must be caught within five kills.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { campaignOptions } from "../campaigns/options.ts";
import { campaignSeed, randomFrom } from "../random.ts";
import { births } from "./births.ts";
import type { Result } from "./campaign.ts";
import { campaign } from "./campaign.ts";
import { FOLDER, judgeCorpus } from "./linear/corpus.ts";
import { races } from "./races.ts";

const CONTROL_KILLS = 5;
const ROUNDS = 50;
const BIRTHS = 20;

function line(name: string, result: Result): string {
  const { kills, acknowledged, refused, inDoubt, tasks, faults } = result;
  const {
    registered,
    dueMeanwhile,
    booked,
    undone,
    retried,
    messages,
    attempts,
    events,
    connections,
  } = result;
  return (
    `${name}: ${kills} kills, ${acknowledged} acknowledged writes (${tasks} timers, ` +
    `${dueMeanwhile} due while nothing ran), ` +
    `${refused} refused, ${inDoubt} in doubt, ${faults.length} faults\n` +
    `  ${messages} messages in ${attempts} attempts, ${events} events over ` +
    `${connections} connections of streams, ${registered} operations on registers in order, ` +
    `${booked} bookings behind calls, ${retried} sent again, ${undone} calls undone`
  );
}

const seed = campaignSeed();
const given = campaignOptions({ kills: "count", clients: "count", load: "count" });
const { kills = 100, clients = 64, load: loadMs = 600 } = given;
console.log(`seed ${seed}, ${kills} kills, ${clients} clients`);
const folder = mkdtempSync(join(tmpdir(), "lacuna-crash-"));
const random = randomFrom(seed);
const started = performance.now();
const progress = (text: string): void => console.log(text);
const common = { folder, clients, random, loadMs };
try {
  const real = await campaign({ ...common, kind: "real", kills, progress });
  console.log(line("service", real));
  for (const fault of real.faults) console.log(`  ${fault}`);
  const control = await campaign({ ...common, kind: "control", kills: CONTROL_KILLS });
  console.log(line("control", control));
  for (const fault of control.faults.slice(0, 3)) console.log(`  ${fault}`);
  const raced = await races({ file: join(folder, "races.sqlite"), clients, rounds: ROUNDS });
  console.log(`races: ${raced.rounds} rounds of ${clients} clients, ${raced.faults.length} faults`);
  for (const fault of raced.faults) console.log(`  ${fault}`);
  const born = await births({ folder, rounds: BIRTHS, random });
  console.log(`starts: ${born.kills} kills while files were made, ${born.faults.length} faults`);
  for (const fault of born.faults) console.log(`  ${fault}`);
  const judged = judgeCorpus(() => true);
  if (judged === undefined) console.log(`${FOLDER} not found, skipped`);
  else {
    console.log(
      `the check of histories: ${judged.histories} of others, ` +
        `${judged.otherwise.length} judged otherwise ${judged.otherwise.join(", ")}`,
    );
  }
  console.log(`${Math.round((performance.now() - started) / 1000)} s`);
  const caught = control.faults.some((fault) => fault.startsWith("lost"));
  const others = [...raced.faults, ...born.faults, ...(judged?.otherwise ?? [])];
  const enough = real.faults.length === 0 && caught && others.length === 0;
  process.exitCode = enough ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
