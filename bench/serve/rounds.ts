/** Runs one scenario on several servers by turns and keeps the medians; knows no interface. */
import { median } from "./figures.ts";
import type { LoadOrder } from "./load.ts";
import type { Server } from "./servers.ts";
import { load } from "./servers.ts";

export interface Scenario {
  readonly name: string;
  readonly connections: number;
  /** The statuses that answers may have. */
  readonly statuses: readonly number[];
  /** Requests a second, whether or not answers have come. Default: as fast as they come. */
  readonly perSecond?: number;
  readonly requests: (server: Server) => readonly string[];
}

export interface Measured {
  readonly perSecond: number;
  readonly cpuMicros: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

export interface RoundOptions {
  /** Before each server's first round, and not counted. */
  readonly warmUpMs: number;
  readonly rounds: number;
  readonly durationMs: number;
}

/** One round on one server. Throws when an answer has another status. */
async function round(server: Server, scenario: Scenario, durationMs: number): Promise<Measured> {
  const { connections, perSecond: wanted } = scenario;
  const order: LoadOrder = {
    ...{ port: server.port, connections, durationMs, requests: scenario.requests(server) },
    ...(wanted === undefined ? {} : { perSecond: wanted }),
  };
  const before = server.cpuMs() ?? Number.NaN;
  const result = await load(order);
  const cpuMs = (server.cpuMs() ?? Number.NaN) - before;
  const { statuses, count } = result;
  const right = scenario.statuses.reduce((sum, status) => sum + (statuses[status] ?? 0), 0);
  if (right !== count || count === 0) {
    throw new Error(`${server.name}, ${scenario.name}: ${JSON.stringify(statuses)}`);
  }
  const { p50Ms, p99Ms } = result;
  const perSecond = (count * 1000) / result.durationMs;
  return { perSecond, cpuMicros: (cpuMs * 1000) / count, p50Ms, p99Ms };
}

/** The servers by turns, the first begins in every other round; medians in their order. */
export async function alternate(
  servers: readonly Server[],
  scenario: Scenario,
  { rounds, durationMs, warmUpMs }: RoundOptions,
): Promise<readonly Measured[]> {
  for (const server of servers) await round(server, scenario, warmUpMs);
  const found = servers.map((): Measured[] => []);
  for (let i = 0; i < rounds; i++) {
    const order = servers.map((_, at) => at);
    for (const at of i % 2 === 0 ? order : order.reverse()) {
      const server = servers[at];
      if (server) found[at]?.push(await round(server, scenario, durationMs));
    }
  }
  const mid = (each: readonly Measured[], name: keyof Measured): number =>
    median(each.map((one) => one[name]));
  return found.map((each) => ({
    perSecond: mid(each, "perSecond"),
    p50Ms: mid(each, "p50Ms"),
    p99Ms: mid(each, "p99Ms"),
    cpuMicros: mid(each, "cpuMicros"),
  }));
}
