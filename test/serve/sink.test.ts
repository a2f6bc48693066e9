/** A connection that serves stream after stream keeps nothing of those that have ended. */
import { equal } from "node:assert/strict";
import { once } from "node:events";
import { Agent, createServer, get, type IncomingMessage } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { test } from "node:test";
import { sinkOf } from "../../src/serve/http/sink.ts";

const STREAMS = 12;

test("listeners of ended streams are gone from their connection", async (t) => {
  const counts: number[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((request, response) => {
    sockets.add(request.socket);
    counts.push(request.socket.listenerCount("end"));
    const sink = sinkOf(response);
    sink.onClosed(() => undefined);
    sink.write("event: a\n\n");
    sink.end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  t.after(() => {
    agent.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  for (let i = 0; i < STREAMS; i++) {
    const asked = get({ host: "127.0.0.1", port, agent });
    const [incoming] = (await once(asked, "response")) as [IncomingMessage];
    incoming.resume();
    await once(incoming, "close");
  }
  equal(sockets.size, 1);
  equal(counts.length, STREAMS);
  equal(counts.at(-1), counts[0]);
});
