/** Runs requests of a compiled plan on a store, in transactions; knows no socket and no thread. */
import type { Match } from "../../run/index.ts";
import { Dispatch } from "../delivery/dispatch.ts";
import type { AskResult, Asks } from "../jobs/ask.ts";
import { giveBack, machineMs, take } from "../jobs/deadlines.ts";
import { Faults } from "../jobs/faults.ts";
import type { Delivered, Job, Needs, News, Reply, Result, UnderWay } from "../jobs/job.ts";
import { faultInside, unsupported } from "../jobs/problem.ts";
import { replyOf } from "../jobs/reply.ts";
import type { Keyed } from "../limits/idempotency.ts";
import { retried, settled } from "../limits/limits.ts";
import { type Hashes, runHashed } from "../secrets/hashing.ts";
import type { Source } from "../streams/hub.ts";
import { openedBy } from "../streams/opened.ts";
import { StreamReader } from "../streams/reader.ts";
import { type AssumptionHeaders, answerOf } from "./assumption-headers.ts";
import { CallingRequests } from "./calling.ts";
import { coordinatorContextOf } from "./coordinator-context.ts";
import { Delivering, NOTHING } from "./delivering.ts";
import { isDue, isFiredElsewhere, type KnownDue } from "./due.ts";
import { EndFields } from "./end-fields.ts";
import { withExample } from "./example.ts";
import { aboutOf, lateAbout } from "./failure-about.ts";
import { Firing } from "./firing.ts";
import { begun, Foresight, foresee } from "./foresight.ts";
import { watching } from "./hooks.ts";
import { ledUntil } from "./leading.ts";
import { Outbox, together, toldBy } from "./outbox.ts";
import { Outside } from "./outside.ts";
import { ELSEWHERE, lookAt, Pace, statementMsOf } from "./pace.ts";
import type { EngineParts } from "./parts.ts";
import { passed } from "./passed.ts";
import { Quick } from "./quick.ts";
import { ReadTurn } from "./read-turn.ts";
import { Reading } from "./reading.ts";
import { headersOf, type PlanNames, planNames, type Served, servedAt } from "./served.ts";
import { sourceOf } from "./source.ts";
import { Versions } from "./versions.ts";
import { Writing } from "./writing.ts";

/** When a transaction that failed is tried again. */
const AGAIN_MICROS = 1_000_000n;

/** The reply of a job before which more is to be done. */
const EARLY: Reply = { status: 0, headers: [], body: undefined, isEarly: true };

/** One thread's part of a running service. */
export class Engine {
  readonly parts: EngineParts;
  /** Whether anything in the plan can fall due. */
  readonly timed: boolean;
  private readonly names: PlanNames;
  readonly outbox: Outbox;
  private readonly faults = new Faults();
  private readonly firing: Firing;
  private readonly dispatch: Dispatch;
  private readonly delivering: Delivering;
  private readonly streams: StreamReader;
  private readonly versions: Versions;
  readonly marks: AssumptionHeaders;
  private readonly ends: EndFields;
  private readonly answers: Outside;
  private readonly requests: CallingRequests;
  private readonly pace: Pace;
  private readonly writing: Writing;
  readonly foresight = new Foresight();
  readonly quick: Quick;
  private readonly served: (Served | undefined)[] = [];
  private failures = 0;
  /** Whether the last transaction of what happens by itself has failed: it is tried again. */
  private hasFailed = false;
  private readonly due: KnownDue = { version: undefined, at: undefined };
  private readonly turn: ReadTurn;
  readonly reading: Reading;
  /** Engines of older documents, which leave what happens by itself to this one. */
  readonly older: readonly Engine[];

  /** `older`: those of older documents on the same store, the oldest first. */
  constructor(given: EngineParts, older: readonly Engine[] = []) {
    const parts = watching(given, () => this.outbox.wakeStreams());
    this.parts = parts;
    this.pace = new Pace(parts.limits);
    this.turn = parts.turn ?? new ReadTurn(parts.storage);
    this.reading = new Reading(parts, this.turn, (job) => this.readOne(job));
    this.older = older;
    const told = () => toldBy([this, ...older].map(({ outbox }) => outbox));
    this.writing = new Writing(parts.storage, { told, undone: (fault) => this.undone(fault) });
    this.quick = new Quick(parts, { told, of: (job) => this.of(job), forget: () => this.news() });
    parts.storage.watch(lookAt([this, ...older].map((one) => one.pace)), statementMsOf(parts));
    this.names = planNames(parts.plan);
    this.outbox = new Outbox(parts.plan, parts.placeOf, parts.all);
    this.outbox.note(...parts.said.map((text) => ({ what: "changed", text }) as const));
    this.firing = new Firing(parts, this.outbox);
    this.timed = this.firing.timed;
    this.requests = new CallingRequests(parts, (now) =>
      coordinatorContextOf(parts, this.outbox, now),
    );
    this.dispatch = new Dispatch(parts.plan, parts.program, this.outbox, parts.calls);
    this.delivering = new Delivering(parts, this.dispatch, this.firing);
    this.versions = new Versions(parts.plan);
    this.marks = parts.marks;
    this.ends = new EndFields(parts.plan, parts.program.endpoints, parts.until);
    this.answers = new Outside(parts, this.ends);
    this.streams = new StreamReader(parts.plan, parts, parts.storage.secret);
  }

  match(method: string, rawPath: string): Match {
    return this.parts.program.match(method, rawPath);
  }

  writes(endpoint: number): boolean {
    // One thread counts, so that no two requests take the same place in a window.
    if (this.parts.limits.counts(endpoint)) return true;
    return this.parts.program.endpoints[endpoint]?.writes ?? true;
  }

  /** What the host must pass on of a request to the endpoint. */
  needs(endpoint: number): Needs {
    return this.servedAt(endpoint).needs;
  }

  /** The job with what it presents; a promise only where keys have to be read first. */
  identified(job: Job): Job | Promise<Job> {
    const { needs } = this.servedAt(job.endpoint);
    if (!needs.credentials) return job;
    const presented = this.parts.credentials.present(headersOf(job, needs), job.query, job.now);
    return presented instanceof Promise
      ? presented.then((all) => ({ ...job, presented: all }))
      : { ...job, presented };
  }

  /** A job that only reads: see `Reading`. */
  read(job: Job): Reply | undefined {
    return this.reading.one(job);
  }

  private readOne(job: Job): Reply | undefined {
    const engine = this.of(job);
    const isEarly = engine.awaits(job) && isDue(this.due, this.parts, job.now);
    return isEarly ? undefined : engine.run(job);
  }

  /** The engine of the document that the job is for. */
  private of({ older }: Job): Engine {
    return older === undefined ? this : (this.older[older] ?? this);
  }

  /** Whether all that is due is done before the job. */
  awaits({ endpoint }: Job): boolean {
    return this.timed && this.servedAt(endpoint).awaitsDue;
  }

  /** Ends the read transaction of this turn: whoever hears of a write is to read it then. */
  refresh(): void {
    this.turn.end();
  }

  /**
   * All jobs in one transaction, durable when this returns. Due timers fire before each that can
   * meet their rows; where that is more than one go does, the job is early. `more`: jobs that have
   * come until the transaction is begun; their replies follow.
   */
  write(
    given: readonly Job[],
    more: () => readonly Job[] = () => [],
  ): readonly Reply[] | Promise<readonly Reply[]> {
    const jobs = [...given];
    const run = (): readonly Reply[] => {
      this.firing.begun();
      return jobs.map((job) => this.writeOne(job));
    };
    const begun = (): Promise<void> | undefined => {
      jobs.push(...more());
      return foresee(this.parts, jobs, (job) => this.of(job));
    };
    const failed = (): readonly Reply[] => jobs.map((job) => this.of(job).fault(job));
    this.refresh();
    const caught = this.catchUp(jobs);
    if (caught === undefined) return this.writing.run(run, failed, begun);
    return caught.then(() => this.writing.run(run, failed, begun));
  }

  private writeOne(job: Job): Reply {
    const engine = this.of(job);
    if (!take(job)) return engine.requests.givenUp(job);
    const run = () => (this.isEarly(job) ? EARLY : engine.run(job));
    const reply = engine.foresight.watched(this.parts.storage, job, run);
    if (reply === EARLY) return reply;
    if (engine.writes(job.endpoint)) this.firing.written();
    return reply;
  }

  private undone(fault: unknown): void {
    this.parts.limits.rates.reset();
    for (const one of [this, ...this.older]) one.requests.reset();
    this.noted(fault);
  }

  /** Of what is still due some more is done, in a transaction of its own. */
  private catchUp(jobs: readonly Job[]): Promise<void> | undefined {
    const isWaited = this.firing.more && jobs.some((job) => this.of(job).awaits(job));
    return isWaited ? this.fire(jobs.at(-1)?.now ?? 0n) : undefined;
  }

  /** Fires what is due before a job; true: there is more, and it gives its turn back. */
  private isEarly(job: Job): boolean {
    if (!this.of(job).awaits(job)) return false;
    if (!this.firing.more || this.hasFailed) this.firing.within(job.now);
    if (!this.firing.more) return false;
    giveBack(job);
    return true;
  }

  /** Fires what is due and no other node has fired, so much as one transaction holds. */
  fire(now: bigint): Promise<void> | undefined {
    if (!this.hasFailed && isFiredElsewhere(this.parts, this.turn, now)) {
      this.firing.more = false;
      return undefined;
    }
    return this.byItself<void>(undefined, () => this.firing.within(now)) ?? undefined;
  }

  /**
   * Keeps what follows from attempts to deliver messages, and chooses those to be made now, except
   * those under way; `underWay` undefined: none.
   */
  deliver(
    now: bigint,
    results: readonly Result[],
    underWay: UnderWay | undefined,
  ): Delivered | Promise<Delivered> {
    if (!this.dispatch.any) return NOTHING;
    const failed = { kept: false, sendings: [], due: now + AGAIN_MICROS };
    return this.byItself<Delivered>(failed, () =>
      this.delivering.deliver(now, results, underWay, failed),
    );
  }

  /** Takes in what calls have said; gives those to be made now, except those under way. */
  calls(now: bigint, asked: readonly AskResult[], busy: readonly string[]): Asks | Promise<Asks> {
    const { calls, storage } = this.parts;
    if (!calls.any) return { asks: [], due: undefined };
    return this.byItself({ asks: [], due: now + AGAIN_MICROS }, () => {
      const context = coordinatorContextOf(this.parts, this.outbox, now);
      const askedMs = machineMs();
      const lead = storage.shared?.lead();
      const otherMs = lead?.otherMs ?? 0;
      calls.serve(context, now, asked, otherMs > 0);
      this.firing.all(now);
      const asks = calls.collect(context, now, new Set(busy), otherMs);
      const isLed = lead !== undefined && otherMs === 0;
      return isLed ? { ...asks, untilMs: ledUntil(lead, askedMs) } : asks;
    });
  }

  /** What happened besides replies since this was last asked; undefined: nothing. */
  news(): News | undefined {
    if (this.parts.calls.any && this.parts.calls.stirred) this.outbox.stir();
    return together([this.outbox, ...this.older.map(({ outbox }) => outbox)]);
  }

  /** One transaction of what nobody asks for; it is tried again where it fails. */
  private byItself<T>(otherwise: T, run: () => T): T | Promise<T> {
    this.refresh();
    this.hasFailed = false;
    return this.writing.run(
      () => {
        this.firing.begun();
        return run();
      },
      () => {
        this.hasFailed = true;
        return otherwise;
      },
    );
  }

  /** One line of the log for all requests of a transaction. */
  private noted(fault: unknown): void {
    this.parts.storage.loss.hear(fault);
    const note = this.faults.noteOf(fault);
    if (note) this.outbox.note(note);
  }

  /** The next instant at which something falls due: `now` where a write has left it overdue. */
  nextDue(now: bigint): bigint | undefined {
    if (!this.timed) return undefined;
    if (this.hasFailed) return now + AGAIN_MICROS;
    const { storage, program } = this.parts;
    try {
      return this.turn.run(() => {
        const isDue = !this.firing.stuck && program.anyDue(storage.session, now);
        return isDue ? now : program.nextDue(storage.session, now);
      });
    } catch (fault) {
      this.noted(fault);
      return now + AGAIN_MICROS;
    } finally {
      this.refresh();
    }
  }

  /** An answer outside the steps. What needs nothing of the store does without it if it must. */
  outside(make: (answers: Outside) => Reply, reads = true): Reply {
    const { answers } = this;
    this.parts.chooser?.begin(`failure ${this.failures++}`);
    try {
      return reads ? this.turn.run(() => make(answers)) : make(answers);
    } catch (fault) {
      this.noted(fault);
      return make(answers);
    }
  }

  /** The answer of a request whose time to answer has passed. */
  late(job: Job): Reply {
    const about = lateAbout(job, this.parts);
    return this.outside((answers) => answers.failed("time passed", job.now, about));
  }

  close(): void {
    this.refresh();
    this.parts.storage.close();
  }

  /** The answer of a request that a fault of the service itself has ended. */
  fault(job: Job): Reply {
    try {
      const about = aboutOf(job, this.parts.program);
      return this.outside((answers) => answers.failed("fault inside", job.now, about));
    } catch {
      return faultInside();
    }
  }

  /** The same for the document that the job is for. */
  faultOf(job: Job): Reply {
    return this.of(job).fault(job);
  }

  /** Runs a job in the transaction that there is. */
  run(job: Job): Reply {
    const hashesBeside = this.parts.hashesBeside && this.servedAt(job.endpoint).mayHash;
    const isBesideOthers = !this.parts.isAlone && !this.writes(job.endpoint);
    const once = (hashes?: Hashes) => withExample(this.parts, job, this.once(job, hashes));
    return this.pace.run(job, isBesideOthers, () =>
      hashesBeside ? runHashed(this.parts, job, once) : once(),
    );
  }

  private once(job: Job, hashes?: Hashes): Reply {
    const { program, storage, keys, chooser } = this.parts;
    const served = this.servedAt(job.endpoint);
    const { reader, needs } = served;
    const { now } = job;
    const about = aboutOf(job, program);
    if (reader.unsupported !== undefined) {
      return this.answers.own(unsupported(reader.unsupported), now, about);
    }
    chooser?.begin(`request ${job.number}`);
    const version =
      this.versions.judge(job.endpoint, headersOf(job, needs), job.query) ??
      this.ends.judge(job.endpoint);
    if (version?.is === "gap") return this.answers.gap(version.gap, now, about);
    if (version) return this.answers.failed(version.condition, now, about);
    const turn = this.requests.turn(job);
    const judged = this.requests.judged(turn);
    const keyed: Keyed = {};
    const hooks = { job, judged, keyed, hashes };
    const { invocation, ambient, headers } = begun(this.parts, served, hooks);
    const { inputs } = invocation;
    const ran = program.execute(invocation, storage.session, turn?.ambient(ambient) ?? ambient);
    if (this.pace.ended === "elsewhere") return ELSEWHERE;
    const outcome = this.pace.ended === "late" ? passed(this.parts, job) : ran;
    const waits = this.requests.waits(turn, outcome.effects, hooks);
    if (waits !== undefined) return waits;
    if (this.outbox.any) this.outbox.record(outcome.effects.events, storage.session);
    const parts = { ...this.parts, streams: this.streams };
    const made = openedBy(parts, job, { headers, path: inputs.path }, outcome) ?? replyOf(outcome);
    const answer = answerOf(outcome, job.endpoint, inputs.ignored);
    const reply = retried(this.marks.on(made, answer), judged);
    keys.keep({ ...keyed, anew: outcome.response.anew }, reply, storage.session, now);
    return this.ends.on(settled(this.parts, reply, judged, now), job.endpoint);
  }

  /** What open streams read from, at the time of a clock. */
  source(clock: { now(): bigint }): Source {
    return sourceOf(this.parts, { streams: this.streams, turn: this.turn }, clock);
  }

  servedAt(index: number): Served {
    this.served[index] ??= servedAt(this.parts, this.names, index);
    return this.served[index];
  }
}
