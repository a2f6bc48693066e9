/** Lets one set-up at a time work on a tree; a lock whose owner died is taken over. */
import {
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { hostname } from "node:os";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const BEAT_MS = 2_000;
const SILENT_MAX_MS = 30_000;
const POLL_MS = 100;

/** @param {string} file @param {string} text @returns {boolean} whether `file` was made now */
function make(file, text) {
  try {
    writeFileSync(file, text, { flag: "wx" });
    return true;
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === "EEXIST") return false;
    throw error;
  }
}

/** @param {number} pid @returns {boolean} */
function lives(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === "EPERM";
  }
}

/** @param {string} file @returns {boolean} whether the owner died or has been silent too long */
function isStale(file) {
  try {
    if (Date.now() - statSync(file).mtimeMs > SILENT_MAX_MS) return true;
    const [pid, host] = readFileSync(file, "utf8").split("\n");
    return host === hostname() && pid !== undefined && !lives(Number(pid));
  } catch {
    return false;
  }
}

/**
 * Removes a stale lock. Two that find it stale at once must not remove the lock that one of them
 * made since, so the second look and the removal happen under a lock of their own.
 * @param {string} file
 */
function removeStale(file) {
  const guard = `${file}.taking`;
  if (!make(guard, "")) {
    if (isStale(guard)) rmSync(guard, { force: true });
    return;
  }
  try {
    if (isStale(file)) rmSync(file, { force: true });
  } finally {
    rmSync(guard, { force: true });
  }
}

/**
 * Runs `work` while holding the lock `file`; waits for another owner first.
 * @template T
 * @param {string} file
 * @param {() => void} onWait called once when another owner has to be waited for
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withLock(file, onWait, work) {
  mkdirSync(dirname(file), { recursive: true });
  let waited = false;
  while (!make(file, `${process.pid}\n${hostname()}\n`)) {
    if (isStale(file)) {
      removeStale(file);
      continue;
    }
    if (!waited) onWait();
    waited = true;
    await sleep(POLL_MS);
  }
  const beat = setInterval(() => {
    const now = new Date();
    if (existsSync(file)) utimesSync(file, now, now);
  }, BEAT_MS);
  try {
    return await work();
  } finally {
    clearInterval(beat);
    rmSync(file, { force: true });
  }
}
