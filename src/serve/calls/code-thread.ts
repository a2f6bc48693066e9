/** A door to an ES module in a thread of its own: neither its work nor its faults stop others. */
import { existsSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { Worker } from "node:worker_threads";
import { entryAt } from "../entries.ts";
import { CannotServe } from "../settings/refused.ts";
import type { Attempted, Door, Request } from "./door.ts";

/** What the thread is told when it starts. */
export interface CodeData {
  readonly path: string;
}

export type Order =
  | { readonly is: "ask"; readonly number: number; readonly request: Omit<Request, "signal"> }
  | { readonly is: "abort"; readonly number: number };

export type Answer =
  | { readonly is: "open"; readonly names: readonly string[] }
  | { readonly is: "failed"; readonly message: string }
  | { readonly is: "answer"; readonly number: number; readonly attempted: Attempted };

const ENDED: Attempted = { is: "lost", arrived: true, message: "the code has ended" };

/** A module that was loaded. */
interface CodeThread extends Door {
  /** Names of the functions that it exports. */
  readonly names: readonly string[];
}

/** Loads a module in a thread. Rejects with `CannotServe` where it cannot be loaded. */
export async function codeThread(path: string, log: (line: string) => void): Promise<CodeThread> {
  if (!existsSync(path)) throw new CannotServe([`There is no file \`${path}\` with the code.`]);
  if (statSync(path).isDirectory()) {
    throw new CannotServe([`\`${path}\` is a folder: name the file with the code.`]);
  }
  const thread = new ModuleThread(resolve(path), log);
  await thread.open();
  return thread;
}

class ModuleThread implements CodeThread {
  names: readonly string[] = [];
  private readonly path: string;
  private readonly log: (line: string) => void;
  private readonly underWay = new Map<number, (attempted: Attempted) => void>();
  private worker: Worker | undefined;
  private opening: Promise<void> | undefined;
  private count = 0;
  private closed = false;

  constructor(path: string, log: (line: string) => void) {
    this.path = path;
    this.log = log;
  }

  /** Starts the thread, where it does not run. */
  open(): Promise<void> {
    this.opening ??= this.start();
    return this.opening;
  }

  async ask({ signal, ...request }: Request): Promise<Attempted> {
    try {
      await this.open();
    } catch (fault) {
      const message = fault instanceof Error ? fault.message : String(fault);
      return { is: "lost", arrived: false, message };
    }
    const { worker } = this;
    if (worker === undefined) return { is: "lost", arrived: false, message: "the code has ended" };
    const number = this.count++;
    signal.addEventListener("abort", () => worker.postMessage({ is: "abort", number }), {
      once: true,
    });
    return await new Promise((done) => {
      this.underWay.set(number, done);
      worker.postMessage({ is: "ask", number, request } satisfies Order);
    });
  }

  close(): void {
    this.closed = true;
    void this.worker?.terminate();
  }

  private start(): Promise<void> {
    const workerData: CodeData = { path: this.path };
    const worker = new Worker(entryAt("calls/code-entry"), { workerData });
    worker.unref();
    return new Promise((opened, failed) => {
      worker.on("message", (answer: Answer) => {
        if (answer.is === "answer") this.answered(answer);
        else if (answer.is === "failed") {
          failed(new CannotServe([`The code ${this.path} cannot be loaded: ${answer.message}`]));
        } else {
          this.names = answer.names;
          this.worker = worker;
          opened();
        }
      });
      let why = "it ended";
      worker.on("error", (fault) => {
        why = fault instanceof Error ? (fault.stack ?? fault.message) : String(fault);
      });
      worker.on("exit", () => {
        failed(new CannotServe([`The code ${this.path} cannot be loaded: ${why}`]));
        this.ended(why);
      });
    });
  }

  private answered({ number, attempted }: Extract<Answer, { is: "answer" }>): void {
    this.underWay.get(number)?.(attempted);
    this.underWay.delete(number);
  }

  /** It is started again by the next call. */
  private ended(why: string): void {
    const wasOpen = this.worker !== undefined;
    this.worker = undefined;
    this.opening = undefined;
    if (wasOpen && !this.closed) this.log(`the code has ended: ${why}`);
    for (const done of this.underWay.values()) done(ENDED);
    this.underWay.clear();
  }
}
