/** What a thread runs first: loads its modules, from the cache of compiled code. */
import { enableCompileCache } from "node:module";
import { parentPort, workerData } from "node:worker_threads";
import type { ThreadStart } from "./thread-start.ts";

const { cached, does } = workerData as ThreadStart;
if (cached) enableCompileCache();
const run =
  does === "write" ? (await import("./thread.ts")).write : (await import("./reading.ts")).read;
if (parentPort) run(parentPort);
