/** The thread of the receivers: listens for all hooks, answers as their moods are, and tells. */

import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { parentPort, workerData } from "node:worker_threads";
import { Webhook } from "standardwebhooks";
import { randomFrom } from "../../random.ts";
import type { Arrival, Mood } from "./hooks.ts";
import { HOOKS, SECRET } from "./hooks.ts";

const random = randomFrom(workerData as number);
const arrivals: Arrival[] = [];
const taken: string[] = [];
const odd: string[] = [];
const signature = new Webhook(SECRET);
/** From now on every receiver that ever answers does so, and well. */
let isCalm = false;
let isAwayListening = false;
let isMute = false;

/** Status and delay of an answer; no status: the connection is cut, or left without an answer. */
function answerOf(mood: Mood): { readonly status?: number; readonly afterMs?: number } {
  if (mood === "never") return { status: 500 };
  if (mood === "gone") return { status: 410 };
  if (isCalm || mood === "well" || mood === "away") return { status: 204 };
  if (mood === "mute") return isMute ? {} : { status: 200 };
  if (mood === "slow") return { status: 204, afterMs: random() * (random() < 0.2 ? 1400 : 300) };
  const roll = random();
  if (roll < 0.15) return { afterMs: 0 };
  return roll < 0.6
    ? { status: [500, 503, 404, 302, 429][Math.floor(random() * 5)] }
    : { status: 202 };
}

interface Body {
  readonly type: string;
  readonly id: string;
  readonly data: { readonly tag: string };
}

function take(request: IncomingMessage, response: ServerResponse, text: string): void {
  const name = (request.url ?? "").slice(1);
  const hook = HOOKS.find((one) => one.name === name);
  try {
    const body = signature.verify(text, request.headers as Record<string, string>) as Body;
    const { type, id, data } = body;
    if (hook === undefined || id !== request.headers["webhook-id"]) throw new Error("misdirected");
    arrivals.push({ hook: name, id, event: type, tag: data.tag });
    parentPort?.postMessage("arrived");
    const { status, afterMs } = answerOf(hook.mood);
    const answer = (): void => {
      if (status === undefined) request.socket.destroy();
      else {
        if (status < 300) taken.push(`${name} ${id}`);
        response.writeHead(status).end();
      }
    };
    if (afterMs !== undefined) setTimeout(answer, afterMs);
    else if (status !== undefined) answer();
  } catch (fault) {
    odd.push(`${name}: ${String(fault)}: ${text.slice(0, 200)}`);
    response.writeHead(500).end();
  }
}

function server(): Server {
  return createServer((request, response) => {
    let text = "";
    request.setEncoding("utf8");
    request.on("data", (part: string) => {
      text += part;
    });
    request.on("error", () => {});
    request.on("end", () => take(request, response, text));
  });
}

function listen(on: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    on.once("error", reject);
    on.listen(port, "127.0.0.1", () => resolve((on.address() as AddressInfo).port));
  });
}

const main = server();
const port = await listen(main, 0);
let away = server();
const awayPort = await listen(away, 0);
isAwayListening = true;

/** Receivers come and go. */
async function turn(): Promise<void> {
  isMute = !isCalm && random() < 0.4;
  const wanted = isCalm || random() < 0.5;
  if (wanted === isAwayListening) return;
  isAwayListening = wanted;
  if (wanted) {
    away = server();
    await listen(away, awayPort);
  } else {
    away.close();
    away.closeAllConnections();
  }
}

function again(): void {
  setTimeout(() => void turn().then(again), 100 + random() * 700);
}

again();
parentPort?.on("message", (what: "calm" | "tell") => {
  if (what === "calm") isCalm = true;
  else parentPort?.postMessage({ arrivals, taken, odd });
});
parentPort?.postMessage({ port, awayPort });
