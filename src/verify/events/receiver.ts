/** A receiver of messages on loopback, in a thread of its own: it answers while others compute. */
import {
  MessageChannel,
  type MessagePort,
  receiveMessageOnPort,
  Worker,
} from "node:worker_threads";
import { receiverEntry } from "../entries.ts";
import type { Arrival, Behaviour, Order, ReceiverTold, ThreadNews, ThreadSaid } from "./arrival.ts";

const HOST = "127.0.0.1";

/** Listens from `open` to `close`. */
export class Receiver {
  readonly #worker: Worker;
  readonly #news: MessagePort;
  readonly #base: string;
  readonly #arrivals: Arrival[] = [];
  readonly #behaving = new Set<string>();
  #made = 0;

  private constructor(worker: Worker, news: MessagePort, base: string) {
    this.#worker = worker;
    this.#news = news;
    this.#base = base;
  }

  /** Rejects where nothing can listen there. */
  static async open(told: ReceiverTold = {}): Promise<Receiver> {
    const { port1: news, port2 } = new MessageChannel();
    const workerData = { told, news: port2 };
    const worker = new Worker(receiverEntry(), { workerData, transferList: [port2] });
    try {
      const said = await heard(worker);
      const own = "port" in said ? said.port : 0;
      const scheme = told.certificate === undefined ? "http" : "https";
      const base = (told.address ?? `${scheme}://${HOST}:${own}`).replace(/\/+$/, "");
      return new Receiver(worker, news, base);
    } catch (fault) {
      await worker.terminate();
      throw fault;
    }
  }

  async close(): Promise<void> {
    this.#news.close();
    await this.#worker.terminate();
  }

  /** All that came so far, in its order. */
  get arrivals(): readonly Arrival[] {
    for (;;) {
      const one = receiveMessageOnPort(this.#news) as { readonly message: ThreadNews } | undefined;
      if (one === undefined) return this.#arrivals;
      const { message } = one;
      if ("arrival" in message) this.#arrivals[message.number] = message.arrival;
      else Object.assign(this.#arrivals[message.number] ?? {}, answerIn(message));
    }
  }

  /** From now on attempts at the path are answered like that. */
  async behave(target: string, behaviour: Behaviour | undefined): Promise<void> {
    if (behaviour === undefined) this.#behaving.delete(target);
    else this.#behaving.add(target);
    const order: Order = { target, behaviour };
    this.#worker.postMessage(order);
    await heard(this.#worker);
  }

  /** Whether attempts at the path may be answered otherwise than is good. */
  isBehaving(target: string): boolean {
    return this.#behaving.has(target);
  }

  /** What addresses of receivers begin with, without a slash at the end. */
  get base(): string {
    return this.#base;
  }

  /** An address that was not given before. `tag`: stands in it. */
  newAddress(tag: string): string {
    this.#made++;
    return `${this.#base}/${tag}r${this.#made}`;
  }

  /** The path and query by which something sent to the address arrives; undefined: elsewhere. */
  targetOf(address: string): string | undefined {
    if (!URL.canParse(address)) return undefined;
    const { href } = new URL(address);
    return href.startsWith(`${this.#base}/`)
      ? href.slice(this.#base.length).split("#")[0]
      : undefined;
  }
}

function answerIn(news: Extract<ThreadNews, { readonly status: number }>): Partial<Arrival> {
  return { status: news.status, answeredAt: news.answeredAt };
}

/** What the thread says next; rejects where it cannot listen. */
function heard(worker: Worker): Promise<ThreadSaid> {
  return new Promise((resolve, reject) => {
    worker.once("error", reject);
    worker.once("message", (said: ThreadSaid) => {
      worker.off("error", reject);
      if ("fault" in said) reject(new Error(said.fault));
      else resolve(said);
    });
  });
}
