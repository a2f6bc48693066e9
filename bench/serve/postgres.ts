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

/** Requests a second, and the processor time of each. */
interface Measured {
  readonly perSecond: number;
  readonly cpuMicros: number;
}

/** All clients are shared out over some nodes. */
async function together(
  servers: readonly Server[],
  requests: readonly string[],
  durationMs: number,
): Promise<Measured> {
  const cpu = (): number => servers.reduce((sum, one) => sum + (one.cpuMs() ?? Number.NaN), 0);
  const before = cpu();
  const connections = Math.ceil(MANY / servers.length);
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

/** What one node and all take for the same requests, one after the other in turn. */
async function oneAndAll(
  servers: readonly Server[],
  requests: readonly string[],
  bench: Bench,
): Promise<readonly Measured[]> {
  await together(servers, requests, bench.warmUpMs);
  const all = [servers.slice(0, 1), servers].map((some) => ({ some, found: [] as Measured[] }));
  for (let i = 0; i < bench.rounds; i++) {
    for (const { some, found } of i % 2 === 0 ? all : all.toReversed()) {
      found.push(await together(some, requests, bench.durationMs));
    }
  }
  return all.map(({ found }) => ({
    perSecond: median(found.map((one) => one.perSecond)),
    cpuMicros: median(found.map((one) => one.cpuMicros)),
  }));
}

/** Three nodes share the clients of one; beside them three processes of the control do. */
function nodes(bench: Bench): Promise<Found> {
  const title = `${NODES} nodes beside one, ${MANY} clients`;
  return onServer(title, async (database) => {
    const rows: string[][] = [["of", "scenario", "nodes", "per s", "CPU us", "CPU / 1"]];
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
        for (const [name, requests] of Object.entries(scenarios)) {
          process.stderr.write(`${command.name}: ${name}, ${NODES} nodes ...\n`);
          const [one, all] = await oneAndAll(servers, requests, bench);
          if (one === undefined || all === undefined) continue;
          for (const [count, { perSecond, cpuMicros }] of [
            [1, one],
            [NODES, all],
          ] as const) {
            const ratio = (cpuMicros / one.cpuMicros).toFixed(2);
            const figures = [perSecond.toFixed(0), cpuMicros.toFixed(1), ratio];
            rows.push([command.name, name, `${count}`, ...figures]);
          }
          if (command.name === CONTROL) continue;
          const measured = all.cpuMicros / one.cpuMicros;
          bars.push({
            name: `${name}: CPU of ${NODES} nodes / 1`,
            unit: "x",
            measured,
            most: 1.15,
          });
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
