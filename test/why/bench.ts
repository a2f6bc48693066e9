/** Services of several plans on the same rows: each is asked, and what that did is undone. */
import { type Plan, withClocks } from "../../src/plan/index.ts";
import type { Row, Session, Value } from "../../src/run/index.ts";
import { behindCalls } from "../../src/serve/calls/behind.ts";
import type { Caller } from "../../src/serve/calls/caller.ts";
import { openEngine } from "../../src/serve/engine/open.ts";
import { host, type Running } from "../../src/serve/host.ts";
import { settingTexts } from "../../src/serve/settings/settings.ts";
import { Hub } from "../../src/serve/streams/hub.ts";
import { inlineWriter, type Writer } from "../../src/serve/threads/writer.ts";
import { Alarm } from "../../src/serve/time/alarm.ts";
import { MemorySession, type OpenStore } from "../../src/store/index.ts";
import { settingsGiven } from "../gaps/service.ts";
import type { Ready } from "../gaps/static.ts";
import type { Subject } from "../gaps/subjects.ts";
import { StepBytes } from "../histories/random.ts";
import { undelivered } from "../histories/subjects.ts";
import { type RawAnswer, type RawRequest, Talker } from "../histories/talk.ts";

export const NO_ANSWER: RawAnswer = { status: 0, headers: [], body: "" };

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

  override release(): void {
    this.onAccess();
    super.release();
  }
}

/** The rows, the clock and the random bytes of one run, which all its services share. */
export class Bench {
  readonly session: FailingSession;
  readonly bytes = new StepBytes();
  now: bigint;
  /** The one service that is asked now: no other does anything by itself. */
  active: Bound | undefined;
  private readonly plan: Plan;

  constructor(plan: Plan, start: bigint) {
    this.plan = undelivered(plan);
    this.session = new FailingSession(this.plan);
    this.now = start;
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

  storeOf(plan: Plan, isNew: boolean): OpenStore {
    const session = mapped(this.session, this.plan, plan);
    let isWriting = false;
    return {
      session,
      secret: new Uint8Array(32),
      isNew,
      begin: (mode) => {
        isWriting = mode === "write";
        if (isWriting) session.savepoint();
      },
      commit: () => session.release(),
      rollback: () => {
        if (isWriting) session.rollback();
        isWriting = false;
      },
      version: () => undefined,
      close: () => {},
    };
  }
}

/** A service on a bench. */
export class Bound {
  private readonly bench: Bench;
  private readonly running: Running;
  private readonly talker: Talker;
  private readonly forget: () => void;
  private readonly caller: Caller | undefined;

  private constructor(
    bench: Bench,
    made: { readonly running: Running; readonly forget: () => void; readonly caller?: Caller },
  ) {
    this.bench = bench;
    this.running = made.running;
    this.talker = new Talker(made.running.port);
    this.forget = made.forget;
    this.caller = made.caller;
  }

  /** `isNew`: fills the bench with rows at the start. Throws `CannotServe`. */
  static async open(bench: Bench, ready: Ready, subject: Subject, isNew: boolean): Promise<Bound> {
    const plan = undelivered(ready.plan);
    const clock = { now: () => bench.now };
    const behind = await behindCalls(plan, { standIns: true });
    const setup = {
      plan,
      code: behind.code,
      origins: JSON.stringify(ready.origins),
      store: "memory",
      settings: settingTexts(plan, settingsGiven(plan, subject), {}),
      ...(subject.rows === undefined ? {} : { startRows: subject.rows }),
    } as const;
    if (!isNew) bench.session.savepoint();
    try {
      const engine = openEngine(setup, {
        mode: "write",
        now: bench.now,
        random: bench.bytes.draw,
        held: bench.storeOf(plan, isNew),
      });
      const { rates } = engine.parts.limits;
      let self: Bound | undefined;
      let caller: Caller | undefined;
      const inline = inlineWriter(engine, {
        due: () => {},
        news: ({ calls }) => {
          if (calls && bench.active === self) caller?.wake();
        },
      });
      const writer: Writer = {
        ...inline,
        get waiting() {
          return inline.waiting;
        },
        fire: () => {},
        calls: async (now, asked, busy) =>
          bench.active === self ? inline.calls(now, asked, busy) : { asks: [], due: undefined },
      };
      caller = plan.calls.length === 0 ? undefined : behind.caller(writer, clock);
      const running = await host(
        {
          engine,
          writer,
          alarm: new Alarm(clock, () => {}),
          inline: true,
          hub: new Hub(engine.source(clock), clock),
          ...(caller && { caller }),
        },
        clock,
        {},
      );
      self = new Bound(bench, { running, forget: () => rates.reset(), ...(caller && { caller }) });
      return self;
    } finally {
      if (!isNew) bench.session.rollback();
    }
  }

  /** What the service answers; what it does stays undone. `fault`: which access to rows fails. */
  async probe(request: RawRequest, seed: number, fault?: number): Promise<RawAnswer> {
    this.bench.session.savepoint();
    const end = fault === undefined ? undefined : this.bench.failAt(fault);
    try {
      return await this.ask(request, seed);
    } finally {
      end?.();
      this.bench.active = undefined;
      this.bench.session.rollback();
    }
  }

  /** How often the request has access to rows. */
  async accesses(request: RawRequest, seed: number): Promise<number> {
    this.bench.session.savepoint();
    const end = this.bench.failAt(0);
    try {
      await this.ask(request, seed);
    } finally {
      this.bench.active = undefined;
    }
    const count = end();
    this.bench.session.rollback();
    return count;
  }

  /** What the service answers, and does. */
  async ask(request: RawRequest, seed: number): Promise<RawAnswer> {
    this.bench.active = this;
    this.forget();
    this.bench.bytes.begin(seed);
    try {
      const answer = await this.talker.ask(request);
      // What was not read of a body may end the connection a little later.
      if (request.body !== "" && answer.status >= 300) this.talker.close();
      return answer;
    } catch {
      this.talker.close();
      // The connection has ended before the answer, as it may where a request is not read on.
      return NO_ANSWER;
    }
  }

  /** Lets what the service does by itself happen. */
  async settle(): Promise<void> {
    if (this.caller === undefined) return;
    this.bench.active = this;
    this.caller.wake();
    for (let i = 0; i < 20; i++) await turn();
    this.bench.active = undefined;
  }

  async stop(): Promise<void> {
    this.talker.close();
    await this.running.stop();
  }
}
