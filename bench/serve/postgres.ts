/**
 * The parts of `npm run bench:serve` on PostgreSQL, where a server is installed: beside a
 * hand-written service on the same server, and three nodes beside one.
 */
import { join } from "node:path";
import { type Server as Database, programs, startServer } from "../../test/postgres/server.ts";
import { median } from "./figures.ts";
import {
  type Bench,
  type Filled,
  type Found,
  fill,
  judgeAlike,
  MANY,
  measure,
  PROBE,
  type ScenarioName,
  withServers,
} from "./parts.ts";
import { getRequest, mixed, newProducts, postRequest } from "./scenarios.ts";
import { type Command, HERE, lacuna, load, type Server } from "./servers.ts";

const CONTROL = "Fastify and pg";
const NODES = 3;
const CREATES = 2_000;
const NAMES: readonly ScenarioName[] = ["read", "create", "list", "mixed", "update"];
const BARS = [{ of: CONTROL, rate: 0.7, cpu: 1.5 }] as const;

function oursOn({ node }: Bench, { url }: Database): Command {
  const data = `${url}?schema=products`;
  return { ...lacuna(join(HERE, "spec.md"), ["--data", data], PROBE), node };
}

function controlOn({ node }: Bench, { url }: Database): Command {
  const main = join(HERE, "control", "main.ts");
  return { name: CONTROL, node, probe: PROBE, args: (port) => [main, url, String(port)] };
}

/** Runs on a server of its own, as it is installed: durable at each commit. */
async function onServer(title: string, run: (at: Database) => Promise<Found>): Promise<Found> {
  const bin = programs();
  if (bin === undefined) return { title: `${title}: no server is installed`, rows: [], bars: [] };
  const database = await startServer(bin, ["shared_buffers=256MB"]);
  try {
    return await run(database);
  } finally {
    await database.stop();
  }
}

function beside(bench: Bench): Promise<Found> {
  const title = `On PostgreSQL, ${MANY} clients`;
  return onServer(title, async (database) => {
    const commands = [oursOn(bench, database), controlOn(bench, database)];
    const found = await withServers(commands, async (servers) => {
      await judgeAlike(servers);
      const filled: Filled[] = [];
      for (const server of servers) filled.push(await fill(server, bench));
      const wants = { read: BARS, create: BARS };
      return measure(filled, NAMES, { ...bench, connections: MANY, wants });
    });
    return { title, ...found };
  });
}

/** Nodes under load, each by so many clients. */
interface Share {
  readonly name: string;
  readonly nodes: number;
  readonly clients: number;
}

/** The clients of one node shared out over all of them, and as many at each of them. */
const SHARES: readonly Share[] = [
  { name: "1", nodes: 1, clients: MANY },
  { name: `${NODES}, shared out`, nodes: NODES, clients: Math.ceil(MANY / NODES) },
  { name: `${NODES}, at each`, nodes: NODES, clients: MANY },
];

/** Requests a second, and the processor time of each. */
interface Measured {
  readonly perSecond: number;
  readonly cpuMicros: number;
}

async function together(
  all: readonly Server[],
  { nodes, clients: connections }: Share,
  requests: readonly string[],
  durationMs: number,
): Promise<Measured> {
  const servers = all.slice(0, nodes);
  const cpu = (): number => servers.reduce((sum, one) => sum + (one.cpuMs() ?? Number.NaN), 0);
  const before = cpu();
  const loads = await Promise.all(
    servers.map(({ port }) => load({ port, connections, durationMs, requests })),
  );
  const count = loads.reduce((sum, one) => sum + one.count, 0);
  const failed = loads.flatMap(({ statuses }) =>
    Object.keys(statuses).filter((one) => Number(one) >= 300),
  );
  if (failed.length > 0) throw new Error(`answers with ${failed.join(", ")}`);
  return {
    perSecond: (count * 1_000) / durationMs,
    cpuMicros: ((cpu() - before) * 1_000) / count,
  };
}

/** What each share takes for the same requests, one after the other in turn. */
async function shares(
  servers: readonly Server[],
  requests: readonly string[],
  bench: Bench,
): Promise<readonly (Share & Measured)[]> {
  const all = SHARES.map((share) => ({ share, found: [] as Measured[] }));
  // Each node compiles its own code, and has a part of the requests to do it with.
  const warmUpMs = bench.warmUpMs * NODES;
  for (const share of SHARES.slice(1)) await together(servers, share, requests, warmUpMs);
  for (let i = 0; i < bench.rounds; i++) {
    for (const { share, found } of i % 2 === 0 ? all : all.toReversed()) {
      found.push(await together(servers, share, requests, bench.durationMs));
    }
  }
  return all.map(({ share, found }) => ({
    ...share,
    perSecond: median(found.map((one) => one.perSecond)),
    cpuMicros: median(found.map((one) => one.cpuMicros)),
  }));
}

/** Three nodes beside one; processes of the control show what the machine itself makes of it. */
function nodes(bench: Bench): Promise<Found> {
  const title = `${NODES} nodes beside one, ${MANY} clients`;
  return onServer(title, async (database) => {
    const head = ["of", "scenario", "nodes", "clients", "per s", "CPU us", "CPU / 1"];
    const rows: string[][] = [head];
    const bars: Found["bars"][number][] = [];
    for (const command of [oursOn(bench, database), controlOn(bench, database)]) {
      const commands = Array.from({ length: NODES }, () => command);
      await withServers(commands, async (servers) => {
        const [first] = servers;
        if (first === undefined) throw new Error("a server is missing");
        const { paths } = await fill(first, bench);
        const creates = newProducts(CREATES, bench.seed).map((one) =>
          postRequest("/products", one),
        );
        const reads = paths.map((one) => getRequest(one));
        const scenarios = {
          read: reads,
          create: creates,
          "9 reads, 1 create": mixed(reads, creates),
        };
        for (const [scenario, requests] of Object.entries(scenarios)) {
          process.stderr.write(`${command.name}: ${scenario}, ${NODES} nodes ...\n`);
          const found = await shares(servers, requests, bench);
          const [one] = found;
          for (const { name, nodes: count, clients, perSecond, cpuMicros } of found) {
            const measured = cpuMicros / (one?.cpuMicros ?? Number.NaN);
            const figures = [perSecond.toFixed(0), cpuMicros.toFixed(1), measured.toFixed(2)];
            rows.push([command.name, scenario, `${count}`, `${count * clients}`, ...figures]);
            if (command.name === CONTROL || count === 1) continue;
            bars.push({ name: `${scenario}: CPU of ${name} / 1`, unit: "x", measured, most: 1.15 });
          }
        }
      });
    }
    return { title, rows, bars };
  });
}

export const POSTGRES_PARTS = {
  postgres: beside,
  nodes,
} as const satisfies Record<string, (bench: Bench) => Promise<Found>>;
