/**
 * A load generator for its own process: reads an order as JSON on standard input, sends requests
 * over several keep-alive connections, prints counts and latencies as JSON. Knows no service.
 */

import type { Socket } from "node:net";
import { connect } from "node:net";
import { text } from "node:stream/consumers";

export interface LoadOrder {
  readonly port: number;
  readonly connections: number;
  readonly durationMs: number;
  /** Whole requests as text, sent in turn by all connections. */
  readonly requests: readonly string[];
  /**
   * Sends so many a second, evenly, whether or not answers have come; a request that finds no
   * connection free waits for one, and its latency counts from when it was to be sent. Default:
   * each connection sends when it has its answer.
   */
  readonly perSecond?: number;
  /** Stops after so many requests, where that comes first. */
  readonly countMax?: number;
  /** Gives the `Location` headers of the answers. */
  readonly locations?: boolean;
}

export interface LoadResult {
  readonly count: number;
  readonly durationMs: number;
  /** Answers by status; `0` counts broken connections. */
  readonly statuses: Readonly<Record<string, number>>;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly locations: readonly string[];
}

const HEAD_END = Buffer.from("\r\n\r\n");
/** As the servers that are measured write it: the one found last is looked for first. */
const contentLengths = ["\r\nContent-Length: ", "\r\ncontent-length: "].map((name) =>
  Buffer.from(name),
);
const RECEIVED_BYTES = 256 * 1024;
const ZERO = 48;
/** Behind `HTTP/1.1 `. */
const STATUS_AT = 9;

/** The decimal number that begins at an offset. */
function numberAt(bytes: Buffer, at: number): number {
  let number = 0;
  for (let i = at; ; i++) {
    const digit = (bytes[i] ?? 0) - ZERO;
    if (digit < 0 || digit > 9) return number;
    number = number * 10 + digit;
  }
}

/** Length of the first whole response in the bytes; undefined while it is not whole. */
function responseLength(bytes: Buffer): number | undefined {
  const headEnd = bytes.indexOf(HEAD_END);
  if (headEnd < 0) return undefined;
  const from = headEnd + HEAD_END.length;
  const whole = (length: number): number | undefined =>
    bytes.length >= length ? length : undefined;
  const start = bytes.subarray(0, headEnd);
  for (const [i, name] of contentLengths.entries()) {
    const at = start.indexOf(name);
    if (at < 0) continue;
    if (i > 0) contentLengths.reverse();
    return whole(from + numberAt(bytes, at + name.length));
  }
  const head = bytes.toString("latin1", 0, headEnd);
  const contentLength = /\ncontent-length: *(\d+)/i.exec(head);
  if (contentLength !== null) return whole(from + Number(contentLength[1]));
  if (!/\ntransfer-encoding: *chunked/i.test(head)) return from;
  const last = bytes.indexOf("0\r\n\r\n", from);
  return last < 0 ? undefined : last + 5;
}

class Load {
  readonly order: LoadOrder;
  readonly requests: readonly Buffer[];
  readonly latencies: number[] = [];
  readonly statuses = new Map<number, number>();
  readonly locations: string[] = [];
  readonly startMs = performance.now();
  sent = 0;
  done: () => void = () => {};
  open = 0;
  /** Of an even rate: connections that wait for a request, and times of requests that wait. */
  private readonly free: ((dueMs: number) => void)[] = [];
  private readonly due: number[] = [];

  constructor(order: LoadOrder) {
    this.order = order;
    this.requests = order.requests.map((one) => Buffer.from(one));
  }

  run(): Promise<void> {
    return new Promise((resolve) => {
      this.done = resolve;
      for (let i = 0; i < this.order.connections; i++) this.connect();
      if (this.order.perSecond !== undefined) this.tick(this.order.perSecond, 0);
    });
  }

  /** Hands out the requests that are due by now. */
  private tick(perSecond: number, given: number): void {
    const sinceMs = performance.now() - this.startMs;
    const all = Math.floor((Math.min(sinceMs, this.order.durationMs) * perSecond) / 1000);
    for (let i = given; i < all; i++) {
      const dueMs = this.startMs + (i * 1000) / perSecond;
      const send = this.free.shift();
      if (send === undefined) this.due.push(dueMs);
      else send(dueMs);
    }
    if (sinceMs < this.order.durationMs) setTimeout(() => this.tick(perSecond, all), 1);
    else for (const end of this.free) end(Number.NaN);
  }

  private connect(): void {
    this.open += 1;
    let sentMs = 0;
    let kept: Buffer | undefined;
    const take = (size: number, buffer: Uint8Array): boolean => {
      const part = Buffer.from(buffer.buffer, buffer.byteOffset, size);
      const whole = kept === undefined ? part : Buffer.concat([kept, part]);
      if (responseLength(whole) === undefined) {
        kept = kept === undefined ? Buffer.from(part) : whole;
        return true;
      }
      kept = undefined;
      this.note(whole, performance.now() - sentMs);
      next();
      return true;
    };
    const next = (): void => {
      if (this.order.perSecond === undefined) sentMs = this.send(socket);
      else if (this.due.length > 0) from(this.due.shift() ?? Number.NaN);
      else if (performance.now() - this.startMs >= this.order.durationMs) socket.destroy();
      else this.free.push(from);
    };
    const from = (dueMs: number): void => {
      if (Number.isNaN(dueMs)) socket.destroy();
      else {
        sentMs = dueMs;
        this.write(socket);
      }
    };
    const onread = { buffer: Buffer.allocUnsafe(RECEIVED_BYTES), callback: take };
    const socket: Socket = connect(
      { port: this.order.port, host: "127.0.0.1", noDelay: true, onread },
      next,
    );
    socket.on("error", () => this.count(0));
    socket.on("close", () => {
      this.open -= 1;
      if (this.open === 0) this.done();
    });
  }

  /** Sends the next request, or ends the connection; gives the time. */
  private send(socket: Socket): number {
    const now = performance.now();
    const { countMax = Infinity, durationMs } = this.order;
    if (now - this.startMs >= durationMs || this.sent >= countMax) socket.destroy();
    else this.write(socket);
    return now;
  }

  private write(socket: Socket): void {
    const next = this.requests[this.sent % this.requests.length];
    this.sent += 1;
    socket.write(next ?? "");
  }

  private note(response: Buffer, latencyMs: number): void {
    this.latencies.push(latencyMs);
    this.count(numberAt(response, STATUS_AT));
    if (this.order.locations !== true) return;
    const location = /\nlocation: *(\S+)/i.exec(response.toString("latin1"));
    if (location?.[1] !== undefined) this.locations.push(location[1]);
  }

  private count(status: number): void {
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
  }
}

const load = new Load(JSON.parse(await text(process.stdin)) as LoadOrder);
await load.run();
const durationMs = performance.now() - load.startMs;
const sorted = Float64Array.from(load.latencies).sort();
const at = (share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
const result: LoadResult = {
  count: sorted.length,
  durationMs,
  statuses: Object.fromEntries(load.statuses),
  p50Ms: at(0.5),
  p99Ms: at(0.99),
  locations: load.locations,
};
process.stdout.write(JSON.stringify(result));
