/** How many files and sockets the system lets this process have open. */
import { readFileSync } from "node:fs";

/** Undefined: the system does not say. */
export function openFilesMax(): number | undefined {
  try {
    const text = readFileSync("/proc/self/limits", "utf8");
    const [, soft] = /^Max open files\s+(\d+)/m.exec(text) ?? [];
    return soft === undefined ? undefined : Number(soft);
  } catch {
    return undefined;
  }
}

/** As many as asked for, and at most that share of the files that there may be. */
export function filesWithin(most: number, share: number, files = openFilesMax()): number {
  return files === undefined ? most : Math.max(1, Math.min(most, Math.floor(files * share)));
}
