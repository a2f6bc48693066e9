/** Kills while a service starts on a new file: in the end it has its first rows, once. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import Database from "better-sqlite3";
import { CHILD, start } from "./service.ts";

const FIRST_ROWS = { Counter: 4, Register: 6 } as const;

export interface Births {
  readonly kills: number;
  readonly faults: readonly string[];
}

/** What the file lacks, or has twice. */
function wrong(file: string): string[] {
  const db = new Database(file, { readonly: true });
  try {
    return Object.entries(FIRST_ROWS).flatMap(([resource, expected]) => {
      const row = db
        .prepare(`SELECT count(*) AS n, count(DISTINCT f_name) AS names
        FROM "r_${resource}"`)
        .get() as { n: number; names: number };
      return row.n === expected && row.names === expected
        ? []
        : [`${row.n} rows of ${resource}, ${row.names} names`];
    });
  } finally {
    db.close();
  }
}

/** Each round has a file of its own, up to three kills, and a start that is left alone. */
export async function births({
  folder,
  rounds,
  random,
}: {
  readonly folder: string;
  readonly rounds: number;
  readonly random: () => number;
}): Promise<Births> {
  const faults: string[] = [];
  let kills = 0;
  let startMs = 1_000;
  for (let round = 0; round < rounds; round++) {
    const file = join(folder, `birth ${round}.sqlite`);
    const count = round === 0 ? 0 : 1 + Math.floor(random() * 3);
    for (let i = 0; i < count; i++, kills++) {
      const child = spawn(process.execPath, [CHILD, file, "real"], { stdio: "ignore" });
      // Mostly near the end of a start, where the file is made.
      const afterMs = startMs * (1.1 - random() ** 2 * 0.8);
      await new Promise((resolve) => setTimeout(resolve, afterMs));
      const gone = once(child, "exit");
      child.kill("SIGKILL");
      await gone;
    }
    const beganMs = performance.now();
    const serving = await start(file, "real");
    startMs = Math.min(startMs, performance.now() - beganMs);
    faults.push(...wrong(file).map((text) => `round ${round}: ${text}`));
    await serving.kill();
  }
  return { kills, faults };
}
