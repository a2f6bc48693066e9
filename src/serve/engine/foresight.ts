/**
 * What jobs of one transaction ask of a store that is elsewhere is asked together, before the first
 * of them is run: each is run for that as far as it can be known what it asks, and nothing of that
 * is kept.
 */
import { randomBytes } from "node:crypto";
import type { Ambient, Invocation } from "../../run/index.ts";
import { isGivenUp } from "../jobs/deadlines.ts";
import type { Job } from "../jobs/job.ts";
import type { Storage } from "../jobs/storage.ts";
import { nothingJudged } from "../limits/rates.ts";
import { Hashes } from "../secrets/hashing.ts";
import { aboutOf } from "./failure-about.ts";
import type { JobHooks } from "./hooks.ts";
import type { EngineParts } from "./parts.ts";
import { headersOf, inputsOf, type Served } from "./served.ts";
import { ambientOf } from "./surroundings.ts";

/** A longer body is read once. */
const BODY_BYTES_MOST = 32_768;
/** Rows that one job may wait for. */
const ROWS_MOST = 1_000;
/** Jobs of one transaction of which it is asked what they ask for. */
const JOBS_LEAST = 2;

type Shared = NonNullable<Storage["shared"]>;

/** What is known of the jobs of one document. */
interface Of {
  readonly parts: EngineParts;
  readonly foresight: Foresight;
  servedAt(endpoint: number): Served;
  /** Whether all that is due is done before the job. */
  awaits(job: Job): boolean;
}

/** Which endpoints of a document ask for anything. */
export class Foresight {
  private readonly asking = new Set<number>();
  /** Those that have read much. */
  private readonly reading = new Set<number>();

  /** Runs a job, and takes in whether it has waited for what was not foreseen. */
  watched<T>({ shared }: Storage, { endpoint }: Job, run: () => T): T {
    if (shared === undefined) return run();
    const { answers, rows } = shared.waits();
    const made = run();
    const now = shared.waits();
    // What much is read for is not held for several at once.
    if (now.rows - rows > ROWS_MOST) this.reading.add(endpoint);
    else if (now.answers > answers) this.asking.add(endpoint);
    return made;
  }

  /** Whether a job is not long: to read a long one twice takes longer than to wait. */
  isShort({ endpoint, bodyBytes }: Job): boolean {
    return !this.reading.has(endpoint) && bodyBytes <= BODY_BYTES_MOST;
  }

  /** Whether it is worth to look what the job will ask for. */
  isWorth({ chooser, foreseesEach }: EngineParts, job: Job): boolean {
    // A run that goes on behind a call has its answer, and choices are made in their order.
    if (job.replay !== undefined || chooser !== undefined || isGivenUp(job)) return false;
    if (!this.isShort(job)) return false;
    return foreseesEach === true || this.asking.has(job.endpoint);
  }

  /** What was looked for in vain is not looked for until one has had to ask again. */
  looked(begun: ReadonlyMap<number, number>): void {
    for (const [endpoint, most] of begun) if (most === 1) this.asking.delete(endpoint);
  }
}

/** Asks together for what the jobs will ask for. `of`: the document that a job is for. */
export function foresee(
  { storage: { shared }, foreseesEach }: EngineParts,
  all: readonly Job[],
  of: (job: Job) => Of,
): Promise<void> | undefined {
  if (shared === undefined) return undefined;
  const jobs = all.filter((job) => of(job).foresight.isWorth(of(job).parts, job));
  const least = foreseesEach === true ? 1 : JOBS_LEAST;
  return jobs.length < least ? undefined : together(shared, jobs, of);
}

async function together(shared: Shared, jobs: readonly Job[], of: (job: Job) => Of): Promise<void> {
  const begun = jobs.map(() => 0);
  const runs = jobs.map((job, at) => () => {
    begun[at] = (begun[at] ?? 0) + 1;
    look(of(job), job);
  });
  await shared.foresee(runs);
  const most = new Map<Foresight, Map<number, number>>();
  for (const [at, job] of jobs.entries()) {
    const { foresight } = of(job);
    const known = most.get(foresight) ?? new Map<number, number>();
    known.set(job.endpoint, Math.max(known.get(job.endpoint) ?? 0, begun[at] ?? 0));
    most.set(foresight, known);
  }
  for (const [foresight, known] of most) foresight.looked(known);
}

/** Runs a job for what it asks. */
function look(engine: Of, job: Job): void {
  const { parts } = engine;
  const { program, storage, hashesBeside } = parts;
  const served = engine.servedAt(job.endpoint);
  if (served.reader.unsupported !== undefined) return;
  // A hash that is slow by intent is made once.
  if (served.mayHash && hashesBeside !== true) return;
  if (engine.awaits(job)) program.anyDue(storage.session, job.now);
  const hashes = served.mayHash ? new Hashes(job.hashed) : undefined;
  const hooks = { job, judged: nothingJudged(), keyed: {}, ...(hashes && { hashes }) };
  const { invocation, ambient } = begun(parts, served, hooks);
  // What is drawn for the job itself is drawn in its order, and tokens are signed for it alone.
  const apart = { random: randomBytes, hooks: { ...ambient.hooks, issue: () => "" } };
  program.execute(invocation, storage.session, { ...ambient, ...apart });
}

interface Begun {
  readonly invocation: Invocation;
  readonly ambient: Ambient;
  readonly headers: ReadonlyMap<string, string>;
}

/** What a job is run with. */
export function begun(parts: EngineParts, served: Served, hooks: JobHooks): Begun {
  const { job } = hooks;
  const { address, presented = [], now } = job;
  const headers = headersOf(job, served.needs);
  const inputs = inputsOf(parts, job, served, headers);
  const invocation = { ...aboutOf(job, parts.program), inputs, presented, address };
  return { invocation, ambient: ambientOf(parts, now, hooks), headers };
}
