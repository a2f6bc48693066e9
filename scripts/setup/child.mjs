/** Runs a child in the foreground: signals reach it once, its exit code or signal is given back. */
import { spawn } from "node:child_process";
import { constants } from "node:os";

const FORWARDED = /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"]);

const ORPHAN_POLL_MS = 250;

/**
 * How a child ended: `code` is its exit code (null when killed), `signal` what killed it,
 * `asked` the signal that this process was sent meanwhile.
 * @typedef {{ code: number | null, signal: NodeJS.Signals | null, asked?: NodeJS.Signals }} Ending
 */

/**
 * Runs `command` and waits for its end. A Ctrl-C on a terminal reaches the child by itself, so it
 * is not forwarded there: the child would see it twice.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {import("node:child_process").SpawnOptions} options
 * @returns {Promise<Ending>}
 */
export function runChild(command, args, options) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: "inherit", ...options });
    /** @type {NodeJS.Signals | undefined} */
    let asked;
    /** @param {NodeJS.Signals} signal */
    const forward = (signal) => {
      asked = signal;
      if (signal !== "SIGINT" || process.stdin.isTTY !== true) child.kill(signal);
    };
    // npm passes SIGTERM to its shell only; a shell that dies of it leaves this process behind.
    const parent = process.ppid;
    const isOrphan = () => process.ppid !== parent && asked === undefined;
    const watch = setInterval(() => isOrphan() && forward("SIGTERM"), ORPHAN_POLL_MS);
    if (process.env["npm_lifecycle_event"] === undefined) clearInterval(watch);
    const stop = () => {
      clearInterval(watch);
      for (const signal of FORWARDED) process.removeListener(signal, forward);
    };
    for (const signal of FORWARDED) process.on(signal, forward);
    child.once("error", (error) => {
      stop();
      reject(error);
    });
    child.once("close", (code, signal) => {
      stop();
      resolve({ code, signal, asked });
    });
  });
}

/**
 * Ends this process as the child ended: with its exit code, or by the signal that killed it.
 * @param {Ending} ending
 */
export function endLike(ending) {
  if (ending.signal === null) {
    process.exitCode = ending.code ?? 1;
    return;
  }
  process.exitCode = 128 + (constants.signals[ending.signal] ?? 0);
  process.kill(process.pid, ending.signal);
}
