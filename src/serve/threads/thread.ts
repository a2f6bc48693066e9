/** The writing thread: all jobs that wait are one batch, and a batch is one durable transaction. */

import { type MessagePort, receiveMessageOnPort } from "node:worker_threads";
import type { Plan } from "../../plan/index.ts";
import { type Connection, connectionOf } from "../../store/index.ts";
import type { Engine } from "../engine/engine.ts";
import { figuresOf } from "../engine/figures.ts";
import type { Setup } from "../engine/open.ts";
import { prepareEngine } from "../engine/open.ts";
import type { Job } from "../jobs/job.ts";
import { allExplained } from "./explained.ts";
import { unlessAway } from "./in-turn.ts";
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
    const orders = new Orders(port, () => engine.parts.storage.shared?.isAway() === true);
    orders.each((order) => perform(engine, order, { port, orders, say }));
    engine.parts.storage.loss.listen((why) => say({ is: "lost", why }));
    say({ is: "open", news: engine.news() });
  });
  say({ is: "prepared" });
}

/** What the thread is told to do, one after the other in the order in which it came. */
class Orders {
  private readonly port: MessagePort;
  private readonly waiting: Order[] = [];
  /** Whether one is done now, or waited for. */
  private isBusy = false;
  private readonly isAway: () => boolean;

  /** `isAway`: whether the store cannot be reached. */
  constructor(port: MessagePort, isAway: () => boolean) {
    this.port = port;
    this.isAway = isAway;
  }

  /** `perform`: a promise, where the next one is to wait. */
  each(perform: (order: Order) => Promise<void> | undefined): void {
    const next = (): void => {
      while (!this.isBusy) {
        const order = this.waiting.shift();
        if (order === undefined) return;
        this.isBusy = true;
        const done = perform(order);
        const free = (): void => {
          this.isBusy = false;
        };
        if (done === undefined) free();
        else void done.finally(free).then(next);
      }
    };
    this.port.on("message", (order: Order) => {
      this.waiting.push(order);
      next();
      // What waits for a store that is away is not waited for.
      const isOver = (): boolean => this.waiting.length === 0;
      if (order.is === "stop") unlessAway(isOver, this.isAway, () => void perform(order));
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

/** Tells what was made, when it is; a promise where that is later. */
function tell<T>(made: T | Promise<T>, done: (made: T) => void): Promise<void> | undefined {
  if (made instanceof Promise) return made.then(done);
  done(made);
  return undefined;
}

interface Saying {
  readonly port: MessagePort;
  readonly orders: Orders;
  say(report: Report): void;
}

function perform(
  engine: Engine,
  order: Order,
  { port, orders, say }: Saying,
): Promise<void> | undefined {
  /** What there is besides, behind what was done. */
  const behind = (now: bigint) => ({ due: engine.nextDue(now), news: engine.news() });
  switch (order.is) {
    case "stop":
      engine.close();
      port.close();
      return undefined;
    case "time": {
      const { now } = order;
      const fired = (): void => say({ is: "fired", ...behind(now) });
      const firing = engine.fire(now);
      if (firing !== undefined) return firing.then(fired);
      fired();
      return undefined;
    }
    case "deliver": {
      const { now, results, underWay } = order;
      return tell(engine.deliver(now, results, underWay), (delivered) => {
        const all = results.length > 0 ? behind(now) : { news: engine.news() };
        say({ is: "delivered", delivered, ...all });
      });
    }
    case "calls":
      return tell(engine.calls(order.now, order.asked, order.busy), (asks) =>
        say({ is: "calls", asks, ...behind(order.now) }),
      );
    case "figures":
      say({ is: "figures", figures: figuresOf(engine, order.now) });
      return undefined;
    case "jobs": {
      const jobs = order.jobs.map(unpackJob);
      return tell(
        engine.write(jobs, () => orders.jobs()),
        (made) => {
          const now = jobs.at(-1)?.now ?? 0n;
          const replies = allExplained(engine, jobs, made).map(packReply);
          say({ is: "replies", replies, ...behind(now) });
        },
      );
    }
  }
}
