/** Starts the thread that passes the traffic, and hears what has passed. */
import { Worker } from "node:worker_threads";
import { forwarderEntry } from "../entries.ts";
import type { Batch } from "./passed.ts";
import type { Done, Room } from "./tap.ts";

/** What the thread is told when it starts. */
export interface ForwardingData {
  readonly url: string;
  /** Where it listens. */
  readonly host: string;
  readonly port: number;
  readonly keepHost: boolean;
  readonly contentMax: number;
  readonly room: Room;
}

export type ToForwarder =
  | { readonly is: "done"; readonly done: Done }
  | { readonly is: "close"; readonly patience: number };

export type ToJudge =
  | { readonly is: "batch"; readonly batch: Batch }
  | { readonly is: "listening"; readonly port: number }
  | { readonly is: "fault"; readonly code: string; readonly message: string }
  | { readonly is: "closed" };

/** It cannot be listened there. */
export class CannotListen extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** The thread, as the judge sees it. */
export interface Forwarding {
  readonly port: number;
  done(done: Done): void;
  /** Takes no more; ends what is under way after so many milliseconds. */
  close(patience: number): Promise<void>;
}

/** Starts it; rejects with `CannotListen`. */
export function forwarding(
  data: ForwardingData,
  take: (batch: Batch) => void,
): Promise<Forwarding> {
  const worker = new Worker(forwarderEntry(), { workerData: data });
  const tell = (message: ToForwarder): void => worker.postMessage(message);
  return new Promise((resolve, reject) => {
    let closed = (): void => {};
    worker.on("message", (message: ToJudge) => {
      if (message.is === "batch") take(message.batch);
      else if (message.is === "closed") closed();
      else if (message.is === "fault") {
        void worker.terminate();
        reject(new CannotListen(message.code, message.message));
      } else {
        resolve({
          port: message.port,
          done: (done) => tell({ is: "done", done }),
          close: (patience) =>
            new Promise((end) => {
              closed = end;
              tell({ is: "close", patience });
            }),
        });
      }
    });
    worker.once("error", reject);
  });
}
