/** Serves an example as the command does, durably in a folder of its own; knows no suite. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

export const ROOT = join(import.meta.dirname, "../..");

export interface Served {
  readonly address: string;
  /** Stops the service and takes its data away; gives its exit code. */
  stop(): Promise<number | null>;
}

export interface Serving {
  /** Arguments of `lacuna serve` but for the port and the data. */
  readonly args: readonly string[];
  readonly port?: number;
  /** Texts of the document's settings by name. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** A port of 127.0.0.1 that nothing listens on. */
export function freePort(): Promise<number> {
  return new Promise((done, fail) => {
    const server = createServer();
    server.once("error", fail);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { port: number };
      server.close(() => done(port));
    });
  });
}

/** Its address, as soon as it says so. */
function addressOf(child: ChildProcess): Promise<string> {
  let said = "";
  let wrong = "";
  child.stderr?.on("data", (chunk) => (wrong += String(chunk)));
  return new Promise((done, fail) => {
    child.stdout?.on("data", (chunk) => {
      said += String(chunk);
      const address = /is served at (\S+)/.exec(said)?.[1];
      if (address !== undefined) done(address);
    });
    child.once("exit", (code) => fail(new Error(`the service ended with ${code}: ${wrong}`)));
  });
}

let schemas = 0;

/** Where the data is: in a file, or, where PEERS_STORE names a database, in a schema of its own. */
function dataIn(folder: string): string {
  const { PEERS_STORE: url } = process.env;
  if (url === undefined) return join(folder, "data.sqlite");
  return `${url}?schema=peers_${process.pid}_${schemas++}`;
}

/** Starts the service on a database of its own; rejects where it does not start. */
export async function served({ args, port = 0, settings = {} }: Serving): Promise<Served> {
  const folder = mkdtempSync(join(tmpdir(), "lacuna-peers-"));
  const entries = Object.entries(settings);
  const env = Object.fromEntries(
    entries.map(([name, text]) => [`LACUNA_SETTING_${name.toUpperCase()}`, text]),
  );
  const main = join(ROOT, "src/cli/main.ts");
  const all = [main, "serve", ...args, "--port", String(port), "--data", dataIn(folder)];
  const child = spawn(process.execPath, all, { cwd: ROOT, env: { ...process.env, ...env } });
  const ended = new Promise<number | null>((done) => child.once("exit", done));
  const clear = (): void => rmSync(folder, { recursive: true, force: true });
  const stop = async (): Promise<number | null> => {
    child.kill("SIGTERM");
    const code = await ended;
    clear();
    return code;
  };
  try {
    return { address: await addressOf(child), stop };
  } catch (fault) {
    clear();
    throw fault;
  }
}
