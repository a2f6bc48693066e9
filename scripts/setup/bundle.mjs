/** Joins compiled modules into few files, because each file costs time when a command starts. */
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";

/** What is started or imported from outside; each keeps its own file. */
export const ENTRIES = [
  "cli/main.js",
  "cli/reading-entry.js",
  "serve/threads/thread-entry.js",
  "serve/calls/code-entry.js",
  "store/postgres/relay-entry.js",
  "verify/proxy/forward-entry.js",
  "verify/events/receiver-entry.js",
  "index.js",
];

/** The types of the package's interface. */
const TYPES = "index.d.ts";
const IMPORTED = /\bfrom "(\.[^"]+)\.ts"|\bimport\("(\.[^"]+)\.ts"\)/g;

/**
 * Puts the entries of the compiled tree at `folder` and what they import into few files there.
 * What several of them need stands in `chunks`, one folder deep like every module that asks where
 * it is. Packages stay outside. Modules that were joined are removed, and so are types that the
 * interface of the package does not name. Messages go to standard error; rejects where it fails.
 * @param {string} folder
 * @returns {Promise<void>}
 */
export async function bundle(folder) {
  // Not above: the packages may only have been installed by this run.
  const { build } = await import("esbuild");
  const { metafile } = await build({
    entryPoints: ENTRIES.map((each) => join(folder, each)),
    absWorkingDir: folder,
    outbase: folder,
    outdir: folder,
    allowOverwrite: true,
    chunkNames: "chunks/[hash]",
    bundle: true,
    splitting: true,
    packages: "external",
    platform: "node",
    target: "node24",
    format: "esm",
    logLevel: "error",
    metafile: true,
  });
  const kept = new Set([...Object.keys(metafile.outputs), ...typesOf(folder)]);
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
  for (const file of files.map((each) => each.replaceAll("\\", "/"))) {
    if (/\.(js|d\.ts)$/.test(file) && !kept.has(file)) rmSync(join(folder, file));
  }
}

/**
 * The declarations that those of the interface need, by their paths below `folder`.
 * @param {string} folder
 * @returns {Set<string>}
 */
function typesOf(folder) {
  const found = new Set([TYPES].filter((each) => existsSync(join(folder, each))));
  for (const file of found) {
    const text = readFileSync(join(folder, file), "utf8");
    for (const [, from, called] of text.matchAll(IMPORTED)) {
      found.add(join(dirname(file), `${from ?? called}.d.ts`).replaceAll("\\", "/"));
    }
  }
  return found;
}
