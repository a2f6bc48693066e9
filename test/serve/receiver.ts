/** A receiver of webhooks: keeps what it got, answers as it is told, perhaps late. */

import type { IncomingHttpHeaders } from "node:http";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { TestContext } from "node:test";

export interface Got {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Receiver {
  readonly address: string;
  readonly got: Got[];
  /** Status of the next answers by path; undefined: no answer at all. */
  answer: (got: Got) => number | undefined;
  /** Resolves when so many requests have come; rejects after a while. */
  until(count: number, path?: string): Promise<readonly Got[]>;
}

const PATIENCE_MS = 30_000;

export async function receiver(t: TestContext): Promise<Receiver> {
  const got: Got[] = [];
  const waiting = new Set<() => void>();
  const self: Receiver = {
    address: "",
    got,
    answer: () => 204,
    until: (count, path) =>
      new Promise((resolve, reject) => {
        const late = setTimeout(() => {
          waiting.delete(look);
          reject(new Error(`${look()} of ${count} requests came to ${path ?? "any path"}`));
        }, PATIENCE_MS);
        const look = (): number => {
          const found = got.filter((one) => path === undefined || one.path === path);
          if (found.length >= count) {
            clearTimeout(late);
            waiting.delete(look);
            resolve(found);
          }
          return found.length;
        };
        waiting.add(look);
        look();
      }),
  };
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8");
    request.on("data", (text: string) => {
      body += text;
    });
    request.on("end", () => {
      const one = { path: request.url ?? "", headers: request.headers, body };
      got.push(one);
      const status = self.answer(one);
      if (status !== undefined) response.writeHead(status).end();
      for (const look of [...waiting]) look();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return Object.assign(self, { address: `http://127.0.0.1:${port}` });
}
