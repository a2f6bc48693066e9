/** Stands where the HTTP library and the sockets stand: hands requests to a server as objects. */
import { EventEmitter } from "node:events";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { fieldsSent, type RawAnswer, type RawRequest } from "../histories/talk.ts";

type Told = (answer: RawAnswer) => void;

/** Pairs of a flat list of names and values. */
function pairsOf(flat: readonly string[]): [string, string][] {
  return Array.from({ length: flat.length / 2 }, (_, i) => [
    flat[2 * i] ?? "",
    flat[2 * i + 1] ?? "",
  ]);
}

/** The address that requests come from: trusted, so that they are called as they say. */
export const DIRECT = "127.0.0.1";

class FakeSocket extends EventEmitter {
  readonly remoteAddress = DIRECT;
  readonly writable = true;
  readableEnded = false;
  destroyed = false;

  constructor() {
    super();
    // Every request of a session comes on one connection.
    this.setMaxListeners(0);
  }

  pause(): void {}
  resume(): void {}
  setTimeout(): void {}
  end(): void {}
  destroy(): void {
    if (this.destroyed) return;
    this.destroyed = true;
    this.emit("close");
  }
}

/** What the service says to one request. A stream has answered when its head is there. */
class Response extends EventEmitter {
  shouldKeepAlive = true;
  private status = 0;
  private headers: [string, string][] = [];
  private text = "";
  readonly req: { readonly socket: FakeSocket };
  private readonly hasContent: boolean;
  private readonly told: Told;

  constructor(method: string, socket: FakeSocket, told: Told) {
    super();
    this.req = { socket };
    this.hasContent = method !== "HEAD";
    this.told = told;
  }

  writeHead(status: number, headers: readonly string[]): void {
    this.status = status;
    this.headers = pairsOf(headers);
  }

  write(text: string): boolean {
    this.text += text;
    return true;
  }

  flushHeaders(): void {
    this.tell();
  }

  writeContinue(): void {}

  end(body: string | Buffer = ""): void {
    const { status } = this;
    if (this.hasContent && status !== 204 && status !== 304) this.text += body.toString("utf8");
    this.tell();
    this.emit("close");
  }

  /** What cannot be sent: no status says so. */
  destroy(): void {
    this.tell();
    this.emit("close");
  }

  /** What has been written, once more, of an answer that goes on. */
  private tell(): void {
    const { status, headers } = this;
    const body = (): string => this.text;
    this.told({
      status,
      headers,
      get body() {
        return body();
      },
    });
  }
}

/** Names in lower case; lines of one name are joined, cookies by a semicolon. */
function joined(fields: RawRequest["headers"]): Record<string, string> {
  const made: Record<string, string> = {};
  for (const [field, value] of fields) {
    const name = field.toLowerCase();
    const before = made[name];
    made[name] =
      before === undefined ? value : `${before}${name === "cookie" ? "; " : ", "}${value}`;
  }
  return made;
}

/** One connection, on which a request is sent when the one before it is answered. */
export class Direct {
  private readonly server: Server;
  private readonly socket = new FakeSocket();
  private readonly apart: FakeSocket[] = [];

  constructor(server: Server) {
    this.server = server;
    // The library's own listener would read bytes from the socket.
    const [library, ...others] = server.listeners("connection");
    if (library === undefined || others.length === 0) throw new Error("no server of a service");
    server.off("connection", library as (socket: Socket) => void);
    server.emit("connection", this.socket as unknown as Socket);
  }

  /** `isApart`: on a connection of its own, so that others may be answered before. */
  ask(request: RawRequest, isApart = false): Promise<RawAnswer> {
    const sent = fieldsSent(request);
    // Else the service makes one by chance, and answers may tell it.
    const isNamed = sent.some(([name]) => name.toLowerCase() === "x-request-id");
    const fields = isNamed ? sent : [...sent, ["X-Request-Id", "direct"] as const];
    const { method, target, body } = request;
    const { server } = this;
    const socket = isApart ? new FakeSocket() : this.socket;
    if (isApart) {
      this.apart.push(socket);
      server.emit("connection", socket as unknown as Socket);
    }
    return new Promise((resolve) => {
      const incoming = Object.assign(new EventEmitter(), {
        ...{ socket, method, url: target, httpVersion: "1.1", complete: true },
        rawHeaders: fields.flat(),
        headers: joined(fields),
        resume: () => {},
        push: () => true,
      });
      const response = new Response(method, socket, resolve);
      const [asked, answer] = [incoming as unknown, response as unknown];
      server.emit("request", asked as IncomingMessage, answer as ServerResponse);
      if (body === "") return;
      incoming.emit("data", Buffer.from(body, "latin1"));
      incoming.emit("end");
    });
  }

  close(): void {
    for (const one of [this.socket, ...this.apart]) one.destroy();
  }
}
