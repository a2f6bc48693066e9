/** What the writing thread runs first: loads its modules, from the cache of compiled code. */
import { enableCompileCache } from "node:module";
import { parentPort, workerData } from "node:worker_threads";
import type { ThreadStart } from "./thread-start.ts";

if ((workerData as ThreadStart).cached) enableCompileCache();
const { write } = await import("./thread.ts");
if (parentPort) write(parentPort);
