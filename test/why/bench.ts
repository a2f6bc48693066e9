/** Services of several plans on the same rows: each is asked, and what that did is undone. */
import type { Server } from "node:http";
import { type Plan, withClocks } from "../../src/plan/index.ts";
import type { Row, Session, Value } from "../../src/run/index.ts";
import { type BehindCalls, behindCalls } from "../../src/serve/calls/behind.ts";
import { Caller } from "../../src/serve/calls/caller.ts";
import type { Code } from "../../src/serve/calls/terms.ts";
import { type Prepared, prepareEngine } from "../../src/serve/engine/open.ts";
import { host, type Running } from "../../src/serve/host.ts";
import { settingTexts } from "../../src/serve/settings/settings.ts";
import { Hub } from "../../src/serve/streams/hub.ts";
import { inlineWriter, type Writer } from "../../src/serve/threads/writer.ts";
import { Alarm } from "../../src/serve/time/alarm.ts";
import { MemorySession, type OpenStore } from "../../src/store/index.ts";
import { DIRECT, Direct } from "../gaps/direct.ts";
import { Script, unhurried } from "../gaps/script.ts";
import { settingsGiven } from "../gaps/service.ts";
import type { Ready } from "../gaps/static.ts";
import type { Subject } from "../gaps/subjects.ts";
import { StepBytes } from "../histories/random.ts";
import { undelivered } from "../histories/subjects.ts";
import type { RawAnswer, RawRequest } from "../histories/talk.ts";
import { edit, type RowChange } from "./edits.ts";

/** Whether the connection has not ended before. */
export const isAnswer = ({ status }: RawAnswer): boolean => status > 0;

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const nameOf = ({ name }: { readonly name: string }): string => name;

/** Whether a name stands elsewhere. */
function hasMoved(known: readonly string[], names: readonly string[]): boolean {
  return names.some((one, i) => known.includes(one) && known[i] !== one);
}

/** Rows by the names of their fields, where two plans have them in other places. */
function mapped(session: MemorySession, from: Plan, to: Plan): Session {
  const places = new Map<string, readonly number[]>();
  const before = withClocks(from);
  for (const { name, fields } of withClocks(to).resources) {
    const known = (before.resources.find((one) => one.name === name)?.fields ?? []).map(nameOf);
    const names = fields.map(nameOf);
    // A field that has another name only stands where it stood.
    const isSame = known.length === names.length && !hasMoved(known, names);
    if (isSame) continue;
    places.set(
      name,
      names.map((one) => known.indexOf(one)),
    );
  }
  if (places.size === 0) return session;
  const out = (row: Row): Row => {
    const at = places.get(row.resource);
    return at === undefined ? row : { ...row, values: at.map((i) => row.values[i] ?? null) };
  };
  const back = (resource: string, values: readonly Value[], kept: readonly Value[]): Value[] => {
    const made = [...kept];
    for (const [i, at] of (places.get(resource) ?? []).entries()) made[at] = values[i] ?? null;
    return places.has(resource) ? made : [...values];
  };
  const own: Partial<Session> = {
    get: (resource, key) => {
      const row = session.get(resource, key);
      return row && out(row);
    },
    getMany: (resource, keys) => session.getMany(resource, keys).map(out),
    all: (resource) => session.all(resource).map(out),
    insert: (resource, values) => session.insert(resource, back(resource, values, [])),
    update: (resource, key, values) =>
      session.update(
        resource,
        key,
        back(resource, values, session.get(resource, key)?.values ?? []),
      ),
  };
  return new Proxy<Session>(session, {
    get: (target, name) => {
      const found = name in own ? own[name as keyof Session] : target[name as keyof Session];
      return typeof found === "function" ? found.bind(target) : found;
    },
  });
}

/** Rows in memory that can fail once. */
class FailingSession extends MemorySession {
  /** Told of each look at rows, and of each end of what was done. */
  onAccess = (): void => {};
  /** Savepoints that have neither been released nor rolled back. */
  depth = 0;

  override get(resource: string, key: number): Row | undefined {
    this.onAccess();
    return super.get(resource, key);
  }

  override all(resource: string): readonly Row[] {
    this.onAccess();
    return super.all(resource);
  }

  override insert(resource: string, values: readonly Value[]): number {
    this.onAccess();
    return super.insert(resource, values);
  }

  override update(resource: string, key: number, values: readonly Value[]): void {
    this.onAccess();
    super.update(resource, key, values);
  }

  override savepoint(): void {
    super.savepoint();
    this.depth++;
  }

  override release(): void {
    this.onAccess();
    super.release();
    this.depth--;
  }

  override rollback(): void {
    super.rollback();
    this.depth--;
  }

  /** Undoes all that was done since there were so many savepoints. */
  back(depth: number): void {
    while (this.depth > depth) this.rollback();
  }
}

/** The rows, the clock and the random bytes of one run, which all its services share. */
export class Bench {
  readonly session: FailingSession;
  readonly bytes = new StepBytes();
  readonly clock = { now: (): bigint => this.now };
  now: bigint;
  private readonly plan: Plan;

  constructor(plan: Plan, start: bigint) {
    this.plan = undelivered(plan);
    this.session = new FailingSession(this.plan);
    this.now = start;
  }

  /** Undoes all that is done meanwhile. */
  async undone<T>(run: () => Promise<T>): Promise<T> {
    const { session } = this;
    const { depth } = session;
    session.savepoint();
    try {
      return await run();
    } finally {
      session.back(depth);
    }
  }

  /** Counts accesses from now on; the one of this number fails. */
  failAt(number: number): () => number {
    let count = 0;
    this.session.onAccess = () => {
      if (++count === number) throw new Error("a fault that is made");
    };
    return () => {
      this.session.onAccess = () => {};
      return count;
    };
  }

  /** The rows as a plan has them; `life`: whose end is the end of all access to them. */
  storeOf(plan: Plan, isNew: boolean, life: Life): OpenStore {
    const session = mapped(this.session, this.plan, plan);
    let depth: number | undefined;
    return {
      session,
      secret: new Uint8Array(32),
      unfilled: new Set(isNew ? plan.resources.map(({ name }) => name) : []),
      said: [],
      notes: { read: () => undefined, keep: () => {} },
      loss: { hear: () => {}, listen: () => {} },
      watch: () => {},
      begin: (mode) => {
        if (life.hasEnded) throw new Error("the service has ended");
        depth = mode === "write" ? this.session.depth : undefined;
        if (depth !== undefined) session.savepoint();
      },
      commit: () => {
        session.release();
        return undefined;
      },
      rollback: () => {
        if (depth !== undefined && !life.hasEnded) this.session.back(depth);
        depth = undefined;
      },
      version: () => undefined,
      close: () => {},
    };
  }
}

/** What a service is made of. */
interface Parts {
  readonly life: Life;
  readonly running: Running;
  readonly hub: Hub;
  readonly direct: Direct;
  readonly script: Script | undefined;
  /** What has been counted is read from the rows again. */
  readonly forget: () => void;
}

interface Life {
  hasEnded: boolean;
  /** How often the writer was given something to do. */
  done: number;
}

/** Whether an answer goes on after its head. */
const isStream = ({ headers }: RawAnswer): boolean =>
  headers.some(([name, value]) => name === "Content-Type" && value === "text/event-stream");

/** What is asked of a service. */
export interface Asked {
  readonly request: RawRequest;
  /** Decides on all random bytes. */
  readonly seed: number;
  /** Which access to rows fails; undefined: none. */
  readonly fault?: number | undefined;
  /** What rows have instead. */
  readonly rows?: Pick<RowChange, "edits" | "copies"> | undefined;
}

const SCRIPTED: Code = { names: "all", standIn: false };

/** A plan on a bench: each service of it begins with nothing but the rows. */
export class Bound {
  private readonly bench: Bench;
  private readonly plan: Plan;
  private readonly prepared: Prepared;
  private readonly behind: BehindCalls | undefined;

  private readonly script: Script | undefined;

  /** A service that is asked again and again: it knows nothing but its rows. */
  private lasting: Service | undefined;

  private constructor(
    bench: Bench,
    made: {
      readonly plan: Plan;
      readonly prepared: Prepared;
      readonly behind: BehindCalls | undefined;
      readonly script: Script | undefined;
    },
  ) {
    this.bench = bench;
    this.plan = made.plan;
    this.prepared = made.prepared;
    this.behind = made.behind;
    this.script = made.script;
  }

  /** `isScripted`: a script is behind the calls, in place of stand-ins. Throws `CannotServe`. */
  static async open(
    bench: Bench,
    ready: Ready,
    subject: Subject,
    isScripted = false,
  ): Promise<Bound> {
    const plan = unhurried(undelivered(ready.plan));
    const hasCalls = plan.calls.length > 0;
    const script = hasCalls && isScripted ? new Script(plan) : undefined;
    const behind =
      hasCalls && !isScripted ? await behindCalls(plan, { standIns: true }) : undefined;
    const setup = {
      plan,
      code: script === undefined ? behind?.code : SCRIPTED,
      origins: JSON.stringify(ready.origins),
      store: "memory",
      settings: settingTexts(plan, settingsGiven(plan, subject), {}),
      ...(subject.rows === undefined ? {} : { startRows: subject.rows }),
    } as const;
    const bound = new Bound(bench, {
      ...{ plan, behind, script },
      prepared: prepareEngine(setup, "write"),
    });
    await bench.undone(async () => (await bound.begin(true)).stop());
    return bound;
  }

  /** Begins a service. `isNew`: it fills the bench with rows at the start. Throws `CannotServe`. */
  async begin(isNew: boolean): Promise<Service> {
    const { bench, plan, prepared, behind, script } = this;
    const life: Life = { hasEnded: false, done: 0 };
    // As the services do that made the traffic.
    bench.bytes.begin(1);
    const engine = prepared.open({
      now: bench.now,
      random: bench.bytes.draw,
      held: bench.storeOf(plan, isNew, life),
    });
    const inline = inlineWriter(engine, {
      due: () => {},
      news: ({ events, calls }) => {
        if (events) hub.wake();
        if (calls && !life.hasEnded) caller?.wake();
      },
    });
    // Nothing happens but what a request brings about.
    const writer: Writer = {
      ...inline,
      get waiting() {
        return inline.waiting;
      },
      submit: (job, done) => {
        life.done++;
        inline.submit(job, done);
      },
      fire: () => {},
      calls: async (now, asked, busy) => {
        if (life.hasEnded) return { asks: [], due: undefined };
        const { asks } = await inline.calls(now, asked, busy);
        if (asks.length > 0 || asked.length > 0) life.done++;
        return { asks, due: undefined };
      },
    };
    const caller =
      script === undefined
        ? behind?.caller(writer, bench.clock, false)
        : new Caller({ writer, door: script, clock: bench.clock });
    const hub = new Hub(engine.source(bench.clock), bench.clock);
    let server: Server | undefined;
    const connected = (one: Server): void => {
      server = one;
    };
    const alarm = new Alarm(bench.clock, () => {});
    const opened = { engine, writer, alarm, inline: true, hub, ...(caller && { caller }) };
    const running = await host(opened, bench.clock, { connected, trustProxy: [DIRECT] });
    if (server === undefined) throw new Error("the service has no server");
    const forget = (): void => engine.parts.limits.rates.reset();
    const direct = new Direct(server);
    return new Service(bench, { life, running, hub, direct, script, forget });
  }

  /** What the service answers; what it does is undone. */
  async probe(asked: Asked): Promise<RawAnswer> {
    const [answer] = await this.undone(asked);
    return answer;
  }

  /** How often the request has access to rows. */
  async accesses(asked: Asked): Promise<number> {
    const [, count] = await this.undone({ ...asked, fault: 0 });
    return count;
  }

  private undone({
    request,
    seed,
    fault,
    rows,
  }: Asked): Promise<readonly [answer: RawAnswer, accesses: number]> {
    return this.bench.undone(async () => {
      if (rows !== undefined) edit(this.bench.session, rows);
      // Works that wait for calls are known beside the rows, too.
      const isOwn = this.plan.calls.length > 0 || fault !== undefined;
      const service = isOwn ? await this.begin(false) : (this.lasting ??= await this.begin(false));
      const end = fault === undefined ? undefined : this.bench.failAt(fault);
      try {
        const answer = await service.ask(request, seed);
        return [answer, end?.() ?? 0] as const;
      } finally {
        end?.();
        if (isOwn) await service.stop();
      }
    });
  }

  async stop(): Promise<void> {
    await this.lasting?.stop();
  }
}

/** Turns of the event loop without work after which a service has nothing more to do. */
const QUIET_TURNS = 3;

/** A service on a bench. */
export class Service {
  private readonly bench: Bench;
  private readonly parts: Parts;

  constructor(bench: Bench, parts: Parts) {
    this.bench = bench;
    this.parts = parts;
  }

  /** What the service answers, and does. Of a stream: what it sends at once. */
  async ask(request: RawRequest, seed: number): Promise<RawAnswer> {
    this.parts.forget();
    this.bench.bytes.begin(seed);
    this.parts.script?.begin(seed);
    const answer = await this.parts.direct.ask(request);
    if (!isStream(answer)) return answer;
    await this.settle();
    this.parts.hub.stop();
    const { status, headers, body } = answer;
    return { status, headers, body };
  }

  /** Lets what the service does by itself happen. */
  async settle(): Promise<void> {
    const { life } = this.parts;
    for (let quiet = 0; quiet < QUIET_TURNS; quiet++) {
      const { done } = life;
      await turn();
      if (life.done !== done) quiet = 0;
    }
  }

  /** Nothing that was begun goes on. */
  async stop(): Promise<void> {
    const { life, direct, running } = this.parts;
    life.hasEnded = true;
    direct.close();
    await running.stop();
  }
}
