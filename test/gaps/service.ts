/** Serves a plan in memory, without sockets, again and again; judges nothing. */
import type { Server } from "node:http";
import type { Plan } from "../../src/plan/index.ts";
import { behindCalls } from "../../src/serve/calls/behind.ts";
import type { Caller } from "../../src/serve/calls/caller.ts";
import { type Prepared, prepareEngine } from "../../src/serve/engine/open.ts";
import { host } from "../../src/serve/host.ts";
import { type MovableClock, movableClock } from "../../src/serve/index.ts";
import { Hub } from "../../src/serve/streams/hub.ts";
import { inlineWriter, type Writer } from "../../src/serve/threads/writer.ts";
import { Alarm } from "../../src/serve/time/alarm.ts";
import { cheap } from "../histories/subjects.ts";
import { settingsFor } from "../served/example.ts";
import { Direct } from "./direct.ts";
import type { Ready } from "./static.ts";
import type { Subject } from "./subjects.ts";

/** What the operator gives for each setting. */
export function settingsGiven(plan: Plan, { environment = {} }: Subject): Record<string, string> {
  const given = plan.about.settings.flatMap(({ name }) => {
    const text = environment[`LACUNA_SETTING_${name.toUpperCase()}`];
    return text === undefined ? [] : [[name, text] as const];
  });
  return { ...settingsFor(plan), ...Object.fromEntries(given) };
}

/** A service that has begun. */
export interface Begun {
  readonly clock: MovableClock;
  readonly connection: Direct;
  stop(): Promise<void>;
}

type Begin = (at: bigint, random: (bytes: number) => Uint8Array) => Promise<Begun>;

const prepared = new WeakMap<Ready, Promise<Begin>>();

/**
 * What begins a service of a plan; compiled once. Messages are recorded and not delivered. Throws
 * `CannotServe`.
 */
export function serviceOf(ready: Ready, subject: Subject): Promise<Begin> {
  const known = prepared.get(ready) ?? prepare(ready, subject);
  prepared.set(ready, known);
  return known;
}

async function prepare(ready: Ready, subject: Subject): Promise<Begin> {
  const plan = cheap(ready.plan) as Plan;
  const behind = plan.calls.length === 0 ? undefined : await behindCalls(plan, { standIns: true });
  const engine = prepareEngine(
    {
      ...{ plan, store: "memory", startRows: subject.rows, code: behind?.code },
      origins: JSON.stringify(ready.origins),
      settings: settingsGiven(plan, subject),
    },
    "write",
  );
  return async (at, random) => {
    const clock = movableClock(at);
    return begin(engine, { clock, random, caller: behind && ((one) => behind.caller(one, clock)) });
  };
}

interface Beginning {
  readonly clock: MovableClock;
  readonly random: (bytes: number) => Uint8Array;
  readonly caller: ((writer: Writer) => Caller) | undefined;
}

async function begin(prepared: Prepared, { clock, random, caller: calling }: Beginning) {
  const engine = prepared.open({ now: clock.now(), random });
  let hub: Hub | undefined;
  let caller: Caller | undefined;
  const writer: Writer = inlineWriter(engine, {
    due: (at) => alarm.set(at),
    news: ({ events, calls }) => {
      if (events) hub?.wake();
      if (calls) caller?.wake();
    },
    fault: (endpoint) => engine.fault(endpoint),
  });
  const alarm = new Alarm(clock, (at) => writer.fire(at));
  hub = new Hub(engine.source(clock), clock);
  caller = calling?.(writer);
  let server: Server | undefined;
  const connected = (one: Server): void => {
    server = one;
  };
  const opened = { engine, writer, alarm, inline: true, hub, caller };
  const running = await host(opened, clock, { connected });
  if (server === undefined) throw new Error("the service has no server");
  const connection = new Direct(server);
  const stop = async (): Promise<void> => {
    connection.close();
    await running.stop();
  };
  return { clock, connection, stop };
}
