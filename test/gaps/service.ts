/** Serves a plan in memory, without sockets, again and again; judges nothing. */
import type { Server } from "node:http";
import type { Plan } from "../../src/plan/index.ts";
import { behindCalls } from "../../src/serve/calls/behind.ts";
import { Caller } from "../../src/serve/calls/caller.ts";
import type { Code } from "../../src/serve/calls/terms.ts";
import { type Prepared, prepareEngine } from "../../src/serve/engine/open.ts";
import { host } from "../../src/serve/host.ts";
import { type MovableClock, movableClock } from "../../src/serve/index.ts";
import { Hub } from "../../src/serve/streams/hub.ts";
import { inlineWriter, type Writer } from "../../src/serve/threads/writer.ts";
import { Alarm } from "../../src/serve/time/alarm.ts";
import { type OpenStore, prepareStore, StorageFault } from "../../src/store/index.ts";
import { cheap } from "../histories/subjects.ts";
import type { RawAnswer, RawRequest } from "../histories/talk.ts";
import { settingsFor } from "../served/settings.ts";
import { delivered } from "./deliver.ts";
import { DIRECT, Direct } from "./direct.ts";
import type { Beside, RowEdit } from "./play.ts";
import { dueEditsOf, editsOf, write } from "./row-edits.ts";
import { Script, unhurried } from "./script.ts";
import { checkedText, type Ready, readyOf } from "./static.ts";
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
  readonly script: Script;
  ask(request: RawRequest, isApart: boolean): Promise<RawAnswer>;
  /** Whether the next transaction cannot be kept. */
  fail(isFailing: boolean): void;
  /** Whether the next transaction, which cannot be kept, has not come yet. */
  failing(): boolean;
  edit(edit: RowEdit): void;
  mark(): void;
  undo(): void;
  /** Other values that rows may have now. */
  edits(): readonly RowEdit[];
  dueEdits(): readonly (readonly RowEdit[])[];
  /** What was told since this was last asked; delivers what is due, unless it is `quiet`. */
  beside(quiet: boolean): Promise<Beside>;
  stop(): Promise<void>;
}

type Begin = (at: bigint, random: (bytes: number) => Uint8Array) => Promise<Begun>;

const prepared = new WeakMap<Ready, Map<boolean, Promise<Begin>>>();

/**
 * What begins a service of a plan; compiled once. `code`: a script is behind the calls, in place of
 * stand-ins. Throws `CannotServe`.
 */
export function serviceOf(ready: Ready, subject: Subject, code = false): Promise<Begin> {
  const all = prepared.get(ready) ?? new Map<boolean, Promise<Begin>>();
  prepared.set(ready, all);
  const known = all.get(code) ?? prepare(ready, subject, code);
  all.set(code, known);
  return known;
}

const wholes = new WeakMap<Subject, Plan | undefined>();

/** The plan with the words of the whole document: code says the same whatever is not shown. */
function withWords(plan: Plan, subject: Subject): Plan {
  if (!wholes.has(subject)) {
    const text = new TextDecoder().decode(subject.bytes);
    wholes.set(subject, readyOf(checkedText(text, subject), subject)?.plan);
  }
  const whole = wholes.get(subject)?.calls ?? [];
  const calls = plan.calls.map((one) => {
    return { ...one, says: whole.find(({ name }) => name === one.name)?.says ?? one.says };
  });
  return { ...plan, calls };
}

async function prepare(ready: Ready, subject: Subject, isScripted: boolean): Promise<Begin> {
  const plan = unhurried(cheap(ready.plan) as Plan);
  const hasCalls = plan.calls.length > 0;
  const said = isScripted ? withWords(plan, subject) : plan;
  const standing = hasCalls ? await behindCalls(plan, { standIns: true }) : undefined;
  const scripted: Code = { names: "all", standIn: false };
  const engine = prepareEngine(
    {
      ...{ plan, store: "memory", startRows: subject.rows },
      code: isScripted ? scripted : standing?.code,
      origins: JSON.stringify(ready.origins),
      settings: settingsGiven(plan, subject),
    },
    "write",
  );
  const store = prepareStore(plan, { store: "memory", mode: "write" });
  return (at, random) => {
    const clock = movableClock(at);
    const script = new Script(said);
    const calling = (writer: Writer): Caller | undefined =>
      isScripted
        ? new Caller({ writer, door: script, clock })
        : standing?.caller(writer, clock, false);
    const makes = hasCalls ? calling : undefined;
    const own = { clock, random, script, store: fragile(store()), caller: makes };
    return begin(engine, { ...own, plan });
  };
}

const SECRET = new Uint8Array(32).fill(7);

interface Fragile extends OpenStore {
  fail(isFailing: boolean): void;
  failing(): boolean;
}

/** A store whose next transaction can be made to fail when it is to be kept. */
function fragile(store: OpenStore): Fragile {
  let isFailing = false;
  return {
    session: store.session,
    // The names of events in streams are made of it: they are to be the same in each service.
    secret: SECRET,
    unfilled: store.unfilled,
    said: store.said,
    notes: store.notes,
    loss: store.loss,
    watch: (look, statementMs) => store.watch(look, statementMs),
    begin: (mode) => store.begin(mode),
    commit: () => {
      if (isFailing) {
        isFailing = false;
        throw new StorageFault("SQLITE_IOERR", "scripted");
      }
      store.commit();
    },
    rollback: () => store.rollback(),
    version: () => store.version(),
    close: () => store.close(),
    fail: (next) => {
      isFailing = next;
    },
    failing: () => isFailing,
  };
}

interface Beginning {
  readonly plan: Plan;
  readonly clock: MovableClock;
  readonly random: (bytes: number) => Uint8Array;
  readonly script: Script;
  readonly store: Fragile;
  readonly caller: ((writer: Writer) => Caller | undefined) | undefined;
}

async function begin(prepared: Prepared, beginning: Beginning): Promise<Begun> {
  const { plan, clock, random, script, store, caller: calling } = beginning;
  const engine = prepared.open({ now: clock.now(), random, held: store });
  let hub: Hub | undefined;
  let caller: Caller | undefined;
  const notes: string[] = [];
  /** When messages may be due: the courier, too, looks no sooner. */
  let due: bigint | undefined;
  const writer: Writer = inlineWriter(engine, {
    due: (at) => alarm.set(at),
    news: (news) => {
      notes.push(...news.notes.map(({ what, text }) => `${what} ${text}`));
      if (news.messages) due = clock.now();
      if (news.events) hub?.wake();
      if (news.calls) caller?.wake();
    },
    fault: (job) => engine.faultOf(job),
  });
  const alarm = new Alarm(clock, (at) => writer.fire(at));
  hub = new Hub(engine.source(clock), clock);
  caller = calling?.(writer);
  let server: Server | undefined;
  const connected = (one: Server): void => {
    server = one;
  };
  const opened = { engine, writer, alarm, inline: true, hub, caller };
  const running = await host(opened, clock, { connected, trustProxy: [DIRECT] });
  if (server === undefined) throw new Error("the service has no server");
  const direct = new Direct(server);
  return {
    clock,
    script,
    ask: (request, isApart) => direct.ask(request, isApart),
    fail: (isFailing) => store.fail(isFailing),
    failing: () => store.failing(),
    edit: (edit) => write(store, plan, edit),
    mark: () => store.begin("write"),
    undo: () => store.rollback(),
    edits: () => editsOf(store, plan, clock.now()),
    dueEdits: () => dueEditsOf(store, plan, clock.now()),
    beside: async (quiet) => {
      const sent: string[] = [];
      if (!quiet && due !== undefined && due <= clock.now()) {
        const made = await delivered(writer, clock.now());
        sent.push(...made.sent);
        due = made.due;
      }
      return { sent, notes: notes.splice(0) };
    },
    stop: async () => {
      direct.close();
      script.close();
      await running.stop();
    },
  };
}
