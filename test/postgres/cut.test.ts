/** A connection that is cut in the middle of a commit: what is answered is what has become of it. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { Client } from "../crash/clients.ts";
import { type Serving, start } from "../crash/service.ts";
import { type Cut, type Proxy, startProxy } from "./proxy.ts";
import { programs, type Server, skip, startServer } from "./server.ts";

const program = fileURLToPath(new URL("../nodes/child.ts", import.meta.url));
const CUTS = 12;
const QUIET_MS = 500;
const MANY = 24;
const ROUNDS = 4;
const EACH = 6;
const bin = programs();
let server: Server | undefined;
let proxy: Proxy | undefined;
let node: Serving | undefined;
let client = new Client(0);

before(async () => {
  if (bin === undefined) return;
  server = await startServer(bin, ["fsync=off"]);
  proxy = await startProxy(server.url);
});
after(async () => {
  client.close();
  await node?.kill();
  await proxy?.stop();
  await server?.stop();
});

/** Serves the document with its calls, which a thread of its own writes, or without. */
async function begin(calls: boolean): Promise<void> {
  client.close();
  await node?.kill();
  const environment: Record<string, string> = calls ? {} : { NODES_CALLS: "none" };
  node = await start(`${proxy?.url}?schema=calls_${calls}`, "real", { program, environment });
  client = new Client(node.port);
  // What a node does by itself when it starts is done then.
  assert.equal(await isFree("first"), true);
  await new Promise((go) => setTimeout(go, QUIET_MS));
}

/** Opens an account of that name while its commit is cut. */
async function cutOff(name: string, how: Cut): Promise<number | undefined> {
  const cut = proxy?.cutNext(how);
  const answer = await client.ask("POST", "/accounts", { tag: name, name });
  await cut;
  return answer?.status;
}

/** Whether nobody has the name, once the service answers again. */
async function isFree(name: string): Promise<boolean> {
  for (;;) {
    const answer = await client.ask("POST", "/accounts", { tag: `${name} again`, name });
    if (answer?.status !== 500) return answer?.status === 201;
    await new Promise((go) => setTimeout(go, 50));
  }
}

// What the server never got is answered as the fault that it is, or done by the other thread.
for (const { calls, before: lost } of [
  { calls: true, before: 500 },
  { calls: false, before: 201 },
]) {
  test(`a commit that is cut is answered as what it is, and done once or not at all (calls: ${calls})`, {
    skip,
  }, async () => {
    await begin(calls);
    const statuses: Record<Cut, Set<number | undefined>> = { before: new Set(), behind: new Set() };
    const cuts = proxy?.cuts ?? 0;
    for (let i = 0; i < CUTS; i++) {
      const how: Cut = i % 2 === 0 ? "behind" : "before";
      const status = await cutOff(`cut ${i}`, how);
      statuses[how].add(status);
      assert.equal(await isFree(`cut ${i}`), status === 500, `cut ${i}: ${status}`);
    }
    // What the server has got is done, though no word of it came.
    assert.ok(statuses.behind.has(201), `behind: ${[...statuses.behind]}`);
    assert.ok(statuses.before.has(lost), `before: ${[...statuses.before]}`);
    assert.equal((proxy?.cuts ?? 0) - cuts, CUTS);
  });
}

test("each request gets its own answer while connections are cut and made anew", {
  skip,
}, async () => {
  const port = node?.port ?? 0;
  const clients = Array.from({ length: MANY }, () => new Client(port));
  let served = 0;
  try {
    for (let round = 0; round < ROUNDS; round++) {
      proxy?.cutAll();
      await Promise.all(
        clients.map(async (one, i) => {
          for (let nth = 0; nth < EACH; nth++) {
            const tag = `own ${round} ${i} ${nth}`;
            const answer = await one.ask("POST", "/accounts", { tag, name: tag });
            if (answer?.status === 500) continue;
            assert.equal(answer?.status, 201);
            assert.equal((JSON.parse(answer?.body ?? "{}") as { tag: string }).tag, tag);
            served++;
          }
        }),
      );
    }
  } finally {
    for (const one of clients) one.close();
  }
  assert.ok(served > 0);
});
