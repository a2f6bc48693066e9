/** Sends requests at the same time, each client over a connection of its own. */
import { Client } from "../talk/client.ts";
import type { Request } from "../world/message.ts";
import type { Raced } from "./told.ts";

/** Milliseconds after which a connection may have been closed. */
const WARM_MS = 500;

/** Requests of each client, in their order; undefined: it cannot be made, and ends its client. */
export type Asked = readonly (readonly (() => Request | undefined)[])[];

/** A few clients of one service. */
export class Crowd {
  readonly #url: URL;
  readonly #clients: { readonly client: Client; used: number }[] = [];
  /** Requests that were sent. */
  sent = 0;

  constructor(url: URL) {
    this.#url = url;
  }

  #at(i: number): { readonly client: Client; used: number } {
    const known = this.#clients[i];
    if (known !== undefined) return known;
    const made = { client: new Client(this.#url), used: Number.NEGATIVE_INFINITY };
    this.#clients[i] = made;
    return made;
  }

  /** Whether so many clients have connections that are open, as far as is known. */
  isWarm(count: number): boolean {
    const now = performance.now();
    return Array.from({ length: count }, (_, i) => this.#at(i)).every(
      ({ used }) => now - used < WARM_MS,
    );
  }

  /** Sends one request. */
  async ask(request: Request, i = 0): Promise<Raced["answer"]> {
    const one = this.#at(i);
    this.sent += 1;
    const answer = await one.client.ask(request);
    one.used = performance.now();
    return answer;
  }

  /** Sends the requests of all clients, which all begin at once. */
  async race(clients: Asked): Promise<readonly Raced[]> {
    const all = clients.map(async (requests, i) => {
      const raced: Raced[] = [];
      for (const next of requests) {
        const request = next();
        if (request === undefined) break;
        raced.push({ client: i + 1, request, answer: await this.ask(request, i) });
      }
      return raced;
    });
    // All are waited for, also if one gets no answer.
    const ended = await Promise.allSettled(all);
    return ended.flatMap((one) => {
      if (one.status === "rejected") throw one.reason;
      return one.value;
    });
  }

  close(): void {
    for (const { client } of this.#clients) client.close();
  }
}
