/** Two nodes serve one document on one database: what one writes the other reads, and one wins. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Running, serve } from "../../src/serve/index.ts";
import { connectionOf, hearing, prepareStore } from "../../src/store/index.ts";
import { planOf } from "../histories/subjects.ts";
import { settingsFor } from "../served/settings.ts";
import { skip, testServer } from "./server.ts";

const CLIENTS = 12;

const nodes: Running[] = [];
const { url } = testServer(() => Promise.all(nodes.map((one) => one.stop())));

async function node(file: string): Promise<Running> {
  const plan = planOf("examples/conduit/spec.md", "examples/conduit/assumptions.md");
  const running = await serve(plan, { file, settings: settingsFor(plan), environment: {} });
  nodes.push(running);
  return running;
}

test("a name that the server would cut is refused before anything is made", { skip }, async () => {
  const long = "a".repeat(62);
  const plan = planOf("examples/todo/spec.md");
  const resources = plan.resources.map((one) => ({
    ...one,
    fields: one.fields.map((field) => (field.name === "note" ? { ...field, name: long } : field)),
  }));
  const file = url("long");
  const served = serve({ ...plan, resources }, { file, environment: {} });
  await assert.rejects(served, /longer than the 63 bytes/);
});

test("of requests at two nodes for one name one gets it, and both nodes show it", {
  skip,
}, async () => {
  const both = [await node(url()), await node(url())];
  const register = async (address: string, username: string, email: string): Promise<number> => {
    const user = { username, email, password: "a long password" };
    const response = await fetch(`${address}/api/users`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ user }),
    });
    await response.arrayBuffer();
    return response.status;
  };
  const statuses = await Promise.all(
    Array.from({ length: CLIENTS }, (_, i) =>
      register(both[i % 2]?.address ?? "", "ann", `ann${i}@example.com`),
    ),
  );
  assert.equal(statuses.filter((one) => one === 201).length, 1, statuses.join());
  assert.equal(statuses.filter((one) => one === 409 || one === 422).length, CLIENTS - 1);
  const shown = await Promise.all(
    both.map(async ({ address }) => {
      const response = await fetch(`${address}/api/profiles/ann`);
      return [response.status, await response.text()];
    }),
  );
  assert.equal(shown[0]?.[0], 200);
  assert.deepEqual(shown[0], shown[1]);
});

test("reads that come together are answered as each is alone", { skip }, async () => {
  const { address } = await node(url("together"));
  const ask = async (path: string, token = "", body?: unknown): Promise<[number, string]> => {
    const response = await fetch(`${address}/api/${path}`, {
      method: body === undefined ? "GET" : "POST",
      headers: {
        "Content-Type": "application/json",
        ...(token === "" ? {} : { Authorization: `Token ${token}` }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return [response.status, await response.text()];
  };
  const tokens: string[] = [];
  for (const username of ["ann", "bob", "cy"]) {
    const user = { username, email: `${username}@example.com`, password: "a long password" };
    const [, text] = await ask("users", "", { user });
    const { token } = (JSON.parse(text) as { user: { token: string } }).user;
    tokens.push(token);
    for (const title of ["one", "two"]) {
      const article = {
        title: `${username} ${title}`,
        description: "d",
        body: "b",
        tagList: ["t"],
      };
      await ask("articles", token, { article });
    }
  }
  await ask("profiles/ann/follow", tokens[1], {});
  const paths = ["articles", "articles?author=ann", "articles/feed", "profiles/ann", "profiles/no"];
  const reads = paths.flatMap((path) => ["", ...tokens].map((token) => [path, token] as const));
  const alone: [number, string][] = [];
  for (const [path, token] of reads) alone.push(await ask(path, token));
  assert.deepEqual(new Set(alone.map(([status]) => status)), new Set([200, 401, 404]));
  for (let i = 0; i < 5; i++) {
    const all = await Promise.all(reads.map(([path, token]) => ask(path, token)));
    assert.deepEqual(all, alone);
  }
});

test("a read that the database does not answer keeps nobody else waiting", { skip }, async () => {
  const plan = planOf("examples/todo/spec.md");
  const file = url("slow");
  const running = await serve(plan, { file, environment: {} });
  nodes.push(running);
  const { wire } = (await connectionOf({ postgres: file })) ?? {};
  const order: string[] = [];
  const ask = async (path: string): Promise<number> => {
    const response = await fetch(`${running.address}${path}`);
    await response.arrayBuffer();
    order.push(path);
    return response.status;
  };
  assert.equal(await ask("/todos"), 200);
  const { id } = (await (
    await fetch(`${running.address}/todos`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ title: "a" }),
    })
  ).json()) as { id: string };
  wire?.ask("BEGIN");
  wire?.ask('LOCK TABLE "slow"."r_Todo" IN ACCESS EXCLUSIVE MODE');
  try {
    // What comes together is asked together, and waits apart.
    const slow = ["/todos", `/todos/${id}`, "/todos", "/todos/none"].map(ask);
    for (let i = 0; i < 3; i++) assert.equal(await ask("/elsewhere"), 404);
    wire?.ask("ROLLBACK");
    assert.deepEqual(await Promise.all(slow), [200, 200, 200, 404]);
    assert.deepEqual(order.slice(1, 4), ["/elsewhere", "/elsewhere", "/elsewhere"]);
    assert.equal(await ask("/todos"), 200);
  } finally {
    wire?.close();
  }
});

test("the log tells the round trips of each transaction, and what was sent in them", {
  skip,
}, async () => {
  const lines: string[] = [];
  const running = await serve(planOf("examples/todo/spec.md"), {
    file: url("explained"),
    environment: {},
    explains: true,
    log: (line) => lines.push(line),
  });
  nodes.push(running);
  const ask = async (path: string, body?: unknown): Promise<number> => {
    const response = await fetch(`${running.address}${path}`, {
      method: body === undefined ? "GET" : "POST",
      headers: { "Content-Type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    await response.arrayBuffer();
    return response.status;
  };
  assert.equal(await ask("/todos", { title: "a" }), 201);
  assert.equal(await ask("/todos", { title: "b" }), 201);
  assert.equal(await ask("/todos", {}), 400);
  assert.equal(await ask("/todos"), 200);
  const told = lines.filter((line) => line.startsWith("explained: "));
  assert.deepEqual(
    told.map((line) => line.slice(0, line.indexOf("\n"))),
    [
      "explained: endpoints/POST /todos: 3 round trips",
      "explained: endpoints/POST /todos: 2 round trips",
      "explained: endpoints/POST /todos: 1 round trip",
      "explained: endpoints/GET /todos: 1 round trip",
    ],
  );
  assert.match(told[1] ?? "", /\n {2}2\. .*INSERT INTO "r_Todo".*COMMIT$/);
});

test("a clock that is apart from the database's is told, once", { skip }, async () => {
  const told: number[] = [];
  let shiftMs = 5_000;
  const begin = () =>
    hearing(
      { postgres: url("clocks") },
      { heard: () => {}, ahead: (ms) => told.push(ms), now: () => Date.now() + shiftMs },
    );
  const first = await begin();
  while (told.length === 0) await new Promise((go) => setTimeout(go, 10));
  first?.close();
  shiftMs = -7_000;
  const second = await begin();
  while (told.length === 1) await new Promise((go) => setTimeout(go, 10));
  second?.close();
  assert.deepEqual(
    told.map((ms) => Math.round(ms / 1_000)),
    [5, -7],
  );
});

test("of two nodes that find a store without its rows at the start one inserts them", {
  skip,
}, async () => {
  const store = { postgres: url("rows") };
  const open = prepareStore(planOf("examples/todo/spec.md"), { store, mode: "write" });
  const first = open(undefined, undefined, await connectionOf(store));
  const second = open(undefined, undefined, await connectionOf(store));
  try {
    assert.deepEqual([...first.unfilled, ...second.unfilled], ["Todo", "Todo"]);
    first.begin("write");
    first.commit();
    second.begin("write");
    assert.deepEqual([...second.unfilled], []);
    second.rollback();
  } finally {
    first.close();
    second.close();
  }
});
