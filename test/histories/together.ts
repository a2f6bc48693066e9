/**
 * Runs histories on PostgreSQL whose requests come several at a time: each batch is one
 * transaction, before which it is asked what its jobs will ask for. The reference does them one
 * after the other.
 */
import { createHash } from "node:crypto";
import type { Session } from "../../src/run/index.ts";
import type { Engine } from "../../src/serve/engine/engine.ts";
import { openEngine } from "../../src/serve/engine/open.ts";
import { pickHeaders } from "../../src/serve/http/fields.ts";
import { bytesOf } from "../../src/serve/http/judge.ts";
import type { Job, Reply } from "../../src/serve/jobs/job.ts";
import { connectionOf } from "../../src/store/index.ts";
import { NOT_THERE_YET } from "../../src/store/postgres/ahead.ts";
import { listen } from "../reference/coverage.ts";
import type { Reference } from "../reference/service.ts";
import type { Answer } from "../reference/world.ts";
import { answersDiffer, statesDiffer } from "./compare.ts";
import { openReference, type Ran, START, type Subject, startText } from "./history.ts";
import { Random, StepBytes } from "./random.ts";
import { nextStep, type Step } from "./requests.ts";
import { fieldsSent, type RawAnswer, type RawRequest } from "./talk.ts";

/** Requests of one transaction, at most. */
const BATCH_MOST = 6;
const ADDRESS = "127.0.0.1";

/** A request with the job that it is, and what the reference answers. */
interface Asked {
  readonly step: Step & { readonly is: "request" };
  readonly job: Job;
  readonly wanted: Answer;
}

type Shared = NonNullable<Engine["parts"]["storage"]["shared"]>;

/** The engine that writes, told of each job before it is run. */
interface Told {
  writeOne(job: Job): Reply;
}

/** The same of what does not wait. */
interface ToldQuick {
  readonly lately: Map<string, unknown>;
  one(shared: Shared, job: Job): Reply | "asks" | "waits";
}

/** Of so many jobs that need not wait one is undone when it has been run, and run again. */
const UNDONE_EACH = 3;

/** Calls of the session in a run behind which it is undone, at most. */
const CALLS_MOST = 12;

/** A transaction in which nothing is kept of what is run: up to so many calls of the session. */
function undoing(shared: Shared, session: Session, calls: number): Shared {
  let left = calls;
  const ending = (name: "insert" | "update" | "get" | "exists"): (() => void) => {
    const { [name]: own } = session;
    const call = (...all: never[]): unknown => {
      left -= 1;
      if (left < 0) throw NOT_THERE_YET;
      return (own as (...all: never[]) => unknown).apply(session, all);
    };
    Object.assign(session, { [name]: call });
    return () => Reflect.deleteProperty(session, name);
  };
  return {
    ...shared,
    attempt: (run) => {
      const endings = (["insert", "update", "get", "exists"] as const).map(ending);
      const end = (): void => {
        for (const one of endings) one();
      };
      try {
        return shared.attempt(() => {
          run();
          throw NOT_THERE_YET;
        });
      } finally {
        end();
      }
    },
  };
}

function textOf(bytes: Buffer, binary: boolean): string | null | undefined {
  if (bytes.length === 0) return undefined;
  if (binary) return bytes.toString("base64");
  const text = bytes.toString("utf8");
  return Buffer.from(text).equals(bytes) ? text : null;
}

/** Undefined: it comes to no endpoint. */
export async function jobOf(
  engine: Engine,
  request: RawRequest,
  now: bigint,
): Promise<Job | undefined> {
  const { method, target, body } = request;
  const [path = "", query = ""] = target.split(/\?(.*)/s);
  const match = engine.match(method, path);
  if (match.is !== "endpoint") return undefined;
  const needs = engine.needs(match.endpoint);
  const fields = fieldsSent(request);
  const bytes = Buffer.from(body, "latin1");
  const { bodyBytesMax = Infinity } = engine.parts.limits;
  const id = fields.find(([name]) => name.toLowerCase() === "x-request-id")?.[1] ?? "";
  return await engine.identified({
    id,
    endpoint: match.endpoint,
    path,
    params: needs.params.map((name) => match.params.get(name) ?? ""),
    query,
    headers: pickHeaders(fields.flat(), needs.headers),
    body: bytes.length > bodyBytesMax ? undefined : textOf(bytes, needs.binary),
    ...(needs.bodyHash && { bodyHash: createHash("sha256").update(bytes).digest("hex") }),
    bodyBytes: bytes.length,
    pathBytes: target.length,
    headerBytes: bytesOf(fields.flat()),
    address: ADDRESS,
    now,
  });
}

function answerOf({ status, headers, body = "", binary }: Reply): RawAnswer {
  const text = binary === true ? Buffer.from(body, "base64").toString("utf8") : body;
  const pairs = headers.flatMap((name, i): [string, string][] =>
    i % 2 === 0 ? [[name, headers[i + 1] ?? ""]] : [],
  );
  return { status, headers: pairs, body: text };
}

async function open(subject: Subject, url: string, bytes: StepBytes): Promise<Engine> {
  const store = { postgres: url, node: "together", explains: false };
  const { plan, enginePlan = plan, settings, startRows } = subject;
  const rows = startText(startRows);
  const setup = {
    plan: enginePlan,
    store,
    settings,
    ...(rows === undefined ? {} : { startRows: rows }),
  };
  const connection = await connectionOf(store);
  const random = bytes.draw;
  return openEngine(setup, { mode: "write", now: START, random, connection, foreseesEach: true });
}

/** What the engine has stored. */
function storedBy({ parts: { storage } }: Engine): Parameters<typeof statesDiffer>[1] {
  const read = <T>(look: () => T): T => {
    storage.begin("read");
    try {
      return look();
    } finally {
      storage.rollback();
    }
  };
  const { session } = storage;
  return {
    rows: (resource) => read(() => session.all(resource)),
    events: () => read(() => session.events.after(0, 1_000_000)),
  };
}

class Together {
  private readonly engine: Engine;
  private readonly reference: Reference;
  private readonly bytes: readonly [StepBytes, StepBytes];
  private readonly statuses: Map<string, number>;
  private now = START;

  constructor(
    engine: Engine,
    reference: Reference,
    bytes: readonly [StepBytes, StepBytes],
    statuses: Map<string, number>,
  ) {
    this.engine = engine;
    this.reference = reference;
    this.bytes = bytes;
    this.statuses = statuses;
  }

  /** The reference does it at once. Undefined: it comes to no endpoint. */
  async ask(step: Step & { is: "request" }): Promise<Asked | undefined> {
    const job = await jobOf(this.engine, step.request, this.now);
    if (job === undefined) return undefined;
    this.bytes[1].begin(step.seed);
    const { method, target, body } = step.request;
    const wanted = listen(() =>
      this.reference.request(
        {
          method,
          target,
          headers: fieldsSent(step.request),
          address: ADDRESS,
          body: Uint8Array.from(Buffer.from(body, "latin1")),
        },
        this.now,
      ),
    );
    return { step, job, wanted };
  }

  /** All of them in one transaction; where an answer differs, or what is stored then. */
  async write(all: readonly Asked[]): Promise<string | undefined> {
    const { engine } = this;
    const seeds = new Map(all.map(({ job, step }) => [job, step.seed]));
    const begin = (job: Job): void => this.bytes[0].begin(seeds.get(job) ?? 0);
    const jobs = all.map(({ job }) => job);
    const random = new Random(all[0]?.step.seed ?? 0);
    const quick = random.below(2) === 0 ? await this.quickly(jobs, begin, random) : [];
    this.count("without waiting", quick.length);
    const told = engine as unknown as Told;
    const writeOne = told.writeOne.bind(engine);
    told.writeOne = (job) => {
      begin(job);
      return writeOne(job);
    };
    const rest = jobs.slice(quick.length);
    const replies = [...quick, ...(rest.length === 0 ? [] : await engine.write(rest))];
    told.writeOne = writeOne;
    for (const [at, { wanted, step }] of all.entries()) {
      const isHead = step.request.method === "HEAD";
      const got = { ...answerOf(replies[at] as Reply), ...(isHead && { body: "" }) };
      this.count(String(got.status), 1);
      const differs = answersDiffer(got, wanted);
      if (differs !== undefined) return `request ${at + 1} of ${all.length}: ${differs}`;
    }
    return await this.settled();
  }

  private count(name: string, more: number): void {
    if (more > 0) this.statuses.set(name, (this.statuses.get(name) ?? 0) + more);
  }

  /** Those of the jobs, up to one that has to wait, that need not. */
  private async quickly(
    jobs: readonly Job[],
    begin: (job: Job) => void,
    random: Random,
  ): Promise<readonly Reply[]> {
    const quick = this.engine.quick as unknown as ToldQuick;
    const one = quick.one.bind(quick);
    quick.lately.clear();
    // The reference does them in their order: one behind a job that is not done is not done, too.
    let done = 0;
    quick.one = (shared, job) => {
      if (!this.engine.quick.takes(job)) return "waits";
      const isNext = jobs.indexOf(job) === done;
      if (!isNext || random.below(UNDONE_EACH) === 0) {
        const calls = isNext ? random.below(CALLS_MOST) : Number.POSITIVE_INFINITY;
        begin(job);
        one(undoing(shared, this.engine.parts.storage.session, calls), job);
      }
      if (!isNext) return "asks";
      begin(job);
      const tried = one(shared, job);
      if (typeof tried === "object") done++;
      return tried;
    };
    const replies = await this.engine.quick.write(jobs, () => []);
    quick.one = one;
    return replies.flatMap((reply) => reply ?? []);
  }

  async move(micros: bigint, seed: number): Promise<string | undefined> {
    for (const one of this.bytes) one.begin(seed);
    this.now += micros;
    listen(() => this.reference.time(this.now));
    await this.engine.fire(this.now);
    return await this.settled();
  }

  /** Where what is stored differs when all that is due has happened. */
  private async settled(): Promise<string | undefined> {
    const { engine, reference } = this;
    for (let i = 0; i < 100 && (engine.nextDue(this.now) ?? this.now + 1n) <= this.now; i++) {
      await engine.fire(this.now);
    }
    return statesDiffer(reference.plan, storedBy(engine), reference.world);
  }

  get at(): bigint {
    return this.now;
  }
}

/** Whether batches of it have one order: what happens by itself comes in between. */
const BATCHES = { timed: 1, others: BATCH_MOST } as const;

/** Runs so many steps. `url`: of a schema that is not there yet. */
export async function runTogether(
  subject: Subject,
  { seed, count }: { readonly seed: number; readonly count: number },
  url: string,
): Promise<Ran> {
  const bytes = [new StepBytes(), new StepBytes()] as const;
  for (const one of bytes) one.begin(1);
  const reference = openReference(subject, bytes[1]);
  const engine = await open(subject, url, bytes[0]);
  const [statuses, unsupported] = [new Map<string, number>(), new Map<string, number>()];
  const together = new Together(engine, reference, bytes, statuses);
  const random = new Random(seed);
  const steps: Step[] = [];
  const most = engine.timed ? BATCHES.timed : BATCHES.others;
  let batch: Asked[] = [];
  const written = async (): Promise<string | undefined> => {
    const all = batch;
    batch = [];
    return all.length === 0 ? undefined : await together.write(all);
  };
  try {
    while (steps.length < count) {
      const { plan, outside, world } = reference;
      const step = nextStep({ plan, outside, world, now: together.at, random, before: steps });
      if (step.is === "restart") continue;
      steps.push(step);
      let what: string | undefined;
      if (step.is === "request") {
        const asked = await together.ask(step);
        if (asked?.wanted.status === 501 && asked.wanted.gap === undefined) break;
        if (asked !== undefined) batch.push(asked);
        if (batch.length >= 1 + random.below(most)) what = await written();
      } else {
        what = (await written()) ?? (await together.move(BigInt(step.micros), step.seed));
      }
      if (what !== undefined) {
        return { steps, difference: { at: steps.length - 1, what }, unsupported, statuses };
      }
    }
    const what = await written();
    const difference = what === undefined ? undefined : { at: steps.length - 1, what };
    return { steps, difference, unsupported, statuses };
  } finally {
    engine.close();
  }
}
