/** What the thread runs that reads an edited document, so that nobody waits for it meanwhile. */
import { enableCompileCache } from "node:module";
import { parentPort, workerData } from "node:worker_threads";
import type { ReadingData, ReadingResult } from "./reading.ts";

const { wanted, columns, isColoured, cached } = workerData as ReadingData;
if (cached) enableCompileCache();
const { readyOf } = await import("./ready.ts");
const { paintFor } = await import("./paint.ts");

let said = "";
const io = {
  out: () => {},
  err: (text: string) => {
    said += text;
  },
  outWhenRoom: async () => {},
  chunks: async function* () {},
  stdin: () => Promise.resolve(new Uint8Array()),
  lines: () => ({ write: (line: string) => io.err(`${line}\n`), lost: 0, end: async () => {} }),
  env: {},
  isTerminal: false,
  isErrTerminal: false,
  columns,
};
const ready = await readyOf({ io, errPaint: paintFor(io, isColoured, false) }, wanted);
const result: ReadingResult =
  typeof ready === "number" ? { said } : { ready: { ...ready, plan: JSON.stringify(ready.plan) } };
parentPort?.postMessage(result);
