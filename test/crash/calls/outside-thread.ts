/** The thread of those behind the calls: books, cancels and seals, with delays, errors and breaks. */

import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { parentPort, workerData } from "node:worker_threads";
import { randomFrom } from "../../random.ts";
import type { Book, Seal } from "./outside.ts";

const random = randomFrom(workerData as number);
const books = new Map<string, Book>();
/** Keys of bookings that are cancelled, perhaps before they came. */
const cancelled = new Set<string>();
const seals = new Map<string, Seal>();
const odd: string[] = [];
let isCalm = false;

interface Way {
  /** Errors of a gateway before anything was done. */
  readonly busy: number;
  /** The connection is cut, before it was done or after. */
  readonly cutBefore: number;
  readonly cutAfter: number;
  readonly late: number;
}

const WAYS: Readonly<Record<string, Way>> = {
  book: { busy: 0.05, cutBefore: 0.03, cutAfter: 0.05, late: 0.08 },
  cancel: { busy: 0.1, cutBefore: 0.05, cutAfter: 0.1, late: 0.05 },
  seal: { busy: 0.05, cutBefore: 0.05, cutAfter: 0.05, late: 0.05 },
};
const CALM: Way = { busy: 0, cutBefore: 0, cutAfter: 0, late: 0 };
const LATE_MS = 500;
const FULL_SHARE = 0.07;
const LATER_SHARE = 0.2;

/** Does what is asked, the same for the same key; undefined: not yet. */
function act(call: string, key: string, tag: string, undoes: string): unknown {
  if (call === "book") {
    const isFull = random() < FULL_SHARE;
    const made = books.get(key) ?? { tag, place: isFull ? undefined : `place ${key}` };
    books.set(key, made);
    if (made.tag !== tag) odd.push(`the key ${key} of ${made.tag} came with ${tag}`);
    return made.place === undefined ? { word: "full" } : { word: "booked", place: made.place };
  }
  if (call === "cancel") {
    const made = books.get(undoes);
    if (undoes === "" || (made && made.tag !== tag)) odd.push(`${tag} cancels ${undoes}`);
    cancelled.add(undoes);
    return { word: "done" };
  }
  if (!isCalm && random() < LATER_SHARE && !seals.has(key)) return undefined;
  seals.set(key, { tag, mark: `mark ${key}` });
  return { word: "sealed", mark: `mark ${key}` };
}

const unquoted = (header: unknown): string => String(header ?? "").replace(/^"|"$/g, "");

function take(request: IncomingMessage, response: ServerResponse, text: string): void {
  const call = (request.url ?? "").slice(1);
  const way = isCalm ? CALM : WAYS[call];
  const key = unquoted(request.headers["idempotency-key"]);
  if (way === undefined || key === "") {
    odd.push(`${call} ${key}: ${text}`);
    response.writeHead(404).end();
    return;
  }
  const { tag } = JSON.parse(text) as { tag: string };
  const roll = random();
  if (roll < way.busy) response.writeHead(503).end();
  else if (roll < way.busy + way.cutBefore) request.socket.destroy();
  else {
    const said = act(call, key, tag, unquoted(request.headers["lacuna-undoes"]));
    if (roll < way.busy + way.cutBefore + way.cutAfter) request.socket.destroy();
    else {
      const answer = (): void => {
        if (said === undefined) response.writeHead(202).end();
        else response.writeHead(200).end(JSON.stringify(said));
      };
      if (roll > 1 - way.late) setTimeout(answer, random() * LATE_MS);
      else answer();
    }
  }
}

const server = createServer((request, response) => {
  let text = "";
  request.setEncoding("utf8");
  request.on("data", (part: string) => {
    text += part;
  });
  request.on("error", () => {});
  request.on("end", () => take(request, response, text));
});
server.listen(0, "127.0.0.1", () => {
  parentPort?.postMessage({ port: (server.address() as AddressInfo).port });
});
parentPort?.on("message", (what: "calm" | "tell") => {
  if (what === "calm") isCalm = true;
  else parentPort?.postMessage({ books, cancelled, seals, odd });
});
