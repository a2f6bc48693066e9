/** A sample of `npm run test:exact`: limits, unique names, states and keys over three nodes. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { type Running, serve } from "../../src/serve/index.ts";
import { programs, type Server, startServer } from "../postgres/server.ts";
import { limitedDocument } from "./document.ts";
import { exact } from "./exact.ts";

const bin = programs();
const skip = bin === undefined ? "no PostgreSQL server is installed" : false;
let server: Server | undefined;
const nodes: Running[] = [];
after(async () => {
  await Promise.all(nodes.map((one) => one.stop()));
  await server?.stop();
});

test("a limit passes what it states over three nodes, and of many one wins", { skip }, async () => {
  server = await startServer(bin ?? "", ["fsync=off"]);
  const { plan, origins } = limitedDocument();
  const options = { origins, file: server.url, trustProxy: ["127.0.0.1"], environment: {} };
  nodes.push(...(await Promise.all([1, 2, 3].map(() => serve(plan, options)))));
  const ports = nodes.map(({ port }) => port);
  assert.deepEqual(await exact({ ports, clients: 24, runs: 2, mark: "sample" }), []);
});
