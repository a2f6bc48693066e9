/** Nodes change to a wider document one after the other; one that cannot be beside is refused. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Running, serve } from "../../src/serve/index.ts";
import { Client } from "../crash/clients.ts";
import { skip, testServer } from "../postgres/server.ts";
import { nodesDocument } from "./document.ts";

const nodes: Running[] = [];
const { url } = testServer(() => Promise.all(nodes.map((one) => one.stop())));

async function node(how?: Parameters<typeof nodesDocument>[0]): Promise<Client> {
  const { plan, origins } = nodesDocument(how);
  const running = await serve(plan, { origins, file: url(), environment: {} });
  nodes.push(running);
  return new Client(running.port);
}

async function hit(client: Client, body: object): Promise<[number, Record<string, unknown>]> {
  const answer = await client.ask("POST", "/hits", body);
  return [answer?.status ?? 0, JSON.parse(answer?.body ?? "{}") as Record<string, unknown>];
}

test("a wider document is served beside the one before, which also starts again", {
  skip,
}, async () => {
  const old = await node();
  const [made] = await hit(old, { tag: "1", counter: "a" });
  const wider = await node("wider");
  const [, noted] = await hit(wider, { tag: "2", counter: "a", note: "well" });
  const [, plain] = await hit(old, { tag: "3", counter: "a" });
  const [status] = await hit(old, { tag: "4", counter: "a", note: "unknown here" });
  const again = await node();
  const [, last] = await hit(again, { tag: "5", counter: "a" });
  assert.deepEqual([made, noted["note"], plain["note"], status], [201, "well", undefined, 400]);
  assert.deepEqual([noted["number"], plain["number"], last["number"]], [2, 3, 4]);
  for (const one of [old, wider, again]) one.close();
});

test("one that cannot be served beside is refused, with what is in the way", { skip }, async () => {
  await assert.rejects(
    node("apart"),
    /beside which this one cannot be served:\n- The rule `range`/,
  );
});
