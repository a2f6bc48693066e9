/** Kills at what stands beside serving: copies, edits of the document, a clock that jumps. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { restoreStore } from "../../src/store/index.ts";
import { audit, waitingTasks } from "./audit.ts";
import { Client } from "./clients.ts";
import { edited } from "./edited.ts";
import { type Kind, type Serving, start } from "./service.ts";
import { TimedLedger, writeUntil } from "./writing.ts";

const MAIN = fileURLToPath(new URL("../../src/cli/main.ts", import.meta.url));
const CLIENTS = 16;
const LOAD_MS = 600;
const SECOND = 1000;
const YEARS_MS = 10 * 365 * 86_400 * SECOND;
/** A jump of the clock is followed when it has stood so long. */
const FOLLOWED_MS = 5_500;
const LAST_TIMERS_MS = 20_000;

export interface Killed {
  readonly kills: number;
  readonly acknowledged: number;
  /** What was done between the kills, in words. */
  readonly done: string;
  readonly faults: readonly string[];
}

interface Kills {
  readonly folder: string;
  /** Of the service; a control ends with the first fault. */
  readonly kind: Kind;
  readonly kills: number;
  readonly random: () => number;
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Clients write until the service is gone, or until it is told. */
function writing(
  { port }: Serving,
  ledger: TimedLedger,
  random: () => number,
): { end(): Promise<void> } {
  let isEnough = false;
  const gone = writeUntil(port, ledger, { clients: CLIENTS, random, enough: () => isEnough });
  return {
    end: () => {
      isEnough = true;
      return gone;
    },
  };
}

/** Runs a command, to be killed at some moment of it or not at all. */
async function command(args: readonly string[], killAfterMs: number | undefined) {
  const child = spawn(process.execPath, [MAIN, ...args], { stdio: ["ignore", "ignore", "pipe"] });
  let said = "";
  child.stderr.on("data", (data) => {
    said += String(data);
  });
  const exit = once(child, "exit") as Promise<[number | null]>;
  if (killAfterMs !== undefined) {
    await Promise.race([exit, pause(killAfterMs)]);
    child.kill("SIGKILL");
  }
  const [code] = await exit;
  return { code, said };
}

/** Backups of a service under load, of which it or they are killed; and their return. */
export async function killedCopies({ folder, kind, kills, random }: Kills): Promise<Killed> {
  const file = join(folder, "copied.sqlite");
  const ledger = new TimedLedger();
  const faults: string[] = [];
  const done = { whole: 0, none: 0, restored: 0 };
  let serving = await start(file, kind);
  let backupMs = 1500;
  for (let i = 0; i < kills && faults.length === 0; i++) {
    const load = writing(serving, ledger, random);
    await pause(LOAD_MS * random());
    const to = join(folder, `copy ${i}.sqlite`);
    const moment = process.hrtime.bigint();
    const isService = i % 3 === 0;
    const began = performance.now();
    const killAfterMs = isService ? undefined : backupMs * (0.5 + 0.6 * random());
    const copied = command(["backup", file, to], killAfterMs);
    if (isService) {
      await pause(backupMs * random());
      await serving.kill();
    }
    const { code, said } = await copied;
    if (code === 0) backupMs = Math.min(backupMs, performance.now() - began);
    if (code === 0 && !existsSync(to)) faults.push(`copy ${i}: said to be there, and is not`);
    if (code !== 0 && code !== null && !isService) faults.push(`copy ${i}: ${code} ${said}`);
    await serving.kill();
    await load.end();
    const back = join(folder, "back.sqlite");
    if (existsSync(to)) {
      done.whole++;
      const known = ledger.until(moment);
      await restoreStore(to, back, { say: () => {}, replace: true, unverified: false });
      faults.push(...audit(back, known).map((one) => `copy ${i}: ${one}`));
      faults.push(...(await killedReturn({ to, back, random, known })));
      done.restored++;
    } else done.none++;
    for (const path of [to, back]) rmSync(path, { force: true });
    serving = await start(file, kind);
    faults.push(...audit(file, ledger).map((one) => `after kill ${i}: ${one}`));
  }
  await serving.kill();
  const said = `${done.whole} whole copies, ${done.none} that are none, ${done.restored} restored`;
  return { kills, acknowledged: ledger.acknowledged.length, done: said, faults };
}

/** A return that is killed: the store is the former one or the restored one, as a whole. */
async function killedReturn({
  to,
  back,
  random,
  known,
}: {
  readonly to: string;
  readonly back: string;
  readonly random: () => number;
  readonly known: ReturnType<TimedLedger["until"]>;
}): Promise<string[]> {
  await command(["restore", to, back, "--replace"], 300 + 900 * random());
  try {
    const serving = await start(back, "real");
    await serving.kill();
  } catch (fault) {
    return [`a return that was killed: ${String(fault)}`];
  }
  return audit(back, known).map((one) => `a return that was killed: ${one}`);
}

/** A service that takes edited documents under load, killed at some moment of that. */
export async function killedEdits({ folder, kind, kills, random }: Kills): Promise<Killed> {
  const file = join(folder, "edited.sqlite");
  const ledger = new TimedLedger();
  const faults: string[] = [];
  let [version, taken] = [0, 0];
  const begin = (): Promise<Serving> =>
    start(file, kind, { environment: { CRASH_VERSION: String(version) } });
  let serving = await begin();
  for (let i = 0; i < kills && faults.length === 0; i++) {
    const load = writing(serving, ledger, random);
    await pause(LOAD_MS * random());
    serving.child.kill("SIGUSR2");
    version++;
    await pause(2500 * random());
    await serving.kill();
    await load.end();
    const said = serving.said();
    if (said.includes(`took version ${version}`)) taken++;
    if (said.includes("refused version")) faults.push(`edit ${i}: ${said.slice(-300)}`);
    serving = await begin();
    faults.push(...audit(file, ledger).map((one) => `edit ${i}: ${one}`));
  }
  await serving.kill();
  const done = `${taken} documents taken before the kill, ${kills - taken} at the next start`;
  return { kills, acknowledged: ledger.acknowledged.length, done, faults };
}

/** Migrations of a store, each killed at some moment and made again: a field gets another name. */
export async function killedMigrations({ folder, kind, kills, random }: Kills): Promise<Killed> {
  const file = join(folder, "migrated.sqlite");
  const ledger = new TimedLedger();
  const faults: string[] = [];
  const documentOf = (version: number): string => {
    const path = join(folder, `version ${version}.md`);
    writeFileSync(path, edited([`name${version}`]));
    return path;
  };
  const begin = (version: number): Promise<Serving> =>
    start(file, kind, { environment: { CRASH_FIELD: `name${version}` } });
  let serving = await begin(0);
  let migrateMs = 2000;
  let before = 0;
  for (let i = 0; i < kills && faults.length === 0; i++) {
    const load = writing(serving, ledger, random);
    await pause(LOAD_MS * random());
    await serving.kill();
    await load.end();
    const decisions = join(folder, "decisions.md");
    writeFileSync(
      decisions,
      "# Decisions\n\n| What | Decision | Why |\n| --- | --- | --- |\n" +
        `| \`Hit.name${i + 1}\` | renamed from \`name${i}\` | |\n`,
    );
    const args = ["migrate", documentOf(i), documentOf(i + 1), "--data", file];
    args.push("--decisions", decisions);
    await command(args, migrateMs * (0.4 + 0.7 * random()));
    const began = performance.now();
    const { code, said } = await command(args, undefined);
    if (code === 0) migrateMs = Math.min(migrateMs, performance.now() - began);
    else faults.push(`migration ${i}: made again it ends with ${code}: ${said.slice(-300)}`);
    if (said.includes("already")) before++;
    serving = await begin(i + 1);
    faults.push(...audit(file, ledger).map((one) => `migration ${i}: ${one}`));
  }
  await serving.kill();
  const done = `${before} migrations done before the kill, ${kills - before} made again`;
  return { kills, acknowledged: ledger.acknowledged.length, done, faults };
}

const JUMPS_MS = [
  ...[3600 * SECOND, -3600 * SECOND, 86_400 * SECOND, -86_400 * SECOND],
  ...[YEARS_MS, -YEARS_MS, 0],
];

/** A service whose machine's clock jumps under load and while it is down, killed each time. */
export async function killedClocks({ folder, kind, kills, random }: Kills): Promise<Killed> {
  const file = join(folder, "clock.sqlite");
  const path = join(folder, "clock");
  const ledger = new TimedLedger();
  const faults: string[] = [];
  const judged = (): string[] => audit(file, ledger);
  const jump = (ms = JUMPS_MS[Math.floor(random() * JUMPS_MS.length)] ?? 0): void =>
    writeFileSync(path, String(ms));
  const begin = (): Promise<Serving> => start(file, kind, { environment: { CRASH_CLOCK: path } });
  jump(0);
  let serving = await begin();
  let followed = 0;
  for (let i = 0; i < kills && faults.length === 0; i++) {
    const load = writing(serving, ledger, random);
    await pause(LOAD_MS * random());
    jump();
    // Every fourth time it stands until it is followed.
    const isLong = i % 4 === 0;
    await pause(isLong ? FOLLOWED_MS + LOAD_MS * random() : LOAD_MS * random());
    await serving.kill();
    await load.end();
    if (serving.said().includes("the machine's clock was set by")) followed++;
    if (random() < 0.5) jump();
    serving = await begin();
    faults.push(...(await late(serving)).map((one) => `jump ${i}: ${one}`));
    faults.push(...judged().map((one) => `jump ${i}: ${one}`));
  }
  // In the end it is late enough for all that was ever due.
  await serving.kill();
  jump(2 * YEARS_MS);
  serving = await begin();
  const end = performance.now() + LAST_TIMERS_MS;
  while (waitingTasks(file) > 0 && performance.now() < end) await pause(100);
  if (waitingTasks(file) > 0) faults.push(`lost: ${waitingTasks(file)} timers never came`);
  faults.push(...judged());
  await serving.kill();
  const done = `${followed} jumps followed while it was served`;
  return { kills, acknowledged: ledger.acknowledged.length, done, faults };
}

async function late({ port }: Serving): Promise<string[]> {
  const client = new Client(port);
  const answer = await client.ask("GET", "/late");
  client.close();
  return answer?.body === `{"count":0}` ? [] : [`tasks are late for a reader: ${answer?.body}`];
}
