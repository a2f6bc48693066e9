/** Runs requests of a compiled plan on a store, in transactions; knows no socket and no thread. */
import type { Endpoint, ItemId, Plan } from "../plan/index.ts";
import type {
  Ambient,
  Effects,
  Hooks,
  InputReader,
  Inputs,
  Invocation,
  Match,
  Members,
  Names,
  Program,
} from "../run/index.ts";
import { compileInputs, namesOf } from "../run/index.ts";
import type { Credentials } from "./credentials/index.ts";
import type { Job, Needs, Note, Reply } from "./job.ts";
import type { Keyed, Keys } from "./keys.ts";
import type { Limits } from "./limits.ts";
import { faultInside, gapMet, unsupported } from "./problem.ts";
import { notesOf, replyOf } from "./reply.ts";
import { type Judged, nothingJudged } from "./rates.ts";
import { Outbox } from "./outbox.ts";
import type { Storage } from "./storage.ts";

/** Timed firings in one transaction, and in one go before requests are served again. */
const FIRED_AT_ONCE = 100;
const FIRED_IN_A_GO = 10_000;

export interface EngineParts {
  readonly plan: Plan;
  readonly program: Program;
  readonly storage: Storage;
  readonly credentials: Credentials;
  readonly random: (bytes: number) => Uint8Array;
  readonly settings: Members;
  readonly limits: Limits;
  readonly keys: Keys;
  /** Hooks besides limits, which are judged by the job. */
  readonly hooks: Hooks;
  /** `file:line:column` of an item, or nothing. */
  readonly placeOf: (item: ItemId) => string;
}

/** What judges one job besides its endpoint's steps. */
interface JobHooks {
  readonly job: Job;
  readonly judged: Judged;
  readonly keyed: Keyed;
}

interface Served {
  readonly reader: InputReader;
  readonly needs: Needs;
}

/** What a failure outside the steps is about. */
export interface FailureAbout {
  readonly endpoint?: number;
  readonly allow?: readonly string[];
}

/** One thread's part of a running service. */
export class Engine {
  readonly parts: EngineParts;
  /** Whether anything in the plan can fall due. */
  readonly timed: boolean;
  private readonly names: Names;
  private readonly outbox: Outbox;
  private readonly served: (Served | undefined)[] = [];
  /** Whether the read transaction is open that the reads of one turn of the event loop share. */
  private reading = false;

  constructor(parts: EngineParts) {
    this.parts = parts;
    this.names = namesOf(parts.plan);
    this.timed = isTimed(parts.plan);
    this.outbox = new Outbox(parts.plan);
  }

  match(method: string, rawPath: string): Match {
    return this.parts.program.match(method, rawPath);
  }

  writes(endpoint: number): boolean {
    // One thread counts, so that no two requests take the same place in a window.
    if (this.parts.limits.rates.any) return true;
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
    const { credentials } = this.parts;
    const presented = credentials.present(headersOf(job, needs), job.query, job.now);
    return presented instanceof Promise
      ? presented.then((all) => ({ ...job, presented: all })) : { ...job, presented };
  }

  /** A job that only reads, in a read transaction; undefined: something is due first. */
  read(job: Job): Reply | undefined {
    const { storage, program } = this.parts;
    return this.reads(() => {
      if (this.timed && program.anyDue(storage.session, job.now)) return undefined;
      return this.run(job);
    });
  }

  /**
   * Ends the read transaction of this turn. To be called before a write is acknowledged, so that
   * whoever hears of it reads it.
   */
  refresh(): void {
    if (!this.reading) return;
    this.reading = false;
    this.parts.storage.rollback();
  }

  /** Reads in the read transaction of this turn: to begin and end one costs more than a look-up. */
  private reads<T>(run: () => T): T {
    if (!this.reading) {
      this.parts.storage.begin("read");
      this.reading = true;
      setImmediate(() => this.refresh());
    }
    try {
      return run();
    } catch (fault) {
      this.refresh();
      throw fault;
    }
  }

  /** All jobs in one transaction, durable when this returns. Due timers fire before each. */
  write(jobs: readonly Job[]): readonly Reply[] {
    const { storage } = this.parts;
    this.refresh();
    try {
      storage.begin("write");
      const replies = jobs.map((job) => {
        this.fireWithin(job.now);
        return this.run(job);
      });
      storage.commit();
      return replies;
    } catch (fault) {
      storage.rollback();
      this.parts.limits.rates.reset();
      const note: Note = { what: "fault", text: String(fault) };
      return jobs.map((job) => ({ ...this.fault(job.endpoint), note }));
    }
  }

  /** Fires what is due, each hundred in a transaction. Gives what the log may say. */
  fire(now: bigint): readonly Note[] {
    const { storage } = this.parts;
    this.refresh();
    try {
      storage.begin("write");
      const notes = this.fireWithin(now);
      storage.commit();
      return notes;
    } catch (fault) {
      storage.rollback();
      return [{ what: "fault", text: String(fault) }];
    }
  }

  /** The next instant past `now` at which something falls due. */
  nextDue(now: bigint): bigint | undefined {
    if (!this.timed) return undefined;
    const { storage, program } = this.parts;
    try {
      return this.reads(() => program.nextDue(storage.session, now));
    } finally {
      this.refresh();
    }
  }

  /** The answer to a condition that no endpoint's steps meet. */
  fail(condition: string, now: bigint, about: FailureAbout = {}): Reply {
    const { storage, program } = this.parts;
    return this.reads(() =>
      replyOf(program.fail({ condition, ...about }, storage.session, this.ambient(now))),
    );
  }

  close(): void {
    this.refresh();
    this.parts.storage.close();
  }

  private fault(endpoint: number): Reply {
    try {
      return this.fail("fault inside", 0n, { endpoint });
    } catch {
      return faultInside();
    }
  }

  private run(job: Job): Reply {
    const { program, storage } = this.parts;
    const { reader, needs } = this.servedAt(job.endpoint);
    if (reader.unsupported !== undefined) return unsupported(reader.unsupported);
    const judged = nothingJudged();
    const keyed: Keyed = {};
    const ambient = this.ambient(job.now, { job, judged, keyed });
    const headers = headersOf(job, needs);
    const inputs = this.inputs(job, this.servedAt(job.endpoint), headers);
    const { endpoint, address, presented = [] } = job;
    const invocation: Invocation = { endpoint, inputs, presented, address };
    const reply =
      !this.outbox.any || program.endpoints[endpoint]?.writes === false
        ? replyOf(program.execute(invocation, storage.session, ambient))
        : this.runUnlessDelivered(invocation, ambient);
    this.parts.keys.keep(keyed, reply, storage.session, job.now);
    return this.limited(reply, judged, job.now);
  }

  /** The reply with what limits add to it; a request held back is counted by its status. */
  private limited(reply: Reply, judged: Judged, now: bigint): Reply {
    this.parts.limits.rates.settle(judged, reply.status, this.parts.storage.session, now);
    const retry = judged.retryAfter === undefined ? [] : ["Retry-After", judged.retryAfter];
    if (judged.headers.length === 0 && retry.length === 0) return reply;
    return { ...reply, headers: [...reply.headers, ...judged.headers, ...retry] };
  }

  /**
   * Events are recorded with their cause. Delivery by webhooks is not served yet: a request whose
   * event somebody would have to be sent is undone and refused.
   */
  private runUnlessDelivered(invocation: Invocation, ambient: Ambient): Reply {
    const { program, storage } = this.parts;
    const { session } = storage;
    session.savepoint();
    const outcome = program.execute(invocation, session, ambient);
    const { events } = outcome.effects;
    const waiting = this.outbox.undelivered(events, session);
    if (waiting === undefined) {
      this.outbox.record(events, session);
      session.release();
      return replyOf(outcome);
    }
    session.rollback();
    return unsupported(waiting);
  }

  /** The answer of a request that meets the gap. */
  gap(id: ItemId): Reply {
    const { plan, placeOf } = this.parts;
    const gap = plan.gaps.find((one) => one.id === id);
    return gap ? gapMet(gap, placeOf(id)) : unsupported(id);
  }

  private inputs(
    job: Job,
    { reader, needs }: Served,
    headers: ReadonlyMap<string, string>,
  ): Inputs {
    const { query, body, bodyBytes, bodyHash, now } = job;
    const params = new Map(needs.params.map((name, i) => [name, job.params[i] ?? ""]));
    const { settings } = this.parts;
    const read = reader.read(
      { params, query, headers, body, bodyBytes, bodyHash },
      { now, settings },
    );
    const { bodyBytesMax = Number.POSITIVE_INFINITY } = this.parts.limits;
    if (bodyBytes <= bodyBytesMax) return read;
    const tooLarge = { condition: "too large", field: null, in: "request" } as const;
    return { ...read, failures: [tooLarge] };
  }

  private ambient(now: bigint, of?: JobHooks): Ambient {
    const { random, settings, hooks, keys, limits, plan } = this.parts;
    const key = of && plan.endpoints[of.job.endpoint]?.idempotency;
    if (!of || (plan.limits.length === 0 && !key)) return { now, random, settings, hooks };
    const all = {
      ...hooks,
      limits: limits.hook(of.job, of.judged),
      idempotency: keys.hook(of.job, of.keyed),
    };
    return { now, random, settings, hooks: all };
  }

  private fireWithin(now: bigint): Note[] {
    const notes: Note[] = [];
    if (!this.timed) return notes;
    const { program, storage } = this.parts;
    for (let count = 0; count < FIRED_IN_A_GO; ) {
      if (!program.anyDue(storage.session, now)) break;
      const fired = program.fireDue(storage.session, this.ambient(now), FIRED_AT_ONCE);
      for (const one of fired) {
        notes.push(...notesOf(one.effects), ...this.recorded(one.effects.events));
      }
      if (!fired.some((one) => one.effects.gap === undefined)) break;
      count += fired.length;
    }
    return notes;
  }

  /** Records what timers emitted; a note where somebody should have been sent it. */
  private recorded(events: Effects["events"]): Note[] {
    const { session } = this.parts.storage;
    this.outbox.record(events, session);
    const waiting = this.outbox.undelivered(events, session);
    return waiting === undefined ? [] : [{ what: "unsupported", text: waiting }];
  }

  private servedAt(index: number): Served {
    const known = this.served[index];
    if (known) return known;
    const { plan, credentials, program } = this.parts;
    const endpoint = endpointAt(plan, program, index);
    if (!endpoint) return notServed(program.endpoints[index]?.id ?? "");
    const reader = compileInputs(plan, endpoint, this.names);
    const identifies = readsCredentials(plan, endpoint);
    const further = identifies ? credentials.headers : [];
    const headers = [...new Set([...reader.headers, ...further])];
    const params = endpoint.path.flatMap((one) => ("param" in one ? [one.param] : []));
    const bodyHash = endpoint.idempotency !== undefined;
    const served = { reader, needs: { headers, params, bodyHash, credentials: identifies } };
    this.served[index] = served;
    return served;
  }
}

/** An endpoint that the plan's table of endpoints does not have, such as a stream. */
function notServed(item: ItemId): Served {
  const nothing = (): never => {
    throw new Error(`nothing reads the inputs of ${item}`);
  };
  const reader = { headers: [], unsupported: item, read: nothing };
  return { reader, needs: { headers: [], params: [], bodyHash: false, credentials: false } };
}

/** Where Who is none, or every actor of it holds always, credentials are not read. */
function readsCredentials({ actors }: Plan, { who }: Endpoint): boolean {
  return who.is === "stated" && who.value.some((name) =>
    actors.find((actor) => actor.name === name)?.holds.is !== "always");
}

function endpointAt(plan: Plan, program: Program, index: number): Endpoint | undefined {
  const id = program.endpoints[index]?.id;
  const same = plan.endpoints[index];
  return same?.id === id ? same : plan.endpoints.find((one) => one.id === id);
}

function headersOf(job: Job, needs: Needs): ReadonlyMap<string, string> {
  const headers = new Map<string, string>();
  for (const [i, name] of needs.headers.entries()) {
    const value = job.headers[i];
    if (value !== undefined) headers.set(name, value);
  }
  return headers;
}

/** Whether anything happens by time: a timed transition, or a promise to keep for a time. */
function isTimed(plan: Plan): boolean {
  const kept = plan.resources.some((one) => one.promises.some((each) => each.kind === "kept for"));
  const timed = plan.machines.some((one) =>
    one.transitions.some(({ on }) => ["time", "every", "by itself"].includes(on.is)),
  );
  return kept || timed;
}
