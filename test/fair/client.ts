/** A client that means well: a few kinds of requests, one after the other, each of them timed. */
import type { Server } from "node:http";
import { Agent, createServer, request } from "node:http";
import type { AddressInfo } from "node:net";

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Said {
  readonly status: number;
  readonly text: string;
  readonly ms: number;
}

/** Whoever has no answer after this time has none. */
const LATE_MS = 60_000;
export const WELL = { name: "well", password: "a long one" };
/** So many that each log-in needs a hash: none was proven of late. */
const ACCOUNTS = 40;
const accounts = Array.from({ length: ACCOUNTS }, (_, i) => ({ ...WELL, name: `well${i}` }));

/** One request; status 0: there was no answer. */
export function ask(port: number, asked: Asked, agent?: Agent): Promise<Said> {
  const { method, path, body, headers = {} } = asked;
  const text = body === undefined ? undefined : JSON.stringify(body);
  const content = text === undefined ? {} : { "Content-Type": "application/json" };
  const beganMs = performance.now();
  return new Promise((resolve) => {
    let got = "";
    const end = (status: number): void =>
      resolve({ status, text: got, ms: performance.now() - beganMs });
    const one = request(
      { host: "127.0.0.1", port, method, path, agent, headers: { ...content, ...headers } },
      (response) => {
        response.setEncoding("utf8");
        response.on("data", (data: string) => {
          got += data;
        });
        response.on("end", () => end(response.statusCode ?? 0));
        response.on("error", () => end(0));
      },
    );
    one.setTimeout(LATE_MS, () => one.destroy());
    one.on("error", () => end(0));
    one.end(text);
  });
}

interface Kind {
  readonly name: string;
  readonly pauseMs: number;
  readonly status: number;
  asked(noteId: string, nth: number): Asked;
}

const BASIC = Buffer.from(`${WELL.name}:${WELL.password}`).toString("base64");

const KINDS: readonly Kind[] = [
  {
    ...{ name: "ping", pauseMs: 40, status: 204 },
    asked: () => ({ method: "GET", path: "/v1/ping" }),
  },
  {
    ...{ name: "read", pauseMs: 40, status: 200 },
    asked: (id) => ({ method: "GET", path: `/v1/notes/${id}` }),
  },
  {
    ...{ name: "write", pauseMs: 40, status: 201 },
    asked: () => ({ method: "POST", path: "/v1/notes", body: { text: "well meant" } }),
  },
  {
    ...{ name: "log-in", pauseMs: 150, status: 204 },
    asked: (_, nth) => ({
      ...{ method: "POST", path: "/v1/logins" },
      body: accounts[nth % ACCOUNTS],
    }),
  },
  {
    ...{ name: "Basic", pauseMs: 40, status: 200 },
    asked: () => ({
      ...{ method: "GET", path: "/v1/me" },
      headers: { Authorization: `Basic ${BASIC}` },
    }),
  },
];

/** What one kind of request took, in milliseconds, and what was answered wrongly. */
export interface Timed {
  readonly kind: string;
  readonly ms: readonly number[];
  readonly wrong: readonly number[];
}

const pause = (ms: number): Promise<void> => new Promise((go) => setTimeout(go, ms));

/** Hears the messages about its own notes. */
class Receiver {
  readonly arrived = new Map<string, number>();
  private readonly server: Server;

  constructor() {
    this.server = createServer((request, response) => {
      let text = "";
      request.on("data", (data) => {
        text += data;
      });
      request.on("end", () => {
        const id = /"id":"(note_[^"]+)"/.exec(text)?.[1];
        if (id !== undefined) this.arrived.set(id, this.arrived.get(id) ?? performance.now());
        response.writeHead(204).end();
      });
    });
  }

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/`;
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}

/** The client, known to the service, with a note and a receiver of its own. */
export class Client {
  private readonly port: number;
  private readonly noteId: string;
  private readonly receiver: Receiver;

  private constructor(port: number, noteId: string, receiver: Receiver) {
    this.port = port;
    this.noteId = noteId;
    this.receiver = receiver;
  }

  static async known(port: number): Promise<Client> {
    const receiver = new Receiver();
    const items = [await receiver.listen()];
    for (const body of [WELL, ...accounts]) {
      await ask(port, { method: "POST", path: "/v1/users", body });
    }
    await ask(port, { method: "POST", path: "/v1/hooks/many", body: { items } });
    const note = await ask(port, { method: "POST", path: "/v1/notes", body: { text: "first" } });
    return new Client(port, (JSON.parse(note.text) as { id: string }).id, receiver);
  }

  /** Asks all kinds, each on a connection of its own, for so long. */
  async timed(forMs: number): Promise<readonly Timed[]> {
    const until = performance.now() + forMs;
    const written = new Map<string, number>();
    const all = await Promise.all(KINDS.map((kind) => this.one(kind, until, written)));
    return [...all, await this.delivered(written)];
  }

  close(): void {
    this.receiver.close();
  }

  private async one(kind: Kind, until: number, written: Map<string, number>): Promise<Timed> {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const [ms, wrong]: [number[], number[]] = [[], []];
    while (performance.now() < until) {
      const said = await ask(this.port, kind.asked(this.noteId, ms.length), agent);
      ms.push(said.ms);
      if (said.status !== kind.status) wrong.push(said.status);
      const id = /"id":"(note_[^"]+)"/.exec(said.text)?.[1];
      if (kind.name === "write" && id !== undefined) written.set(id, performance.now());
      await pause(kind.pauseMs);
    }
    agent.destroy();
    return { kind: kind.name, ms, wrong };
  }

  /** How long messages took from the answer of their cause to the receiver. */
  private async delivered(written: ReadonlyMap<string, number>): Promise<Timed> {
    const { arrived } = this.receiver;
    const lateMs = performance.now() + 5_000;
    const isAll = (): boolean => [...written.keys()].every((id) => arrived.has(id));
    while (!isAll() && performance.now() < lateMs) await pause(20);
    const now = performance.now();
    const ms = [...written].map(([id, at]) => Math.max(0, (arrived.get(id) ?? now) - at));
    const wrong = [...written.keys()].filter((id) => !arrived.has(id)).map(() => 0);
    return { kind: "message", ms, wrong };
  }
}
