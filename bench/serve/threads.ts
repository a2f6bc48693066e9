/**
 * `npm run bench:threads`: long reads with one thread and with two (`serve --threads`), by turns on
 * two services of the same rows. Where others use the machine, the cores taken tell more.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { barLine, markdown, median, seedOf } from "./figures.ts";
import { fillOurs } from "./many-rows.ts";
import { withServers } from "./parts.ts";
import { CATEGORIES, getRequest } from "./scenarios.ts";
import { HERE, lacuna, lacunaNode, load, type Server } from "./servers.ts";

const ROWS = 300_000;
const CLIENTS = 8;
const ROUNDS = 5;
const [WARM_MS, ROUND_MS] = [4000, 3000];
const THREADS = [1, 2];

interface Found {
  readonly perSecond: number;
  /** Milliseconds of the processor in each second. */
  readonly cpuShare: number;
  readonly p99Ms: number;
}

/** The last rows of each category, behind all others of it. */
const requests = CATEGORIES.map((one) =>
  getRequest(`/products?category=${one}&limit=20&offset=${ROWS / CATEGORIES.length - 1000}`),
);

async function round(server: Server, durationMs: number): Promise<Found> {
  const before = server.cpuMs() ?? Number.NaN;
  const result = await load({ port: server.port, connections: CLIENTS, durationMs, requests });
  const cpuMs = (server.cpuMs() ?? Number.NaN) - before;
  if (result.statuses["200"] !== result.count || result.count === 0) {
    throw new Error(`${server.name}: ${JSON.stringify(result.statuses)}`);
  }
  const seconds = result.durationMs / 1000;
  const { p99Ms } = result;
  return { perSecond: result.count / seconds, cpuShare: cpuMs / seconds, p99Ms };
}

const folder = mkdtempSync(join(tmpdir(), "lacuna-bench-"));
try {
  const node = await lacunaNode();
  const seed = seedOf(20261123);
  const commands = THREADS.map((threads) => {
    const file = join(folder, `threads-${threads}.sqlite`);
    process.stderr.write(`${ROWS} rows ...\n`);
    fillOurs(file, ROWS, seed);
    const options = ["--data", file, "--threads", String(threads)];
    const probe = "/products?category=book";
    return { ...lacuna(join(HERE, "spec.md"), options, probe), name: `${threads}`, node };
  });
  await withServers(commands, async (servers) => {
    const found = servers.map((): Found[] => []);
    for (const server of servers) await round(server, WARM_MS);
    for (let i = 0; i < ROUNDS; i++) {
      for (const [at, server] of servers.entries()) found[at]?.push(await round(server, ROUND_MS));
    }
    const mid = (at: number, name: keyof Found): number =>
      median((found[at] ?? []).map((one) => one[name]));
    const rows = servers.map(({ name }, at) => [
      name,
      mid(at, "perSecond").toFixed(0),
      (mid(at, "cpuShare") / 1000).toFixed(2),
      mid(at, "p99Ms").toFixed(1),
    ]);
    const ratio = (name: keyof Found): number => mid(1, name) / mid(0, name);
    const [machine = Number.NaN] = loadavg();
    console.log(
      `${availableParallelism()} cores, seed ${seed}, ${ROWS} rows, ${CLIENTS} clients, ` +
        `${ROUNDS} rounds of ${ROUND_MS / 1000} s by turns; load of the machine behind it ` +
        `${machine.toFixed(1)}.\n`,
    );
    console.log(markdown([["threads", "reads per s", "cores taken", "p99 ms"], ...rows]));
    const bars = [
      {
        name: "reads a second, 2 threads / 1",
        unit: "x",
        measured: ratio("perSecond"),
        least: 1.5,
      },
      { name: "processor time, 2 threads / 1", unit: "x", measured: ratio("cpuShare"), least: 1.5 },
    ];
    console.log(`\n${markdown([["bar", "measured", "wanted", ""], ...bars.map(barLine)])}`);
  });
} finally {
  rmSync(folder, { recursive: true, force: true });
}
