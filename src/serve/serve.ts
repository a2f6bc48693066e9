/** Serves a plan over HTTP on a durable store: opens the store, in the threads that use it. */
import type { Plan } from "../plan/index.ts";
import type { BehindCalls } from "./calls/behind.ts";
import type { Caller } from "./calls/caller.ts";
import { Courier } from "./delivery/courier.ts";
import type { Engine } from "./engine/engine.ts";
import type { Setup } from "./engine/open.ts";
import { openEngine, prepareEngine } from "./engine/open.ts";
import type { Opened, Running } from "./host.ts";
import { host } from "./host.ts";
import { DEFAULT_BOUNDS } from "./http/bounds.ts";
import { filesWithin } from "./jobs/files.ts";
import type { ServeOptions } from "./options.ts";
import { CannotServe } from "./settings/refused.ts";
import { settingTexts } from "./settings/settings.ts";
import { Hub } from "./streams/hub.ts";
import { threadWriter } from "./threads/thread-writer.ts";
import type { Writer, WriterEvents } from "./threads/writer.ts";
import { inlineWriter } from "./threads/writer.ts";
import { Alarm } from "./time/alarm.ts";
import type { Clock } from "./time/clock.ts";
import { systemClock } from "./time/clock.ts";

/** The share of all files of this process that attempts to deliver messages may take. */
const DELIVERIES_SHARE = 0.125;

/**
 * Opens the store and listens. Rejects with `CannotServe` for what the operator can mend (a setting
 * that is missing, a store of another document, an address in use).
 */
export async function servePlan(plan: Plan, options: ServeOptions): Promise<Running> {
  const behind =
    plan.calls.length === 0
      ? undefined
      : await (await import("./calls/behind.ts")).behindCalls(plan, options);
  const setup: Setup = {
    plan,
    code: behind?.code,
    origins: textOf(options.origins),
    store: storeOf(options),
    settings: settingTexts(plan, options.settings ?? {}, options.environment ?? process.env),
    startRows: options.startRows,
    shake: options.shake,
  };
  const clock = options.clock ?? systemClock((text) => options.log?.(`clock: ${text}`));
  try {
    return await host(await open(setup, { ...options, behind }, clock), clock, options);
  } catch (fault) {
    behind?.close();
    throw fault;
  }
}

function textOf(origins: ServeOptions["origins"]): string | undefined {
  return typeof origins === "object" ? JSON.stringify(origins) : origins;
}

function storeOf({ file, memory }: ServeOptions): Setup["store"] {
  if ((file === undefined) === (memory !== true)) {
    throw new CannotServe(["Name a file for the store, or say that it is in memory."]);
  }
  return file === undefined ? "memory" : { file };
}

interface OpenOptions extends ServeOptions {
  readonly behind: BehindCalls | undefined;
}

/** The writer opens first, for it makes the store; reads use a connection of this thread. */
async function open(setup: Setup, options: OpenOptions, clock: Clock): Promise<Opened> {
  const inline = options.inline === true || setup.store === "memory";
  const now = clock.now();
  let writer: Writer | undefined;
  let courier: Courier | undefined;
  let hub: Hub | undefined;
  let caller: Caller | undefined;
  const alarm = new Alarm(clock, (at) => writer?.fire(at));
  const { promise: failed, resolve: gaveUp } = Promise.withResolvers<string>();
  const events: WriterEvents = {
    gaveUp,
    due: (at) => alarm.set(at),
    news: ({ notes, messages, events: happened, calls }) => {
      for (const { what, text } of notes) options.log?.(`${what}: ${text}`);
      if (messages) courier?.wake();
      if (happened) hub?.wake();
      if (calls) caller?.wake();
    },
  };
  const opened = (engine: Engine, writing: Writer): Opened => {
    events.fault = (endpoint) => engine.fault(endpoint);
    engine.parts.storage.loss.listen(gaveUp);
    if (setup.plan.webhooks.length > 0) {
      const { deliveriesMax = DEFAULT_BOUNDS.deliveriesMax } = options.bounds ?? {};
      courier = new Courier(writing, clock, {
        allowPrivate: options.allowPrivateReceivers === true,
        most: filesWithin(deliveriesMax, DELIVERIES_SHARE),
      });
    }
    hub = new Hub(engine.source(clock), clock);
    caller = options.behind?.caller(writing, clock);
    return { engine, writer: writing, alarm, inline, courier, hub, caller, failed };
  };
  if (inline) {
    const engine = openEngine(setup, { mode: "write", now, random: options.random });
    writer = inlineWriter(engine, events);
    const news = engine.news();
    if (news) events.news(news);
    return opened(engine, writer);
  }
  if (options.random) throw new CannotServe(["`random` can be given only with `inline`."]);
  // This thread prepares what it reads with while the other makes or opens the store.
  const prepare = async () => prepareEngine(setup, "read");
  const [writing, reading] = await Promise.allSettled([
    threadWriter(setup, clock, events, options.thread),
    prepare(),
  ]);
  if (writing.status === "rejected") throw writing.reason;
  writer = writing.value;
  try {
    if (reading.status === "rejected") throw reading.reason;
    return opened(reading.value.open({ now }), writer);
  } catch (fault) {
    await writer.stop();
    throw fault;
  }
}
