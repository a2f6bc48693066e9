/**
 * How a service speaks in all that a document leaves open, chosen by a seed: which of the forms of
 * JSON, HTTP and clocks it uses says nothing about whether it is right.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { randomFrom } from "../../random.ts";
import { NumberText } from "./json.ts";

/** A request as it came. */
export interface Asked {
  readonly method: string;
  /** Path as sent, without the query. */
  readonly path: string;
  /** Undefined: none, or it is malformed. */
  readonly query: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Buffer;
}

export interface Told {
  readonly status: number;
  readonly headers?: readonly (readonly [string, string])[];
  /** A value for JSON; undefined: no content. */
  readonly body?: unknown;
}

/** A service without its manner. */
export interface Service {
  answer(asked: Asked): Told;
  /** Other clients do something of their own; `chance` gives numbers in [0, 1). */
  others(chance: () => number): void;
}

const MINUTE = 60_000;
const SPACES = ["", "", " ", "\n", "  ", "\t"];

export class Manner {
  readonly chance: () => number;
  readonly #offset: number;
  readonly #tick: number;
  readonly #space: string;
  readonly #isShuffled: boolean;
  readonly #forms: number;
  readonly #letters: number;
  readonly #slow: number;
  readonly #closes: number;

  constructor(seed: number) {
    this.chance = randomFrom(seed);
    const { chance } = this;
    this.#offset = this.one([0, 0, Math.round((chance() - 0.5) * 8 * MINUTE)]);
    this.#tick = this.one([1, 1, 16]);
    this.#space = this.one(SPACES);
    this.#isShuffled = chance() < 0.5;
    this.#forms = this.one([0, 0.2, 0.9]);
    this.#letters = this.one([0, 1, 2]);
    this.#slow = this.one([0, 0, 0.02, 0.1]);
    this.#closes = this.one([0, 0, 0.1, 1]);
  }

  one<T>(all: readonly T[]): T {
    return all[Math.floor(this.chance() * all.length)] as T;
  }

  /** Milliseconds since 1970 by the clock of the service. */
  now(): number {
    const now = Date.now() + this.#offset;
    return now - (now % this.#tick);
  }

  /** A list of which the order is free. */
  anyOrder<T>(items: readonly T[]): readonly T[] {
    const ranked = items.map((item) => [this.chance(), item] as const);
    return ranked.sort(([a], [b]) => a - b).map(([, item]) => item);
  }

  json(value: unknown): string {
    const space = this.#space;
    if (value instanceof NumberText) return this.#number(value.text);
    if (typeof value === "number") return this.#number(String(value));
    if (typeof value === "string") return this.#text(value);
    if (typeof value !== "object" || value === null) return JSON.stringify(value);
    if (Array.isArray(value)) {
      return `[${value.map((one) => space + this.json(one)).join(`${space},`)}${space}]`;
    }
    const members = Object.entries(value);
    const inOrder = this.#isShuffled ? this.anyOrder(members) : members;
    const texts = inOrder.map(
      ([name, one]) => `${space}${JSON.stringify(name)}${space}:${space}${this.json(one)}`,
    );
    return `{${texts.join(",")}${space}}`;
  }

  /** A number in one of the forms of RFC 8259 that have its value. */
  #number(text: string): string {
    if (this.chance() >= this.#forms) return text;
    const [, sign = "", whole = "", fraction = ""] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
    const shorter = fraction.replace(/0+$/, "");
    return this.one([
      `${sign}${whole}.${fraction}0`,
      `${sign}${whole}${shorter === "" ? "" : `.${shorter}`}`,
      `${sign}${(whole + fraction).replace(/^0+(?=\d)/, "")}e-${fraction.length}`,
      `${sign}${whole}.${fraction === "" ? "0" : fraction}E+0`,
    ]);
  }

  #text(text: string): string {
    const plain = JSON.stringify(text);
    if (this.chance() >= this.#forms) return plain;
    return plain.replaceAll("/", String.raw`\/`).replaceAll(/[^\x20-\x7e]/g, (one) => {
      return `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`;
    });
  }

  #name(name: string): string {
    if (this.#letters === 0) return name;
    return this.#letters === 1 ? name.toLowerCase() : name.toUpperCase();
  }

  /** Sends an answer; what no document names may stand beside it. */
  async send(response: ServerResponse, method: string, { status, headers = [], body }: Told) {
    if (this.chance() < this.#slow) await wait(this.one([5, 40, 200]));
    const content = body === undefined ? undefined : Buffer.from(this.json(body));
    const all: (readonly [string, string])[] = [...headers];
    if (this.chance() < 0.3) all.push(["Server", "hand/1"], ["X-Trace", String(this.chance())]);
    if (this.chance() < 0.2) all.push(["ETag", '"some"'], ["Cache-Control", "no-store"]);
    response.sendDate = this.chance() < 0.7;
    for (const [name, value] of this.anyOrder(all)) response.setHeader(this.#name(name), value);
    if (this.chance() < this.#closes) response.setHeader("Connection", "close");
    response.statusCode = status;
    if (content === undefined || method === "HEAD") {
      response.end();
      return;
    }
    if (this.chance() < 0.5) {
      response.setHeader("Content-Length", content.length);
      response.end(content);
      return;
    }
    // In chunks, wherever they end.
    const at = Math.floor(this.chance() * content.length);
    response.write(content.subarray(0, at));
    response.end(content.subarray(at));
  }
}

/** A media type as one may write it. */
export function mediaType(manner: Manner, type: string): string {
  return manner.one([type, `${type}; charset=utf-8`, `${type.toUpperCase()};charset="UTF-8"`]);
}

async function asked(request: IncomingMessage): Promise<Asked> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  const [path = "", ...rest] = (request.url ?? "").split("?");
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, [value].flat().join(", ")]),
  );
  const { method = "GET" } = request;
  return { method, path, query: rest.join("?"), headers, body: Buffer.concat(chunks) };
}

interface Listening {
  readonly address: string;
  stop(): Promise<void>;
}

/** Serves on a free port of 127.0.0.1. `crowd`: how often others act before a request. */
export async function listen(
  service: Service,
  manner: Manner,
  crowd = manner.one([0, 0, 0.1, 0.4]),
): Promise<Listening> {
  const server: Server = createServer((request, response) => {
    void asked(request).then((one) => {
      if (manner.chance() < crowd) service.others(manner.chance);
      return manner.send(response, one.method, service.answer(one));
    });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  const stop = (): Promise<void> =>
    new Promise((done) => {
      server.close(() => done());
      server.closeAllConnections();
    });
  return { address: `http://127.0.0.1:${port}`, stop };
}
