/** Looks at files, and tells when they were changed and have come to rest. */
import { statSync } from "node:fs";

/** Between two looks: they see what no system tells of, as in mounted folders, and cost little. */
const LOOK_EACH_MS = 150;

/**
 * What tells one content of the files from another. Undefined: one of them is not there, or empty,
 * as between the two steps in which many editors write.
 */
function lookOf(files: readonly string[]): string | undefined {
  const looks: string[] = [];
  for (const file of files) {
    const found = statSync(file, { bigint: true, throwIfNoEntry: false });
    if (found === undefined || found.size === 0n) return undefined;
    looks.push(`${found.dev} ${found.ino} ${found.size} ${found.mtimeNs} ${found.ctimeNs}`);
  }
  return looks.join("\n");
}

/** `changed` is told when two looks behind a change are the same. Gives what ends the looking. */
export function watchFiles(files: readonly string[], changed: () => void): () => void {
  let told = lookOf(files);
  let last = told;
  const timer = setInterval(() => {
    let now: string | undefined;
    try {
      now = lookOf(files);
    } catch {
      // A folder on the way that may not be read at this moment: it is looked at again.
    }
    const isAtRest = now === last;
    last = now;
    if (!isAtRest || now === undefined || now === told) return;
    told = now;
    changed();
  }, LOOK_EACH_MS);
  return () => clearInterval(timer);
}
