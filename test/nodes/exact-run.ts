/**
 * `npm run test:exact`: three nodes in processes of their own; in each run a limit of sixty a minute
 * is asked for more, and `--clients N` want one name, one seat and one key. `--runs N`.
 */
import { fileURLToPath } from "node:url";
import { campaignOptions } from "../campaigns/options.ts";
import { start } from "../crash/service.ts";
import { programs, startServer } from "../postgres/server.ts";
import { exact } from "./exact.ts";

const NODES = 3;
const CHILD = fileURLToPath(new URL("exact-child.ts", import.meta.url));
const { runs = 50, clients = 64 } = campaignOptions({ runs: "count", clients: "count" });
const bin = programs();
if (bin === undefined) {
  console.error("No PostgreSQL server is installed: LACUNA_POSTGRES_BIN names its programs.");
  process.exit(2);
}
const server = await startServer(bin, ["fsync=off"]);
const nodes = await Promise.all(
  Array.from({ length: NODES }, () => start(server.url, "real", { program: CHILD })),
);
try {
  const ports = nodes.map(({ port }) => port);
  const wrong = await exact({ ports, clients, runs, mark: "run" });
  for (const one of wrong) console.log(`!! ${one}`);
  console.log(`${runs} runs over ${NODES} nodes, ${clients} clients: ${wrong.length} wrong`);
  process.exitCode = wrong.length === 0 ? 0 : 1;
} finally {
  for (const one of nodes) await one.kill();
  await server.stop();
}
