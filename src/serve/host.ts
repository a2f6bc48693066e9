/** Puts an engine, a writer, an alarm and a socket together: a service that answers requests. */
import type { AddressInfo } from "node:net";
import { type FailureCondition, type Gap, gapOf, type ItemId, type Plan } from "../plan/index.ts";
import { Choice, type OldTime, oldTimeOf, versionName } from "./engine/choice.ts";
import type { Engine } from "./engine/engine.ts";
import { aboutOf, type FailureAbout } from "./engine/failure-about.ts";
import type { Outside } from "./engine/outside.ts";
import { type GenerationService, Generations, gated, one, Traffic } from "./generations.ts";
import type { HostBounds } from "./http/bounds.ts";
import { boundsFor } from "./http/bounds.ts";
import { makeCrossOrigin } from "./http/cors.ts";
import { ownAnswer } from "./http/own.ts";
import { Proxies } from "./http/proxies.ts";
import { makeServer } from "./http/server.ts";
import type { Service } from "./http/service.ts";
import { Deadlines } from "./jobs/deadlines.ts";
import type { Job, Reply } from "./jobs/job.ts";
import type { Presence } from "./jobs/lanes.ts";
import { faultInside } from "./jobs/problem.ts";
import { neededBounds, neededByAll, statedFor } from "./limits/stated.ts";
import type { NextDocument, Opened } from "./opened.ts";
import type { ServeOptions } from "./options.ts";
import { Hasher } from "./secrets/hashing.ts";
import { CannotServe } from "./settings/refused.ts";
import type { Hub } from "./streams/hub.ts";
import { answering, type Done, submitter } from "./threads/answering.ts";
import { guarded } from "./threads/guarded.ts";
import { WriteTurns } from "./threads/turns.ts";
import { Alarm } from "./time/alarm.ts";
import type { Clock } from "./time/clock.ts";
import { type Log, logOf } from "./watch/log.ts";
import { seenOf, type Watched } from "./watching.ts";

/** A service that answers requests. */
export interface Running {
  readonly host: string;
  readonly port: number;
  /** `http://host:port`, without a path. */
  readonly address: string;
  /** The same of the operator's port, where there is one. */
  readonly admin: string | undefined;
  /** Answers what was begun, then closes sockets, threads and store. */
  stop(): Promise<void>;
  /** Resolves, to the reason, when the service cannot write any more: it is to be stopped then. */
  readonly failed: Promise<string>;
  /**
   * Serves another document over the same store from then on: requests that have begun end under
   * the one before. Rejects with `CannotServe`, and serves on as before, where it is not taken.
   */
  take(next: NextDocument): Promise<void>;
}

/** What a host takes of the options. */
export type HostOptions = Pick<
  ServeOptions,
  | "host"
  | "port"
  | "connected"
  | "bounds"
  | "file"
  | "admin"
  | "linesLost"
  | "log"
  | "logAs"
  | "traces"
  | "trustProxy"
>;

/** Listens and serves. Whatever was opened is closed again when that cannot be done. */
export async function host(opened: Opened, clock: Clock, options: HostOptions): Promise<Running> {
  // One object of bounds for all: a document that is taken later may need wider ones.
  const { bounds, proxies } = await termsOf(opened, options);
  const log = logOf(options);
  const at = (line: number): Presence => http.at(line);
  const hasher = new Hasher(clock, bounds, at);
  const settled = (): void => http.release();
  const generations = new Generations(
    opened,
    (one) => {
      return makeServices(one, { clock, bounds, log, hasher, at, settled });
    },
    bounds,
  );
  const busy = atMostEach(BUSY_EACH_MS, (text) => log.note({ what: "busy", text }));
  let isStopping = false;
  const watched: Watched = {
    opened: () => generations.opened,
    counts: () => http.counts(),
    isStopping: () => isStopping,
  };
  const seen = await seenOf(watched, { clock, bounds, log }, options).catch(async (fault) => {
    await generations.stop();
    await close(opened, 0);
    throw fault;
  });
  const http = makeServer(generations, { bounds, answered: seen.answered, busy, proxies });
  const take = one(async (next: NextDocument) => {
    const renewal = await generations.renew(next);
    const needed = neededBounds(renewal.plan, renewal.settings);
    const wider = boundsFor(needed, options.bounds);
    if (typeof wider === "string") {
      renewal.drop();
      throw new CannotServe([wider]);
    }
    try {
      await generations.take(renewal);
      Object.assign(bounds, wider);
      http.rebound();
    } finally {
      http.release();
    }
  });
  const stop = async (): Promise<void> => {
    isStopping = true;
    generations.end();
    await take.ended();
    const { opened } = generations;
    for (const one of [opened.hub, ...(opened.olderHubs ?? [])]) one.stop();
    await http.stop();
    await generations.stop();
    await close(opened, bounds.stopTimeoutMs);
    await seen.stop();
  };
  try {
    const { address, port } = await listen(http.server, options);
    if (opened.engine.timed) opened.writer.fire(clock.now());
    opened.courier?.wake();
    opened.caller?.wake();
    const { failed = new Promise<string>(() => {}) } = opened;
    const admin = await seen.open();
    const shown = address.includes(":") ? `[${address}]` : address;
    const running = { host: address, port, address: `http://${shown}:${port}`, stop, failed };
    return { ...running, admin, take: (next) => take.run(next) };
  } catch (fault) {
    await stop();
    throw fault;
  }
}

/** The method and path of an endpoint, of its id. */
function nameOf(id: string): string {
  return id.slice(id.indexOf("/") + 1);
}

/** What the operator has told of the host; where it cannot be so, what was opened is closed. */
async function termsOf(
  opened: Opened,
  options: HostOptions,
): Promise<{ readonly bounds: HostBounds; readonly proxies: Proxies }> {
  const { engine } = opened;
  try {
    const needed = neededByAll([engine, ...engine.older].map(({ parts }) => parts));
    const bounds = boundsFor(needed, options.bounds);
    if (typeof bounds === "string") throw new CannotServe([bounds]);
    return { bounds: { ...bounds }, proxies: new Proxies(options.trustProxy ?? []) };
  } catch (fault) {
    await close(opened, 0);
    throw fault;
  }
}

/** Closes all but the sockets. */
async function close(opened: Opened, timeoutMs: number): Promise<void> {
  opened.alarm.stop();
  await opened.others?.stop();
  await opened.courier?.stop(timeoutMs);
  opened.caller?.stop();
  // The connection that is closed last takes the log into the file: one that only reads cannot.
  if (!opened.inline) opened.engine.close();
  await opened.writer.stop();
}

interface ServiceParts {
  readonly clock: Clock;
  readonly bounds: HostBounds;
  readonly log: Log;
  readonly hasher: Hasher;
  /** How the connection of that number is. */
  readonly at: (line: number) => Presence;
  /** Told when the writer has answered a job. */
  readonly settled: () => void;
}

/** Gives a reply back, when the log has said what it has to say of it. */
function noterOf(log: Log): (reply: Reply, id?: string) => Reply {
  return (reply, id) => {
    for (const note of reply.notes ?? []) log.note(note, { id });
    return reply;
  };
}

/** The document of a service: the newest, or an older one by its index. */
interface Side {
  readonly engine: Engine;
  readonly hub: Hub;
  readonly older?: number;
}

/** The service of the newest document, which hands requests for another version on. */
function makeServices(opened: Opened, parts: ServiceParts): GenerationService {
  const { engine, hub, olderHubs = [] } = opened;
  const newest = makeService(opened, parts, { engine, hub });
  if (engine.older.length === 0) return newest;
  const plans = [...engine.older, engine].map((one) => one.parts.plan);
  const names = plans.map((one) => versionName(one));
  const choice = new Choice(plans, engine.parts.storage);
  const older = engine.older.map((one, at) =>
    makeService(opened, parts, { engine: one, hub: olderHubs[at] ?? hub, older: at }),
  );
  const all = [...older, newest];
  const answering = older.map((one, at) => hiddenBy(oldTimeOf(plans, at), one, all));
  const endings = choice.ends.flatMap((until, at) => {
    if (until === undefined) return [];
    const [now, end] = [parts.clock.now(), new Date(Number(until / 1000n)).toISOString()];
    const is = until <= now ? "was served until" : "is served until";
    parts.log.note({ what: "changed", text: `version \`${names[at]}\` ${is} ${end}` });
    const ending = new Alarm(parts.clock, () => olderHubs[at]?.stop());
    ending.set(until);
    return [ending];
  });
  return {
    ...newest,
    stop: async () => {
      for (const one of endings) one.stop();
      await Promise.all(all.map((one) => one.stop()));
    },
    versionOf: ({ target, request: { headers } }) =>
      answering[choice.of({ ...target, headers }, parts.clock.now()) ?? -1] ?? newest,
  };
}

/** Where it is not shown how long a version is kept, whether it is there still is not known. */
function hiddenBy(time: OldTime, own: Service, all: readonly Service[]): Service {
  if (time.is !== "gap") return own;
  const { gap, document } = time;
  const meet = (_: unknown, about: FailureAbout): Reply => (all[document] ?? own).gap(gap, about);
  const met = { gap: meet, fail: meet, own: meet, options: meet };
  return { ...own, match: () => ({ is: "gap", gap }), ...met };
}

/**
 * Reads are answered here and now, and long ones apart; all else, and a read when something is
 * due, by the writer.
 */
function makeService(
  opened: Opened,
  { clock, log, hasher, at, settled }: ServiceParts,
  { engine, hub, older }: Side,
): GenerationService {
  const traffic = new Traffic();
  const long = opened.long?.({
    at,
    note: (note) => log.note(note),
    fault: (job) => engine.fault(job),
  });
  const busy = (job: Job, done: Done) => () => {
    const { asked } = aboutOf(job, engine.parts.program);
    done(service.own("too busy", { asked }));
  };
  const { time } = engine.parts.limits;
  const deadlines =
    time && new Deadlines(clock, time.micros, (job) => noted(guarded(() => engine.late(job))));
  const noted = noterOf(log);
  const own: Opened = { ...opened, engine, hub };
  const turns = new WriteTurns(gated(own, traffic), at);
  const submit = submitter(own, { hasher, turns, long, traffic }, (reply, done) => {
    done(reply);
    settled();
  });
  const { plan } = engine.parts;
  const version = older === undefined ? "" : ` (version ${versionName(plan)})`;
  const answer = answering(own, { clock, deadlines, hasher, busy, long, noted, submit, traffic });
  const service: GenerationService = {
    stop: async () => {
      await long?.stop();
      deadlines?.stop();
    },
    traffic,
    match: (method, path) => engine.match(method, path),
    needs: (endpoint) => engine.needs(endpoint),
    writes: (endpoint) => engine.writes(endpoint),
    nameOf: (endpoint) => nameOf(engine.parts.program.endpoints[endpoint]?.id ?? "") + version,
    open: (opening, sink) => hub.open(opening, sink),
    bodyBytesMax: engine.parts.limits.bodyBytesMax,
    crossOrigin: makeCrossOrigin(plan.about),
    crossOriginGap: gapOf(plan.about.crossOrigin),
    now: () => clock.now(),
    answer: older === undefined ? answer : (job, done, id) => answer({ ...job, older }, done, id),
    ...outside(engine, clock, noted),
  };
  return service;
}

/** What answers requests that come to no endpoint, or not that far. */
function outside(
  engine: Engine,
  clock: Clock,
  noted: (reply: Reply, id?: string) => Reply,
): Pick<Service, "gap" | "fail" | "own" | "options" | "fault"> {
  const { plan } = engine.parts;
  const blank = blankGap(plan);
  type Make = (answers: Outside, now: bigint) => Reply;
  const give = (about: FailureAbout, make: Make, reads: boolean): Reply => {
    const made = guarded(() => engine.outside((answers) => make(answers, clock.now()), reads));
    return noted(made, about.asked.id);
  };
  // What the host says by itself looks at the store for the headers alone.
  const own = (about: FailureAbout, make: Make): Reply =>
    give(about, make, plan.headers !== undefined);
  const gap = (id: ItemId, about: FailureAbout): Reply =>
    own(about, (answers, now) => answers.gap(id, now, about));
  const fail = (condition: FailureCondition, about: FailureAbout): Reply =>
    blank === undefined
      ? give(about, (answers, now) => answers.failed(condition, now, about), true)
      : gap(blank, about);
  return {
    fail,
    gap,
    own: (condition, about) => {
      const refusal = statedFor(plan, condition);
      const isStated = plan.failures.some((row) => row.condition === condition);
      if (refusal || isStated) return fail(condition, { ...about, refusal });
      const reply = ownAnswer(condition);
      const by = { status: reply.status, conditions: [condition] };
      return own(about, (answers, now) => answers.own(reply, now, about, by));
    },
    options: (headers, about) => {
      const reply = { status: 204, headers, body: undefined };
      const by = { isOfAll: headers.length === 0 };
      return own(about, (answers, now) => answers.own(reply, now, about, by));
    },
    fault: (text, about) => {
      noted({ ...faultInside(), notes: [{ what: "fault", text }] }, about.asked.id);
      return fail("fault inside", about);
    },
  };
}

/** How often the log says that too much is asked. */
const BUSY_EACH_MS = 60_000;

/** Says the first of what there is to say in each such time. */
function atMostEach(eachMs: number, say: (text: string) => void): (text: string) => void {
  let nextMs = 0;
  return (text) => {
    const now = performance.now();
    if (now < nextMs) return;
    nextMs = now + eachMs;
    say(text);
  };
}

/** Where no endpoint is stated, every request meets the gap of the paths, or of the methods. */
function blankGap({ endpoints, streams, gaps }: Plan): ItemId | undefined {
  if (endpoints.length > 0 || streams.length > 0) return undefined;
  const about = (subject: string): Gap | undefined =>
    gaps.find((gap) => gap.part === "Endpoints" && gap.subject === subject);
  return (about("paths") ?? about("methods"))?.id;
}

function listen(
  server: ReturnType<typeof makeServer>["server"],
  options: HostOptions,
): Promise<AddressInfo> {
  const { host = "127.0.0.1", port = 0, connected } = options;
  if (connected !== undefined) {
    connected(server);
    return Promise.resolve({ address: host, port, family: "" });
  }
  return new Promise((resolve, reject) => {
    server.once("error", (fault: NodeJS.ErrnoException) => {
      const why = fault.code === "EADDRINUSE" ? "the address is in use" : fault.message;
      reject(new CannotServe([`Cannot listen at ${host}:${port}: ${why}.`], fault.code));
    });
    server.listen(port, host, () => resolve(server.address() as AddressInfo));
  });
}
