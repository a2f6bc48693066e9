/** Fits the engine to a command that reads documents and ends; must not know what it does. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** V8 flags (`node --v8-options`), chosen by measurement with `bench/check.ts`. */
const FLAGS = [
  // The young generation stays at the size that it begins with: most of a document is kept.
  "--semi-space-growth-factor=1",
  // Nothing is allocated while it is marked, so no garbage outlives a collection.
  "--no-incremental-marking",
  // A check ends before the slowest compiler has paid for itself.
  "--no-opt",
];

/** The same flags as the engine has them by itself. */
const LONG_FLAGS = [
  "--semi-space-growth-factor=2",
  "--incremental-marking",
  "--opt",
  "--heap-growing-percent=0",
];

/** Bytes of the largest document that may take memory as the engine likes. */
const SMALL_BYTES_MAX = 1_500_000;

/** Spends less on memory and compiling. To be called before anything large is loaded or made. */
export function fitToOneRun(): void {
  for (const flag of FLAGS) setFlagsFromString(flag);
}

/** Undoes `fitToOneRun`, for what runs long, and gives back what is not needed any more. */
export function fitToService(): void {
  for (const flag of LONG_FLAGS) setFlagsFromString(flag);
  setFlagsFromString("--expose-gc");
  const collect: unknown = runInNewContext("gc");
  setFlagsFromString("--no-expose-gc");
  if (typeof collect === "function") collect();
}

/** For large documents: the heap is collected when it has grown by a fifth, not doubled. */
export function fitToBytes(bytes: number): void {
  if (bytes > SMALL_BYTES_MAX) setFlagsFromString("--heap-growing-percent=20");
}
