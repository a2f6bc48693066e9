/** Runs the public suites of the RealWorld API, as published, against an address. */
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Outcome, skipped } from "./outcome.ts";
import { program, versionOf } from "./tools.ts";

const COLLECTION = "realworld/Conduit.postman_collection.json";

interface Ended {
  readonly code: number | null;
  readonly out: string;
}

function run(command: string, args: readonly string[]): Promise<Ended> {
  const child = spawn(command, args, { stdio: ["ignore", "pipe", "pipe"] });
  let out = "";
  child.stdout.on("data", (chunk) => (out += String(chunk)));
  child.stderr.on("data", (chunk) => (out += String(chunk)));
  return new Promise((done, fail) => {
    child.once("error", fail);
    child.once("exit", (code) => done({ code, out }));
  });
}

interface Stats {
  readonly total: number;
  readonly failed: number;
}

interface Report {
  readonly run: {
    readonly stats: Readonly<Record<"requests" | "assertions", Stats>>;
    readonly failures: readonly {
      readonly source?: { readonly name?: string };
      readonly error: { readonly test?: string; readonly message: string };
    }[];
  };
}

function counted(what: string, { total, failed }: Stats) {
  return { what, passed: total - failed, all: total };
}

/** The Postman collection below `corpora`, run by newman. `address` is the service's. */
export async function postman(
  corpora: string,
  address: string,
  packages: string,
): Promise<Outcome> {
  const suite = "RealWorld, Postman collection";
  const collection = join(corpora, COLLECTION);
  if (!existsSync(collection)) return skipped(suite, `${COLLECTION} not found, skipped`);
  const folder = mkdtempSync(join(tmpdir(), "lacuna-newman-"));
  const report = join(folder, "report.json");
  const name = `peer${Date.now()}`;
  const globals = {
    APIURL: `${address}/api`,
    USERNAME: name,
    EMAIL: `${name}@example.com`,
    PASSWORD: "password-of-the-peer",
  };
  try {
    const { out } = await run(process.execPath, [
      join(packages, "newman/bin/newman.js"),
      "run",
      collection,
      ...Object.entries(globals).flatMap(([key, value]) => ["--global-var", `${key}=${value}`]),
      "--reporters",
      "json",
      "--reporter-json-export",
      report,
    ]);
    if (!existsSync(report)) return { suite, counts: [], failures: [`newman failed: ${out}`] };
    const { stats, failures } = (JSON.parse(readFileSync(report, "utf8")) as Report).run;
    return {
      suite,
      counts: [counted("requests", stats.requests), counted("assertions", stats.assertions)],
      failures: failures.map(
        ({ source, error }) => `${source?.name ?? ""}: ${error.test ?? ""} ${error.message}`,
      ),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What a Hurl file asserts: the status of each answer, and the lines of its Asserts sections. */
function assertionsIn(text: string): number {
  const answers = text.match(/^HTTP(\/[\d.]+)? \d{3}/gm)?.length ?? 0;
  const sections = [...text.matchAll(/^\[Asserts\]\n((?:(?!\[|HTTP|[A-Z]+ ).+\n?)*)/gm)];
  const written = sections.flatMap(([, body = ""]) =>
    body.split("\n").filter((line) => line.trim() !== "" && !line.startsWith("#")),
  );
  return answers + written.length;
}

/** The Hurl files of a folder, run by the real `hurl`. */
export async function hurl(folder: string | undefined, address: string): Promise<Outcome> {
  const suite = "RealWorld, Hurl files";
  if (folder === undefined || !existsSync(folder)) {
    return skipped(suite, "LACUNA_REALWORLD_HURL names no folder, skipped");
  }
  const path = program("LACUNA_HURL", "hurl");
  if (path === undefined) return skipped(suite, "the program hurl not found, skipped");
  const files = readdirSync(folder)
    .filter((each) => each.endsWith(".hurl"))
    .map((each) => join(folder, each));
  const { out } = await run(path, [
    "--test",
    "--jobs",
    "1",
    "--variable",
    `host=${address}`,
    "--variable",
    `uid=${Date.now()}`,
    ...files,
  ]);
  const number = (pattern: RegExp): number => Number(pattern.exec(out)?.[1] ?? 0);
  const passed = number(/Succeeded files: +(\d+)/);
  const requests = number(/Executed requests: +(\d+)/);
  const all = files.reduce((sum, file) => sum + assertionsIn(readFileSync(file, "utf8")), 0);
  const isWhole = passed === files.length && passed > 0;
  return {
    suite: `${suite} (${versionOf(path)}; ${requests} requests, ${all} assertions)`,
    counts: [{ what: "files", passed, all: files.length }],
    failures: isWhole
      ? []
      : out.split("\n").filter((line) => /^error|-->|actual|expected/.test(line)),
  };
}
