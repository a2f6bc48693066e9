/** Installs the peers that are measured beside Lacuna, into a folder of their own, on demand. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const PEERS = { "@stoplight/prism-cli": "5.16.0", "json-server": "1.0.0-beta.15" };
const FOLDER = join(tmpdir(), "lacuna-bench-peers");

/**
 * Paths of the peers' main files; installs what is not there.
 * @returns {{ prism: string, jsonServer: string }}
 * @throws {Error} when they cannot be installed
 */
export function peers() {
  const prism = join(FOLDER, "node_modules", "@stoplight", "prism-cli", "dist", "index.js");
  const jsonServer = join(FOLDER, "node_modules", "json-server", "lib", "bin.js");
  if (!existsSync(prism) || !existsSync(jsonServer)) {
    mkdirSync(FOLDER, { recursive: true });
    const dependencies = JSON.stringify({ private: true, dependencies: PEERS });
    writeFileSync(join(FOLDER, "package.json"), dependencies);
    const args = ["install", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"];
    const { status } = spawnSync("npm", args, { cwd: FOLDER, stdio: "inherit" });
    if (status !== 0) throw new Error("the peers could not be installed");
  }
  return { prism, jsonServer };
}

if (process.argv[1]?.endsWith("peers.mjs")) console.log(peers());
