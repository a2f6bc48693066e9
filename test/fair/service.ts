/** A service in a process of its own, as the command runs it, and what that process needs. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";

const MAIN = join(import.meta.dirname, "../../src/cli/main.ts");
const WAIT_MS = 120_000;

export interface ServiceOptions {
  /** The document. */
  readonly spec: string;
  /** The file of the store. */
  readonly data: string;
}

export class Service {
  readonly child: ChildProcess;
  readonly port: number;

  private constructor(child: ChildProcess, port: number) {
    this.child = child;
    this.port = port;
  }

  /** Resolves when it listens. */
  static async start({ spec, data }: ServiceOptions): Promise<Service> {
    const args = ["serve", spec, "--port", "0", "--data", data, "--allow-private-receivers"];
    const child = spawn(process.execPath, [MAIN, ...args], { stdio: ["ignore", "pipe", "pipe"] });
    let said = "";
    const port = await new Promise<number>((resolve, reject) => {
      const late = setTimeout(() => reject(new Error(`it does not start: ${said}`)), WAIT_MS);
      const hear = (data: Buffer): void => {
        said = (said + data.toString()).slice(-10_000);
        const found = /is served at http:\/\/127\.0\.0\.1:(\d+)/.exec(said)?.[1];
        if (found === undefined) return;
        clearTimeout(late);
        resolve(Number(found));
      };
      child.stdout.on("data", hear);
      child.stderr.on("data", hear);
      child.once("exit", (code) => reject(new Error(`it ended with ${code}: ${said}`)));
    });
    return new Service(child, port);
  }

  /** The most memory that the process has had, in bytes; undefined where the system does not say. */
  get peakBytes(): number | undefined {
    try {
      const status = readFileSync(`/proc/${this.child.pid}/status`, "utf8");
      return Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1]) * 1_024;
    } catch {
      return undefined;
    }
  }

  get isAlive(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  async kill(): Promise<void> {
    if (!this.isAlive) return;
    const gone = once(this.child, "exit");
    this.child.kill("SIGKILL");
    await gone;
  }
}
