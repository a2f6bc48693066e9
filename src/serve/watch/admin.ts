/** The operator's port: how the service is, its figures, its gaps. It changes nothing. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { CannotServe } from "../settings/refused.ts";
import { diskOf, readinessOf, storeOf, type Vitals } from "./health.ts";
import type { About, Figures, Metrics } from "./metrics.ts";

const { createServer } = process.getBuiltinModule("node:http");

/** Where the operator's port is. */
export interface AdminAddress {
  readonly host: string;
  readonly port: number;
}

/** What the port tells of. */
interface Watched {
  about(): About;
  readonly metrics: Metrics;
  readonly vitals: Vitals;
  /** What the host counts by itself. */
  figures(): Omit<Figures, "store" | "disk">;
}

/** An open port. */
export interface Admin {
  /** `http://host:port`, without a path. */
  readonly address: string;
  stop(): Promise<void>;
}

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

const CONNECTIONS_MAX = 64;
const JSON_TYPE = "application/json";

function json(value: unknown, status = 200): Answer {
  return { status, type: JSON_TYPE, text: `${JSON.stringify(value)}\n` };
}

/** What stands at each path. */
const PAGES: Readonly<Record<string, (watched: Watched) => Answer | Promise<Answer>>> = {
  "/live": () => json({ live: true }),
  "/ready": async ({ vitals }) => {
    const readiness = await readinessOf(vitals);
    return json(readiness, readiness.ready ? 200 : 503);
  },
  "/version": ({ about }) => {
    const { version, title } = about();
    return json({ version, title, node: process.versions.node });
  },
  "/gaps": ({ about, metrics }) =>
    json(about().gaps.map((one) => ({ ...one, met: metrics.met(one) }))),
  "/metrics": async (watched) => {
    const { vitals } = watched;
    const [store, disk] = await Promise.all([storeOf(vitals), diskOf(vitals.file)]);
    const { type, text } = await watched.metrics.text({ ...watched.figures(), store, disk });
    return { status: 200, type, text };
  },
};

async function answerTo({ method, url = "" }: IncomingMessage, watched: Watched): Promise<Answer> {
  const [path = ""] = url.split("?", 1);
  const page = Object.hasOwn(PAGES, path) ? PAGES[path] : undefined;
  if (page === undefined) return json({ there: Object.keys(PAGES) }, path === "/" ? 200 : 404);
  if (method !== "GET" && method !== "HEAD") return json({ allowed: ["GET", "HEAD"] }, 405);
  return page(watched);
}

function send(request: IncomingMessage, response: ServerResponse, answer: Answer): void {
  response.writeHead(answer.status, {
    "Content-Type": answer.type,
    "Content-Length": Buffer.byteLength(answer.text),
    "Cache-Control": "no-store",
    ...(answer.status === 405 ? { Allow: "GET, HEAD" } : {}),
  });
  response.end(request.method === "HEAD" ? undefined : answer.text);
}

/** Listens. Rejects with `CannotServe` where that cannot be done. */
export async function openAdmin({ host, port }: AdminAddress, watched: Watched): Promise<Admin> {
  const server = createServer((request, response) => {
    void answerTo(request, watched).then(
      (answer) => send(request, response, answer),
      (fault) => send(request, response, json({ fault: String(fault) }, 500)),
    );
  });
  server.maxConnections = CONNECTIONS_MAX;
  const bound = await new Promise<AddressInfo>((resolve, reject) => {
    server.once("error", (fault: NodeJS.ErrnoException) => {
      const why = fault.code === "EADDRINUSE" ? "the address is in use" : fault.message;
      reject(new CannotServe([`\`--admin\` cannot listen at ${host}:${port}: ${why}.`]));
    });
    server.listen(port, host, () => resolve(server.address() as AddressInfo));
  });
  const shown = bound.address.includes(":") ? `[${bound.address}]` : bound.address;
  return {
    address: `http://${shown}:${bound.port}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
