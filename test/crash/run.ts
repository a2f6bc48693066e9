/**
 * The crash run: `node test/crash/run.ts [--kills N] [--cuts N] [--damages N] [--clients N]
 * [--load MS] [--only PART]`; the seed is SEED. Each control must be caught.
 */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { campaignOptions } from "../campaigns/options.ts";
import { campaignSeed, randomFrom } from "../random.ts";
import { FOLDER, judgeCorpus } from "../verify/races/corpus.ts";
import { births } from "./births.ts";
import type { Result } from "./campaign.ts";
import { campaign, isCaught } from "./campaign.ts";
import { damages } from "./damage/damages.ts";
import { killedClocks, killedCopies, killedEdits, killedMigrations } from "./others.ts";
import { buildRecorder, cuts } from "./power/cuts.ts";
import { races } from "./races.ts";
import type { Kind } from "./service.ts";

const CONTROL_KILLS = 5;
const CONTROL_CUTS = 20;
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
const given = campaignOptions({
  ...({ kills: "count", clients: "count", load: "count", only: "text" } as const),
  ...({ cuts: "count", damages: "count" } as const),
});
const { kills = 150, clients = 64, load: loadMs = 600, only } = given;
const besideKills = Math.max(1, Math.floor(kills / 3));
const top = mkdtempSync(join(tmpdir(), "lacuna-crash-"));
const random = randomFrom(seed);
const progress = (text: string): void => console.log(text);

/** Prints what is wrong; whether nothing is. */
function sound(faults: readonly string[]): boolean {
  for (const fault of faults) console.log(`  ${fault}`);
  return faults.length === 0;
}

type Beside = typeof killedCopies;

/** What stands beside serving, and the same with a service that has a fault, which must be found. */
async function beside(name: string, run: Beside, folder: string, fault: Kind): Promise<boolean> {
  const [own, controls] = [join(folder, "real"), join(folder, fault)];
  for (const one of [own, controls]) mkdirSync(one);
  const real = await run({ folder: own, kind: "real", kills: besideKills, random });
  console.log(
    `${name}: ${real.kills} kills, ${real.acknowledged} acknowledged writes, ${real.done}, ` +
      `${real.faults.length} faults`,
  );
  const control = await run({ folder: controls, kind: fault, kills: CONTROL_KILLS, random });
  console.log(`${name}, ${fault}: ${control.faults[0] ?? "nothing found"}`);
  return sound(real.faults) && control.faults.length > 0;
}

/** Each part in a folder of its own: whether it went as it must. */
const parts: Readonly<Record<string, (folder: string) => Promise<boolean>>> = {
  kills: async (folder) => {
    const common = { folder, clients, random, loadMs };
    const real = await campaign({ ...common, kind: "real", kills, progress });
    console.log(line("service", real));
    const control = await campaign({ ...common, kind: "control", kills: CONTROL_KILLS });
    console.log(line("control", control));
    sound(control.faults.slice(0, 3));
    return sound(real.faults) && isCaught(control.faults);
  },
  races: async (folder) => {
    const raced = await races({ file: join(folder, "races.sqlite"), clients, rounds: ROUNDS });
    const { rounds, faults } = raced;
    console.log(`races: ${rounds} rounds of ${clients} clients, ${faults.length} faults`);
    return sound(faults);
  },
  starts: async (folder) => {
    const born = await births({ folder, rounds: BIRTHS, random });
    console.log(`starts: ${born.kills} kills while files were made, ${born.faults.length} faults`);
    return sound(born.faults);
  },
  backup: (folder) => beside("backup", killedCopies, folder, "control"),
  watch: (folder) => beside("watch", killedEdits, folder, "forgetful"),
  migrate: (folder) => beside("migrate", killedMigrations, folder, "control"),
  clock: (folder) => beside("clock", killedClocks, folder, "forgetful"),
  power: async (folder) => {
    const recorder = buildRecorder(folder);
    if (recorder === undefined) {
      console.log("power: no C compiler, or not Linux: skipped");
      return true;
    }
    const common = { folder, recorder, random };
    const real = await cuts({ ...common, kind: "real", cuts: given.cuts ?? 100 });
    console.log(
      `power: ${real.cuts} cuts of ${real.acts} acts on files (${real.taken} syncs of the file ` +
        `itself), ${real.acknowledged} ` +
        `acknowledged writes, ${real.faults.length} faults`,
    );
    const control = await cuts({ ...common, kind: "unsynced", cuts: CONTROL_CUTS, writes: 500 });
    console.log(`power, without a sync: ${control.faults[0] ?? "nothing found"}`);
    return sound(real.faults) && control.faults.length > 0;
  },
  damages: async (folder) => {
    const made = await damages({ folder, count: given.damages ?? 500, random });
    console.log(
      `damages: ${made.done}: ${made.found} found, ${made.harmless} harmless, ` +
        `${made.faults.length} served; ${made.unnoticed} of those found are nothing to SQLite`,
    );
    return sound(made.faults) && made.unnoticed > 0;
  },
  histories: async () => {
    const judged = judgeCorpus();
    if (judged === undefined) console.log(`${FOLDER} not found, skipped`);
    else {
      console.log(
        `the check of histories: ${judged.histories} of others, ` +
          `${judged.otherwise.length} judged otherwise ${judged.otherwise.join(", ")}`,
      );
    }
    return judged === undefined || judged.otherwise.length === 0;
  },
};

const names = only === undefined ? Object.keys(parts) : only.split(",");
const unknown = names.filter((name) => parts[name] === undefined);
if (unknown.length > 0) {
  console.error(
    `--only: there is no ${unknown.join(", ")}; parts: ${Object.keys(parts).join(", ")}`,
  );
  process.exit(2);
}
console.log(`seed ${seed}, ${kills} kills of each kind, ${clients} clients`);
let isSound = true;
try {
  for (const name of names) {
    const started = performance.now();
    const folder = join(top, name);
    mkdirSync(folder);
    isSound = ((await parts[name]?.(folder)) ?? false) && isSound;
    console.log(`  ${Math.round((performance.now() - started) / 1000)} s`);
  }
  process.exitCode = isSound ? 0 : 1;
} finally {
  rmSync(top, { recursive: true, force: true });
}
