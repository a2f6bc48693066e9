/**
 * Encrypts connections to a server in a thread of its own: those who ask a store wait for answers
 * while their thread does nothing else, and can be no end of a TLS connection meanwhile. What they
 * say and hear passes through a socket of the file system that nobody else may open.
 */

import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { relayEntry } from "../entries.ts";
import { StorageFault } from "../sqlite/fault.ts";
import type { Tls } from "./tls.ts";

/** A connection that is wanted, and the socket at which it is taken. */
export interface Wanted {
  readonly number: number;
  readonly path: string;
  readonly host: string;
  readonly port: number;
  readonly tls: Tls;
}

/** That a socket is there; `why`: it is not, nor will be. */
export interface Taken {
  readonly number: number;
  readonly why?: string;
}

/** The relay of this thread, started when it is first needed. */
class Relay {
  readonly #waiting = new Map<number, PromiseWithResolvers<void>>();
  readonly #worker: Worker;
  #number = 0;

  constructor() {
    this.#worker = new Worker(relayEntry());
    this.#worker.unref();
    this.#worker.on("message", ({ number, why }: Taken) => {
      const waiting = this.#waiting.get(number);
      this.#waiting.delete(number);
      if (why === undefined) waiting?.resolve();
      else waiting?.reject(new StorageFault("TLS", why));
    });
    this.#worker.on("error", (error) => {
      for (const one of this.#waiting.values()) one.reject(error);
      this.#waiting.clear();
    });
  }

  async take(wanted: Omit<Wanted, "number">): Promise<void> {
    const number = this.#number++;
    const taken = Promise.withResolvers<void>();
    this.#waiting.set(number, taken);
    this.#worker.ref();
    this.#worker.postMessage({ ...wanted, number } satisfies Wanted);
    try {
      await taken.promise;
    } finally {
      if (this.#waiting.size === 0) this.#worker.unref();
    }
  }
}

let relay: Relay | undefined;

/**
 * Calls with the path of a socket that leads to the server of a URL, encrypted, and is gone when
 * that has ended. Rejects with `StorageFault`.
 */
export async function throughRelay<T>(
  url: string,
  tls: Tls,
  run: (path: string) => Promise<T>,
): Promise<T> {
  const { hostname, port } = new URL(url);
  const folder = mkdtempSync(join(tmpdir(), "lacuna-tls-"));
  try {
    chmodSync(folder, 0o700);
    relay ??= new Relay();
    const path = join(folder, "server");
    const host = hostname.replace(/^\[|\]$/g, "");
    await relay.take({ path, host, port: Number(port === "" ? 5432 : port), tls });
    return await run(path);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
