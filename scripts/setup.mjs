/**
 * Sets the tree up: installs packages and compiles, only where something changed; says nothing
 * when nothing did. Runs on Node 20. Exit code 3 when the tree cannot be set up.
 */
import { existsSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build, fingerprint } from "./setup/build.mjs";
import { endLike } from "./setup/child.mjs";
import { withLock } from "./setup/lock.mjs";
import { findNode, install, isInstalled, NODE_MAJOR_MIN } from "./setup/packages.mjs";

export const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
export const FAILED = 3;

const BUILT_FROM = ["package.json", "package-lock.json", "tsconfig.json", "src"];
/** File systems stamp files with a clock that can lag behind by a tick. */
const CLOCK_LAG_MS = 20;

/** The set-up could not be completed; `ending` is that of the child that failed. */
export class SetupFailure extends Error {
  /** @param {string} message @param {import("./setup/child.mjs").Ending} [ending] */
  constructor(message, ending) {
    super(message);
    this.ending = ending;
  }
}

/**
 * Makes the tree at `root` ready. The file `.setup/ready` holds the path of Node 24 and the
 * fingerprint of what was compiled; its time is the moment at which the sources were read.
 * @param {string} root
 * @param {{ only?: "packages", again?: boolean }} [options]
 * @returns {Promise<string>} absolute path of Node 24
 * @throws {SetupFailure}
 */
export async function setUp(root, options = {}) {
  if (Number.parseInt(process.versions.node, 10) < 20) {
    throw new SetupFailure(`this is Node.js ${process.versions.node}; 20 or newer is needed`);
  }
  if (options.again !== true) {
    const node = checkReady(root, options.only);
    if (node !== undefined) return node;
  }
  const lock = join(root, ".setup", "lock");
  const onWait = () => say("waiting for another set-up of this folder to finish");
  return withLock(lock, onWait, async () => {
    if (!isInstalled(root)) await timed("installing packages", () => install(root));
    const packaged = options.again === true ? undefined : checkReady(root, options.only);
    if (packaged !== undefined) return packaged;
    const node = findNode(root);
    if (node === undefined) {
      throw new SetupFailure(
        `no package brings Node.js ${NODE_MAJOR_MIN} for ${process.platform} ` +
          `${process.arch}: start this with Node.js ${NODE_MAJOR_MIN} or newer`,
      );
    }
    if (options.only === "packages") return resolve(root, node);
    const seenAt = new Date(Date.now() - CLOCK_LAG_MS);
    const print = fingerprint(root, BUILT_FROM);
    await timed("compiling", () => build(root, resolve(root, node)));
    const ready = join(root, ".setup", "ready");
    writeFileSync(ready, `${node}\n${print}\n`);
    utimesSync(ready, seenAt, seenAt);
    return resolve(root, node);
  });
}

/** @param {string} root @param {"packages"} [only] @returns {string | undefined} */
function checkReady(root, only) {
  if (!isInstalled(root)) return undefined;
  const ready = join(root, ".setup", "ready");
  if (!existsSync(ready)) return undefined;
  const seenAt = new Date(Date.now() - CLOCK_LAG_MS);
  const [node = "", print] = readFileSync(ready, "utf8").split("\n");
  const path = isAbsolute(node) ? node : join(root, node);
  if (!existsSync(path)) return undefined;
  if (only === "packages") return path;
  if (!existsSync(join(root, "dist", "cli", "main.js"))) return undefined;
  if (print !== fingerprint(root, BUILT_FROM)) return undefined;
  try {
    utimesSync(ready, seenAt, seenAt);
  } catch {
    // A tree that may not be written to is ready all the same.
  }
  return path;
}

/** @param {string} what @param {() => Promise<import("./setup/child.mjs").Ending>} work */
export async function timed(what, work) {
  const start = Date.now();
  say(`${what} ...`);
  const ending = await work();
  if (ending.code !== 0 || ending.asked !== undefined) {
    throw new SetupFailure(`${what} failed, see above`, ending);
  }
  say(`${what}: done in ${((Date.now() - start) / 1000).toFixed(1)} s`);
}

/** @param {string} text */
export function say(text) {
  process.stderr.write(`lacuna: ${text}\n`);
}

/**
 * Runs `main`; a set-up that failed gives one line and exit code 3, one that was interrupted
 * ends by the signal that interrupted it.
 * @param {() => Promise<void>} main
 */
export async function entry(main) {
  try {
    await main();
  } catch (error) {
    if (!(error instanceof SetupFailure)) throw error;
    const signal = error.ending?.asked ?? error.ending?.signal;
    if (signal !== undefined && signal !== null) endLike({ code: null, signal });
    else {
      say(error.message);
      process.exitCode = FAILED;
    }
  }
}

if (process.argv[1] !== undefined && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  await entry(async () => {
    await setUp(ROOT, { again: process.argv.includes("--again") });
  });
}
