/** Clients that take nothing of their answers fill no memory, and are cut off in the end. */
import assert from "node:assert/strict";
import type { AddressInfo, Socket } from "node:net";
import { connect } from "node:net";
import type { TestContext } from "node:test";
import { test } from "node:test";
import { DEFAULT_BOUNDS } from "../../src/serve/http/bounds.ts";
import { ownAnswer } from "../../src/serve/http/own.ts";
import { makeServer } from "../../src/serve/http/server.ts";
import type { Front, Service } from "../../src/serve/http/service.ts";
import { Unread } from "../../src/serve/http/unread.ts";

const ANSWER_BYTES = 24_000_000;
const BODY = "x".repeat(ANSWER_BYTES);
const GET = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";

interface Served {
  readonly port: number;
  /** Answers that were made. */
  made(): number;
}

async function served(t: TestContext, unreadTimeoutMs: number): Promise<Served> {
  let made = 0;
  const service: Service = {
    match: () => ({ is: "endpoint", endpoint: 0, head: false, params: new Map() }),
    nameOf: () => "",
    needs: () => ({ headers: [], params: [], bodyHash: false, credentials: false }) as never,
    bodyBytesMax: undefined,
    writes: () => false,
    now: () => 0n,
    answer: (_, done) => {
      made++;
      done({ status: 200, headers: [], body: BODY });
    },
    open: () => {},
    gap: () => ({ status: 501, headers: [], body: undefined }),
    fail: () => ({ status: 500, headers: [], body: undefined }),
    own: ownAnswer,
    options: () => ({ status: 204, headers: [], body: undefined }),
    fault: () => ({ status: 500, headers: [], body: undefined }),
  };
  const front: Front = {
    current: service,
    isTurning: false,
    full: false,
  };
  const bounds = {
    ...DEFAULT_BOUNDS,
    unreadBytesMax: UNREAD_MAX,
    unreadTimeoutMs,
    stopTimeoutMs: 200,
  };
  const { server, stop } = makeServer(front, { bounds });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => stop());
  return { port: (server.address() as AddressInfo).port, made: () => made };
}

/** A client that asks and reads nothing. */
function deaf(t: TestContext, port: number, text: string): Socket {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => {});
  socket.pause();
  socket.write(text);
  t.after(() => socket.destroy());
  return socket;
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

async function until(holds: () => boolean): Promise<void> {
  for (let i = 0; i < 400 && !holds(); i++) await pause(25);
  assert.ok(holds(), "it never came to hold");
}

/** So many clients that ask and read nothing, one after the other. */
async function deafOnes(t: TestContext, port: number): Promise<readonly Socket[]> {
  const sockets: Socket[] = [];
  for (let i = 0; i < DEAF; i++) {
    sockets.push(deaf(t, port, GET));
    await pause(10);
  }
  return sockets;
}

/** Bytes that may wait: a quarter of them, of one client, are two answers. */
const UNREAD_MAX = 8 * ANSWER_BYTES;

const DEAF = 12;
/** Another address of this machine; every one in 127.0.0.0/8 is, where the system is Linux. */
const OTHER = process.platform === "linux" ? "127.0.0.9" : undefined;

test("answers that a client does not take hold its further ones back, and no other's", async (t) => {
  const one = await served(t, 60_000);
  await deafOnes(t, one.port);
  await pause(200);
  assert.equal(one.made(), 2);
  if (OTHER === undefined) return;
  const socket = connect({ port: one.port, host: "127.0.0.1", localAddress: OTHER });
  t.after(() => socket.destroy());
  socket.resume().write(GET);
  await until(() => one.made() === 3 && socket.bytesRead > ANSWER_BYTES);
});

test("clients that take nothing are cut off in the end, and others go on", async (t) => {
  const one = await served(t, 100);
  await deafOnes(t, one.port);
  await until(() => one.made() === DEAF);
});

test("a client that leaves makes room, whatever it has asked for", async (t) => {
  const one = await served(t, 60_000);
  const socket = deaf(t, one.port, GET.repeat(4));
  await until(() => one.made() === 4);
  const answer = fetch(`http://127.0.0.1:${one.port}/`);
  await pause(100);
  assert.equal(one.made(), 4);
  socket.destroy();
  assert.equal((await (await answer).text()).length, ANSWER_BYTES);
});

test("past the bound the connection that waits longest, of the client with most, is closed", () => {
  const unread = new Unread({ unreadBytesMax: 1_000_000, unreadTimeoutMs: 1_000 });
  const closed: string[] = [];
  const answer = (name: string, peer: string, bytes: number): void => {
    const socket = { setTimeout: () => {}, destroy: () => closed.push(name), destroyed: false };
    unread.add({ req: { socket } } as never, bytes, peer);
  };
  answer("a1", "a", 300_000);
  answer("b1", "b", 350_000);
  assert.ok(unread.isMuchFor("a") && !unread.isMuchFor("c"));
  answer("a2", "a", 200_000);
  assert.deepEqual(closed, []);
  answer("c1", "c", 200_000);
  assert.deepEqual(closed, ["a1"]);
  answer("c2", "c", 100_000);
  assert.deepEqual(closed, ["a1"]);
});

test("a client that takes its answer slowly gets all of it", async (t) => {
  const one = await served(t, 5_000);
  const socket = deaf(t, one.port, GET);
  let bytes = 0;
  socket.on("data", (data: Buffer) => {
    bytes += data.length;
    socket.pause();
    setTimeout(() => socket.resume(), 3);
  });
  socket.resume();
  await until(() => bytes > ANSWER_BYTES);
});
