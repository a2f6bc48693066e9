/**
 * `npm run bench:proxy`: what `lacuna proxy` adds to the time of a request, beside the service
 * itself and beside the least proxy that Node.js can be, by turns in one run. `--seconds N` for each
 * of the turns (default 3), `--rounds N` (default 5), `--clients N` (default 1). Prints Markdown.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { Agent, createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { availableParallelism, cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";

const ROOT = join(import.meta.dirname, "..");
const DOCUMENT = "examples/todo/spec.md";
const MICROS = 1000;

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "3" },
    rounds: { type: "string", default: "5" },
    clients: { type: "string", default: "1" },
  },
});

interface Started {
  readonly address: string;
  readonly child: ChildProcess;
}

/** Starts a command of lacuna, and gives the address that it tells. */
function lacuna(...args: readonly string[]): Promise<Started> {
  const all = [join(ROOT, "dist/cli/main.js"), ...args];
  const child = spawn(process.execPath, all, { cwd: ROOT, stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  return new Promise((done, fail) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on("data", (chunk) => {
        said += String(chunk);
        const [address] = /http:\/\/127\.0\.0\.1:\d+(?= |\n|$)/.exec(said) ?? [];
        const isProxy = args[0] !== "proxy" || /stands at (\S+)/.test(said);
        if (address !== undefined && isProxy)
          done({ address: /(?:stands|served) at (\S+)/.exec(said)?.[1] ?? address, child });
      });
    }
    child.once("exit", (code) => fail(new Error(`it ended with ${code}: ${said}`)));
  });
}

/** The least proxy: what comes is piped on, and what comes back is piped back. */
async function bare(address: string): Promise<{ readonly address: string; close(): void }> {
  const { hostname, port } = new URL(address);
  const agent = new Agent({ keepAlive: true });
  const server = createServer((incoming, outgoing) => {
    const { method = "GET", url = "/", headers } = incoming;
    const asking = request({ hostname, port, method, path: url, headers, agent }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    incoming.pipe(asking);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const own = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    address: own,
    close: () => {
      server.closeAllConnections();
      server.close();
      agent.destroy();
    },
  };
}

/** Microseconds of requests, one after the other on each connection, for so many seconds. */
async function load(address: string, path: string, seconds: number): Promise<readonly number[]> {
  const { hostname, port } = new URL(address);
  const agent = new Agent({ keepAlive: true });
  const until = performance.now() + seconds * 1000;
  const found: number[] = [];
  const ask = (): Promise<void> =>
    new Promise((done, fail) => {
      const began = performance.now();
      const asking = request({ hostname, port, path, agent }, (answer) => {
        answer.resume().on("end", () => {
          found.push((performance.now() - began) * MICROS);
          done();
        });
      });
      asking.on("error", fail).end();
    });
  const client = async (): Promise<void> => {
    while (performance.now() < until) await ask();
  };
  await Promise.all(Array.from({ length: Number(values.clients) }, client));
  agent.destroy();
  return found;
}

const quantile = (all: readonly number[], of: number): number =>
  all.toSorted((a, b) => a - b)[Math.floor(all.length * of)] ?? 0;

const folder = mkdtempSync(join(tmpdir(), "lacuna-bench-"));
const data = join(folder, "data.sqlite");
const service = await lacuna("serve", DOCUMENT, "--port", "0", "--data", data);
const made = await fetch(`${service.address}/todos`, {
  method: "POST",
  headers: { "Content-Type": "application/json" },
  body: '{"title":"measured"}',
});
const path = `/todos/${((await made.json()) as { id: string }).id}`;
const least = await bare(service.address);
const proxy = await lacuna("proxy", DOCUMENT, service.address, "--port", "0");
const ways: Readonly<Record<string, string>> = {
  direct: service.address,
  "bare proxy": least.address,
  "lacuna proxy": proxy.address,
};
const times = new Map(Object.keys(ways).map((name) => [name, [] as (readonly number[])[]]));
console.log(
  `Node ${process.version}, ${availableParallelism()} x ${cpus()[0]?.model}; \`GET\` of one row, ` +
    `${values.clients} client(s), ${values.rounds} rounds of ${values.seconds} s by turns; load ` +
    `of the machine before it: ${loadavg()[0]?.toFixed(1)}.\n`,
);
for (const address of Object.values(ways)) await load(address, path, 1);
for (let round = 0; round < Number(values.rounds); round++) {
  for (const [name, address] of Object.entries(ways)) {
    times.get(name)?.push(await load(address, path, Number(values.seconds)));
  }
}
console.log("| way | requests | median | added at the median | 95th of 100 | of direct |");
console.log("|---|---|---|---|---|---|");
const direct = quantile(times.get("direct")?.flat() ?? [], 0.5);
for (const [name, rounds] of times) {
  const all = rounds.flat();
  const median = quantile(all, 0.5);
  const ms = (micros: number): string => `${(micros / MICROS).toFixed(3)} ms`;
  const added = name === "direct" ? "" : ms(median - direct);
  const cells = [name, all.length, ms(median), added, ms(quantile(all, 0.95))];
  console.log(`| ${[...cells, (median / direct).toFixed(2)].join(" | ")} |`);
}
proxy.child.stdout?.pipe(process.stderr);
for (const { child } of [proxy, service]) {
  child.removeAllListeners("exit");
  const ended = new Promise((done) => child.once("exit", done));
  child.kill("SIGTERM");
  await ended;
}
least.close();
rmSync(folder, { recursive: true, force: true });
