/** A thread that only reads: one job at a time, as long as it takes. */
import type { MessagePort } from "node:worker_threads";
import type { Plan } from "../../plan/index.ts";
import { connectionOf } from "../../store/index.ts";
import type { Engine } from "../engine/engine.ts";
import type { Setup } from "../engine/open.ts";
import { openEngine } from "../engine/open.ts";
import type { Job, Reply } from "../jobs/job.ts";
import { explained } from "./explained.ts";
import { guarded } from "./guarded.ts";
import { type Packed, packReply, unpackJob } from "./packing.ts";

/** The first message. The plan is JSON text. */
export interface ReadingStart {
  readonly plan: string;
  readonly setup: Omit<Setup, "plan">;
  readonly now: bigint;
}

/** What it says: that it can read, then of each job. `due`: something is to be done first. */
export type Read =
  | { readonly is: "open" }
  | { readonly is: "read"; readonly reply: Packed<Reply> }
  | { readonly is: "due" }
  | { readonly is: "failed"; readonly message: string };

/** Waits for what is to be read, then reads until it is ended. */
export function read(port: MessagePort): void {
  const say = (told: Read): void => port.postMessage(told);
  port.once("message", async ({ plan, setup, now }: ReadingStart) => {
    let engine: Engine;
    try {
      const whole = { ...setup, plan: JSON.parse(plan) as Plan };
      const connection = await connectionOf(setup.store);
      engine = openEngine(whole, { mode: "read", now, isAlone: true, connection });
    } catch (fault) {
      say({ is: "failed", message: fault instanceof Error ? fault.message : String(fault) });
      port.close();
      return;
    }
    port.on("message", (packed: Packed<Job>) => {
      engine.refresh();
      const job = unpackJob(packed);
      const reply = guarded(
        () => engine.read(job),
        () => engine.faultOf(job),
      );
      const told = reply && explained(engine, job, reply, 1);
      engine.refresh();
      say(told === undefined ? { is: "due" } : { is: "read", reply: packReply(told) });
    });
    say({ is: "open" });
  });
}
