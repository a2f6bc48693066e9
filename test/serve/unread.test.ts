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

const ANSWER_BYTES = 24_000_000;
const BODY = "x".repeat(ANSWER_BYTES);
const GET = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";

interface Served {
  readonly port: number;
  /** Answers that were made. */
  made(): number;
  /** What the service was told. */
  readonly crowds: boolean[];
}

async function served(t: TestContext, unreadTimeoutMs: number): Promise<Served> {
  let made = 0;
  const crowds: boolean[] = [];
  const service: Service = {
    match: () => ({ is: "endpoint", endpoint: 0, head: false, params: new Map() }),
    needs: () => ({ headers: [], params: [], bodyHash: false, credentials: false }) as never,
    bodyBytesMax: undefined,
    marks: { path: [], all: [] },
    now: () => 0n,
    answer: (_, done) => {
      made++;
      done({ status: 200, headers: [], body: BODY });
    },
    open: () => {},
    gap: () => ({ status: 501, headers: [], body: undefined }),
    fail: () => ({ status: 500, headers: [], body: undefined }),
    own: ownAnswer,
  };
  const front: Front = {
    current: service,
    full: false,
    crowd: (isCrowded) => crowds.push(isCrowded),
  };
  const bounds = {
    ...DEFAULT_BOUNDS,
    unreadBytesMax: 5 * ANSWER_BYTES,
    unreadTimeoutMs,
    stopTimeoutMs: 200,
  };
  const { server, stop } = makeServer(front, { bounds });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => stop());
  return { port: (server.address() as AddressInfo).port, made: () => made, crowds };
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
async function deafOnes(t: TestContext, port: number): Promise<void> {
  for (let i = 0; i < DEAF; i++) {
    deaf(t, port, GET);
    await pause(10);
  }
}

const DEAF = 12;

test("answers that nobody takes hold further ones back", async (t) => {
  const one = await served(t, 60_000);
  await deafOnes(t, one.port);
  await until(() => one.crowds.at(-1) === true);
  await pause(200);
  assert.ok(one.made() >= 5 && one.made() <= 6, `${one.made()} answers were made`);
});

test("clients that take nothing are cut off in the end, and others go on", async (t) => {
  const one = await served(t, 100);
  await deafOnes(t, one.port);
  await until(() => one.made() === DEAF);
  await until(() => one.crowds.at(-1) !== true);
});

test("a client that leaves makes room, whatever it has asked for", async (t) => {
  const one = await served(t, 60_000);
  const socket = deaf(t, one.port, GET.repeat(8));
  await until(() => one.crowds.at(-1) === true);
  socket.destroy();
  await until(() => one.crowds.at(-1) === false);
  const answer = await fetch(`http://127.0.0.1:${one.port}/`);
  assert.equal((await answer.text()).length, ANSWER_BYTES);
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
