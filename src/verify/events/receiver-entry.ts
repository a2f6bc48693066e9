/** What the thread runs that listens for messages, so that it answers while others compute. */
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo } from "node:net";
import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { fieldsOf, nowMicros } from "../talk/client.ts";
import type { Arrival, Behaviour, Order, ReceiverTold, ThreadNews, ThreadSaid } from "./arrival.ts";

const { told, news } = workerData as { readonly told: ReceiverTold; readonly news: MessagePort };

const BODY_MAX = 16 * 1024 * 1024;
const HOST = "127.0.0.1";
const GOOD = 200;
/** Orders that stand, and how often there was an attempt since. */
const orders = new Map<string, Behaviour & { attempts: number }>();
let arrivals = 0;

const tell = (one: ThreadNews): void => news.postMessage(one);
const say = (one: ThreadSaid): void => parentPort?.postMessage(one);

/** The target without what stands before it where something outside leads here. */
function within(target: string): string {
  const pathname = told.address === undefined ? "/" : new URL(told.address).pathname;
  const prefix = pathname.endsWith("/") ? pathname : `${pathname}/`;
  return target.startsWith(prefix) ? target.slice(prefix.length - 1) : target;
}

async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const at = nowMicros();
  const body = await bodyOf(request);
  if (body === undefined) return;
  const { method = "", url = "" } = request;
  const target = within(url);
  const arrival: Arrival = { target, method, headers: fieldsOf(request), body, at };
  const number = arrivals++;
  tell({ number, arrival });
  const order = orders.get(target);
  const before = order === undefined ? 0 : order.attempts++;
  const { lateMs = 0, statuses = [GOOD] } = order ?? {};
  if (lateMs > 0 && before === 0) await new Promise((resolve) => setTimeout(resolve, lateMs));
  const status = statuses[Math.min(before, statuses.length - 1)] ?? GOOD;
  response.writeHead(status, { "Content-Length": 0 });
  response.end();
  tell({ number, status, answeredAt: nowMicros() });
}

/** Undefined: it was not sent to its end. */
async function bodyOf(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > BODY_MAX) return undefined;
      chunks.push(chunk);
    }
  } catch {
    return undefined;
  }
  return Buffer.concat(chunks).toString("utf8");
}

parentPort?.on("message", ({ target, behaviour }: Order) => {
  if (behaviour === undefined) orders.delete(target);
  else orders.set(target, { ...behaviour, attempts: 0 });
  say({ done: true });
});

const { certificate: cert, key } = told;
const listener: RequestListener = (request, response) => void take(request, response);
try {
  const server =
    cert === undefined || key === undefined
      ? createServer(listener)
      : createSecureServer({ cert, key }, listener);
  // What is no HTTP, or no TLS, is nothing that came.
  server.on("clientError", (_, socket) => socket.destroy());
  server.once("error", ({ message }) => say({ fault: message }));
  server.listen(told.port ?? 0, HOST, () => {
    say({ port: (server.address() as AddressInfo).port });
  });
} catch (fault) {
  say({ fault: fault instanceof Error ? fault.message : String(fault) });
}
