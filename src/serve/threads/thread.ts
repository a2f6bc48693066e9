/** The writing thread: all jobs that wait are one batch, and a batch is one durable transaction. */

import type { MessagePort } from "node:worker_threads";
import type { Plan } from "../../plan/index.ts";
import { type Connection, connectionOf } from "../../store/index.ts";
import type { Engine } from "../engine/engine.ts";
import { figuresOf } from "../engine/figures.ts";
import type { Setup } from "../engine/open.ts";
import { prepareEngine } from "../engine/open.ts";
import type { Job } from "../jobs/job.ts";
import type { Opening, Order, Report } from "./orders.ts";
import { type Packed, packReply, unpackJob } from "./packing.ts";

/** The first message. The plan is JSON text: it is told once, and takes the least memory so. */
export interface ThreadData {
  readonly plan: string;
  readonly setup: Omit<Setup, "plan">;
  /** When it was said: what the store keeps is compared first, while another thread writes it. */
  readonly judged: bigint | undefined;
}

/** Waits for what is to be written, then writes until it is told to stop. */
export function write(port: MessagePort): void {
  port.once("message", (data: ThreadData) => run(port, data));
}

function run(port: MessagePort, { plan, setup, judged }: ThreadData): void {
  const say = (report: Report): void => port.postMessage(report);
  const tried = <T>(make: () => T): T | undefined => {
    try {
      return make();
    } catch (fault) {
      say({ is: "failed", message: fault instanceof Error ? fault.message : String(fault) });
      port.close();
      return undefined;
    }
  };
  const prepared = tried(() => {
    const made = prepareEngine({ ...setup, plan: JSON.parse(plan) as Plan }, "write");
    if (judged !== undefined) made.judge(judged);
    return made;
  });
  if (prepared === undefined) return;
  const opening = (text: string): void => say({ is: "opening", text });
  port.once("message", async ({ now }: Opening) => {
    const connection = await connectionOf(setup.store).catch((fault: unknown) => fault);
    const engine = tried(() => {
      if (connection instanceof Error) throw connection;
      return prepared.open({ now, say: opening, connection: connection as Connection | undefined });
    });
    if (engine === undefined) return;
    port.on("message", (order: Order) => perform(engine, order, port, say));
    engine.parts.storage.loss.listen((why) => say({ is: "lost", why }));
    say({ is: "open", news: engine.news() });
  });
  say({ is: "prepared" });
}

function perform(
  engine: Engine,
  order: Order,
  port: MessagePort,
  say: (report: Report) => void,
): void {
  switch (order.is) {
    case "stop":
      engine.close();
      port.close();
      return;
    case "time":
      engine.fire(order.now);
      say({ is: "fired", due: engine.nextDue(order.now), news: engine.news() });
      return;
    case "collect":
      say({
        is: "collected",
        collected: engine.collect(order.now, order.underWay),
        news: engine.news(),
      });
      return;
    case "settle":
      say({
        is: "settled",
        kept: engine.settle(order.now, order.results),
        due: engine.nextDue(order.now),
        news: engine.news(),
      });
      return;
    case "calls": {
      const asks = engine.calls(order.now, order.asked, order.busy);
      say({ is: "calls", asks, due: engine.nextDue(order.now), news: engine.news() });
      return undefined;
    }
    case "figures":
      say({ is: "figures", figures: figuresOf(engine, order.now) });
      return;
    case "jobs":
      say(performJobs(engine, order.jobs));
      return;
  }
}

function performJobs(engine: Engine, given: readonly Packed<Job>[]): Report {
  const jobs = given.map(unpackJob);
  const replies = engine.write(jobs).map(packReply);
  const due = engine.nextDue(jobs.at(-1)?.now ?? 0n);
  return { is: "replies", replies, due, news: engine.news() };
}
