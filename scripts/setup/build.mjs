/** Compiles src to dist, whole or not at all, and knows by their content whether files changed. */
import { createHash } from "node:crypto";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { bundle } from "./bundle.mjs";
import { runChild } from "./child.mjs";

/**
 * Hash of the names and contents of files and of all files below folders (missing ones count).
 * @param {string} root
 * @param {readonly string[]} paths relative to `root`
 * @returns {string}
 */
export function fingerprint(root, paths) {
  const hash = createHash("sha256");
  for (const path of paths.flatMap((each) => filesBelow(root, each))) {
    const bytes = existsSync(join(root, path)) ? readFileSync(join(root, path)) : "";
    hash.update(`${path}\n${bytes.length}\n`).update(bytes);
  }
  return hash.digest("hex");
}

/**
 * The files at or below `path`, sorted.
 * @param {string} root
 * @param {string} path
 * @returns {string[]}
 */
export function filesBelow(root, path) {
  if (!existsSync(join(root, path)) || !statSync(join(root, path)).isDirectory()) return [path];
  return readdirSync(join(root, path), { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((each) => {
      const below = `${path}/${each.name}`;
      return each.isDirectory() ? filesBelow(root, below) : [below];
    });
}

/**
 * Compiles with the project's TypeScript; its messages go to standard error.
 * @param {string} root
 * @param {string} node path of Node 24
 * @param {string} config file name of the configuration
 * @param {readonly string[]} flags
 * @returns {Promise<import("./child.mjs").Ending>}
 */
export function compile(root, node, config, flags) {
  const tsc = join("node_modules", "typescript", "bin", "tsc");
  return runChild(node, [tsc, "-p", config, ...flags], { cwd: root, stdio: ["ignore", 2, 2] });
}

/**
 * Builds into a folder of its own and then puts that in the place of dist, so that a build that
 * fails or is interrupted leaves the old one standing.
 * @param {string} root
 * @param {string} node
 * @returns {Promise<import("./child.mjs").Ending>}
 */
export async function build(root, node) {
  const fresh = join(root, ".setup", "dist-new");
  const old = join(root, ".setup", "dist-old");
  for (const leftover of [fresh, old]) rmSync(leftover, { recursive: true, force: true });
  const ending = await compile(root, node, "tsconfig.json", ["--outDir", fresh]);
  if (ending.code !== 0) return ending;
  for (const file of filesBelow(root, "src").filter((each) => !each.endsWith(".ts"))) {
    const target = join(fresh, file.slice("src/".length));
    mkdirSync(dirname(target), { recursive: true });
    cpSync(join(root, file), target);
  }
  await bundle(fresh);
  const dist = join(root, "dist");
  if (existsSync(dist)) renameSync(dist, old);
  renameSync(fresh, dist);
  rmSync(old, { recursive: true, force: true });
  return ending;
}
