/** A sample of `npm run test:exact`: limits, unique names, states and keys over three nodes. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Running, serve } from "../../src/serve/index.ts";
import { skip, testServer } from "../postgres/server.ts";
import { limitedDocument } from "./document.ts";
import { exact } from "./exact.ts";

const nodes: Running[] = [];
const { url } = testServer(() => Promise.all(nodes.map((one) => one.stop())));

test("a limit passes what it states over three nodes, and of many one wins", { skip }, async () => {
  const { plan, origins } = limitedDocument();
  const options = { origins, file: url(), trustProxy: ["127.0.0.1"], environment: {} };
  nodes.push(...(await Promise.all([1, 2, 3].map(() => serve(plan, options)))));
  const ports = nodes.map(({ port }) => port);
  assert.deepEqual(await exact({ ports, clients: 24, runs: 2, mark: "sample" }), []);
});
