/** Joins compiled modules into few files, because each file costs time when a command starts. */
import { join } from "node:path";

/** What is started or imported from outside; each keeps its own file. */
const ENTRIES = [
  "cli/main.js",
  "serve/threads/thread-entry.js",
  "serve/calls/code-entry.js",
  "index.js",
];

/**
 * Puts the entries of the compiled tree at `folder` and what they import into few files there.
 * What several of them need stands in `chunks`, one folder deep like every module that asks where
 * it is. Packages stay outside. Messages go to standard error; rejects where it fails.
 * @param {string} folder
 * @returns {Promise<void>}
 */
export async function bundle(folder) {
  // Not above: the packages may only have been installed by this run.
  const { build } = await import("esbuild");
  await build({
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
  });
}
