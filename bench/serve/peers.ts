/** The parts of `npm run bench:serve` beside other programs, where these can be had. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Bench, Filled, Found, ScenarioName, Wants } from "./parts.ts";
import { fill, measure, oursOn, withServers } from "./parts.ts";
import { peers } from "./peers.mjs";
import { pocketBase } from "./pocketbase.ts";
import { newProducts } from "./scenarios.ts";
import type { Command, Server } from "./servers.ts";
import { HERE } from "./servers.ts";

const ROWS = 1000;
const CONNECTIONS = 64;

interface Peer {
  readonly command: Command;
  readonly scenarios: readonly ScenarioName[];
  readonly wants: Wants;
  /** Makes its rows, where it does not begin with them. */
  filled?(server: Server): Promise<Filled>;
}

async function beside(bench: Bench, { command, ...peer }: Peer): Promise<Found> {
  const ours = oursOn(bench, `beside-${command.name}`);
  const found = await withServers(
    [ours, { node: bench.node, ...command }],
    async ([first, second]) => {
      if (!first || !second) throw new Error("a server is missing");
      const paths = newProducts(ROWS, bench.seed).map((_, i) => `/products/${i}`);
      const filled = [
        await fill(first, bench),
        (await peer.filled?.(second)) ?? { server: second, paths },
      ];
      return measure(filled, peer.scenarios, {
        ...{ ...bench, connections: CONNECTIONS, wants: peer.wants },
      });
    },
  );
  return { title: `Beside ${command.name}`, ...found };
}

function prism(bench: Bench): Promise<Found> {
  const main = peers().prism;
  const [host, level] = [
    ["--host", "127.0.0.1"],
    ["--verboseLevel", "silent"],
  ];
  const args = (port: number): readonly string[] => [
    ...[main, "mock", ...host, "--port", String(port), ...level, join(HERE, "openapi.json")],
  ];
  return beside(bench, {
    command: { name: "Prism", probe: "/products?category=book", args },
    scenarios: ["read", "create"],
    wants: { read: [{ of: "Prism", rate: 8 }], create: [{ of: "Prism", rate: 8 }] },
  });
}

function jsonServer(bench: Bench): Promise<Found> {
  const { jsonServer: main } = peers();
  const now = new Date(0).toISOString();
  const products = newProducts(ROWS, bench.seed).map((one, i) => ({
    ...{ id: String(i), note: null, ...one, createdAt: now, updatedAt: now },
  }));
  const file = join(bench.folder, "db.json");
  writeFileSync(file, JSON.stringify({ products }));
  const args = (port: number): readonly string[] => [
    ...[main, file, "--host", "127.0.0.1", "--port", String(port)],
  ];
  return beside(bench, {
    command: { name: "json-server", probe: "/products/1", args },
    scenarios: ["read", "create"],
    wants: { read: [{ of: "json-server", rate: 2 }], create: [{ of: "json-server", rate: 20 }] },
  });
}

async function besidePocketBase(bench: Bench): Promise<Found> {
  const made = await pocketBase(bench);
  if (typeof made === "string") return { title: `PocketBase: ${made}`, rows: [], bars: [] };
  const { command, filled } = made;
  return beside(bench, { command, filled, scenarios: ["read", "list", "create"], wants: {} });
}

/** The parts by their names. */
export const PEER_PARTS = {
  prism,
  "json-server": jsonServer,
  pocketbase: besidePocketBase,
} as const satisfies Record<string, (bench: Bench) => Promise<Found>>;
