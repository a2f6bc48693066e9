/** Starts a thread before it is known what it is to do; loads none of its modules here. */
import { getCompileCacheDir } from "node:module";
import { Worker } from "node:worker_threads";
import { entryAt } from "../entries.ts";

/** What a thread is told when it starts. */
export interface ThreadStart {
  /** Whether compiled code is cached: each thread has to ask for it. */
  readonly cached: boolean;
  readonly does: "write" | "read";
}

/** A thread that loads its modules and then waits for what it is to write. */
export interface Thread {
  readonly worker: Worker;
  /** Ends it where it was not needed. */
  end(): Promise<void>;
}

/** Megabytes of new objects: more saves collections, and each costs memory at once. */
const YOUNG_MEGABYTES = 24;

/** Starts a thread; its modules are loaded while the caller goes on. */
export function startThread(does: ThreadStart["does"] = "write"): Thread {
  const workerData: ThreadStart = { cached: getCompileCacheDir() !== undefined, does };
  const worker = new Worker(entryAt("threads/thread-entry"), {
    workerData,
    // A file of the store that is closed lets the locks of all connections of the process go.
    trackUnmanagedFds: false,
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MEGABYTES },
  });
  return { worker, end: async () => void (await worker.terminate()) };
}
