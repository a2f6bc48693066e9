/** Fits the engine to a command that reads documents and ends; must not know what it does. */
import { getHeapStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** V8 flags (`node --v8-options`), chosen by measurement with `bench/check.ts`; each undone. */
const FLAGS = [
  // The young generation stays at the size that it begins with: most of a document is kept.
  ["--semi-space-growth-factor=1", "--semi-space-growth-factor=2"],
  // Nothing is allocated while it is marked, so no garbage outlives a collection.
  ["--no-incremental-marking", "--incremental-marking"],
  // A check ends before the slowest compiler has paid for itself.
  ["--no-opt", "--opt"],
] as const;

/** Bytes of a heap below which it is not worth the time to collect it. */
const WORTH_BYTES_MIN = 48_000_000;

/** A description becomes a tree that is kept whole: to collect often finds little. */
const GROWTH_OF_DESCRIPTIONS = 60;

/** By how much the heap may grow until it is collected, in per cent, above so many bytes. */
const GROWTH = [
  [1_500_000, 14],
  [400_000, 60],
] as const;

/** Whether the flags are set. */
let isFit = false;

/** Spends less on memory and compiling. To be called before anything large is loaded or made. */
export function fitToOneRun(): void {
  isFit = true;
  for (const [flag] of FLAGS) setFlagsFromString(flag);
}

/** Undoes `fitToOneRun`, for what runs long, and gives back what is not needed any more. */
export function fitToService(): void {
  isFit = false;
  for (const [, undone] of FLAGS) setFlagsFromString(undone);
  if (getHeapStatistics().total_heap_size < WORTH_BYTES_MIN) return;
  setFlagsFromString("--expose-gc");
  const collect: unknown = runInNewContext("gc");
  setFlagsFromString("--no-expose-gc");
  // The kind that leaves no page half empty, and returns the others to the system.
  const kind = { type: "major", execution: "sync", flavor: "last-resort" };
  if (typeof collect === "function") collect(kind);
}

/** Does something long and of one kind, such as reading a large file, with all compilers. */
export function withCompilers<T>(act: () => T): T {
  if (!isFit) return act();
  setFlagsFromString("--opt");
  try {
    return act();
  } finally {
    setFlagsFromString("--no-opt");
  }
}

/** For large documents: the heap is collected before it has doubled. Small ones end before that. */
export function fitToBytes(bytes: number, are: "documents" | "descriptions"): void {
  const growth = GROWTH.find(([above]) => bytes > above);
  if (growth === undefined) return;
  const percent = are === "documents" ? growth[1] : GROWTH_OF_DESCRIPTIONS;
  setFlagsFromString(`--heap-growing-percent=${percent}`);
}
