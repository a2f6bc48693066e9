/** The files of `deploy` for several nodes: plain processes are started, the others are read. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { load } from "js-yaml";
import { freePort } from "../peers/served.ts";
import { skip, testServer } from "./server.ts";

const ROOT = join(import.meta.dirname, "../..");
const READY_MS = 60_000;
const { url } = testServer();

/** Whether a node says that it is ready, as a load balancer asks. */
async function isReady(port: number): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/ready`).then(
    ({ ok }) => ok,
    () => false,
  );
}

test("nodes as plain processes serve one store, and end together", { skip }, async () => {
  const folder = mkdtempSync(join(tmpdir(), "lacuna-nodes-"));
  const command = join(folder, "lacuna");
  const main = join(ROOT, "src/cli/main.ts");
  writeFileSync(command, `#!/bin/sh\nexec '${process.execPath}' '${main}' "$@"\n`);
  chmodSync(command, 0o755);
  const ports = await Promise.all([freePort(), freePort()]);
  const args = [join(ROOT, "examples/todo/spec.md"), url(), ...ports.map(String)];
  const nodes = spawn(join(ROOT, "deploy/nodes.sh"), args, {
    env: { ...process.env, LACUNA: command },
    stdio: "ignore",
  });
  const ended = once(nodes, "exit");
  try {
    const until = Date.now() + READY_MS;
    for (const port of ports) {
      while (!(await isReady(port + 1_000)) && Date.now() < until) {
        await new Promise((go) => setTimeout(go, 100));
      }
    }
    const [one, other] = ports.map((port) => `http://127.0.0.1:${port}/todos`) as [string, string];
    const made = await fetch(one, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ title: "at one node" }),
    });
    assert.equal(made.status, 201);
    const found = (await (await fetch(other)).json()) as { title: string }[];
    assert.deepEqual(
      found.map(({ title }) => title),
      ["at one node"],
    );
    nodes.kill("SIGTERM");
    assert.deepEqual(await ended, [0, null]);
    assert.equal(await isReady((ports[0] ?? 0) + 1_000), false);
  } finally {
    nodes.kill("SIGTERM");
    await ended;
    rmSync(folder, { recursive: true, force: true });
  }
});

interface Compose {
  readonly services: Readonly<Record<string, { readonly volumes?: readonly string[] }>>;
}

test("compose.yaml starts three nodes, two servers and a balancer that knows them", () => {
  const text = readFileSync(join(ROOT, "deploy/compose.yaml"), "utf8");
  const { services } = load(text) as Compose;
  const nodes = Object.keys(services).filter((one) => one.startsWith("node"));
  assert.equal(nodes.length, 3);
  assert.deepEqual(
    Object.keys(services).filter((one) => !nodes.includes(one)),
    ["balancer", "primary", "standby"],
  );
  const balancer = readFileSync(join(ROOT, "deploy/haproxy.cfg"), "utf8");
  for (const one of nodes) assert.match(balancer, new RegExp(`server ${one} ${one}:8080`));
  const files = Object.values(services).flatMap(({ volumes = [] }) =>
    volumes.flatMap((one) => /^\.\/([^:]+):/.exec(one)?.[1] ?? []),
  );
  for (const file of files) readFileSync(join(ROOT, "deploy", file));
  assert.deepEqual(files.toSorted(), ["haproxy.cfg", "replication.sh"]);
});
