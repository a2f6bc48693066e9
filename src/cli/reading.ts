/** Reads a document again in a thread of its own, beside the service that runs. */
import { getCompileCacheDir } from "node:module";
import { Worker } from "node:worker_threads";
import type { Plan } from "../plan/index.ts";
import type { Ready, Wanted } from "./ready.ts";

/** What the thread is told. */
export interface ReadingData {
  readonly wanted: Wanted;
  readonly columns: number;
  readonly isColoured: boolean;
  /** Whether compiled code is cached: each thread has to ask for it. */
  readonly cached: boolean;
}

/** What it answers: all that is needed to serve, the plan as JSON text, or what is wrong. */
export type ReadingResult =
  | { readonly ready: Omit<Ready, "plan"> & { readonly plan: string } }
  | { readonly said: string };

const ENDING = import.meta.url.endsWith(".ts") ? "ts" : "js";

/** What the files say now; a text says what is wrong with them. */
export function readAgain(
  wanted: Wanted,
  { columns, isColoured }: Pick<ReadingData, "columns" | "isColoured">,
): Promise<Ready | string> {
  const cached = getCompileCacheDir() !== undefined;
  const workerData: ReadingData = { wanted, columns, isColoured, cached };
  // The same seen from here and, where modules are joined, from the folder of the joined ones.
  const entry = new URL(`../cli/reading-entry.${ENDING}`, import.meta.url);
  return new Promise((resolve, reject) => {
    const worker = new Worker(entry, { workerData });
    worker.once("message", (result: ReadingResult) => {
      if ("said" in result) resolve(result.said);
      else resolve({ ...result.ready, plan: JSON.parse(result.ready.plan) as Plan });
    });
    worker.once("error", reject);
    worker.once("exit", () => reject(new Error("the thread that reads the document ended")));
  });
}
