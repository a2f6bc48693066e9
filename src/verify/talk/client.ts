/** Sends requests over connections that are kept, and reads whole answers. */
import { Agent, type IncomingMessage, request as plainly, type RequestOptions } from "node:http";
import { Agent as SecureAgent, request as securely } from "node:https";
import type { Answer, Fields, Request } from "../world/message.ts";

/** No answer came that could be read. */
export class NoAnswer extends Error {}

/**
 * Milliseconds after which a connection that was idle is not used again: the service may be closing
 * it, and whether a request that is cut off then was done nobody can tell (RFC 9112 section 9.3.1).
 */
const IDLE_MAX = 1_000;

/** More bytes of an answer than this are not read. */
const BODY_MAX = 16 * 1024 * 1024;

export class Client {
  readonly #base: URL;
  readonly #agent: Agent;
  readonly #timeOut: number;
  #isClosed = false;
  #last = 0;
  /** Takes over a stream of events that a request has opened; else it is closed at once. */
  onStream: ((incoming: IncomingMessage) => void) | undefined;

  /** `timeOut` in milliseconds. */
  constructor(base: URL, timeOut = 10_000) {
    this.#base = base;
    const options = { keepAlive: true, maxSockets: 64 };
    this.#agent = base.protocol === "https:" ? new SecureAgent(options) : new Agent(options);
    this.#timeOut = timeOut;
  }

  /** Where the service is. */
  get url(): URL {
    return this.#base;
  }

  /** What is under way, and whatever is asked from now on, gets no answer. */
  close(): void {
    this.#isClosed = true;
    this.#agent.destroy();
  }

  #closeIdle(): void {
    const now = performance.now();
    if (now - this.#last > IDLE_MAX) {
      for (const idle of Object.values(this.#agent.freeSockets).flat()) idle?.destroy();
    }
    this.#last = now;
  }

  /** Throws `NoAnswer`. */
  ask(request: Request): Promise<Answer> {
    if (this.#isClosed) return Promise.reject(new NoAnswer("nothing is asked any more"));
    this.#closeIdle();
    const { protocol, hostname, port, pathname } = this.#base;
    const path = pathname.replace(/\/$/, "") + request.target;
    const options: RequestOptions = {
      hostname: hostname.replace(/^\[|\]$/g, ""),
      port,
      path,
      method: request.method,
      agent: this.#agent,
      timeout: this.#timeOut,
      headers: Object.fromEntries(grouped(request)),
    };
    const send = protocol === "https:" ? securely : plainly;
    const sent = nowMicros();
    const asked = new Promise<Answer>((resolve, reject) => {
      const fail = (error: Error): void => reject(new NoAnswer(error.message));
      const sending = send(options, (incoming) => {
        if (isStream(incoming)) {
          const { statusCode: status = 0 } = incoming;
          sending.setTimeout(0);
          this.#hand(incoming);
          const headers = fieldsOf(incoming);
          resolve({ status, headers, body: undefined, sent, received: nowMicros() });
          return;
        }
        read(incoming).then((body) => {
          const { statusCode: status = 0 } = incoming;
          this.#last = performance.now();
          resolve({ status, headers: fieldsOf(incoming), body, sent, received: nowMicros() });
        }, fail);
      });
      // The agent lets a request wait without end where all connections are in use.
      const waiting = setTimeout(() => sending.destroy(new Error("no connection")), this.#timeOut);
      sending.once("socket", () => clearTimeout(waiting));
      sending.once("close", () => clearTimeout(waiting));
      sending.on("error", fail);
      sending.on("timeout", () => sending.destroy(new Error("no answer in time")));
      sending.end(request.body);
    });
    return asked.catch((error: Error) => {
      if (error instanceof NoAnswer) throw error;
      throw new NoAnswer(`the request cannot be sent: ${error.message}`);
    });
  }

  #hand(incoming: IncomingMessage): void {
    // The answer is there: what becomes of its stream is no fault of the request.
    incoming.on("error", () => undefined);
    if (this.onStream === undefined) incoming.destroy();
    else this.onStream(incoming);
  }
}

/** Content without an end: it comes as things happen. */
function isStream({ statusCode, headers }: IncomingMessage): boolean {
  return statusCode === 200 && /^text\/event-stream\b/i.test(headers["content-type"] ?? "");
}

/** Microseconds since 1970. */
export function nowMicros(): bigint {
  return BigInt(Math.round((performance.timeOrigin + performance.now()) * 1000));
}

function grouped({ headers, body }: Request): ReadonlyMap<string, string | string[]> {
  const found = new Map<string, string | string[]>();
  for (const [name, value] of headers) {
    const before = found.get(name);
    found.set(name, before === undefined ? value : [...[before].flat(), value]);
  }
  if (body !== undefined) found.set("Content-Length", String(Buffer.byteLength(body)));
  return found;
}

/** The header fields as they came, in their order. */
export function fieldsOf({ rawHeaders }: IncomingMessage): Fields {
  const fields: [string, string][] = [];
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const value = Buffer.from(rawHeaders[i + 1] ?? "", "latin1").toString("utf8");
    fields.push([rawHeaders[i] ?? "", value]);
  }
  return fields;
}

async function read(incoming: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > BODY_MAX) throw new Error(`an answer of more than ${BODY_MAX} bytes`);
    chunks.push(chunk);
  }
  return size === 0 ? undefined : Buffer.concat(chunks).toString("utf8");
}
