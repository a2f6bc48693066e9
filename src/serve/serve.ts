/** Serves a plan over HTTP on a durable store: opens the store, in the threads that use it. */
import { randomUUID } from "node:crypto";
import type { Plan } from "../plan/index.ts";
import { connectionOf, placeNamed } from "../store/index.ts";
import type { BehindCalls } from "./calls/behind.ts";
import type { Caller } from "./calls/caller.ts";
import { Courier } from "./delivery/courier.ts";
import type { Engine } from "./engine/engine.ts";
import type { OlderSetup } from "./engine/older.ts";
import type { Prepared, Setup } from "./engine/open.ts";
import { openEngine, prepareEngine } from "./engine/open.ts";
import { judgeSideBySide } from "./engine/side-by-side.ts";
import type { Running } from "./host.ts";
import { host } from "./host.ts";
import { DEFAULT_BOUNDS } from "./http/bounds.ts";
import { filesWithin } from "./jobs/files.ts";
import type { NextDocument, Opened, Renewal } from "./opened.ts";
import type { ServeOptions } from "./options.ts";
import { CannotServe } from "./settings/refused.ts";
import { settingTexts } from "./settings/settings.ts";
import { Hub } from "./streams/hub.ts";
import { LongReads, type MakeLongReads } from "./threads/long-reads.ts";
import { Others } from "./threads/others.ts";
import { QuickWriter } from "./threads/quick-writer.ts";
import { threadWriter } from "./threads/thread-writer.ts";
import type { Writer, WriterEvents } from "./threads/writer.ts";
import { inlineWriter } from "./threads/writer.ts";
import { Alarm } from "./time/alarm.ts";
import type { Clock } from "./time/clock.ts";
import { systemClock } from "./time/clock.ts";
import { type Log, logOf } from "./watch/log.ts";

/** The share of all files of this process that attempts to deliver messages may take. */
const DELIVERIES_SHARE = 0.125;

/**
 * Opens the store and listens. Rejects with `CannotServe` for what the operator can mend (a setting
 * that is missing, a store of another document, an address in use).
 */
export async function servePlan(plan: Plan, options: ServeOptions): Promise<Running> {
  const log = logOf(options);
  const clock = options.clock ?? systemClock((text) => log.note({ what: "clock", text }));
  const parts: Parts = { options, clock, log, store: storeOf(options) };
  const behind = await behindOf(plan, parts);
  try {
    const { startRows } = options;
    const first = { plan, origins: textOf(options.origins), startRows };
    const older = (options.older ?? []).map(({ plan: own, origins, name }) => {
      return { plan: own, origins: textOf(origins), name };
    });
    if (older.length > 0) judgeSideBySide([...older, { ...first, name: options.name }]);
    const setup = setupOf(first, { ...parts, behind }, older);
    return await host(await open(setup, behind, parts), clock, options);
  } catch (fault) {
    behind?.close();
    throw fault;
  }
}

interface Parts {
  readonly options: ServeOptions;
  readonly clock: Clock;
  readonly log: Log;
  readonly store: Setup["store"];
}

async function behindOf(
  plan: Plan,
  { options, log }: Pick<Parts, "options" | "log">,
): Promise<BehindCalls | undefined> {
  if (plan.calls.length === 0) return undefined;
  const fault = (text: string): void => log.note({ what: "fault", text });
  return await (await import("./calls/behind.ts")).behindCalls(plan, { ...options, log: fault });
}

function setupOf(
  { plan, origins, startRows }: Pick<Setup, "plan" | "origins" | "startRows">,
  { options, store, behind }: Parts & { readonly behind: BehindCalls | undefined },
  older: readonly Omit<OlderSetup, "settings">[] = [],
): Setup {
  const settingsOf = (one: Plan): Setup["settings"] =>
    settingTexts(one, options.settings ?? {}, options.environment ?? process.env);
  return {
    plan,
    code: behind?.code,
    origins,
    store,
    settings: settingsOf(plan),
    older: older.map(({ plan: own, origins: at }) => {
      return { plan: own, origins: at, settings: settingsOf(own) };
    }),
    startRows,
    shake: options.shake,
    examples: options.examples,
  };
}

function textOf(origins: ServeOptions["origins"]): string | undefined {
  return typeof origins === "object" ? JSON.stringify(origins) : origins;
}

function storeOf({ file, memory, explains = false }: ServeOptions): Setup["store"] {
  if ((file === undefined) === (memory !== true)) {
    throw new CannotServe(["Name a file for the store, or say that it is in memory."]);
  }
  if (file === undefined) {
    if (explains) throw new CannotServe(["A store in memory takes no round trips to explain."]);
    return "memory";
  }
  const place = placeNamed(file);
  if ("postgres" in place) return { ...place, node: randomUUID(), explains };
  if (explains) throw new CannotServe(["A store in a file takes no round trips to explain."]);
  return place;
}

/** What goes on while documents come and go. */
class Lasting {
  readonly alarm: Alarm;
  readonly events: WriterEvents;
  readonly failed: Promise<string>;
  private readonly parts: Parts;
  private readonly heard: NonNullable<Opened["heard"]> = { note: () => {} };
  private readonly inline: boolean;
  private writer: Writer | undefined;
  private courier: Courier | undefined;
  private hub: Hub | undefined;
  private olderHubs: readonly Hub[] = [];
  private caller: Caller | undefined;
  private behind: BehindCalls | undefined;
  private others: Others | undefined;

  constructor(parts: Parts, inline: boolean, behind: BehindCalls | undefined) {
    const { clock, log } = parts;
    this.parts = parts;
    this.inline = inline;
    this.behind = behind;
    this.alarm = new Alarm(clock, (at) => this.writer?.fire(at));
    const { promise, resolve: gaveUp } = Promise.withResolvers<string>();
    this.failed = promise;
    this.events = {
      gaveUp,
      due: (at) => this.alarm.set(at),
      news: ({ notes, messages, events, calls }) => {
        for (const note of notes) {
          log.note(note);
          this.heard.note(note);
        }
        if (messages) this.courier?.wake();
        if (events) for (const one of [this.hub, ...this.olderHubs]) one?.wake();
        if (calls) this.caller?.wake();
      },
    };
  }

  /** What a service runs on, now that the engine reads. */
  opened(engine: Engine, writer: Writer, setup: Setup): Opened {
    const { clock, log, options } = this.parts;
    this.writer = writer;
    this.events.fault = (job) => engine.faultOf(job);
    engine.parts.storage.loss.listen((why) => this.events.gaveUp?.(why));
    if (engine.parts.plan.webhooks.length > 0) {
      const { deliveriesMax = DEFAULT_BOUNDS.deliveriesMax } = options.bounds ?? {};
      this.courier ??= new Courier(writer, clock, {
        allowPrivate: options.allowPrivateReceivers === true,
        most: filesWithin(deliveriesMax, DELIVERIES_SHARE),
      });
    }
    const source = engine.source(clock);
    if (this.hub === undefined) this.hub = new Hub(source, clock);
    else this.hub.turn(source);
    this.olderHubs = engine.older.map((one) => new Hub(one.source(clock), clock));
    this.caller ??= this.behind?.caller(writer, clock, engine.parts.storage.shared !== undefined);
    this.others ??= new Others(setup.store, {
      heard: (told) => this.events.news({ notes: [], ...told }),
      look: () => this.writer?.fire(clock.now()),
      note: (text) => log.note({ what: "clock", text }),
    });
    const { alarm, courier, hub, olderHubs, heard, caller, failed, others } = this;
    const inline = this.inline && engine.parts.storage.shared === undefined;
    const renew = (next: NextDocument) => this.renew(next, engine.parts.plan, writer);
    const { threads = 1 } = options;
    const apart: MakeLongReads = (around) => new LongReads({ setup, clock, threads, ...around });
    const long = this.inline ? undefined : apart;
    const all = { hub, olderHubs, heard, caller, failed, renew, long, others };
    return { engine, writer, alarm, inline, courier, ...all };
  }

  private async renew(next: NextDocument, former: Plan, writer: Writer): Promise<Renewal> {
    if ((this.parts.options.older ?? []).length > 0) {
      throw new CannotServe(["Several documents are served side by side: they need a new start."]);
    }
    const isSame = JSON.stringify(next.plan.calls) === JSON.stringify(former.calls);
    const behind = isSame ? this.behind : await behindOf(next.plan, this.parts);
    const isNew = behind !== this.behind;
    const setup = setupOf(next, { ...this.parts, behind });
    // This thread prepares what it reads with while another prepares what it writes with.
    const prepare = async () => prepareEngine(setup, "read");
    const [turning, reading] = await Promise.allSettled([writer.renew(setup), prepare()]);
    const drop = (): void => {
      if (turning.status === "fulfilled") turning.value.drop();
      if (isNew) behind?.close();
    };
    if (turning.status === "rejected" || reading.status === "rejected") {
      drop();
      throw turning.status === "rejected"
        ? turning.reason
        : (reading as { reason: unknown }).reason;
    }
    const { plan, settings } = reading.value;
    const take = async (): Promise<Opened> => {
      try {
        await turning.value.take();
      } catch (fault) {
        if (isNew) behind?.close();
        throw fault;
      }
      const connection = await connectionOf(setup.store);
      const now = this.parts.clock.now();
      const engine = reading.value.open({ now, connection });
      // The document is taken: without it the other thread writes all.
      await quickly(writer, reading.value, setup, now).catch((fault: unknown) =>
        this.parts.log.note({ what: "fault", text: String(fault) }),
      );
      if (isNew && behind !== undefined) this.caller?.turn(behind.door);
      this.behind = behind;
      return this.opened(engine, writer, setup);
    };
    return { plan, settings, take, drop };
  }
}

/** The writer opens first, for it makes the store; reads use a connection of this thread. */
async function open(setup: Setup, behind: BehindCalls | undefined, parts: Parts): Promise<Opened> {
  const { options, clock } = parts;
  const inline = options.inline === true || setup.store === "memory";
  const now = clock.now();
  const lasting = new Lasting(parts, inline, behind);
  const { events } = lasting;
  if (inline) {
    const connection = await connectionOf(setup.store);
    const { random, foreseesEach } = options;
    const alone = { now, random, isAlone: true, foreseesEach } as const;
    const engine = openEngine(setup, { mode: "write", ...alone, connection });
    const writer = inlineWriter(engine, events);
    const news = engine.news();
    if (news) events.news(news);
    if (connection === undefined) return lasting.opened(engine, writer, setup);
    // While a write is waited for, reads go on over a connection of their own.
    try {
      const read = { mode: "read", ...alone, connection: await connectionOf(setup.store) } as const;
      return lasting.opened(openEngine(setup, read), writer, setup);
    } catch (fault) {
      await writer.stop();
      throw fault;
    }
  }
  if (options.random) throw new CannotServe(["`random` can be given only with `inline`."]);
  // This thread prepares what it reads with while the other makes or opens the store.
  const prepare = async () => prepareEngine(setup, "read");
  const [writing, reading] = await Promise.allSettled([
    threadWriter(setup, clock, events, options.thread),
    prepare(),
  ]);
  if (writing.status === "rejected") throw writing.reason;
  const writer = "postgres" in setup.store ? new QuickWriter(writing.value, events) : writing.value;
  try {
    if (reading.status === "rejected") throw reading.reason;
    const connection = await connectionOf(setup.store);
    const engine = reading.value.open({ now, connection });
    await quickly(writer, reading.value, setup, now);
    return lasting.opened(engine, writer, setup);
  } catch (fault) {
    await writer.stop();
    throw fault;
  }
}

/** Opens the engine with which a writer writes in this thread, where it does. */
async function quickly(
  writer: Writer,
  prepared: Prepared,
  setup: Setup,
  now: bigint,
): Promise<void> {
  if (!(writer instanceof QuickWriter)) return;
  const connection = await connectionOf(setup.store);
  writer.use(prepared.open({ now, connection, isQuick: true }));
}
