/** Who is there beside the attackers: slow senders, readers that never read, a good reader. */
import { request } from "node:http";
import type { AddressInfo, Server, Socket } from "node:net";
import { connect, createServer } from "node:net";
import { partsOf, written } from "./framing.ts";
import type { Seed, Target } from "./targets.ts";

export const SLOW_SENDERS = 8;
export const STALLED_READERS = 8;

/** Senders byte by byte that never send the last one; stopping them tells how many were cut off. */
export function slowSenders(port: number): () => number {
  let cut = 0;
  const sockets: Socket[] = [];
  const bytes = Buffer.from("POST /v1/accounts HTTP/1.1\r\nHost: x\r\nContent-Length: 900\r\n\r\n");
  for (let i = 0; i < SLOW_SENDERS; i++) {
    const socket = connect(port, "127.0.0.1");
    socket.on("error", () => {});
    socket.on("close", () => cut++);
    socket.resume();
    sockets.push(socket);
  }
  let at = 0;
  const timer = setInterval(() => {
    const one = bytes.subarray(at, at + 1);
    at++;
    for (const socket of sockets) if (!socket.destroyed) socket.write(one.length > 0 ? one : "x");
  }, 100);
  return () => {
    clearInterval(timer);
    for (const socket of sockets) socket.destroy();
    return cut;
  };
}

/** Clients that open a stream from an early event on and never read what it sends. */
export function stalledReaders({ port, streams }: Target): () => void {
  const [stream] = streams;
  if (stream === undefined) return () => {};
  const bytes = written(partsOf(stream));
  const open = (): Socket => {
    const socket = connect(port, "127.0.0.1");
    socket.on("error", () => {});
    socket.pause();
    socket.write(bytes);
    return socket;
  };
  const sockets = Array.from({ length: STALLED_READERS }, open);
  return () => {
    for (const socket of sockets) socket.destroy();
  };
}

export interface Watched {
  readonly events: number;
  readonly faults: readonly string[];
}

/** A client that reads a stream, and comes back when it is ended. */
export function watchStream({ port, streams }: Target): () => Watched {
  const [stream] = streams;
  if (stream === undefined) return () => ({ events: 0, faults: [] });
  const reader = new Watcher(port, stream);
  return () => reader.stop();
}

class Watcher {
  private last: string | undefined;
  private readonly seen = new Set<string>();
  private events = 0;
  private stopped = false;
  private readonly faults: string[] = [];
  private readonly port: number;
  private readonly stream: Seed;

  constructor(port: number, stream: Seed) {
    this.port = port;
    this.stream = stream;
    this.open();
  }

  stop(): Watched {
    this.stopped = true;
    return { events: this.events, faults: this.faults };
  }

  private open(): void {
    if (this.stopped) return;
    const named = this.last === undefined ? [] : [["Last-Event-ID", this.last] as const];
    const headers = Object.fromEntries([...this.stream.headers, ...named]);
    const { port } = this;
    const sent = request({
      port,
      host: "127.0.0.1",
      path: this.stream.path,
      headers,
      agent: false,
    });
    sent.on("error", () => {});
    sent.on("close", () => setTimeout(() => this.open(), 50));
    sent.on("response", (response) => {
      if (response.statusCode !== 200) this.faults.push(`a stream got ${response.statusCode}`);
      let text = "";
      response.setEncoding("utf8");
      response.on("error", () => {});
      response.on("data", (part: string) => {
        const blocks = (text + part).split("\n\n");
        text = blocks.pop() ?? "";
        for (const block of blocks) this.take(block);
        if (this.stopped) sent.destroy();
      });
    });
    sent.end();
  }

  private take(block: string): void {
    const found = /^id: ([\w-]{22})\nevent: [^\n]+\ndata: (\{[^\n]*\})$/.exec(block);
    const [, id = ""] = found ?? [];
    if (found === null || this.seen.has(id)) {
      this.faults.push(`a stream sent, after ${this.last}: ${block.slice(0, 300)}`);
    }
    this.seen.add(id);
    this.last = id;
    this.events++;
  }
}

/** A port of this machine to which nothing may be sent; tells how often somebody came. */
export async function canary(): Promise<{ port: number; stop: () => number }> {
  let count = 0;
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    count++;
    sockets.add(socket);
    socket.on("error", () => {});
    socket.end("HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n");
  });
  await new Promise<void>((resolve) => server.listen(0, "::", resolve));
  const stop = (): number => {
    for (const socket of sockets) socket.destroy();
    server.close();
    return count;
  };
  return { port: (server.address() as AddressInfo).port, stop };
}
