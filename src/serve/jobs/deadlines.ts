/** Answers requests whose time has passed, except those whose answer is already being made. */
import { Alarm } from "../time/alarm.ts";
import type { Clock } from "../time/clock.ts";
import type { Job, Reply } from "./job.ts";

const WAITING = 0;
const TAKEN = 1;
const GIVEN_UP = 2;

interface Entry {
  readonly due: bigint;
  readonly turn: Int32Array;
  readonly giveUp: () => void;
}

/**
 * Takes a job's turn: whoever runs it and whoever answers that it is late ask for the same turn, in
 * whichever thread, and one of them gets it. False: the job is answered already.
 */
export function take({ turn }: Job): boolean {
  return turn === undefined || Atomics.compareExchange(turn, 0, WAITING, TAKEN) === WAITING;
}

/** Gives the turn of a job back that is to be run again: until then it can be late. */
export function giveBack({ turn }: Job): void {
  if (turn !== undefined) Atomics.compareExchange(turn, 0, TAKEN, WAITING);
}

/** Whether the job is answered already. */
export function isGivenUp({ turn }: Job): boolean {
  return turn !== undefined && Atomics.load(turn, 0) === GIVEN_UP;
}

/** Ends a job that nobody waits for any more, unless its answer is made already. */
export function giveUp({ turn }: Job): boolean {
  return turn !== undefined && Atomics.compareExchange(turn, 0, WAITING, GIVEN_UP) === WAITING;
}

/**
 * The machine's time, the same in every thread, in milliseconds from some moment on: whoever sets
 * the clock does not change it.
 */
export function machineMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

/** The requests that wait for an answer. All have the same time: the oldest is due first. */
export class Deadlines {
  private readonly clock: Clock;
  private readonly micros: bigint;
  private readonly late: (job: Job) => Reply;
  private readonly alarm: Alarm;
  private readonly entries = new Set<Entry>();

  constructor(clock: Clock, micros: bigint, late: (job: Job) => Reply) {
    this.clock = clock;
    this.micros = micros;
    this.late = late;
    this.alarm = new Alarm(clock, () => this.ring());
  }

  /** The job as it is to be run, and what takes its reply; the first reply is the answer. */
  begin(job: Job, done: (reply: Reply) => void): { job: Job; done: (reply: Reply) => void } {
    const turn = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
    const whole = { ...job, turn, begunMs: machineMs() };
    const entry: Entry = {
      due: job.now + this.micros,
      turn,
      giveUp: () => done(this.late(job)),
    };
    this.entries.add(entry);
    if (this.entries.size === 1) this.alarm.set(entry.due);
    const answered = (reply: Reply): void => {
      if (isGivenUp(whole)) return;
      this.entries.delete(entry);
      done(reply);
    };
    return { job: whole, done: answered };
  }

  stop(): void {
    this.alarm.stop();
  }

  private ring(): void {
    const now = this.clock.now();
    for (const entry of this.entries) {
      if (entry.due > now) {
        this.alarm.set(entry.due);
        return;
      }
      this.entries.delete(entry);
      const was = Atomics.compareExchange(entry.turn, 0, WAITING, GIVEN_UP);
      if (was === WAITING) entry.giveUp();
    }
    this.alarm.set(undefined);
  }
}
