/** A service that may write no further: what it answers, what it keeps, and whether it goes on. */
import { spawnSync } from "node:child_process";
import { statSync } from "node:fs";

import { audit } from "./audit.ts";
import { Client, nextWrite, send } from "./clients.ts";
import { Ledger } from "./ledger.ts";
import { type Serving, start } from "./service.ts";

export interface Full {
  /** Writes acknowledged before the disk was full. */
  readonly before: number;
  /** Requests that were answered as a fault inside while it was full. */
  readonly faults: number;
  /** Writes acknowledged after there was room again, without a new start. */
  readonly after: number;
  /** Bytes of the file without its log when it was full. */
  readonly fileBytes: number;
  /** What the service said on standard error. */
  readonly said: string;
  /** What is wrong with the file in the end. */
  readonly wrong: readonly string[];
}

/** Writes of a client at most, so that a service that never fills the disk ends the test too. */
const WRITES_MAX = 4000;
/** The largest file that may be written at first. */
export const LIMIT_BYTES = 524_288;
const FAULT = JSON.stringify({ error: "fault" });
const CLIENTS = 16;

interface Told {
  acknowledged: number;
  faults: number;
}

/** Each client writes until `enough`; a fault inside counts as a refusal, which keeps nothing. */
async function write(
  serving: Serving,
  ledger: Ledger,
  { random, enough }: { random: () => number; enough: (told: Told) => boolean },
): Promise<Told> {
  const told: Told = { acknowledged: 0, faults: 0 };
  await Promise.all(
    Array.from({ length: CLIENTS }, async () => {
      const client = new Client(serving.port);
      for (let i = 0; i < WRITES_MAX && !enough(told); i++) {
        const next = nextWrite(ledger, random);
        const answer = await send(client, next);
        if (answer === undefined) break;
        const isFault = answer.status === 500 && answer.body === FAULT;
        if (isFault) told.faults++;
        else if (answer.status < 300) told.acknowledged++;
        ledger.answer(next, isFault ? 409 : answer.status, answer.body);
      }
      client.close();
    }),
  );
  return told;
}

/** Lifts the limit of the running service, by the tool of the system that can. */
function lift({ child }: Serving): boolean {
  const lifted = spawnSync("prlimit", ["--pid", String(child.pid), "--fsize=unlimited:unlimited"]);
  return lifted.status === 0;
}

/** Fills the file up to the limit, goes on for a while, gives room again, and looks. */
export async function fillDisk(file: string, random: () => number): Promise<Full> {
  const ledger = new Ledger();
  let serving = await start(file, "real", { fileBlocks: LIMIT_BYTES / 512 });
  try {
    const filled = await write(serving, ledger, { random, enough: ({ faults }) => faults >= 200 });
    const said = serving.said();
    const fileBytes = statSync(file).size;
    const isLifted = lift(serving);
    const ended = serving.child.exitCode !== null;
    if (!isLifted || ended) {
      await serving.kill();
      serving = await start(file, "real");
    }
    const enough = ({ acknowledged, faults }: Told): boolean => acknowledged + faults >= 200;
    const after = await write(serving, ledger, { random, enough });
    await serving.kill();
    return {
      before: filled.acknowledged,
      faults: filled.faults,
      after: after.acknowledged,
      fileBytes,
      said,
      wrong: audit(file, ledger),
    };
  } finally {
    await serving.kill();
  }
}
