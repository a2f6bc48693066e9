/** Who answers a job: this thread, a thread that reads apart, or the writer. */
import type { Caller } from "../calls/caller.ts";
import type { Engine } from "../engine/engine.ts";
import { type Deadlines, isGivenUp } from "../jobs/deadlines.ts";
import type { Job, Reply } from "../jobs/job.ts";
import type { Hasher } from "../secrets/hashing.ts";
import type { Clock } from "../time/clock.ts";
import { explained } from "./explained.ts";
import { guarded } from "./guarded.ts";
import type { LongReads } from "./long-reads.ts";
import { ReadsTogether } from "./reads-together.ts";
import type { WriteTurns } from "./turns.ts";

export type Done = (reply: Reply) => void;

/** Whoever may answer. */
interface Threads {
  readonly engine: Engine;
  readonly caller?: Caller;
}

/** In what order jobs are done, and what takes those that are not done yet. */
interface Turns {
  readonly hasher: Hasher;
  readonly turns: WriteTurns;
  readonly long: LongReads | undefined;
  readonly traffic: Traffic;
}

/** Counts the requests of a document. */
interface Traffic {
  readonly underWay: Counting;
  /** Those among them that wait for calls. */
  readonly calling: Counting;
}

interface Counting {
  begin(done: Done): Done;
}

type Submit = (job: Job, done: Done, refuse: () => void) => void;

/** Hands jobs to the writer, and again when what they waited for is there. */
export function submitter(
  { engine, caller }: Threads,
  { hasher, turns, long, traffic }: Turns,
  settle: (reply: Reply, done: Done) => void,
): Submit {
  const submit = (job: Job, done: Done, refuse: () => void): void => {
    const take = (reply: Reply | undefined): void => {
      engine.refresh();
      const isFirst = job.replay === undefined && reply?.unfinished !== undefined;
      const then = isFirst ? traffic.calling.begin(done) : done;
      const go = { again: (one: Job) => submit(one, then, refuse), refuse };
      if (reply === undefined) go.again(job);
      else if (reply.isEarly === true) {
        // Who is late meanwhile has an answer.
        if (!isGivenUp(job)) go.again(job);
      } else if (hasher.takes(job, reply, go) || caller?.takes(job, reply, go.again) === true)
        return;
      else if (reply.elsewhere === true) long?.take(job, take);
      else settle(reply, then);
    };
    turns.submit({ job, done: take, refuse });
  };
  return submit;
}

interface Answering extends Omit<Turns, "turns"> {
  readonly clock: Clock;
  readonly deadlines: Deadlines | undefined;
  readonly busy: (job: Job, done: Done) => () => void;
  readonly noted: (reply: Reply, id?: string) => Reply;
  readonly submit: Submit;
}

/** Takes a request to whoever answers it. */
export function answering(
  { engine }: Threads,
  { clock, deadlines, hasher, busy, long, noted, submit, traffic }: Answering,
): (asked: Job, given: Done, id?: string) => void {
  const { reading } = engine;
  const together = reading.isTogether
    ? new ReadsTogether(async (jobs) => {
        const [first, ...rest] = await reading.together(jobs);
        if (first === undefined) return [];
        const told = (): Reply | undefined => {
          const reply = first();
          return reply && explained(engine, jobs[0] as Job, reply, jobs.length);
        };
        return [told, ...rest];
      })
    : undefined;
  const isShaken = engine.parts.chooser !== undefined;
  let numbered = 0;
  return (asked, given, id) => {
    const answered = traffic.underWay.begin(given);
    const received = isShaken ? { ...asked, number: ++numbered } : asked;
    const begun = deadlines?.begin(received, answered);
    const { job, done: tell } = begun ?? { job: received, done: answered };
    const done = (reply: Reply): void => tell(noted(reply, id));
    const run = (whole: Job): void => {
      if (engine.writes(job.endpoint)) write(whole);
      else if (long?.isLong(job.endpoint)) later(whole);
      else read(whole);
    };
    const read = (whole: Job): void => {
      if (isGivenUp(whole)) return;
      const fault = (): Reply => engine.fault(whole);
      if (together !== undefined) {
        together.add({
          job: whole,
          take: (made, ms) => replied(whole, guarded(made, fault), ms),
        });
        return;
      }
      const startMs = performance.now();
      const reply = guarded(() => engine.read(whole), fault);
      replied(whole, reply, performance.now() - startMs);
    };
    const replied = (whole: Job, reply: Reply | undefined, ms: number): void => {
      const isWhole = reply?.elsewhere !== true;
      long?.took(job.endpoint, isWhole ? ms : undefined);
      if (isWhole) taken(whole, reply);
      else later(whole);
    };
    const later = (whole: Job): void => long?.take(whole, (reply) => taken(whole, reply));
    const taken = (whole: Job, reply: Reply | undefined): void => {
      const go = { again: run, refuse: busy(whole, tell) };
      if (reply === undefined) write({ ...whole, now: clock.now() });
      else if (!hasher.takes(whole, reply, go)) done(reply);
    };
    const write = (whole: Job): void => {
      if (!isGivenUp(whole)) submit(whole, done, busy(whole, tell));
    };
    const whole = engine.identified(job);
    // Time has passed while keys were read, and jobs run in the order of their times.
    if (whole instanceof Promise) void whole.then((one) => run({ ...one, now: clock.now() }));
    else run(whole);
  };
}
