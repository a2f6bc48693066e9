/** A connection that is cut in the middle of a commit: what is answered is what has become of it. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type Running, serve } from "../../src/serve/index.ts";
import { planOf } from "../histories/subjects.ts";
import { settingsFor } from "../served/settings.ts";
import { type Proxy, startProxy } from "./proxy.ts";
import { programs, type Server, startServer } from "./server.ts";

const bin = programs();
const skip = bin === undefined ? "no PostgreSQL server is installed" : false;
let server: Server | undefined;
let proxy: Proxy | undefined;
let node: Running | undefined;

before(async () => {
  if (bin === undefined) return;
  server = await startServer(bin, ["fsync=off"]);
  proxy = await startProxy(server.url);
  const plan = planOf("examples/conduit/spec.md", "examples/conduit/assumptions.md");
  node = await serve(plan, { file: proxy.url, settings: settingsFor(plan), environment: {} });
});
after(async () => {
  await node?.stop();
  await proxy?.stop();
  await server?.stop();
});

async function register(username: string): Promise<number> {
  const user = { username, email: `${username}@example.com`, password: "a long password" };
  const response = await fetch(`${node?.address}/api/users`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ user }),
  });
  await response.arrayBuffer();
  return response.status;
}

async function isShown(username: string): Promise<boolean> {
  const response = await fetch(`${node?.address}/api/profiles/${username}`);
  await response.arrayBuffer();
  return response.status === 200;
}

async function whenRead(username: string): Promise<boolean> {
  for (;;) {
    const response = await fetch(`${node?.address}/api/profiles/${username}`);
    await response.arrayBuffer();
    if (response.status < 500) return response.status === 200;
    await new Promise((go) => setTimeout(go, 50));
  }
}

test("a commit that the server has got is answered as done, though no word of it came", {
  skip,
}, async () => {
  const cut = proxy?.cutNext("behind");
  assert.equal(await register("kept"), 201);
  await cut;
  assert.equal(await isShown("kept"), true);
  assert.equal(await register("kept"), 422);
});

test("a commit that the server never got is answered as not done, and leaves nothing", {
  skip,
}, async () => {
  const cut = proxy?.cutNext("before");
  assert.equal(await register("lost"), 500);
  await cut;
  assert.equal(await whenRead("lost"), false);
  assert.equal(await register("lost"), 201);
});

test("many commits that are cut at any time are answered as what they are", { skip }, async () => {
  const names = Array.from({ length: 12 }, (_, i) => `many${i}`);
  for (const [i, name] of names.entries()) {
    const cut = proxy?.cutNext(i % 2 === 0 ? "behind" : "before");
    const status = await register(name);
    await cut;
    assert.equal(await whenRead(name), status === 201, `${name} was answered with ${status}`);
  }
  assert.equal(proxy?.cuts, 14);
});
