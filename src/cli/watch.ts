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

/** Files as they stood at one moment. */
export type Watched = { readonly files: readonly string[]; readonly look: string | undefined };

/**
 * To be called before the files are read: a change between that reading and the first look is then
 * seen, too.
 */
export const lookAt = (files: readonly string[]): Watched => ({ files, look: lookNow(files) });

/** A look that cannot be taken at this moment (a folder on the way may not be read) is none. */
function lookNow(files: readonly string[]): string | undefined {
  try {
    return lookOf(files);
  } catch {
    return undefined;
  }
}

/**
 * `changed` is told when the files are not as they stood, and two looks in turn are the same.
 * Gives what ends the looking.
 */
export function watchFiles({ files, look }: Watched, changed: () => void): () => void {
  let told = look;
  let last = look;
  const timer = setInterval(() => {
    const now = lookNow(files);
    const isAtRest = now === last;
    last = now;
    if (!isAtRest || now === undefined || now === told) return;
    told = now;
    changed();
  }, LOOK_EACH_MS);
  return () => clearInterval(timer);
}
