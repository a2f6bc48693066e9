/** The parts of `npm run bench:serve`: which servers meet which requests, and what is wanted. */
import { join } from "node:path";
import type { Manner } from "./control/products.ts";
import type { Bar } from "./figures.ts";
import { fillControl, fillOurs } from "./many-rows.ts";
import type { Measured, RoundOptions, Scenario } from "./rounds.ts";
import { alternate } from "./rounds.ts";
import { differences } from "./same.ts";
import {
  getRequest,
  listRequests,
  mixed,
  newProducts,
  patchRequest,
  postRequest,
} from "./scenarios.ts";
import type { Command, Server } from "./servers.ts";
import { HERE, lacuna, load, start } from "./servers.ts";

const ROWS = 10_000;
const READ_PATHS_MAX = 5000;
const CREATES = 2000;
export const MANY = 64;
export const PROBE = "/products?category=book";
/** Of the callers in `whole.md`. */
const KEY = "X-Key: ada-key\r\n";

/** What a part is run with. */
export interface Bench extends RoundOptions {
  readonly node: string;
  readonly folder: string;
  readonly seed: number;
  /** Rows of the part `rows`. */
  readonly manyRows: number;
  /** Requests a second of the part `open-loop`. */
  readonly perSecond: number;
}

/** What a part has measured. */
export interface Found {
  readonly title: string;
  readonly rows: readonly (readonly string[])[];
  readonly bars: readonly Bar[];
}

/** A server with the paths of the products that it has. */
export interface Filled {
  readonly server: Server;
  readonly paths: readonly string[];
  /** Where its interface is another one: its own requests. */
  readonly requests?: Partial<Record<ScenarioName, readonly string[]>>;
}

/** Bars of one scenario beside one other server, by its name. */
interface Wanted {
  readonly of: string;
  readonly rate?: number;
  readonly cpu?: number;
}

type Named = Pick<Scenario, "statuses"> & {
  readonly name: string;
  readonly requests: (paths: readonly string[], creates: readonly string[]) => readonly string[];
};

export const SCENARIOS = {
  read: {
    name: "read by id",
    statuses: [200],
    requests: (paths) => paths.map((one) => getRequest(one)),
  },
  list: { name: "list of 20", statuses: [200], requests: listRequests },
  create: { name: "create", statuses: [200, 201], requests: (_, creates) => creates },
  mixed: {
    name: "9 reads, 1 create",
    statuses: [200, 201],
    requests: (paths, creates) =>
      mixed(
        paths.map((one) => getRequest(one)),
        creates,
      ),
  },
  update: {
    name: "update of one row",
    statuses: [200],
    requests: ([path = ""]) =>
      Array.from({ length: CREATES }, (_, i) => patchRequest(path, { stock: i })),
  },
} as const satisfies Record<string, Named>;

export type ScenarioName = keyof typeof SCENARIOS;

/** Starts servers, runs, and stops them whatever happens. */
export async function withServers<T>(
  commands: readonly Command[],
  run: (servers: readonly Server[]) => Promise<T>,
): Promise<T> {
  const servers: Server[] = [];
  try {
    for (const command of commands) servers.push(await start(command));
    return await run(servers);
  } finally {
    await Promise.all(servers.map((one) => one.stop()));
  }
}

export function oursOn({ node, folder }: Bench, name = "lacuna", threads?: number): Command {
  const file = join(folder, `${name}.sqlite`);
  const further = threads === undefined ? [] : ["--threads", String(threads)];
  return { ...lacuna(join(HERE, "spec.md"), ["--data", file, ...further], PROBE), node };
}

function controlOn({ node, folder }: Bench, manner: Manner, name: string = manner): Command {
  const file = join(folder, `${name}.sqlite`);
  return {
    name: `control, ${manner}`,
    node,
    probe: PROBE,
    args: (port) => [join(HERE, "control", "main.ts"), file, String(port), manner],
  };
}

/** Makes rows through the server's own interface. */
export async function fill(server: Server, { seed }: Bench, further = ""): Promise<Filled> {
  const requests = newProducts(ROWS, seed).map((one) => postRequest("/products", one, further));
  const { locations, statuses } = await load({
    ...{ port: server.port, connections: MANY, durationMs: 120_000 },
    ...{ countMax: ROWS, requests, locations: true },
  });
  if (locations.length !== ROWS) throw new Error(`${server.name}: ${JSON.stringify(statuses)}`);
  return { server, paths: locations.slice(0, READ_PATHS_MAX) };
}

const HEAD = ["scenario", "clients", "server", "per s", "CPU us", "p50 ms", "p99 ms", "of ours"];

function lineOf(scenario: Scenario, name: string, one: Measured, ours: Measured | undefined) {
  return [
    scenario.name,
    String(scenario.connections),
    name,
    one.perSecond.toFixed(0),
    one.cpuMicros.toFixed(1),
    one.p50Ms.toFixed(2),
    one.p99Ms.toFixed(2),
    ours === undefined || ours === one ? "" : (ours.perSecond / one.perSecond).toFixed(2),
  ];
}

/** What each scenario is to give at least beside each other server. */
export type Wants = Partial<Record<ScenarioName, readonly Wanted[]>>;

/** Runs the scenarios on the servers, of which ours is the first. */
export async function measure(
  filled: readonly Filled[],
  names: readonly ScenarioName[],
  how: Bench & { readonly connections: number; readonly wants?: Wants; readonly rate?: number },
): Promise<Omit<Found, "title">> {
  const { connections, wants = {}, rate } = how;
  const creates = newProducts(CREATES, how.seed).map((one) => postRequest("/products", one));
  const rows: (readonly string[])[] = [HEAD];
  const bars: Bar[] = [];
  for (const key of names) {
    const { name, statuses, requests } = SCENARIOS[key];
    const requestsOf = (server: Server): readonly string[] => {
      const of = filled.find((one) => one.server === server);
      return of?.requests?.[key] ?? requests(of?.paths ?? [], creates);
    };
    const scenario: Scenario = {
      ...{ name, statuses, connections, requests: requestsOf },
      ...(rate === undefined ? {} : { perSecond: rate }),
    };
    const servers = filled.map((one) => one.server);
    process.stderr.write(`${name}, ${connections} ...\n`);
    const found = await alternate(servers, scenario, how);
    const [ours] = found;
    found.forEach((one, i) => {
      rows.push(lineOf(scenario, servers[i]?.name ?? "", one, ours));
    });
    for (const { of, rate: least, cpu: most } of wants[key] ?? []) {
      const other = found[servers.findIndex((one) => one.name === of)];
      if (ours === undefined || other === undefined) continue;
      const what = `${name}, ${connections} client${connections === 1 ? "" : "s"}`;
      const perSecond = ours.perSecond / other.perSecond;
      const cpu = ours.cpuMicros / other.cpuMicros;
      if (least)
        bars.push({ name: `${what}: rate / ${of}`, unit: "x", measured: perSecond, least });
      if (most) bars.push({ name: `${what}: CPU / ${of}`, unit: "x", measured: cpu, most });
    }
  }
  return { rows, bars };
}

const ALL = Object.keys(SCENARIOS) as ScenarioName[];
const [USUAL, EXPERT] = ["control, usual", "control, expert"];
const AHEAD: Wanted = { of: EXPERT, rate: 1.2, cpu: 1 };
const LEVEL: Wanted = { of: EXPERT, rate: 1, cpu: 1 };

/** Ratios to the usual control that earlier versions reached on a quiet machine. */
const WANTS_MANY: Wants = {
  read: [{ of: USUAL, rate: 1.28 }, AHEAD],
  list: [{ of: USUAL, rate: 1.47 }, AHEAD],
  create: [{ of: USUAL, rate: 6.5 }, AHEAD],
  mixed: [AHEAD],
  update: [AHEAD],
};
const WANTS_ONE: Wants = Object.fromEntries(ALL.map((name) => [name, [LEVEL]]));

/** Throws where servers do not answer alike. */
export async function judgeAlike(servers: readonly Server[]): Promise<void> {
  const differ = await differences(servers.map((one) => one.port));
  if (differ.length === 0) return;
  throw new Error(["The answers differ, so nothing is measured:", ...differ].join("\n"));
}

/** Lacuna and both controls, filled alike, and found to answer alike. */
async function besideControls<T>(
  bench: Bench,
  run: (filled: readonly Filled[]) => Promise<T>,
): Promise<T> {
  const commands = [oursOn(bench), controlOn(bench, "usual"), controlOn(bench, "expert")];
  return withServers(commands, async (servers) => {
    await judgeAlike(servers);
    const filled: Filled[] = [];
    for (const server of servers) filled.push(await fill(server, bench));
    return run(filled);
  });
}

async function clients(bench: Bench, connections: number, wants: Wants): Promise<Found> {
  const title = connections === 1 ? "One client" : `${connections} clients`;
  const found = await besideControls(bench, (filled) =>
    measure(filled, ALL, { ...bench, connections, wants }),
  );
  return { title, ...found };
}

/** Requests come at a fixed rate, as strangers send them: what waits is counted as latency. */
async function openLoop(bench: Bench): Promise<Found> {
  const found = await besideControls(bench, (filled) =>
    measure(filled, ["mixed"], { ...bench, connections: MANY, rate: bench.perSecond }),
  );
  return { title: `An even ${bench.perSecond} requests a second, whoever is late`, ...found };
}

/** What callers, limits and timers cost: the same document without them is beside it. */
async function whole(bench: Bench): Promise<Found> {
  const file = join(bench.folder, "whole.sqlite");
  const document = join(HERE, "whole.md");
  const rich: Command = {
    ...lacuna(document, ["--data", file], PROBE),
    ...{ name: "Lacuna, whole", node: bench.node },
  };
  return withServers([rich, oursOn(bench)], async (servers) => {
    const [first, second] = servers;
    if (!first || !second) throw new Error("a server is missing");
    const filled = [await fill(first, bench, KEY), await fill(second, bench)];
    const rows: (readonly string[])[] = [HEAD];
    for (const connections of [MANY, 1]) {
      for (const name of ["read", "list", "create"] as const) {
        const { requests, ...about } = SCENARIOS[name];
        const creates = (further: string) =>
          newProducts(CREATES, bench.seed).map((one) => postRequest("/products", one, further));
        const scenario: Scenario = {
          ...{ ...about, connections },
          requests: (server) => {
            const made = requests(
              filled.find((one) => one.server === server)?.paths ?? [],
              creates(""),
            );
            const line = "Accept: application/json\r\n";
            return server === first ? made.map((one) => one.replace(line, line + KEY)) : made;
          },
        };
        const found = await alternate(servers, scenario, bench);
        found.forEach((one, i) => {
          rows.push(lineOf(scenario, servers[i]?.name ?? "", one, found[0]));
        });
      }
    }
    return {
      title: "A document with callers, limits and timers, beside one without",
      rows,
      bars: [],
    };
  });
}

/** A store of many rows, written into the file before the servers start. */
async function manyRows(bench: Bench): Promise<Found> {
  const { folder, manyRows: count, seed } = bench;
  process.stderr.write(`${count} rows into two stores ...\n`);
  const ours = fillOurs(join(folder, "many.sqlite"), count, seed);
  const control = await fillControl(join(folder, "many-control.sqlite"), count, seed);
  const commands = [oursOn(bench, "many"), controlOn(bench, "expert", "many-control")];
  const found = await withServers(commands, ([first, second]) => {
    if (!first || !second) throw new Error("a server is missing");
    const filled = [
      { server: first, paths: ours },
      { server: second, paths: control },
    ];
    const wants: Wants = { read: [AHEAD], list: [AHEAD], create: [AHEAD] };
    return measure(filled, ["read", "list", "create"], { ...bench, connections: MANY, wants });
  });
  return { title: `${count.toLocaleString("en")} rows`, ...found };
}

/** The parts by their names, in the order in which they run. */
export const PARTS = {
  "clients-64": (bench) => clients(bench, MANY, WANTS_MANY),
  "client-1": (bench) => clients(bench, 1, WANTS_ONE),
  "open-loop": openLoop,
  whole,
  rows: manyRows,
} as const satisfies Record<string, (bench: Bench) => Promise<Found>>;
