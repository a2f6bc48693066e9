/** A client that openapi-typescript and openapi-fetch make of the export, against the example. */
import { spawn, spawnSync } from "node:child_process";
import { copyFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { exported } from "../export/exported.ts";
import { type Outcome, skipped } from "./outcome.ts";
import { ROOT } from "./served.ts";
import { installed } from "./tools.ts";

/** openapi-typescript needs a compiler of its own; the flows are compiled by it, too. */
const PACKAGES = {
  "openapi-typescript": "7.13.0",
  "openapi-fetch": "0.17.0",
  typescript: "5.9.3",
  "@types/node": "24.19.2",
} as const;

const OPTIONS = {
  target: "es2024",
  lib: ["es2024", "dom"],
  module: "nodenext",
  types: ["node"],
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  allowImportingTsExtensions: true,
  noEmit: true,
};

function done(args: readonly string[], cwd: string): Promise<{ code: number | null; out: string }> {
  const child = spawn(process.execPath, args, { cwd, stdio: ["ignore", "pipe", "pipe"] });
  let out = "";
  child.stdout.on("data", (chunk) => (out += String(chunk)));
  child.stderr.on("data", (chunk) => (out += String(chunk)));
  return new Promise((ended, fail) => {
    child.once("error", fail);
    child.once("exit", (code) => ended({ code, out }));
  });
}

const suite = "RealWorld by openapi-fetch, from the export";

/** Compiles the flows with the generated types, and goes through them at the address. */
export async function generated(
  onService: (run: (address: string) => Promise<Outcome>) => Promise<Outcome>,
): Promise<Outcome> {
  const found = installed("lacuna-test-generated", PACKAGES);
  if ("missing" in found) return skipped(suite, found.missing);
  const folder = join(found.folder, "..");
  const at = (name: string): string => join(found.folder, name);
  writeFileSync(
    join(folder, "conduit.json"),
    exported(join(ROOT, "examples/conduit/spec.md"), "openapi"),
  );
  copyFileSync(join(import.meta.dirname, "openapi-fetch.txt"), join(folder, "flows.mts"));
  writeFileSync(
    join(folder, "tsconfig.json"),
    JSON.stringify({ compilerOptions: OPTIONS, files: ["flows.mts"] }),
  );
  for (const args of [
    [at("openapi-typescript/bin/cli.js"), "conduit.json", "-o", "schema.d.ts"],
    [at("typescript/bin/tsc"), "-p", "tsconfig.json"],
  ]) {
    const { status, stdout, stderr } = spawnSync(process.execPath, args, {
      cwd: folder,
      encoding: "utf8",
    });
    if (status !== 0) return { suite, counts: [], failures: [stdout, stderr] };
  }
  return onService(async (address) => {
    const { code, out } = await done(["flows.mts", address], folder);
    if (code !== 0) return { suite, counts: [], failures: [out] };
    const { checks, failures } = JSON.parse(out.trim().split("\n").at(-1) ?? "") as {
      readonly checks: number;
      readonly failures: readonly string[];
    };
    const counts = [{ what: "checks", passed: checks - failures.length, all: checks }];
    return { suite, counts, failures };
  });
}
