/** Sends hostile requests to services in a process of their own, and watches that process. */

import type { ChildProcess } from "node:child_process";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Case } from "./cases.ts";
import { nextCase } from "./cases.ts";
import { partsOf, written } from "./framing.ts";
import { judge } from "./judge.ts";
import { canary, slowSenders, stalledReaders, watchStream } from "./onlookers.ts";
import type { Target } from "./targets.ts";
import { targetsAt } from "./targets.ts";
import { Line } from "./wire.ts";

export interface Plan {
  readonly folder: string;
  readonly count: number;
  readonly random: () => number;
  readonly progress?: (line: string) => void;
}

export interface Fault {
  readonly what: string;
  readonly target: string;
  readonly kind: string;
  readonly bytes: Buffer;
  /** How many requests of that kind met it. */
  times: number;
}

export interface Result {
  readonly sent: number;
  readonly answers: ReadonlyMap<number, number>;
  readonly kinds: number;
  readonly faults: readonly Fault[];
  /** Resident memory in bytes: after the start, and at most. */
  readonly rssStart: number;
  readonly rssMax: number;
  /** Senders byte by byte whose connection the service ended; all, in a run of over a minute. */
  readonly slowCut: number;
  /** Events that a good reader of a stream got. */
  readonly events: number;
  readonly probes: number;
  readonly probeP99Ms: number;
  readonly probeMaxMs: number;
}

const LINES = 32;
const PROBE_MS = 25;
/** Four services with two connections each to their stores, and the caches of all of them. */
const RSS_MAX = 1_073_741_824;

interface Health {
  readonly rss: number;
  readonly polluted: readonly string[];
}

/** The process with the services. */
class Services {
  readonly child: ChildProcess;
  said = "";
  private readonly lines: AsyncIterator<string>;

  constructor(folder: string) {
    this.child = spawn(process.execPath, [join(import.meta.dirname, "child.ts"), folder]);
    this.child.stderr?.on("data", (data) => {
      const text = String(data)
        .split("\n")
        .filter((one) => !/^(gap|unsupported):/.test(one));
      this.said = (this.said + text.join("\n")).slice(0, 20_000);
    });
    const input = this.child.stdout as NodeJS.ReadableStream;
    this.lines = createInterface({ input })[Symbol.asyncIterator]();
  }

  async next<T>(): Promise<T> {
    const { value, done } = await this.lines.next();
    if (done === true) throw new Error(`the services ended:\n${this.said}`);
    return JSON.parse(value) as T;
  }

  health(): Promise<Health> {
    this.child.stdin?.write("?\n");
    return this.next<Health>();
  }

  async stop(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const gone = once(this.child, "exit");
    this.child.kill("SIGKILL");
    await gone;
  }
}

/** What has been seen so far. */
class Seen {
  readonly answers = new Map<number, number>();
  readonly kinds = new Set<string>();
  readonly faults = new Map<string, Fault>();
  readonly probesMs: number[] = [];
  sent = 0;

  fault(what: string, target: string, { kind, bytes }: Pick<Case, "kind" | "bytes">): void {
    const name = `${target} ${kind} ${what.slice(0, 60)}`;
    const known = this.faults.get(name);
    if (known) known.times++;
    else this.faults.set(name, { what, target, kind, bytes, times: 1 });
  }
}

async function attack(target: Target, plan: Plan, seen: Seen): Promise<void> {
  const line = new Line(target.port);
  while (seen.sent < plan.count) {
    const number = seen.sent++;
    let used = 0;
    const made = nextCase(target, plan.random, () => `u${number}-${used++}`);
    seen.kinds.add(made.kind);
    const exchange = await line.exchange(made);
    for (const { status } of exchange.answers) {
      seen.answers.set(status, (seen.answers.get(status) ?? 0) + 1);
    }
    const wrong = judge(made, exchange);
    if (wrong !== undefined) seen.fault(wrong, target.name, made);
  }
  line.close();
}

/** A client that means well, beside all that. */
async function probe(target: Target, plan: Plan, seen: Seen): Promise<void> {
  const line = new Line(target.port);
  const { method, path, headers } = target.probe;
  const parts = partsOf({ method, path, headers });
  const bytes = written(parts);
  while (seen.sent < plan.count) {
    const started = performance.now();
    const exchange = await line.exchange({ bytes, methods: [method], open: false });
    seen.probesMs.push(performance.now() - started);
    const status = exchange.answers[0]?.status;
    if (status !== 200) {
      const what = `a good request got ${status} ${exchange.end}`;
      seen.fault(what, target.name, { kind: "probe", bytes });
    }
    await new Promise((resolve) => setTimeout(resolve, PROBE_MS));
  }
  line.close();
}

function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

/** Runs `count` hostile requests; never throws for what a service does, but when it ends. */
export async function campaign(plan: Plan): Promise<Result> {
  const services = new Services(plan.folder);
  const forbidden = await canary();
  const seen = new Seen();
  try {
    const targets = await targetsAt(await services.next(), forbidden.port);
    const rssStart = (await services.health()).rss;
    const slow = slowSenders(targets[0]?.port ?? 0);
    const stalled = targets.map(stalledReaders);
    const watchers = targets.map(watchStream);
    const work = Promise.all(
      targets.flatMap((target) => [
        probe(target, plan, seen),
        ...Array.from({ length: LINES / targets.length }, () => attack(target, plan, seen)),
      ]),
    );
    const rssMax = await watch(services, { plan, seen, work });
    const slowCut = slow();
    for (const stop of stalled) stop();
    const watched = watchers.map((stop) => stop());
    for (const fault of watched.flatMap(({ faults }) => faults))
      seen.fault(fault, "stream", NOTHING);
    const events = watched.reduce((sum, one) => sum + one.events, 0);
    const came = forbidden.stop();
    if (came > 0) seen.fault(`${came} connections into the host's own network`, "hooks", NOTHING);
    for (const target of targets) {
      const alive = await new Line(target.port).exchange({ ...NOTHING, bytes: bytesOf(target) });
      if (alive.answers[0]?.status !== 200) seen.fault("not served any more", target.name, NOTHING);
    }
    if (rssMax > RSS_MAX) seen.fault(`${rssMax} bytes of memory`, "process", NOTHING);
    if (/\bfault\b|Error/.test(services.said)) seen.fault(services.said, "log", NOTHING);
    return {
      sent: seen.sent,
      answers: seen.answers,
      kinds: seen.kinds.size,
      faults: [...seen.faults.values()],
      rssStart,
      rssMax,
      slowCut,
      events,
      probes: seen.probesMs.length,
      probeP99Ms: percentile(seen.probesMs, 0.99),
      probeMaxMs: percentile(seen.probesMs, 1),
    };
  } finally {
    forbidden.stop();
    await services.stop();
  }
}

const NOTHING = { kind: "end", bytes: Buffer.alloc(0), methods: ["GET"], open: false } as const;

function bytesOf({ probe: { method, path, headers } }: Target): Buffer {
  const close = [...headers, ["Connection", "close"] as const];
  return written(partsOf({ method, path, headers: close }));
}

interface Watched {
  readonly plan: Plan;
  readonly seen: Seen;
  readonly work: Promise<unknown>;
}

/** Samples memory and prototypes until the work is done; gives the most memory seen. */
async function watch(services: Services, { plan, seen, work }: Watched): Promise<number> {
  let isDone = false;
  const done = work.then(() => {
    isDone = true;
  });
  let rssMax = 0;
  let shown = 0;
  while (!isDone) {
    const { rss, polluted } = await services.health();
    rssMax = Math.max(rssMax, rss);
    if (polluted.length > 0) seen.fault(`polluted: ${polluted.join()}`, "process", NOTHING);
    if (seen.sent - shown >= 10_000) {
      shown = seen.sent;
      const mib = Math.round(rss / 1_048_576);
      plan.progress?.(`${shown} sent, ${seen.faults.size} faults, ${mib} MiB`);
    }
    await Promise.race([done, new Promise((resolve) => setTimeout(resolve, 250))]);
  }
  await done;
  return rssMax;
}
