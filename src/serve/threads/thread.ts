/** The writing thread: all jobs that wait are one batch, and a batch is one durable transaction. */

import { type MessagePort, receiveMessageOnPort } from "node:worker_threads";
import type { Plan } from "../../plan/index.ts";
import { type Connection, connectionOf } from "../../store/index.ts";
import type { Engine } from "../engine/engine.ts";
import { figuresOf } from "../engine/figures.ts";
import type { Setup } from "../engine/open.ts";
import { prepareEngine } from "../engine/open.ts";
import type { Job } from "../jobs/job.ts";
import { InTurn } from "./in-turn.ts";
import type { Opening, Order, Report } from "./orders.ts";
import { packReply, unpackJob } from "./packing.ts";

/** Jobs that join others in one transaction, so that no answer waits for an endless one. */
const MORE_MAX = 512;

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
    const orders = new Orders(port);
    const turns = new InTurn();
    orders.each((order) => perform(engine, order, { port, turns, orders, say }));
    engine.parts.storage.loss.listen((why) => say({ is: "lost", why }));
    say({ is: "open", news: engine.news() });
  });
  say({ is: "prepared" });
}

/** What the thread is told to do, in the order in which it came. */
class Orders {
  private readonly port: MessagePort;
  private readonly waiting: Order[] = [];
  private isAt = false;

  constructor(port: MessagePort) {
    this.port = port;
  }

  each(perform: (order: Order) => void): void {
    this.port.on("message", (order: Order) => {
      this.waiting.push(order);
      if (this.isAt) return;
      this.isAt = true;
      for (let next = this.waiting.shift(); next; next = this.waiting.shift()) perform(next);
      this.isAt = false;
    });
  }

  /** Jobs that are next, those included that the thread could not hear of while it waited. */
  jobs(): readonly Job[] {
    for (let got = receiveMessageOnPort(this.port); got; got = receiveMessageOnPort(this.port)) {
      this.waiting.push(got.message as Order);
    }
    const jobs: Job[] = [];
    for (let [next] = this.waiting; next?.is === "jobs"; [next] = this.waiting) {
      if (jobs.length + next.jobs.length > MORE_MAX) break;
      jobs.push(...next.jobs.map(unpackJob));
      this.waiting.shift();
    }
    return jobs;
  }
}

interface Saying {
  readonly port: MessagePort;
  readonly turns: InTurn;
  readonly orders: Orders;
  say(report: Report): void;
}

function perform(engine: Engine, order: Order, { port, turns, orders, say }: Saying): void {
  /** What there is besides, behind what was done. */
  const behind = (now: bigint) => ({ due: engine.nextDue(now), news: engine.news() });
  switch (order.is) {
    case "stop": {
      // What waits for the end of a transaction that was cut off is not waited for.
      engine.close();
      port.close();
      return;
    }
    case "time":
      turns.run(
        () => engine.fire(order.now),
        () => say({ is: "fired", ...behind(order.now) }),
      );
      return;
    case "collect":
      turns.run(
        () => engine.collect(order.now, order.underWay),
        (collected) => say({ is: "collected", collected, news: engine.news() }),
      );
      return;
    case "settle":
      turns.run(
        () => engine.settle(order.now, order.results),
        (kept) => say({ is: "settled", kept, ...behind(order.now) }),
      );
      return;
    case "calls":
      turns.run(
        () => engine.calls(order.now, order.asked, order.busy),
        (asks) => say({ is: "calls", asks, ...behind(order.now) }),
      );
      return;
    case "figures":
      turns.run(
        () => figuresOf(engine, order.now),
        (figures) => say({ is: "figures", figures }),
      );
      return;
    case "jobs": {
      const jobs = order.jobs.map(unpackJob);
      turns.run(
        () => engine.write(jobs, () => orders.jobs()),
        (replies) => {
          const now = jobs.at(-1)?.now ?? 0n;
          say({ is: "replies", replies: replies.map(packReply), ...behind(now) });
        },
      );
      return;
    }
  }
}
