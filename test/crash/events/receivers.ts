/** Starts the receivers, in a thread of their own so that nothing that a run does delays them. */
import { Worker } from "node:worker_threads";
import type { Arrival, Hook, Received } from "./hooks.ts";
import { HOOKS, SECRET } from "./hooks.ts";

interface Ports {
  readonly port: number;
  readonly awayPort: number;
}

interface Told {
  readonly arrivals: readonly Arrival[];
  readonly taken: readonly string[];
  readonly odd: readonly string[];
}

/** Body of a request that registers a hook. */
export type Registration = Pick<Hook, "name" | "way" | "ending"> & {
  readonly url: string;
  readonly secret: string;
};

/** The receivers of a run. */
export class Receivers {
  private readonly worker: Worker;
  private ports: Ports | undefined;
  private arrived: (() => void)[] = [];
  private told: ((told: Told) => void)[] = [];

  private constructor(worker: Worker) {
    this.worker = worker;
  }

  /** Resolves when they listen. */
  static start(seed: number): Promise<Receivers> {
    const worker = new Worker(new URL("receiving.ts", import.meta.url), { workerData: seed });
    const made = new Receivers(worker);
    return new Promise((resolve, reject) => {
      worker.on("error", reject);
      worker.on("message", (message: "arrived" | Told | Ports) => {
        if (message === "arrived") for (const wake of made.arrived.splice(0)) wake();
        else if ("arrivals" in message) made.told.shift()?.(message);
        else {
          made.ports = message;
          resolve(made);
        }
      });
    });
  }

  registrations(): readonly Registration[] {
    return HOOKS.map(({ name, way, mood, ending }) => {
      const port = mood === "away" ? this.ports?.awayPort : this.ports?.port;
      return { name, way, ending, url: `http://127.0.0.1:${port}/${name}`, secret: SECRET };
    });
  }

  /** Resolves when the next message comes to any hook. */
  nextArrival(): Promise<void> {
    return new Promise((resolve) => this.arrived.push(resolve));
  }

  async received(): Promise<Received> {
    const told = await new Promise<Told>((resolve) => {
      this.told.push(resolve);
      this.worker.postMessage("tell");
    });
    return { ...told, taken: new Set(told.taken) };
  }

  /** From now on all that can be delivered is. */
  calm(): void {
    this.worker.postMessage("calm");
  }

  async stop(): Promise<void> {
    await this.worker.terminate();
  }
}
