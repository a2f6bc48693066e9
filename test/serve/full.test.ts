/** Where too much waits to be written, whoever only reads goes on. */
import assert from "node:assert/strict";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { DEFAULT_BOUNDS } from "../../src/serve/http/bounds.ts";
import { ownAnswer } from "../../src/serve/http/own.ts";
import { makeServer } from "../../src/serve/http/server.ts";
import type { Service } from "../../src/serve/http/service.ts";

const WRITE = 1;

test("reads pass writes that are held back, and those go on in their order", async (t) => {
  let isFull = true;
  const answered: string[] = [];
  const reply = { status: 204, headers: [], body: undefined };
  const service: Service = {
    match: (method) => ({
      is: "endpoint",
      endpoint: method === "GET" ? 0 : WRITE,
      head: false,
      params: new Map(),
    }),
    needs: () => ({ headers: [], params: [], bodyHash: false, credentials: false }) as never,
    bodyBytesMax: undefined,
    nameOf: () => "",
    writes: (endpoint) => endpoint === WRITE,
    now: () => 0n,
    answer: ({ endpoint, query }, done) => {
      answered.push(`${endpoint === WRITE ? "write" : "read"} ${query}`);
      done(reply);
    },
    open: () => {},
    gap: () => reply,
    fail: () => reply,
    own: ownAnswer,
    options: () => reply,
    fault: () => reply,
  };
  const front = {
    current: service,
    isTurning: false,
    get full() {
      return isFull;
    },
  };
  const { server, release, stop } = makeServer(front, { bounds: DEFAULT_BOUNDS });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => stop());
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const post = async (name: string): Promise<void> => {
    await fetch(`${address}?${name}`, { method: "POST" });
  };
  const taken = (count: number): Promise<unknown> =>
    new Promise((resolve) => {
      let requests = 0;
      server.on("request", () => ++requests === count && resolve(undefined));
    });
  const first = taken(1);
  const writes = [post("a")];
  await first;
  const second = taken(1);
  writes.push(post("b"));
  await second;
  await fetch(`${address}?c`);
  await fetch(`${address}unknown?d`);
  assert.deepEqual(answered, ["read c", "read d"]);
  release();
  assert.deepEqual(answered, ["read c", "read d"]);
  isFull = false;
  release();
  await Promise.all(writes);
  assert.deepEqual(answered, ["read c", "read d", "write a", "write b"]);
});
