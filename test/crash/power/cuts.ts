/** Loses power, as often as asked, while a service is written to: nothing acknowledged is lost. */
import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { audit } from "../audit.ts";
import { type Kind, start } from "../service.ts";
import { TimedLedger, writeUntil } from "../writing.ts";
import { type Act, Disk, readRecord } from "./disk.ts";

const SOURCE = fileURLToPath(new URL("record.c", import.meta.url));
const CLIENTS = 16;
const NAME = "s.sqlite";
/** Writes that are acknowledged while it is recorded: the log is taken into the file meanwhile. */
const WRITES = 5000;

export interface Cuts {
  readonly cuts: number;
  readonly acts: number;
  /** How often the file itself was synced: the log was taken in then. */
  readonly taken: number;
  readonly acknowledged: number;
  readonly faults: readonly string[];
}

/** Builds the recorder; undefined where this machine has no compiler for it. */
export function buildRecorder(folder: string): string | undefined {
  if (process.platform !== "linux") return undefined;
  const to = join(folder, "record.so");
  const built = spawnSync("cc", ["-O1", "-shared", "-fPIC", "-o", to, SOURCE, "-ldl", "-lpthread"]);
  return built.status === 0 ? to : undefined;
}

export interface CutsPlan {
  readonly folder: string;
  readonly kind: Kind;
  readonly recorder: string;
  readonly cuts: number;
  readonly random: () => number;
  readonly writes?: number;
}

/** Acts after which power is lost: half of them right behind an answer that a client has got. */
function moments(
  acts: readonly Act[],
  { times }: TimedLedger,
  { cuts, random }: CutsPlan,
): readonly number[] {
  const chosen = Array.from({ length: cuts }, (_, i) => {
    if (i % 2 === 0) return Math.floor(random() * acts.length);
    const told = times[Math.floor(random() * times.length)] ?? 0n;
    const next = acts.findIndex(({ at }) => at > told);
    return next === -1 ? acts.length : next;
  });
  return chosen.toSorted((a, b) => a - b);
}

/** Records one time under load; then a start on what each cut has left. */
export async function cuts(plan: CutsPlan): Promise<Cuts> {
  const { folder, kind, recorder, random } = plan;
  const [data, record] = [join(folder, `${kind} power`), join(folder, `${kind}.record`)];
  mkdirSync(data);
  const ledger = new TimedLedger();
  const environment = { LD_PRELOAD: recorder, RECORD_TO: record, RECORD_OF: data };
  const serving = await start(join(data, NAME), kind, { environment });
  const least = plan.writes ?? WRITES;
  const enough = (): boolean => ledger.acknowledged.length >= least;
  await writeUntil(serving.port, ledger, { clients: CLIENTS, random, enough });
  await serving.kill();
  const acts = readRecord(record);
  const disk = new Disk();
  const faults: string[] = [];
  let done = 0;
  for (const [i, moment] of moments(acts, ledger, plan).entries()) {
    for (; done < moment; done++) disk.do(acts[done] as Act);
    const left = join(folder, `${kind} left`);
    disk.cut(left, random);
    const known = ledger.until(acts[moment]?.at ?? serving.endedAt());
    faults.push(...(await judge(left, known)).map((one) => `cut ${i} at act ${moment}: ${one}`));
    rmSync(left, { recursive: true, force: true });
    if (faults.length > 0 && kind !== "real") break;
  }
  const taken = acts.filter(({ kind: what, path }) => what === "F" && path === NAME).length;
  const acknowledged = ledger.acknowledged.length;
  return { cuts: plan.cuts, acts: acts.length, taken, acknowledged, faults };
}

/** Starts a service on what is left; what it lacks of what was known. */
async function judge(folder: string, known: TimedLedger | ReturnType<TimedLedger["until"]>) {
  const file = join(folder, NAME);
  try {
    const serving = await start(file, "real");
    try {
      return audit(file, known);
    } finally {
      await serving.kill();
    }
  } catch (fault) {
    return [`refused: ${fault instanceof Error ? fault.message : String(fault)}`];
  }
}
