/** Clients of streams that come back after every break and name the last event they got. */

import type { ClientRequest, IncomingMessage } from "node:http";
import { request } from "node:http";
import type { EventNames } from "../../../src/serve/streams/names.ts";

export interface Seen {
  readonly number: number;
  readonly event: string;
  readonly tag: string;
}

/** `steady` reads until it is cut off, `dropping` leaves now and then, `lazy` reads with pauses. */
export type Habit = "steady" | "dropping" | "lazy";

const AGAIN_MS = 20;

/** One client of one stream. */
export class Reader {
  readonly stream: string;
  readonly habit: Habit;
  readonly seen: Seen[] = [];
  /** What came and should not have. */
  readonly odd: string[] = [];
  connections = 0;
  /** By which events are named in the file that is served. */
  names: EventNames | undefined;
  private last: string | undefined;
  private readonly fromStart: boolean;
  port = 0;
  private stopped = false;
  private current: ClientRequest | undefined;
  private readonly random: () => number;
  /** Whether the service may fail, so that a stream is not opened. */
  mayFail = false;

  /** `fromStart`: begin with the first event, else with what happens from now on. */
  constructor(
    stream: string,
    habit: Habit,
    { fromStart = false, random }: { readonly fromStart?: boolean; readonly random: () => number },
  ) {
    this.stream = stream;
    this.habit = habit;
    this.fromStart = fromStart;
    this.random = random;
  }

  /** Where the service is from now on. The first call begins; resolves when first connected. */
  serveAt(port: number): Promise<void> {
    const isFirst = this.port === 0;
    this.port = port;
    if (isFirst && this.fromStart) this.last = this.first();
    return isFirst ? new Promise((resolve) => this.connect(resolve)) : Promise.resolve();
  }

  /** The name of what was before the first event. */
  private first(): string | undefined {
    return this.names?.nameOf(this.stream, 0);
  }

  stop(): void {
    this.stopped = true;
    this.current?.destroy();
  }

  private connect(opened?: () => void): void {
    if (this.stopped) return;
    const headers: Record<string, string> = { Accept: "text/event-stream" };
    if (this.last !== undefined) headers["Last-Event-ID"] = this.last;
    const { port, stream: path } = this;
    const sent = request({ port, host: "127.0.0.1", path: `/${path}`, headers, agent: false });
    this.current = sent;
    sent.end();
    sent.on("error", () => {});
    sent.on("response", (response) => {
      this.connections++;
      const isOpen = response.statusCode === 200;
      if (!isOpen && !(this.mayFail && response.statusCode === 500))
        this.odd.push(`${path} answered ${response.statusCode}`);
      if (isOpen) this.read(sent, response);
      else response.resume();
      opened?.();
      // Whoever comes back without having got anything wants all from the first event on.
      this.last ??= this.first();
    });
    const leave =
      this.habit === "dropping"
        ? setTimeout(() => sent.destroy(), 20 + this.random() * 400)
        : undefined;
    sent.on("close", () => {
      clearTimeout(leave);
      this.current = undefined;
      setTimeout(() => this.connect(opened), AGAIN_MS);
    });
  }

  private read(sent: ClientRequest, response: IncomingMessage): void {
    let text = "";
    response.setEncoding("utf8");
    response.on("error", () => {});
    response.on("data", (part: string) => {
      // What was not read of a connection before it ended comes again over the next one.
      if (sent !== this.current) return;
      const blocks = (text + part).split("\n\n");
      // What was not ended by an empty line was not received (WHATWG HTML section 9.2.6).
      text = blocks.pop() ?? "";
      for (const block of blocks) this.take(block);
      if (this.habit !== "lazy") return;
      response.pause();
      setTimeout(() => response.resume(), this.random() * 60);
    });
  }

  private take(block: string): void {
    const found = /^id: (.+)\nevent: (.+)\ndata: (.*)$/.exec(block);
    const number = this.names?.numberOf(this.stream, found?.[1] ?? "");
    if (found === null || number === undefined) {
      this.odd.push(`no event: ${block.slice(0, 200)}`);
      return;
    }
    const [, id = "", event = "", data = ""] = found;
    this.last = id;
    const { tag } = JSON.parse(data) as { tag: string };
    this.seen.push({ number, event, tag });
  }
}
