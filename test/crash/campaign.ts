/** Load, kill, start again on the same file, look: as often as asked. */
import { join } from "node:path";
import { audit, waitingTasks } from "./audit.ts";
import { Client, load } from "./clients.ts";
import { Ledger } from "./ledger.ts";
import { type Kind, type Serving, start } from "./service.ts";

export interface Plan {
  readonly folder: string;
  readonly kind: Kind;
  readonly kills: number;
  readonly clients: number;
  readonly random: () => number;
  /** The longest time under load before a kill. */
  readonly loadMs: number;
  readonly progress?: (line: string) => void;
}

export interface Result {
  /** Kills until the end, or until something was wrong. */
  readonly kills: number;
  readonly acknowledged: number;
  readonly refused: number;
  readonly inDoubt: number;
  readonly tasks: number;
  readonly faults: readonly string[];
}

const FAULTS_MAX = 20;
const LAST_TIMER_MS = 10_000;

/** A read at any moment sees what has fallen due as done. */
async function late({ port }: Serving): Promise<string[]> {
  const client = new Client(port);
  const answer = await client.ask("GET", "/late");
  client.close();
  if (answer?.body === `{"count":0}`) return [];
  return [`tasks are late for a reader: ${answer?.status} ${answer?.body}`];
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Runs the campaign; ends with the first kill after which something is wrong. */
export async function campaign(plan: Plan): Promise<Result> {
  const { kind, random, loadMs } = plan;
  const file = join(plan.folder, `${kind}.sqlite`);
  const ledger = new Ledger();
  let serving = await start(file, kind);
  let faults: string[] = [];
  let kills = 0;
  try {
    while (kills < plan.kills && faults.length === 0) {
      const clients = load(serving.port, ledger, { clients: plan.clients, random });
      await pause(loadMs * (0.05 + 0.95 * random()));
      // Every other kill falls on the moment at which a client has just been told.
      if (kills % 2 === 0) await Promise.race([ledger.nextAcknowledged(), pause(loadMs)]);
      await serving.kill();
      await clients;
      kills++;
      serving = await start(file, kind);
      faults = [...audit(file, ledger), ...await late(serving)];
      plan.progress?.(`kill ${kills}: ${ledger.acknowledged.length} acknowledged, ` +
        `${faults.length} faults`);
    }
    if (faults.length === 0) faults = await settle(file, ledger);
  } finally {
    await serving.kill();
  }
  return {
    kills,
    acknowledged: ledger.acknowledged.length,
    refused: ledger.refused.length,
    inDoubt: ledger.inDoubt,
    tasks: ledger.acknowledged.filter(({ what }) => what === "task").length,
    faults: faults.slice(0, FAULTS_MAX),
  };
}

/** After the last kill every timer comes, by itself, once. */
async function settle(file: string, ledger: Ledger): Promise<string[]> {
  const end = performance.now() + LAST_TIMER_MS;
  while (waitingTasks(file) > 0 && performance.now() < end) await pause(100);
  const left = waitingTasks(file);
  return [...audit(file, ledger), ...(left === 0 ? [] : [`${left} timers never came`])];
}
