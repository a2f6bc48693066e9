/**
 * `npm run bench:verify [-- --only judged|whole|schemathesis] [-- --requests N] [-- --seconds N]`
 * `[-- --faults N]`: how many requests a second are sent and judged against a trivial server; and
 * `lacuna verify` beside Schemathesis on one service with the same faults. SEED.
 * Schemathesis is found by `LACUNA_SCHEMATHESIS`, or in PATH. Ends with 1 below 2,000 a second.
 */
import { fork } from "node:child_process";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { Client, Session, verify } from "../src/verify/index.ts";
import { campaignOptions } from "../test/campaigns/options.ts";
import { exportableOf } from "../test/export/exported.ts";
import { campaignSeed } from "../test/random.ts";
import { besides } from "./verify-beside.ts";

const WANTED = 2_000;
const REQUESTS = 20_000;
const WARM_UP = 2_000;
const MICROS = 1e6;

interface Note {
  readonly id: string;
  readonly text: string;
  readonly stars: number;
}

const isText = (text: unknown): boolean =>
  typeof text === "string" && text !== "" && [...text].length <= 500;
/** `JSON.parse` does not tell 4.0 from 4. */
const hasFraction = (sent: string): boolean => /"stars"\s*:\s*-?\d+[.eE]/.test(sent);
const isStars = (stars: unknown): boolean =>
  Number.isInteger(stars) && Number(stars) >= 0 && Number(stars) <= 5;

/** The method is none of those of the path: the others are named. */
const ALLOWED = "allowed";

/** What a body gives; undefined: it is not as `verify.md` states. */
function givenBy(sent: string, isNew: boolean): Partial<Note> | undefined {
  try {
    const body: unknown = JSON.parse(sent);
    if (typeof body !== "object" || body === null || Array.isArray(body)) return undefined;
    if (hasFraction(sent)) return undefined;
    const { text, stars, ...others } = body as Record<string, unknown>;
    const isWhole = text !== undefined || !isNew;
    if (!isWhole || (text !== undefined && !isText(text))) return undefined;
    if (stars !== undefined && !isStars(stars)) return undefined;
    return Object.keys(others).length === 0 ? body : undefined;
  } catch {
    return undefined;
  }
}

/** A service that does what `verify.md` states, and nothing else, in a process of its own. */
function trivialServer(): void {
  const notes = new Map<string, Note>();
  const answerTo = ({ method, url = "", headers }: IncomingMessage, sent: string) => {
    const [path = "", query] = url.split("?");
    const id = /^\/notes\/([^/]+)$/.exec(path)?.[1];
    if (path !== "/notes" && id === undefined) return 404;
    const isRead = id !== undefined && method === "GET";
    const isNew = id === undefined && method === "POST";
    if (!isRead && !isNew && !(id !== undefined && method === "PATCH")) return ALLOWED;
    const isJson = headers["content-type"] === "application/json";
    const isEmpty = isRead || (sent === "" && !isNew);
    const given = isEmpty ? {} : isJson ? givenBy(sent, isNew) : undefined;
    if (given === undefined || query !== undefined || (isRead && sent !== "")) return 422;
    const before = isNew ? { id: `note_${notes.size}`, text: "", stars: 0 } : notes.get(id ?? "");
    if (before === undefined) return 404;
    const note = { ...before, ...given };
    notes.set(note.id, note);
    return note;
  };
  const server = createServer((incoming, outgoing) => {
    let sent = "";
    incoming.on("data", (chunk) => (sent += String(chunk)));
    incoming.on("end", () => {
      const answer = answerTo(incoming, sent);
      if (answer === ALLOWED) {
        const allowed = incoming.url === "/notes" ? "POST, OPTIONS" : "GET, PATCH, HEAD, OPTIONS";
        outgoing.writeHead(422, { Allow: allowed }).end();
      } else if (typeof answer === "number") outgoing.writeHead(answer).end();
      else {
        const status = incoming.method === "POST" ? 201 : 200;
        outgoing.writeHead(status, { "Content-Type": "application/json" });
        outgoing.end(JSON.stringify(answer));
      }
    });
  });
  server.listen(0, "127.0.0.1", () => process.send?.((server.address() as AddressInfo).port));
  process.on("disconnect", () => process.exit());
}

/** Seconds of processor time of this process since then. */
function cpuSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / MICROS;
}

/** Requests one at a time: a note is made, read and changed. */
async function judgedRate(address: string, count: number): Promise<boolean> {
  const { plan, occursAt } = exportableOf(join(import.meta.dirname, "verify.md"));
  const now = BigInt(Date.now()) * 1000n;
  const session = new Session(plan, { tag: "bench", now, occurring: occursAt, most: 100 });
  const client = new Client(new URL(address));
  const headers = [["Content-Type", "application/json"]] as const;
  let note = "";
  const ask = async (i: number): Promise<void> => {
    const target = `/notes/${note}`;
    const requests = [
      { method: "GET", target, headers: [] },
      { method: "PATCH", target, headers, body: `{"stars":${i % 5}}` },
      { method: "GET", target, headers: [] },
    ];
    const made = { method: "POST", target: "/notes", headers, body: `{"text":"bench ${i}"}` };
    const request = i % 500 === 0 ? made : requests[i % requests.length];
    if (request === undefined) return;
    const answer = await client.ask(request);
    const { is } = session.judged(request, answer);
    if (is !== "as stated") throw new Error(`${request.method} ${request.target}: ${is}`);
    if (request === made) note = JSON.parse(answer.body ?? "").id;
  };
  for (let i = 0; i < WARM_UP; i++) await ask(i);
  const [before, began] = [process.cpuUsage(), performance.now()];
  for (let i = WARM_UP; i < WARM_UP + count; i++) await ask(i);
  const seconds = (performance.now() - began) / 1000;
  const cpu = cpuSince(before);
  client.close();
  const rate = count / cpu;
  const figures = `${Math.round(rate)} a second of processor time, ${Math.round(count / seconds)} by the clock`;
  console.log(`sent and judged, one at a time: ${figures} (wanted: ${WANTED})`);
  return rate >= WANTED;
}

/** A whole run: requests are chosen, too. */
async function wholeRun(address: string, seed: number): Promise<void> {
  const { plan, occursAt } = exportableOf(join(import.meta.dirname, "verify.md"));
  const before = process.cpuUsage();
  const { session, seconds, ended } = await verify(plan, new URL(address), {
    ...{ seed, tag: `b${seed}`, requestsMax: 3000, secondsMax: 60, shrinkMax: 0, breaksMax: 25 },
    occurring: occursAt,
  });
  const cpu = cpuSince(before);
  const { requests, breaks } = session;
  const figures = `${requests} requests, ${breaks.length} broken answers, ${seconds.toFixed(1)} s, ${cpu.toFixed(1)} s of processor time`;
  console.log(`a whole run, choosing included: ${figures}, ended by ${ended}`);
}

async function bench(): Promise<void> {
  const {
    only,
    requests = REQUESTS,
    seconds,
    faults,
  } = campaignOptions({
    ...{ only: "text", requests: "count", seconds: "count", faults: "count" },
  } as const);
  const seed = campaignSeed();
  console.log(`SEED=${seed}`);
  const child = fork(import.meta.filename, ["serve"]);
  const port = await new Promise<number>((done) =>
    child.once("message", (one) => done(Number(one))),
  );
  const address = `http://127.0.0.1:${port}`;
  try {
    if (only === undefined || only === "judged") {
      if (!(await judgedRate(address, requests))) process.exitCode = 1;
    }
    if (only === undefined || only === "whole") await wholeRun(address, seed);
  } finally {
    child.disconnect();
  }
  if (only === undefined || only === "schemathesis") await besides({ seed, seconds, faults });
}

if (process.argv[2] === "serve") trivialServer();
else await bench();
