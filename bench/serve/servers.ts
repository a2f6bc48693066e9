/** Starts and stops the servers that are measured, each a process of its own; judges nothing. */

import type { ChildProcess } from "node:child_process";
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { setUp } from "../../scripts/setup.mjs";
import type { LoadOrder, LoadResult } from "./load.ts";

export const HERE = dirname(fileURLToPath(import.meta.url));
const ROOT = dirname(dirname(HERE));
const START_TIMEOUT_MS = 60_000;
const TICKS_PER_SECOND = 100;

export interface Server {
  readonly name: string;
  readonly port: number;
  readonly child: ChildProcess;
  /** From the start of the process to its first answer. */
  readonly startMs: number;
  /** Processor time used so far by all threads, in ms; undefined where the system has no /proc. */
  cpuMs(): number | undefined;
  /** Peak resident memory in MB; undefined where the system has no /proc. */
  peakMegabytes(): number | undefined;
  stop(): Promise<void>;
}

export interface Command {
  readonly name: string;
  /** What is run. Default: `node`. */
  readonly program?: string;
  /** The arguments of it, given the port. */
  readonly args: (port: number) => readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** A path that answers, whatever it answers. */
  readonly probe: string;
  readonly node?: string;
}

/** Node 24, with the command compiled where it is not and no other build is named. */
export async function lacunaNode(): Promise<string> {
  return process.env["LACUNA_MAIN"] === undefined ? setUp(ROOT) : process.execPath;
}

/** The command that serves a document; `LACUNA_MAIN` names another build of it. */
export function lacuna(document: string, further: readonly string[], probe: string): Command {
  const main = process.env["LACUNA_MAIN"] ?? join(ROOT, "dist", "cli", "main.js");
  const args = (port: number): readonly string[] => [
    main,
    "serve",
    document,
    ...further,
    "--port",
    String(port),
  ];
  const env = { NODE_COMPILE_CACHE: join(ROOT, ".setup", "cache") };
  return { name: "Lacuna", args, env, probe };
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => resolve(port));
    });
  });
}

function proc(pid: number | undefined, file: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return undefined;
  }
}

function cpuMs(pid: number | undefined): number | undefined {
  const stat = proc(pid, "stat");
  // The name in parentheses may hold spaces: fields are counted behind it (proc_pid_stat(5)).
  const fields = stat?.slice(stat.lastIndexOf(")") + 2).split(" ");
  if (fields === undefined) return undefined;
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS_PER_SECOND;
}

/** Starts a server and waits for its first answer. Rejects when it ends before. */
export async function start({ name, program, args, env, probe, node }: Command): Promise<Server> {
  const port = await freePort();
  const startedMs = performance.now();
  const child = spawn(program ?? node ?? process.execPath, args(port), {
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on("data", (chunk) => {
      said = (said + String(chunk)).slice(-4000);
    });
  }
  while (!(await answers(port, probe))) {
    if (child.exitCode !== null) throw new Error(`${name} ended: ${said}`);
    if (performance.now() - startedMs > START_TIMEOUT_MS) {
      child.kill("SIGKILL");
      throw new Error(`${name} does not answer: ${said}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  const startMs = performance.now() - startedMs;
  return {
    name,
    port,
    child,
    startMs,
    cpuMs: () => cpuMs(child.pid),
    peakMegabytes: () => {
      const peak = /VmHWM:\s+(\d+) kB/.exec(proc(child.pid, "status") ?? "");
      return peak === null ? undefined : Number(peak[1]) / 1024;
    },
    stop: () => stop(child),
  };
}

async function answers(port: number, path: string): Promise<boolean> {
  try {
    const response = await fetch(`http://127.0.0.1:${port}${path}`);
    await response.arrayBuffer();
    return true;
  } catch {
    return false;
  }
}

function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    const late = setTimeout(() => child.kill("SIGKILL"), 5000);
    child.once("exit", () => {
      clearTimeout(late);
      resolve();
    });
    child.kill("SIGTERM");
  });
}

/** Runs the load generator in its own process. */
export function load(order: LoadOrder): Promise<LoadResult> {
  const child = spawn(process.execPath, [join(HERE, "load.ts")], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  let said = "";
  child.stdout.on("data", (chunk) => {
    said += String(chunk);
  });
  child.stdin.end(JSON.stringify(order));
  return new Promise((resolve, reject) => {
    child.once("close", (code) => {
      if (code === 0) resolve(JSON.parse(said) as LoadResult);
      else reject(new Error(`the load generator ended with ${code}`));
    });
  });
}
