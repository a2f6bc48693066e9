/** Hears what other nodes have written, as they tell in the transaction itself (`NOTIFY`). */
import type { Client } from "pg";
import type { Told } from "../opened.ts";
import { clientOf } from "./connect.ts";
import type { Place } from "./place.ts";
import { lockOf } from "./statements.ts";
import type { Patience } from "./wire.ts";

/** How long it is waited before a server is looked for again. */
const AGAIN_MS = 500;
/** How often it is asked whether the connection is there, and how long for the answer. */
const LOOK_MS = 5_000;
/** What is told within this time is heard together. */
const TOGETHER_MS = 20;
const FLAGS = { messages: "m", events: "e", calls: "c" } as const;
const ALL: Told = { messages: true, events: true, calls: true };

/** The channel of a schema. */
export function channelOf(schema: string): string {
  return `lacuna ${lockOf(schema)}`;
}

/** What a node says on the channel. */
export function saidBy(node: string, told: Told): string {
  const flags = (["messages", "events", "calls"] as const).filter((one) => told[one]);
  return `${flags.map((one) => FLAGS[one]).join("")} ${node}`;
}

/** Who is told, and by which clock it is here. */
export interface Ears {
  heard(told: Told): void;
  /** This machine's clock is so far ahead of the server's, in milliseconds. */
  ahead(ms: number): void;
  /** Milliseconds since 1970. */
  now(): number;
}

/** Clocks may be so far apart before it is told, and so far from what was told. */
const APART_MS = 1_000;
const CLOCK = "SELECT extract(epoch FROM clock_timestamp()) * 1000 AS ms";

/** Listens until it is closed, over a connection of its own: one that is lost is made anew. */
export class Listening {
  readonly #place: Place;
  readonly #node: string;
  readonly #patience: Patience;
  readonly #ears: Ears;
  #aheadMs = 0;
  #end: () => void = () => {};
  #isClosed = false;
  #waiting: ReturnType<typeof setTimeout> | undefined;
  #together = { messages: false, events: false, calls: false };

  /** `node`: this one, which is not told of what it says itself. */
  constructor(place: Place, node: string, patience: Patience, ears: Ears) {
    this.#place = place;
    this.#node = node;
    this.#patience = patience;
    this.#ears = ears;
    void this.#last();
  }

  async #last(): Promise<void> {
    while (!this.#isClosed) {
      // A server that is away is looked for again, as is one that ends the connection.
      await this.#listen().catch(() => {});
      await new Promise((resolve) => {
        setTimeout(resolve, AGAIN_MS).unref();
      });
    }
  }

  /** Listens until the connection ends. */
  async #listen(): Promise<void> {
    const { client, socket } = await clientOf(this.#place, this.#patience);
    client.on("notification", ({ payload = "" }) => this.#take(payload));
    const look = (): void => {
      const late = setTimeout(() => socket.destroy(), LOOK_MS);
      const over = (): void => clearTimeout(late);
      this.#compare(client).then(over, over);
    };
    const looking = setInterval(look, LOOK_MS);
    looking.unref();
    look();
    const ended = new Promise<void>((resolve) => {
      if (socket.destroyed) resolve();
      socket.once("close", resolve);
    });
    this.#end = () => socket.destroy();
    if (this.#isClosed) socket.destroy();
    await client.query(`LISTEN "${channelOf(this.#place.schema)}"`).then(
      // Nobody knows what was told meanwhile.
      () => this.#hear(ALL),
      () => socket.destroy(),
    );
    await ended;
    clearInterval(looking);
  }

  /** Compares the clocks of both ends. */
  async #compare(client: Client): Promise<void> {
    const beforeMs = this.#ears.now();
    const { rows } = await client.query<{ ms: string }>(CLOCK);
    const afterMs = this.#ears.now();
    const ms = (beforeMs + afterMs) / 2 - Number(rows[0]?.ms);
    const doubtMs = (afterMs - beforeMs) / 2 + APART_MS;
    if (Math.abs(ms - this.#aheadMs) <= doubtMs) return;
    this.#aheadMs = Math.abs(ms) <= doubtMs ? 0 : ms;
    if (!this.#isClosed) this.#ears.ahead(this.#aheadMs);
  }

  #take(payload: string): void {
    const [flags = "", node] = payload.split(" ");
    if (node === this.#node) return;
    const has = (one: keyof Told): boolean => flags.includes(FLAGS[one]);
    this.#hear({ messages: has("messages"), events: has("events"), calls: has("calls") });
  }

  #hear(told: Told): void {
    for (const one of ["messages", "events", "calls"] as const) this.#together[one] ||= told[one];
    this.#waiting ??= setTimeout(() => {
      this.#waiting = undefined;
      const heard = this.#together;
      this.#together = { messages: false, events: false, calls: false };
      if (!this.#isClosed) this.#ears.heard(heard);
    }, TOGETHER_MS);
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#waiting);
    this.#end();
  }
}
