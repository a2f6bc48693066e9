/** Stands between a node and its server, and cuts their connection in the middle of a commit. */
import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

/** Where a commit is cut: before the server hears of it, or behind. */
export type Cut = "before" | "behind";

export interface Proxy {
  /** `postgres://...` through it. */
  readonly url: string;
  /** Cuts at the next commit; resolves when it has. */
  cutNext(cut: Cut): Promise<void>;
  /** Cuts all connections, whatever goes on. */
  cutAll(): void;
  /** How many commits were cut. */
  readonly cuts: number;
  stop(): Promise<void>;
}

/** Whether a client's message runs `COMMIT`, under whatever name it has prepared it. */
class Commits {
  #name: string | undefined;

  has(chunk: Buffer): boolean {
    const text = chunk.toString("latin1");
    const prepared = /P[\s\S]{4}(s\d+)\0COMMIT\0/.exec(text);
    if (prepared !== null) this.#name = prepared[1];
    return this.#name !== undefined && text.includes(`\0${this.#name}\0`);
  }
}

export async function startProxy(url: string): Promise<Proxy> {
  const { port: behind, username, pathname } = new URL(url);
  const sockets = new Set<Socket>();
  let waiting: { readonly cut: Cut; readonly done: () => void } | undefined;
  let cuts = 0;
  const server = createServer((client) => {
    const upstream = connect(Number(behind), "127.0.0.1");
    const commits = new Commits();
    const end = (): void => {
      client.destroy();
      upstream.destroy();
    };
    for (const one of [client, upstream]) {
      one.setNoDelay(true);
      sockets.add(one);
      one.on("error", end);
      one.on("close", () => {
        sockets.delete(one);
        end();
      });
    }
    upstream.on("data", (chunk) => void client.write(chunk));
    client.on("data", (chunk) => {
      if (!commits.has(chunk) || waiting === undefined) {
        upstream.write(chunk);
        return;
      }
      const { cut, done } = waiting;
      waiting = undefined;
      cuts++;
      if (cut === "before") end();
      else {
        // What the server says of it is not passed on.
        upstream.removeAllListeners("data");
        upstream.once("data", end);
        upstream.write(chunk);
      }
      done();
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    url: `postgres://${username}@127.0.0.1:${port}${pathname}`,
    cutNext: (cut) =>
      new Promise((done) => {
        waiting = { cut, done };
      }),
    cutAll: () => {
      for (const one of sockets) one.destroy();
    },
    get cuts() {
      return cuts;
    },
    stop: async () => {
      for (const one of sockets) one.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
