/**
 * `npm run bench:serve`: Lacuna beside a hand-written control and two peers, by turns in one run.
 * `--no-peers` leaves the peers out, `--quick` is one short round.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { arch, availableParallelism, cpus, platform, tmpdir } from "node:os";
import { join } from "node:path";
import type { Bar } from "./figures.ts";
import { barLine, seedOf, table } from "./figures.ts";
import { peers } from "./peers.mjs";
import type { Measured, RoundOptions, Scenario } from "./rounds.ts";
import { alternate } from "./rounds.ts";
import { differences } from "./same.ts";
import { getRequest, listRequests, newProducts, postRequest } from "./scenarios.ts";
import type { Command, Server } from "./servers.ts";
import { HERE, lacuna, lacunaNode, load, start } from "./servers.ts";

const SEED = seedOf(20261121);
const ROWS = 10_000;
const PEER_ROWS = 1000;
const CONNECTIONS = 64;
const PEER_CONNECTIONS = 64;
const PROBE = "/products?category=book";
const quick = process.argv.includes("--quick");
const options: RoundOptions = quick
  ? { rounds: 1, durationMs: 1500 }
  : { rounds: 5, durationMs: 3000 };
const peerOptions: RoundOptions = quick ? options : { rounds: 3, durationMs: 3000 };

const creates = newProducts(2000, SEED).map((one) => postRequest("/products", one));
const idsOf = new Map<Server, readonly string[]>();

/** Makes rows through the server's own interface, and keeps their paths. */
async function fill(server: Server, rows: number): Promise<void> {
  const requests = newProducts(rows, SEED).map((one) => postRequest("/products", one));
  const { locations, statuses } = await load({
    port: server.port,
    connections: CONNECTIONS,
    durationMs: 60_000,
    countMax: rows,
    requests,
    locations: true,
  });
  if (locations.length !== rows) throw new Error(`${server.name}: ${JSON.stringify(statuses)}`);
  idsOf.set(server, locations);
}

const READ: Scenario = {
  name: "read by id",
  connections: CONNECTIONS,
  status: 200,
  requests: (server) => (idsOf.get(server) ?? []).slice(0, 5000).map(getRequest),
};
const LIST: Scenario = {
  name: "list, 20 of a category",
  connections: CONNECTIONS,
  status: 200,
  requests: listRequests,
};
const CREATE: Scenario = {
  name: "create, durable",
  connections: CONNECTIONS,
  status: 201,
  requests: () => creates,
};
const CREATE_ALONE: Scenario = { ...CREATE, name: "create, one client", connections: 1 };

function lines(scenario: Scenario, servers: readonly Server[], found: readonly Measured[]) {
  return servers.map(({ name }, i): readonly string[] => {
    const { perSecond = 0, cpuMicros = 0, p50Ms = 0, p99Ms = 0 } = found[i] ?? {};
    return [
      `${scenario.name}, ${scenario.connections} connections`,
      name,
      perSecond.toFixed(0),
      cpuMicros.toFixed(1),
      p50Ms.toFixed(2),
      p99Ms.toFixed(2),
    ];
  });
}

const rows: (readonly string[])[] = [
  ["scenario", "server", "per s", "CPU us each", "p50 ms", "p99 ms"],
];
const bars: Bar[] = [];

async function measure(servers: readonly Server[], scenario: Scenario, how: RoundOptions) {
  process.stderr.write(`${scenario.name}: ${servers.map((one) => one.name).join(", ")} ...\n`);
  const found = await alternate(servers, scenario, how);
  rows.push(...lines(scenario, servers, found));
  const [ours, other] = found;
  return {
    rate: (ours?.perSecond ?? 0) / (other?.perSecond ?? 0),
    cpu: (ours?.cpuMicros ?? 0) / (other?.cpuMicros ?? 0),
  };
}

async function withServers(
  commands: readonly Command[],
  run: (servers: readonly Server[]) => Promise<void>,
): Promise<void> {
  const servers: Server[] = [];
  try {
    for (const command of commands) servers.push(await start(command));
    await run(servers);
  } finally {
    await Promise.all(servers.map((one) => one.stop()));
  }
}

async function besideControl(node: string, folder: string): Promise<void> {
  const file = join(folder, "control.sqlite");
  const control: Command = {
    name: "control",
    node,
    probe: PROBE,
    args: (port) => [join(HERE, "control", "main.ts"), file, String(port)],
  };
  const ours = lacuna(join(HERE, "spec.md"), ["--data", join(folder, "lacuna.sqlite")], PROBE);
  await withServers([{ ...ours, node }, control], async (servers) => {
    const [first, second] = servers;
    if (!first || !second) return;
    const differ = await differences(first.port, second.port);
    if (differ.length > 0) {
      const message = ["The answers differ, so nothing is measured:", ...differ].join("\n");
      throw new Error(message);
    }
    for (const server of servers) await fill(server, ROWS);
    for (const [scenario, least] of [
      [READ, 0.8],
      [LIST, 0.8],
      [CREATE, 4],
    ] as const) {
      const { rate, cpu } = await measure(servers, scenario, options);
      bars.push({
        name: `${scenario.name}: requests per second, of the control's`,
        unit: "x",
        measured: rate,
        least,
      });
      bars.push({
        name: `${scenario.name}: CPU per request, of the control's`,
        unit: "x",
        measured: cpu,
        most: 1.4,
      });
    }
    await measure(servers, CREATE_ALONE, { ...options, rounds: Math.min(3, options.rounds) });
  });
}

async function besidePeer(node: string, folder: string, peer: Command & { bars: PeerBars }) {
  const file = join(folder, `lacuna-${peer.name}.sqlite`);
  const ours = { ...lacuna(join(HERE, "spec.md"), ["--data", file], PROBE), node };
  await withServers([ours, { ...peer, node }], async (servers) => {
    const [first, second] = servers;
    if (!first || !second) return;
    await fill(first, PEER_ROWS);
    idsOf.set(
      second,
      newProducts(PEER_ROWS, SEED).map((_, i) => `/products/${i}`),
    );
    for (const [scenario, least] of [
      [READ, peer.bars.read],
      [CREATE, peer.bars.write],
    ] as const) {
      const fewer = { ...scenario, connections: PEER_CONNECTIONS };
      const { rate } = await measure(servers, fewer, peerOptions);
      bars.push({
        name: `${scenario.name}: requests per second, of ${peer.name}'s`,
        unit: "x",
        measured: rate,
        least,
      });
    }
  });
}

interface PeerBars {
  readonly read: number;
  readonly write: number;
}

function jsonServerData(folder: string): string {
  const now = new Date(0).toISOString();
  const products = newProducts(PEER_ROWS, SEED).map((one, i) => ({
    id: String(i),
    note: null,
    ...one,
    createdAt: now,
    updatedAt: now,
  }));
  const file = join(folder, "db.json");
  writeFileSync(file, JSON.stringify({ products }));
  return file;
}

async function besidePeers(node: string, folder: string): Promise<void> {
  const { prism, jsonServer } = peers();
  await besidePeer(node, folder, {
    name: "Prism",
    probe: PROBE,
    bars: { read: 8, write: 8 },
    args: (port) => [
      prism,
      "mock",
      "--host",
      "127.0.0.1",
      "--port",
      String(port),
      "--verboseLevel",
      "silent",
      join(HERE, "openapi.json"),
    ],
  });
  const data = jsonServerData(folder);
  await besidePeer(node, folder, {
    name: "json-server",
    probe: "/products/1",
    bars: { read: 2, write: 20 },
    args: (port) => [jsonServer, data, "--host", "127.0.0.1", "--port", String(port)],
  });
}

const folder = mkdtempSync(join(tmpdir(), "lacuna-bench-"));
try {
  const node = await lacunaNode();
  await besideControl(node, folder);
  if (!process.argv.includes("--no-peers")) await besidePeers(node, folder);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
const machine = `${availableParallelism()} x ${cpus()[0]?.model ?? arch()}, ${platform()}`;
console.log(
  `Node ${process.version}, ${machine}; seed ${SEED}; ${options.rounds} rounds of ` +
    `${options.durationMs / 1000} s by turns, medians; the load generator on the same machine.`,
);
console.log(
  `Control: Fastify, ajv, better-sqlite3, a durable transaction for each request; ` +
    `${ROWS} rows to begin with, ${PEER_ROWS} beside the peers.\n`,
);
console.log(`${table(rows)}\n\n${table(bars.map(barLine))}`);
