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

function oursOn({ node }: Bench, { url }: Database, schema = "products"): Command {
  const data = `${url}?schema=${schema}`;
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
  /** Whether each has a store of its own: then nothing is shared but the machine. */
  readonly areApart?: true;
}

const SHARED_OUT = { nodes: NODES, clients: Math.ceil(MANY / NODES) };
const AT_EACH = { nodes: NODES, clients: MANY };

/** The clients of one node shared out over all of them, and as many at each of them. */
const SHARES: readonly Share[] = [
  { name: "1", nodes: 1, clients: MANY },
  { name: `${NODES}, shared out`, ...SHARED_OUT },
  { name: `${NODES}, at each`, ...AT_EACH },
];
const APART: readonly Share[] = [
  { name: `${NODES} stores, shared out`, ...SHARED_OUT, areApart: true },
  { name: `${NODES} stores, at each`, ...AT_EACH, areApart: true },
];

/** A server that is asked, and for what. */
interface Target {
  readonly server: Server;
  readonly requests: readonly string[];
}

/** Those of one store, and those with one of their own, the first of them among these, too. */
interface Targets {
  readonly together: readonly Target[];
  readonly apart: readonly Target[];
}

/** Requests a second, and the processor time of each. */
interface Measured {
  readonly perSecond: number;
  readonly cpuMicros: number;
}

async function together(
  targets: Targets,
  { nodes, clients: connections, areApart }: Share,
  durationMs: number,
): Promise<Measured> {
  const all = (areApart === true ? targets.apart : targets.together).slice(0, nodes);
  const cpu = (): number =>
    all.reduce((sum, { server }) => sum + (server.cpuMs() ?? Number.NaN), 0);
  const before = cpu();
  const loads = await Promise.all(
    all.map(({ server: { port }, requests }) => load({ port, connections, durationMs, requests })),
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
async function shares(targets: Targets, bench: Bench): Promise<readonly (Share & Measured)[]> {
  const kinds = targets.apart.length === 0 ? SHARES : [...SHARES, ...APART];
  const all = kinds.map((share) => ({ share, found: [] as Measured[] }));
  // Each node compiles its own code, and has a part of the requests to do it with.
  const warmUpMs = bench.warmUpMs * NODES;
  for (const share of kinds.slice(1)) await together(targets, share, warmUpMs);
  for (let i = 0; i < bench.rounds; i++) {
    for (const { share, found } of i % 2 === 0 ? all : all.toReversed()) {
      found.push(await together(targets, share, bench.durationMs));
    }
  }
  return all.map(({ share, found }) => ({
    ...share,
    perSecond: median(found.map((one) => one.perSecond)),
    cpuMicros: median(found.map((one) => one.cpuMicros)),
  }));
}

/** What the nodes are asked for, by its name: each store is filled, and has rows of its own. */
async function scenariosOf(
  servers: readonly Server[],
  bench: Bench,
): Promise<ReadonlyMap<string, Targets>> {
  const [first, ...others] = servers;
  if (first === undefined) throw new Error("a server is missing");
  const [nodes, alone] = [others.slice(0, NODES - 1), others.slice(NODES - 1)];
  const creates = newProducts(CREATES, bench.seed).map((one) => postRequest("/products", one));
  const readsOf = async (server: Server): Promise<readonly string[]> =>
    (await fill(server, bench)).paths.map((one) => getRequest(one));
  const own = await readsOf(first);
  const reads = new Map([first, ...nodes].map((server) => [server, own]));
  for (const server of alone) reads.set(server, await readsOf(server));
  const of = (make: (reads: readonly string[]) => readonly string[]): Targets => {
    const target = (server: Server): Target => {
      return { server, requests: make(reads.get(server) ?? []) };
    };
    const apart = alone.length === 0 ? [] : [first, ...alone].map(target);
    return { together: [first, ...nodes].map(target), apart };
  };
  return new Map([
    ["read", of((all) => all)],
    ["create", of(() => creates)],
    ["9 reads, 1 create", of((all) => mixed(all, creates))],
  ]);
}

/**
 * Three nodes beside one. Three that share no store, and processes of the control, show what the
 * machine itself makes of it.
 */
function nodes(bench: Bench): Promise<Found> {
  const title = `${NODES} nodes beside one, ${MANY} clients`;
  return onServer(title, async (database) => {
    const head = ["of", "scenario", "processes", "clients", "per s", "CPU us", "CPU / 1"];
    const rows: string[][] = [head];
    const bars: Found["bars"][number][] = [];
    const ours = oursOn(bench, database);
    const same = (command: Command): Command[] => Array.from({ length: NODES }, () => command);
    const alone = ["second", "third"].map((schema) => oursOn(bench, database, schema));
    for (const commands of [[...same(ours), ...alone], same(controlOn(bench, database))]) {
      const of = commands[0]?.name ?? "";
      await withServers(commands, async (servers) => {
        for (const [scenario, targets] of await scenariosOf(servers, bench)) {
          process.stderr.write(`${of}: ${scenario}, ${NODES} nodes ...\n`);
          const found = await shares(targets, bench);
          const [one] = found;
          for (const { name, nodes: count, clients, perSecond, cpuMicros, areApart } of found) {
            const measured = cpuMicros / (one?.cpuMicros ?? Number.NaN);
            const figures = [perSecond.toFixed(0), cpuMicros.toFixed(1), measured.toFixed(2)];
            rows.push([of, scenario, name, `${count * clients}`, ...figures]);
            if (of === CONTROL || count === 1 || areApart === true) continue;
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
