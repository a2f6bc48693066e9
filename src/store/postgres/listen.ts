/** Hears what other nodes have written, as they tell in the transaction itself (`NOTIFY`). */
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

/** Listens until it is closed, over a connection of its own: one that is lost is made anew. */
export class Listening {
  readonly #place: Place;
  readonly #node: string;
  readonly #patience: Patience;
  readonly #heard: (told: Told) => void;
  #end: () => void = () => {};
  #isClosed = false;
  #waiting: ReturnType<typeof setTimeout> | undefined;
  #together = { messages: false, events: false, calls: false };

  /** `node`: this one, which is not told of what it says itself. */
  constructor(place: Place, node: string, patience: Patience, heard: (told: Told) => void) {
    this.#place = place;
    this.#node = node;
    this.#patience = patience;
    this.#heard = heard;
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
    const look = setInterval(() => {
      const late = setTimeout(() => socket.destroy(), LOOK_MS);
      const over = (): void => clearTimeout(late);
      client.query("SELECT 1").then(over, over);
    }, LOOK_MS);
    look.unref();
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
    clearInterval(look);
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
      if (!this.#isClosed) this.#heard(heard);
    }, TOGETHER_MS);
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#waiting);
    this.#end();
  }
}
