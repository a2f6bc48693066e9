/** Starts, kills and starts again the service of a crash run, always on the same file. */

import type { ChildProcess } from "node:child_process";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const CHILD = join(dirname(fileURLToPath(import.meta.url)), "child.ts");

/** Loaded into each thread of a service before all else. */
const FORGETFUL = new URL("forgetful.ts", import.meta.url).href;

/**
 * `control` answers before it commits; `unsynced` commits without a sync; `forgetful` records some
 * events nowhere.
 */
export type Kind = "real" | "control" | "unsynced" | "forgetful";

export interface Serving {
  readonly port: number;
  readonly child: ChildProcess;
  /** What it said on standard error so far. */
  said(): string;
  /** Stops it where it is: what it has said until now can be heard, and it does nothing more. */
  freeze(): void;
  /** Asks it to end, and waits until it is gone. */
  end(): Promise<void>;
  /** `kill -9`, and wait until it is gone. */
  kill(): Promise<void>;
  /** When it was gone, by the clock of `process.hrtime`; 0 while it runs. */
  endedAt(): bigint;
}

export interface Surroundings {
  /** The largest file that it may write, in blocks of 512 bytes (a soft limit of the system). */
  readonly fileBlocks?: number;
  /** Address of the code behind the calls. */
  readonly code?: string;
  /** Variables of its environment besides those of this process. */
  readonly environment?: Readonly<Record<string, string>>;
  /** The program of the service. Default: the one of the crash run. */
  readonly program?: string;
}

/** Resolves when the service listens; rejects when it ends before. */
export async function start(
  file: string,
  kind: Kind,
  { fileBlocks, code = "", environment = {}, program = CHILD }: Surroundings = {},
): Promise<Serving> {
  const faulty = kind === "forgetful" ? ["--import", FORGETFUL] : [];
  const args = [...faulty, program, file, kind, code];
  const limited =
    fileBlocks === undefined ? undefined : `ulimit -S -f ${fileBlocks}; exec "$0" "$@"`;
  const stdio: ["ignore", "pipe", "pipe"] = ["ignore", "pipe", "pipe"];
  const env = { ...process.env, ...environment };
  const child =
    limited === undefined
      ? spawn(process.execPath, args, { stdio, env })
      : spawn("sh", ["-c", limited, process.execPath, ...args], { stdio, env });
  let errors = "";
  child.stderr?.on("data", (data) => {
    errors = (errors + String(data)).slice(-20_000);
  });
  let endedAt = 0n;
  const gone = once(child, "exit");
  child.once("exit", () => {
    endedAt = process.hrtime.bigint();
  });
  const said = once(child.stdout as NodeJS.ReadableStream, "data") as Promise<[Buffer]>;
  const first = await Promise.race([said, gone.then(() => undefined)]);
  if (first === undefined) throw new Error(`the service did not start:\n${errors}`);
  const port = Number(/:(\d+)\s*$/.exec(String(first[0]))?.[1]);
  return {
    port,
    child,
    said: () => errors,
    endedAt: () => endedAt,
    freeze: () => {
      child.kill("SIGSTOP");
    },
    end: async () => {
      child.kill("SIGTERM");
      await gone;
    },
    kill: async () => {
      child.kill("SIGKILL");
      await gone;
    },
  };
}
