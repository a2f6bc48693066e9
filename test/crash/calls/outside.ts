/** Those behind the calls of a crash run, and what they know. */
import { Worker } from "node:worker_threads";

/** A booking by its key; without a place there was none left. */
export interface Book {
  readonly tag: string;
  readonly place?: string;
}

export interface Seal {
  readonly tag: string;
  readonly mark: string;
}

/** What those outside have done, by the keys of the calls. */
export interface Done {
  readonly books: ReadonlyMap<string, Book>;
  readonly cancelled: ReadonlySet<string>;
  readonly seals: ReadonlyMap<string, Seal>;
  readonly odd: readonly string[];
}

export class Outside {
  /** Where the code behind the calls is. */
  readonly address: string;
  private readonly worker: Worker;

  private constructor(worker: Worker, port: number) {
    this.worker = worker;
    this.address = `http://127.0.0.1:${port}`;
  }

  static async start(seed: number): Promise<Outside> {
    const worker = new Worker(new URL("outside-thread.ts", import.meta.url), { workerData: seed });
    const { port } = await heard<{ port: number }>(worker);
    return new Outside(worker, port);
  }

  done(): Promise<Done> {
    const told = heard<Done>(this.worker);
    this.worker.postMessage("tell");
    return told;
  }

  /** From now on all goes well. */
  calm(): void {
    this.worker.postMessage("calm");
  }

  async stop(): Promise<void> {
    await this.worker.terminate();
  }
}

function heard<T>(worker: Worker): Promise<T> {
  return new Promise((resolve, reject) => {
    worker.once("error", reject);
    worker.once("message", (message: T) => {
      worker.off("error", reject);
      resolve(message);
    });
  });
}
