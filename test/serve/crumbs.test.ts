/** Bodies in pieces of one byte: whoever sends many loses the connection, and nobody else waits. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { endCrumbs } from "../../src/serve/http/crumbs.ts";
import { startFake } from "./fake.ts";
import { talk } from "./talk.ts";

const HEAD = "POST /items HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n";
const CHUNKED = `${HEAD}Transfer-Encoding: chunked\r\n\r\n`;

/** A body of so many bytes, each a chunk of its own. */
function crumbs(bytes: number): string {
  const body = `{"text":"${"a".repeat(bytes - 11)}"}`;
  return `${[...body].map((one) => `1\r\n${one}\r\n`).join("")}0\r\n\r\n`;
}

test("a body in a thousand pieces is read, and one in more ends its connection alone", async (t) => {
  const { running } = await startFake();
  t.after(() => running.stop());
  for (let round = 0; round < 8; round++) {
    const [few, many, other] = [talk(running.port), talk(running.port), talk(running.port)];
    const closed = once(many.socket, "close");
    many.send(CHUNKED + crumbs(9_000) + CHUNKED);
    few.send(CHUNKED + crumbs(1_024));
    other.send(`${HEAD}Content-Length: 15\r\n\r\n{"text":"well"}`);
    assert.match(await few.receive(/\}$/), /^HTTP\/1\.1 201 /);
    assert.match(await other.receive(/\}$/), /^HTTP\/1\.1 201 /);
    await closed;
    assert.equal(await many.receive(/./), "");
    for (const one of [few, other]) one.socket.destroy();
  }
});

test("what arrived behind too many pieces is not read piece by piece", async (t) => {
  let pieces = 0;
  const server = createServer((request: IncomingMessage) => {
    endCrumbs(request);
    const push = request.push.bind(request);
    request.push = (piece: Buffer | null) => {
      if (piece !== null) pieces++;
      return push(piece);
    };
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => server.close());
  const line = talk((server.address() as AddressInfo).port);
  line.send(CHUNKED + crumbs(9_000));
  await once(line.socket, "close");
  assert.equal(pieces, 1_025);
});
